import { columnsRead, type UnitField } from './field.ts';
import { UNIT_COLUMN_NAMES } from './unit-columns.ts';
import { UNIT_FIELDS } from './unit-fields.ts';

/**
 * The projections of `units` with their sort keys. They hold the same columns of the same units, each in another order, as
 * far as seldom-columns.ts says no different. An engine skips whole blocks whose smallest and largest values rule them out,
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
} as const satisfies Record<string, readonly string[]>;

export type Projection = keyof typeof PROJECTIONS;

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

/** Every column of the projections with its encoding; packed-columns.ts says how DuckDB keeps them. */
export const PROJECTION_COLUMNS: ReadonlyMap<string, ColumnEncoding> = new Map(
  UNIT_COLUMN_NAMES.filter((name) => comparedColumns().has(name)).map((name) => [name, encodingOf(name)]),
);

/** The columns that filters and orders read. */
function comparedColumns(): ReadonlySet<string> {
  const columns = UNIT_FIELDS.flatMap((field) => [
    ...(field.sortable ? columnsRead(field) : []),
    ...field.filters.flatMap(({ over }) => over?.reads ?? columnsRead(field)),
  ]);
  return new Set([...columns, ...ALSO_READ]);
}

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
