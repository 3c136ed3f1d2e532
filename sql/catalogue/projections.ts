import { columnsRead, type UnitField } from './field.ts';
import { UNIT_COLUMN_NAMES } from './unit-columns.ts';
import { UNIT_FIELDS } from './unit-fields.ts';

/**
 * The projections of `units` with their sort keys. They hold the same columns of the same units, each in another order, as
 * far as the groups of seldom columns below say no different. An engine skips whole blocks whose smallest and largest values rule them out,
 * so the right projection leaves nearly nothing to read. The choice never changes an answer.
 */
export const PROJECTIONS = {
  units_by_number: ['mastrNummer'],
  units_by_place: ['einheitTyp', 'bundesland', 'landkreis', 'gemeinde', 'plz'],
  units_by_operator: ['betreiberMastrNummer'],
  units_by_capacity: ['bruttoleistungKw'],
  units_by_commissioning: ['inbetriebnahmedatum'],
  units_by_planned_commissioning: ['geplantesInbetriebnahmedatum'],
  units_by_registration: ['registrierungsdatum'],
  units_by_space: ['breite', 'laenge', 'gemeindegebiet', 'einheitTyp', 'betriebsStatus'],
} as const satisfies Record<string, readonly string[]>;

export type Projection = keyof typeof PROJECTIONS;

/**
 * The projection in the order of the map: units with coordinates from south to north, then the others by their municipalities, of
 * which the numbers follow each other within a district; equal values of what is asked for most lie together there. Versions of
 * earlier releases lack it.
 */
export const OF_SPACE: Projection = 'units_by_space';

/** The columns of coordinates that this projection has, and those with every column. All keep whether there are some. */
export const COORDINATES = { longitude: 'laenge', latitude: 'breite' } as const;

/** The form in which a column is kept: small, and cheap to compare. */
export type ColumnEncoding =
  | 'own' //      as in `units`
  | 'labels' //   texts as an ENUM of those that occur, in order
  | 'number' //   a MaStR number as 64 bits: three letters times 2^40, and twelve digits
  | 'presence'; // only whether there is a value: true or NULL

/** Texts with too many values for an ENUM, or whose beginnings are compared. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set(['plz', 'betreiberName']);

/** Delta reads, the older variant, questions about places and sums of energy read these columns without a filter of their own. */
const ALSO_READ = ['inhaltSeit', 'statusId', 'landkreisgebiet', 'gemeindegebiet', 'speicherkapazitaetAnteilKwh'];

/** The columns that filters and orders read. */
const COMPARED_COLUMNS: ReadonlySet<string> = new Set([
  ...UNIT_FIELDS.flatMap((field) => [
    ...(field.sortable ? columnsRead(field) : []),
    ...field.filters.flatMap(({ over }) => over?.reads ?? columnsRead(field)),
  ]),
  ...ALSO_READ,
]);

/** Every column of the projections with its encoding; packed-columns.ts says how DuckDB keeps them. */
export const PROJECTION_COLUMNS: ReadonlyMap<string, ColumnEncoding> = new Map(
  UNIT_COLUMN_NAMES.filter((name) => COMPARED_COLUMNS.has(name)).map((name) => [name, encodingOf(name)]),
);

function encodingOf(name: string): ColumnEncoding {
  const field = UNIT_FIELDS.find((one) => one.name === name);
  const readers = UNIT_FIELDS.filter(({ read, name: own }) => read?.sql === name || own === name);
  if (readers.some(({ filters }) => filters.length > 0) && readers.every(onlyPresence)) return 'presence';
  if (field?.kind === 'number') return 'number';
  if ((field?.kind === 'label' || field?.kind === 'text') && !PLAIN_TEXTS.has(name)) return 'labels';
  return 'own';
}

function onlyPresence({ filters, sortable }: UnitField): boolean {
  return !sortable && filters.every(({ compare }) => compare === 'present');
}

/** The ENUM of a column's values. */
export const labelsType = (column: string): string => `werte_${column}`;

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

/** What is seldom asked for of a part of the map: half of the space of a projection, without which another one is read. */
const NOT_OF_SPACE: readonly string[] = [
  'standortEnergietraeger',
  'betreiberMastrNummer',
  'einspeisungsart',
  'netzbetreiberpruefung',
  'bilanzierungsgebiet',
  'regelzone',
  'netzanschlussEnergietraeger',
  'speichersegment',
  'eegFoerderende',
  'eegEinspeiseverguetungCtKwh',
  'eegAnzulegenderWertCtKwh',
  'eegAbleitbarkeit',
  'ersteRegistrierung',
];

/** Returns true when a projection has COORDINATES. */
export const hasCoordinates = (projection: Projection): boolean => [...WHOLE, OF_SPACE].includes(projection);

/** Returns true when a projection has a column. */
export function hasColumn(projection: Projection, column: string): boolean {
  if (WHOLE.includes(projection)) return true;
  if (projection === OF_SPACE && NOT_OF_SPACE.includes(column)) return false;
  if (column === NAMES.column) return projection === NAMES.projection;
  return column === ALSO_SORTED_BY || (column !== READ_BY_NUMBER && !SELDOM_VALUES.includes(column));
}
