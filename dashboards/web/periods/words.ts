import { period as written } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { type PeriodKind, periodLabel, type Range } from './periods.ts';

/** Periods in words. */

export const ADVERBS: Readonly<Record<PeriodKind, string>> = {
  monat: say('monatlich', 'by month'),
  quartal: say('quartalsweise', 'by quarter'),
  jahr: say('jährlich', 'by year'),
};

export const PERIOD_NOUNS: Readonly<Record<PeriodKind, string>> = {
  monat: say('Monat', 'Month'),
  quartal: say('Quartal', 'Quarter'),
  jahr: say('Jahr', 'Year'),
};

/** Kinds of periods to choose from. */
export const KIND_WORDS = (['monat', 'quartal', 'jahr'] as const).map((value) => ({
  value,
  name: PERIOD_NOUNS[value],
}));

/** „Q1 2022“ */
export const nameOfPeriod = (kind: PeriodKind, period: number): string => written(periodLabel(kind, period));

/** „Q1 2022 bis Q4 2028“ */
export function spanText({ kind, range }: { readonly kind: PeriodKind; readonly range: Range }): string {
  const [first, last] = [range.first, range.last].map((period) => nameOfPeriod(kind, period));
  return first === last ? `${first}` : say(`${first} bis ${last}`, `${first} to ${last}`);
}
