/**
 * Fields that are worked out when they are asked for. Filters need them as SQL, the answer has a row at hand: both are
 * said here, side by side, and a test holds one against the other.
 */
export interface Derivation {
  /** Over the columns of `units`; `$today` is the day that counts as today. */
  readonly sql: string;
  /** The same from the texts of a row. */
  of(value: (column: string) => string | undefined, today: string): number | null;
}

const DAY_MILLISECONDS = 86_400_000;

/** Days from one calendar day to another. */
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MILLISECONDS;

/** Commissioning against the last planned day known; of units that are overdue, today against the planned day. */
export const DELAY: Derivation = {
  sql: `CASE WHEN inbetriebnahmedatum IS NOT NULL THEN inbetriebnahmedatum - letzterPlantag
      WHEN geplantesInbetriebnahmedatum < $today THEN $today - geplantesInbetriebnahmedatum END`,
  of(value, today) {
    const [commissioned, planned] = [value('inbetriebnahmedatum'), value('geplantesInbetriebnahmedatum')];
    if (commissioned !== undefined) {
      const expected = value('letzterPlantag');
      return expected === undefined ? null : daysBetween(expected, commissioned);
    }
    return planned !== undefined && planned < today ? daysBetween(planned, today) : null;
  },
};

/** The planned day of now against the first one that became known. */
export const SHIFT: Derivation = {
  sql: 'CASE WHEN ersterPlantagVom < letzterPlantagVom THEN geplantesInbetriebnahmedatum - ersterPlantag END',
  of(value) {
    const [planned, first] = [value('geplantesInbetriebnahmedatum'), value('ersterPlantag')];
    const [from, last] = [value('ersterPlantagVom'), value('letzterPlantagVom')];
    if (planned === undefined || first === undefined || from === undefined || last === undefined) return null;
    return from < last ? daysBetween(first, planned) : null;
  },
};
