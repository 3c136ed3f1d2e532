import { OF_SELDOM, PROJECTIONS, type Projection } from '../../catalogue/projections.ts';
import { UNIT_FIELDS } from '../../catalogue/unit-fields.ts';

/**
 * The tables that have units as lists show them, each as one text (sql/warehouse/rows/coded.ts), so that a page is read where it is found:
 * those in the orders of lists, and that of places, since a place is asked for in any order. A name stands for a column without which a
 * unit has an empty text there: in the order of planned days, units without one come last, and hardly anybody gets there.
 */
export const LISTED_TEXTS: ReadonlyMap<string, string | null> = new Map(
  (Object.keys(PROJECTIONS) as Projection[])
    .filter((table) => isSortable(PROJECTIONS[table][0]) || table === 'units_by_place')
    .map((table) => [table, table === OF_SELDOM ? PROJECTIONS[table][0] : null]),
);

function isSortable(name: string): boolean {
  return UNIT_FIELDS.some((field) => field.sortable && field.name === name);
}
