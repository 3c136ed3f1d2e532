/** Values of cells: numbers with a decimal comma or thousands separators, dates in every spelling, units in labels. */

/** A cell as both readers give it. */
export type Cell = string | number | boolean | Date | null;

/** A cell as text, without the blanks around it; empty for an empty one. */
export function textOf(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return dayOfDate(cell);
  return String(cell).replaceAll('\u00a0', ' ').replaceAll('\r\n', '\n').trim();
}

const dayOfDate = (date: Date): string => (Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10));

/**
 * The number of a cell; null when it is none. `1.234,5`, `1234.5`, `1 234` and `5,71` are numbers; of `1.234` the dot separates
 * thousands, as German texts write it. Two values in a cell, `2,65/4,50`, are none.
 */
export function numberOf(cell: Cell | undefined): number | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  const text = textOf(cell).replaceAll(/[\s']/g, '').replace(/\*+$/, '');
  if (/^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'));
  if (/^-?\d{1,3}(,\d{3}){2,}(\.\d+)?$/.test(text)) return Number(text.replaceAll(',', ''));
  if (/^-?\d+([.,]\d+)?$/.test(text)) return Number(text.replace(',', '.'));
  return null;
}

/**
 * Rounds half up at a decimal, on the number as it is written: 5.715 is 5.72, although its nearest double lies below.
 * @param places decimals that remain
 */
export function roundHalfUp(value: number, places: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const shifted = Math.floor(Number(`${mantissa}e${Number(exponent) + places}`) + 0.5);
  return shifted === 0 ? 0 : Number(`${shifted}e${-places}`);
}

const MONTHS = ['jan', 'feb', 'mär', 'apr', 'mai', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dez'];

const DATE =
  /(?<iso>\b\d{4}-\d{2}-\d{2}\b)|\b(?<day>\d{1,2})\s*\.\s*(?:(?<month>\d{1,2})\s*\.|(?<name>jan|feb|mär|maer|apr|mai|jun|jul|aug|sep|okt|nov|dez)[a-zä]*\.?)\s*(?<year>\d{4})\b/i;

/** The first calendar day of a text: `1. Mai 2019`, `01.05.2019`, `2019-05-01`. Null when it has none. */
export function dayIn(text: string): string | null {
  const groups = DATE.exec(text)?.groups;
  if (groups === undefined) return null;
  const { iso, day, month, name, year } = groups;
  if (iso !== undefined) return realDay(iso);
  const number = month ?? String(MONTHS.indexOf((name ?? '').toLowerCase().replace('maer', 'mär')) + 1);
  return realDay(`${year}-${number.padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`);
}

/** Names of files write dates with underscores or nothing between: `Gebotstermin_01_12_2019`, `GT01022026`. */
export function dayInName(name: string): string | null {
  const match = /(?<!\d)(\d{2})[_.-]?(\d{2})[_.-]?(20\d{2})(?!\d)/.exec(name);
  return match === null ? dayIn(name) : realDay(`${match[3]}-${match[2]}-${match[1]}`);
}

/** Days since 1899-12-30, as spreadsheets number them, of the years in which there are tenders. */
const FIRST_SERIAL = 41_000;
const LAST_SERIAL = 60_000;

/** The day of a cell that holds a date and nothing else; null when it does not. */
export function dayOf(cell: Cell | undefined): string | null {
  if (cell instanceof Date) return realDay(dayOfDate(cell));
  if (typeof cell === 'number') {
    if (!Number.isInteger(cell) || cell < FIRST_SERIAL || cell > LAST_SERIAL) return null;
    return dayOfDate(new Date(Date.UTC(1899, 11, 30) + cell * 86_400_000));
  }
  const text = textOf(cell);
  return text.length > 30 ? null : dayIn(text);
}

function realDay(text: string): string | null {
  const date = new Date(`${text}T00:00:00Z`);
  return dayOfDate(date) === text && text >= '2015' && text < '2100' ? text : null;
}

/** A day some days later. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Days between two calendar days, without sign. */
export const daysBetween = (a: string, b: string): number => Math.abs(Date.parse(a) - Date.parse(b)) / 86_400_000;

/** Kilowatts of the unit that a label names; null when it names none. Blocks of years differ, so it is never assumed. */
export function kilowattsOf(label: string): number | null {
  if (/\bGW\b/i.test(label)) return 1_000_000;
  if (/\bMW\b/i.test(label)) return 1000;
  return /\bkW\b/i.test(label) ? 1 : null;
}
