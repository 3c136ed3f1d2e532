import type { Say } from './words.ts';

/** Periods as numbers of their kind since the year 0, as on the pages. */

export type Kind = 'jahr' | 'quartal' | 'monat';

const OF_YEAR: Readonly<Record<Kind, number>> = { jahr: 1, quartal: 4, monat: 12 };

export const kindOf = (text: string | null, usual: Kind): Kind =>
  text === 'jahr' || text === 'quartal' || text === 'monat' ? text : usual;

/** @param label `2026`, `2026-Q1` or `2026-01` */
export function periodNumber(kind: Kind, label: string): number {
  const [year, part = '1'] = label.split('-');
  return Number(year) * OF_YEAR[kind] + Number(part.replace('Q', '')) - 1;
}

/** @param day YYYY-MM-DD */
export const periodOfDay = (kind: Kind, day: string): number =>
  Number(day.slice(0, 4)) * OF_YEAR[kind] + Math.floor(((Number(day.slice(5, 7)) - 1) * OF_YEAR[kind]) / 12);

/** True where the day is the last one of its period. */
export function endsPeriod(kind: Kind, day: string): boolean {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return periodOfDay(kind, next.toISOString().slice(0, 10)) !== periodOfDay(kind, day);
}

/** „2026“, „Q1 2026“, „01/2026“ */
export function periodName(kind: Kind, period: number): string {
  const year = Math.floor(period / OF_YEAR[kind]);
  const part = period - year * OF_YEAR[kind] + 1;
  if (kind === 'jahr') return String(year);
  return kind === 'quartal' ? `Q${part} ${year}` : `${String(part).padStart(2, '0')}/${year}`;
}

export interface Range {
  readonly first: number;
  readonly last: number;
}

/** Ends that days name take the place of the usual ones; ends the wrong way round are meant the other way. */
export function rangeOf(kind: Kind, usual: Range, von: string | null, bis: string | null): Range {
  const last = bis === null ? usual.last : periodOfDay(kind, bis);
  const first = von === null ? Math.min(usual.first, last) : periodOfDay(kind, von);
  return { first: Math.min(first, last), last: Math.max(first, last) };
}

export const yearsLong = (kind: Kind, years: number): number => years * OF_YEAR[kind];

export function spanText(kind: Kind, { first, last }: Range, say: Say): string {
  const [from, to] = [periodName(kind, first), periodName(kind, last)];
  return first === last ? from : say(`${from} bis ${to}`, `${from} to ${to}`);
}

export const namesOf = (kind: Kind, { first, last }: Range): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => periodName(kind, first + index));
