import type { Projection } from './projections.ts';

/**
 * Values that few units have stand in two projections of DuckDB alone: in the one that has every column of every unit, and in a
 * small one that has every column of those few units. So most projections are narrower, and questions about such a column
 * read the small one. ClickHouse, and versions of earlier releases, have all columns of all units in each.
 *
 * A version in service may have been built with each of these lists, so one that was released never changes.
 */

/** It has every column of the units that have something seldom. */
export const OF_SELDOM: Projection = 'units_by_planned_commissioning';

/** Columns of which few units have a value. */
export const SELDOM_VALUES: readonly string[] = [
  'geplantesInbetriebnahmedatum',
  'stilllegungsdatum',
  'ersterPlantag',
  'ersterPlantagVom',
  'letzterPlantag',
  'letzterPlantagVom',
  'eegPhasenwechsel',
  'eegReferenzertragVerhaeltnis',
  'windSeelage',
  'gebotstermine',
  // Versions of earlier releases have no such column in any projection.
  'auffaelligkeiten',
];

/** Columns that are true, or have a value, for few units. */
export const SELDOM_FLAGS: readonly string[] = [
  'eegZuschlagsnummer',
  'mitKwk',
  'kwkMastrNummer',
  'kwkZuschlagsnummer',
  'nepGelistet',
  'genehmigungMastrNummer',
  'grenzkraftwerk',
  'mitFlexipraemie',
  'leistungserhoehung',
  'minderungStromerzeugung',
];

/** It is read in the order of its values among units that have none, too, so no projection lacks it. */
const ALSO_SORTED_BY = 'geplantesInbetriebnahmedatum';

/** Projections that have every column. */
const WHOLE: readonly Projection[] = ['units_by_number', OF_SELDOM];

/** In the order of operators their names are in runs of equal ones; elsewhere no filter by name is faster than there. */
const NAMES: { readonly column: string; readonly projection: Projection } = {
  column: 'betreiberName',
  projection: 'units_by_operator',
};

/** Builds and alerts alone read it. */
const READ_BY_NUMBER = 'inhaltSeit';

/** Returns true when a projection has a column. */
export function hasColumn(projection: Projection, column: string): boolean {
  if (WHOLE.includes(projection)) return true;
  if (column === NAMES.column) return projection === NAMES.projection;
  return column === ALSO_SORTED_BY || (column !== READ_BY_NUMBER && !SELDOM_VALUES.includes(column));
}
