import { type AwardNumber, roundCode } from './award-number.ts';
import { type Procedure, type Technology, type TenderKey, tenderId } from './technologies.ts';

/**
 * The calendar of the tenders: which round of a series had its bid date when. The ordinal in an award number is not always
 * the n-th date of the year (GEM19-2 was the first of 2019), so the calendar is data.
 */

/** One round of a series. */
export interface CalendarRound {
  readonly serie: string;
  readonly jahr: number;
  readonly ordnungszahl: number;
  /** The bid date, YYYY-MM-DD; null when the round is known to have been, but not when. */
  readonly datum: string | null;
  readonly technologie: Technology;
  readonly verfahren: Procedure;
  /**
   * The certainty of the date. `liste`: a published list or link has it. `anzahl`: the highest number seen fits the
   * bids of that date. `presse`: a report has it. `gesetz`: the law names the date. `reihenfolge`: only the order of
   * the known dates. `offen`: the date is not known. `geladen`: a list that was loaded has it.
   */
  readonly beleg: string;
}

export interface Calendar {
  readonly rounds: readonly CalendarRound[];
  /** The rounds by the code that their award numbers begin with: `WIN17-1`. */
  readonly byCode: ReadonlyMap<string, CalendarRound>;
}

/** Of two rounds of one code the later one counts. */
export function calendarOf(rounds: readonly CalendarRound[]): Calendar {
  const byCode = new Map(rounds.map((round) => [calendarCode(round), round]));
  return { rounds: [...byCode.values()], byCode };
}

/** The code that award numbers of a round begin with. */
export const calendarCode = ({ serie, jahr, ordnungszahl }: CalendarRound): string =>
  roundCode({ serie: serie as AwardNumber['serie'], jahr, ordnungszahl });

/** The key of a round whose date is known. */
export const keyOf = ({ technologie, verfahren, datum }: CalendarRound): TenderKey | null =>
  datum === null ? null : { technologie, verfahren, datum };

/** The tender that an award number belongs to; null when there never was such a round, or its date is not known. */
export function tenderOf(number: AwardNumber, calendar: Calendar): number | null {
  const round = calendar.byCode.get(roundCode(number));
  const key = round === undefined ? null : keyOf(round);
  return key === null ? null : tenderId(key);
}

/** A date that the law sets for every year of a span. */
export interface YearlyDate {
  readonly serie: string;
  /** MM-DD. */
  readonly tag: string;
  readonly abJahr: number;
  /** Null without an end. */
  readonly bisJahr: number | null;
  readonly technologie: Technology;
  readonly verfahren: Procedure;
}

/** The rounds that the law sets from the years of its rules up to a year; a round's ordinal is its place in the year. */
export function roundsAhead(dates: readonly YearlyDate[], untilYear: number): CalendarRound[] {
  return [...Map.groupBy(dates, ({ serie }) => serie).values()].flatMap((series) => {
    const first = Math.min(...series.map(({ abJahr }) => abJahr));
    const years = Array.from({ length: Math.max(0, untilYear - first + 1) }, (_, index) => first + index);
    return years.flatMap((jahr) =>
      series
        .filter(({ abJahr, bisJahr }) => abJahr <= jahr && jahr <= (bisJahr ?? jahr))
        .toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
        .map(({ serie, tag, technologie, verfahren }, index) => ({
          ...{ serie, jahr, ordnungszahl: index + 1, datum: `${jahr}-${tag}` },
          ...{ technologie, verfahren, beleg: 'gesetz' },
        })),
    );
  });
}

/** The tender of a code such as `WIN19-4`, whatever its case; null when there is none, or its date is not known. */
export function tenderOfCode(code: string, { byCode }: Calendar): number | null {
  const upper = code.toUpperCase();
  const round = byCode.get(upper.replace(/^IKWK/, 'iKWK'));
  const key = round === undefined ? null : keyOf(round);
  return key === null ? null : tenderId(key);
}
