import { say } from '../format/language.ts';
import { exact } from '../format/numbers.ts';

/** The content of a figure as rows: the table beside a chart, and the file that is downloaded. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Column {
  readonly name: string;
  /** Physical unit, which the header names; null = none. */
  readonly unit?: string;
  /** Decimals at most in the table of the page; files have all that there are, up to six. Default: 1. */
  readonly digits?: number;
  /** True: the column has numbers, which stand to the right; a year is none. */
  readonly numeric?: boolean;
  /** True: the column has periods, which a workbook has as numbers (years) or as their first days. */
  readonly isPeriod?: boolean;
}

/** null = not known. */
export type Cell = string | number | null;

/** Decimals with which the smallest value of a column does not look like nothing. */
export function digitsOf(cells: readonly Cell[]): number {
  const sizes = cells.filter((cell) => typeof cell === 'number' && cell !== 0).map((cell) => Math.abs(Number(cell)));
  const smallest = Math.min(...sizes);
  return smallest < 0.1 ? 3 : smallest < 1 ? 2 : 1;
}

const BYTE_ORDER_MARK = '\ufeff';

/** German spreadsheets take semicolons and decimal commas, as the interface writes them with `dialekt=excel`; others do not. */
const [SEPARATOR, DECIMAL] = say([';', ','], [',', '.']);

/** A file that spreadsheets of the language open by double click, in UTF-8 with its mark. The last line names the source. */
export function csvOf({ columns, rows }: Table, source: string): string {
  const header = columns.map(({ name, unit }) => (unit === undefined ? name : `${name} (${unit})`));
  const lines = [header, ...rows, [source]].map((cells) => cells.map(csvCell).join(SEPARATOR));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

/**
 * A text that begins like a formula is one for spreadsheets, in some of them also in full width: an apostrophe before it
 * keeps it a text. One that has an apostrophe already gets another, so that taking one away always gives the text back.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(exact(cell)).replace('.', DECIMAL);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text.includes(SEPARATOR) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
