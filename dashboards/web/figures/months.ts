import { monthsFrom, period } from '../format/dates.ts';
import { say } from '../format/language.ts';
import type { TimeSeriesRow } from '../v1/answers.ts';

/** Months that are over, and what happened in them. */

/** First and last day, both inclusive. */
export interface Span {
  /** The day of the register, after the months. */
  readonly asOf: string;
  readonly from: string;
  readonly to: string;
}

/** As many as two years have: each month has the same month a year before beside it. */
const MONTHS_ASKED = 24;

/** The two years that end with the last month that was over on a day. */
export function spanBefore(day: string): Span {
  const firstOfMonth = `${day.slice(0, 7)}-01`;
  return { asOf: day, from: monthsFrom(firstOfMonth, -MONTHS_ASKED), to: dayBefore(firstOfMonth) };
}

const dayBefore = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
};

/** All months of a span, `2026-10`: the interface has none for a month in which nothing happened. */
export function monthsOf({ from, to }: Span): readonly string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = monthsFrom(month, 1)) months.push(month.slice(0, 7));
  return months;
}

export type Measure = 'zubauMw' | 'abbauMw' | 'zubauAnzahl' | 'abbauAnzahl';

/** The sum over some months and all carriers. */
export const sumOf = (rows: readonly TimeSeriesRow[], months: readonly string[], measure: Measure): number =>
  rows.filter(({ periode }) => months.includes(periode)).reduce((sum, row) => sum + row[measure], 0);

/** „Aug. bis Okt. 2026“, „Nov. 2025 bis Jan. 2026“ */
export function rangeName(months: readonly string[]): string {
  const [first = '', last = ''] = [months[0], months.at(-1)];
  const begin = period(first);
  const short = first.slice(0, 4) === last.slice(0, 4) ? begin.replace(/ \d{4}$/, '') : begin;
  return say(`${short} bis ${period(last)}`, `${short} to ${period(last)}`);
}
