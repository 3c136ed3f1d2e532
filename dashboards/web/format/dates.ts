import { LOCALE, say } from './language.ts';
import { NOTHING } from './numbers.ts';

/** Days and times as readers of the language expect them. Days of the interface are German local days: they are never moved to another time zone. */

const MONTHS = say(
  ['Jan.', 'Feb.', 'März', 'Apr.', 'Mai', 'Juni', 'Juli', 'Aug.', 'Sept.', 'Okt.', 'Nov.', 'Dez.'],
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
);

/** 2026-11-01 as 01.11.2026, or 1 Nov 2026 */
export function day(value: string | null): string {
  if (value === null) return NOTHING;
  const [year = '', month = '', date = ''] = value.slice(0, 10).split('-');
  return say(`${date}.${month}.${year}`, `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}`);
}

/** 2026-11-01 of what `day` has written; null for any other text. */
export function dayOfText(text: string): string | null {
  const [, date = '', month = '', year] =
    say(/^(\d\d)\.(\d\d)\.(\d{4})$/, /^(\d\d?) ([A-Z][a-z]{2}) (\d{4})$/).exec(text) ?? [];
  const number = say(month, String(MONTHS.indexOf(month) + 1).padStart(2, '0'));
  return year === undefined || number === '00' ? null : `${year}-${number}-${date.padStart(2, '0')}`;
}

/** A text in which every day is written as `day` writes it: „Gebotstermin 1.5.2026“ with 01.05.2026 */
export const writtenDays = (text: string): string =>
  text.replaceAll(
    /(?<![\d.])(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?!\d)/g,
    (_, date: string, month: string, year: string) => day(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`),
  );

/** A period of a time series: 2026, 2026-Q1 or 2026-11, as 2026, Q1 2026, Nov. 2026 */
export function period(value: string): string {
  const [year, part] = value.split('-');
  if (part === undefined) return value;
  return part.startsWith('Q') ? `${part} ${year}` : `${MONTHS[Number(part) - 1]} ${year}`;
}

/** The first day of a period, YYYY-MM-DD, as the interface or `period` writes it; null for any other text, and for years. */
export function firstDayOfPeriod(text: string): string | null {
  const [, year = '', of = ''] = /^(\d{4})-(Q[1-4]|0[1-9]|1[0-2])$/.exec(text) ?? [];
  const [, named = '', ofYear = ''] = /^(\S+) (\d{4})$/.exec(text) ?? [];
  const part = of || named;
  const month = /^Q[1-4]$/.test(part) ? 3 * Number(part[1]) - 2 : of === '' ? MONTHS.indexOf(named) + 1 : Number(of);
  return month < 1 ? null : `${year || ofYear}-${String(month).padStart(2, '0')}-01`;
}

const moment = new Intl.DateTimeFormat(LOCALE, {
  day: say('2-digit', 'numeric'),
  month: say('2-digit', 'short'),
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/Berlin',
});

/** A timestamp in German time: 23.11.2026, 07:15, or 23 Nov 2026, 07:15 */
export const time = (value: string | null): string => (value === null ? NOTHING : moment.format(new Date(value)));

const berlinDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });

/** Today in Germany as YYYY-MM-DD. */
export const today = (): string => berlinDay.format(new Date());

/** 2026-02-30 is none, although it looks like one. */
export function isCalendarDay(text: string): boolean {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

/** The moment at which a day begins in Germany. @param start YYYY-MM-DD */
export function midnight(start: string): Date {
  const inSummer = new Date(`${start}T00:00:00+02:00`);
  return berlinDay.format(inSummer) === start ? inSummer : new Date(`${start}T00:00:00+01:00`);
}

/** The day that lies so many days before or after another, YYYY-MM-DD. */
export const daysFrom = (start: string, days: number): string =>
  new Date(Date.parse(start) + days * 86_400_000).toISOString().slice(0, 10);

/** The day that lies so many months before or after another, YYYY-MM-DD; the last of a month stays the last. */
export function monthsFrom(start: string, months: number): string {
  const [year = 0, month = 0, dayOfMonth = 0] = start.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const moved = new Date(Date.UTC(year, month - 1 + months, Math.min(dayOfMonth, lastOfMonth)));
  return moved.toISOString().slice(0, 10);
}
