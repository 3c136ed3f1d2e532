import { say } from '../../format/language.ts';
import { PERIODS_OF_YEAR, type PeriodKind, periodOfDay, type Range, withinYears } from '../../periods/periods.ts';

/** Spans that are chosen by their name, and move on with the data. The first is the default. */
export const SPANS = ['5jahre', '12monate', '10jahre', 'alles'] as const;

export type Span = (typeof SPANS)[number];

interface SpanEntry {
  readonly name: string;
  /** Years back from the day of the data, and ahead of it for what is planned. */
  readonly back: number;
  readonly ahead: number;
  /** The periods that show it best. */
  readonly kind: PeriodKind;
}

/** `alles` reaches as far as there are data. */
export const SPAN_ENTRIES: Readonly<Record<Span, SpanEntry>> = {
  '12monate': { name: say('12 Monate', '12 months'), back: 1, ahead: 1, kind: 'monat' },
  '5jahre': { name: say('5 Jahre', '5 years'), back: 5, ahead: 2, kind: 'quartal' },
  '10jahre': { name: say('10 Jahre', '10 years'), back: 10, ahead: 3, kind: 'quartal' },
  alles: { name: say('Alles', 'All'), back: Number.POSITIVE_INFINITY, ahead: Number.POSITIVE_INFINITY, kind: 'jahr' },
};

export interface RangeChoice {
  readonly span: Span;
  /** Days that were chosen by hand; they take the place of the ends of the span. */
  readonly from: string | null;
  readonly to: string | null;
  /** False: nothing is shown of the time after the data. */
  readonly hasPlans: boolean;
}

/**
 * The periods that are shown: always whole ones, so that the interface answers the same for their days.
 * @param asOf day of the data
 * @param data all periods that have data
 */
export function shownRange(kind: PeriodKind, choice: RangeChoice, asOf: string, data: Range): Range {
  const { back, ahead } = SPAN_ENTRIES[choice.span];
  const after = choice.hasPlans ? ahead : 0;
  const ofYear = PERIODS_OF_YEAR[kind];
  const now = periodOfDay(kind, asOf);
  const from = choice.from === null ? null : periodOfDay(kind, choice.from);
  const to = choice.to === null ? null : periodOfDay(kind, choice.to);
  const first = from ?? (Number.isFinite(back) ? now - back * ofYear + 1 : data.first);
  const last = to ?? (Number.isFinite(after) ? now + after * ofYear : Math.max(now, data.last));
  return withinYears(kind, first, last);
}

/** The strip begins here unless more is shown: most of what happened came after the first law on renewable energy. */
const STRIP_FROM_YEAR = 2000;
const STRIP_YEARS_AHEAD = 5;

/**
 * Finds the span of the strip under the chart: the years in which most happens, and all that is shown; or all years, where
 * all were asked for.
 */
export function stripRange(kind: PeriodKind, shown: Range, span: Span, asOf: string, data: Range): Range {
  const ofYear = PERIODS_OF_YEAR[kind];
  const now = periodOfDay(kind, asOf);
  const { first, last } =
    span === 'alles'
      ? shownRange(kind, { span, from: null, to: null, hasPlans: true }, asOf, data)
      : {
          first: Math.max(data.first, STRIP_FROM_YEAR * ofYear),
          last: Math.max(now, Math.min(data.last, now + STRIP_YEARS_AHEAD * ofYear)),
        };
  return { first: Math.min(shown.first, first), last: Math.max(shown.last, last) };
}
