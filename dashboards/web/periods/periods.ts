/** Months, quarters and years as numbers: periods of their kind since the beginning of year 0. */

export const PERIOD_KINDS = ['quartal', 'monat', 'jahr'] as const;

export type PeriodKind = (typeof PERIOD_KINDS)[number];

export const PERIODS_OF_YEAR: Readonly<Record<PeriodKind, number>> = { jahr: 1, quartal: 4, monat: 12 };

/** Some periods in a row, both ends included. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** Nothing is shown of other years, whatever the address or a slip of the register says: a chart has as many bars as periods. */
export const FIRST_YEAR = 1850;
export const LAST_YEAR = 2199;

/** The range between two periods; ends that were chosen the wrong way round are meant the other way. */
export function withinYears(kind: PeriodKind, one: number, other: number): Range {
  const ofYear = PERIODS_OF_YEAR[kind];
  const within = (period: number): number =>
    Math.max(FIRST_YEAR * ofYear, Math.min((LAST_YEAR + 1) * ofYear - 1, period));
  return { first: within(Math.min(one, other)), last: within(Math.max(one, other)) };
}

export const lengthOf = ({ first, last }: Range): number => last - first + 1;

/** @param label `2026`, `2026-Q1` or `2026-01`, as the interface writes periods */
export function periodNumber(kind: PeriodKind, label: string): number {
  const [year, part = '1'] = label.split('-');
  return Number(year) * PERIODS_OF_YEAR[kind] + Number(part.replace('Q', '')) - 1;
}

export const yearOf = (kind: PeriodKind, period: number): number => Math.floor(period / PERIODS_OF_YEAR[kind]);

/** Place of a period in its year, from 0. */
export const placeInYear = (kind: PeriodKind, period: number): number =>
  period - yearOf(kind, period) * PERIODS_OF_YEAR[kind];

export function periodLabel(kind: PeriodKind, period: number): string {
  const year = String(yearOf(kind, period)).padStart(4, '0');
  const place = placeInYear(kind, period) + 1;
  if (kind === 'jahr') return year;
  return kind === 'quartal' ? `${year}-Q${place}` : `${year}-${String(place).padStart(2, '0')}`;
}

/** @param day YYYY-MM-DD */
export function periodOfDay(kind: PeriodKind, day: string): number {
  const ofYear = PERIODS_OF_YEAR[kind];
  const month = Number(day.slice(5, 7)) - 1;
  return Number(day.slice(0, 4)) * ofYear + Math.floor((month * ofYear) / 12);
}

/** First day of a period, YYYY-MM-DD. */
export function firstDay(kind: PeriodKind, period: number): string {
  const month = (placeInYear(kind, period) * 12) / PERIODS_OF_YEAR[kind] + 1;
  return `${String(yearOf(kind, period)).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
}

const DAY = 24 * 60 * 60_000;

/** Last day of a period, YYYY-MM-DD. */
export const lastDay = (kind: PeriodKind, period: number): string =>
  new Date(Date.parse(firstDay(kind, period + 1)) - DAY).toISOString().slice(0, 10);

/** Places the end of a day among the periods: a period and the part of it that has passed. */
export function momentOfDay(kind: PeriodKind, day: string): number {
  const period = periodOfDay(kind, day);
  const start = Date.parse(firstDay(kind, period));
  const end = Date.parse(firstDay(kind, period + 1));
  return period + (Date.parse(day) + DAY - start) / (end - start);
}
