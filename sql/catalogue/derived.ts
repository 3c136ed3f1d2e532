import { type ColumnExpression, column, expr } from './expression.ts';

/**
 * A field that is computed for each request. Filters need it as SQL, while an answer has a row at hand: both forms
 * stand side by side here, and a test holds one against the other.
 */
export interface Derivation {
  readonly read: ColumnExpression;
  /** Computes the same from the texts of a row. */
  derive(value: (column: string) => string | undefined, today: string): number | string | null;
}

const DAY_MILLISECONDS = 86_400_000;

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MILLISECONDS;

const COMMISSIONED = column('inbetriebnahmedatum');
const PLANNED = column('geplantesInbetriebnahmedatum');
const FIRST_PLANNED = column('ersterPlantag');
const FIRST_PLANNED_ON = column('ersterPlantagVom');
const LAST_PLANNED = column('letzterPlantag');
const LAST_PLANNED_ON = column('letzterPlantagVom');

/** Commissioning against the last planned day known; of units that are overdue, today against the planned day. */
export const DELAY: Derivation = {
  read: expr`CASE WHEN ${COMMISSIONED} IS NOT NULL THEN ${COMMISSIONED} - ${LAST_PLANNED}
      WHEN ${PLANNED} < $today THEN $today - ${PLANNED} END`,
  derive(value, today) {
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
  read: expr`CASE WHEN ${FIRST_PLANNED_ON} < ${LAST_PLANNED_ON} THEN ${PLANNED} - ${FIRST_PLANNED} END`,
  derive(value) {
    const [planned, first] = [value('geplantesInbetriebnahmedatum'), value('ersterPlantag')];
    const [from, last] = [value('ersterPlantagVom'), value('letzterPlantagVom')];
    if (planned === undefined || first === undefined || from === undefined || last === undefined) return null;
    return from < last ? daysBetween(first, planned) : null;
  },
};

/** The official key of the district: the municipality's without its last three digits. */
export const DISTRICT_KEY: Derivation = {
  read: expr`left(${column('gemeindeschluessel')}, 5)`,
  derive: (value) => value('gemeindeschluessel')?.slice(0, 5) ?? null,
};
