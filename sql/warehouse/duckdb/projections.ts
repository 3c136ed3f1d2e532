import type { UnitField } from '../../catalogue/field.ts';
import { UNIT_FIELDS } from '../../catalogue/unit-fields.ts';
import { PROJECTIONS } from '../../query/access-paths.ts';
import { duckdbMastrBits } from '../../register/mastr-number.ts';
import { UNIT_COLUMN_NAMES } from './columns.ts';

/**
 * DuckDB's question tables (sql/query/access-paths.ts): of every unit the columns that a filter, an order or a grouping looks
 * at, encoded so that comparing them is cheap, in several orders. What a unit is beyond that stands in the row file.
 */

/** How a column is kept: small, and cheap to compare. */
export type Encoding =
  | 'own' //      as in `units`
  | 'labels' //   texts as an ENUM of those that occur, in order
  | 'number' //   a MaStR number as 64 bits: three letters times 2^40, and twelve digits
  | 'presence'; // only whether there is a value: true or NULL

/** Texts of which there are too many for an ENUM, or whose beginnings are compared. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set(['plz', 'betreiberName']);

/** Columns that are read without a filter of their own: by delta reads, and by the older variant. */
const ALSO_READ = ['inhaltSeit', 'statusId'];

/** Every column of the question tables with its encoding. */
export const PROJECTION_COLUMNS: ReadonlyMap<string, Encoding> = new Map(
  UNIT_COLUMN_NAMES.filter((name) => mentioned().has(name)).map((name) => [name, encodingOf(name)]),
);

/** What the expressions of filters and orders name. */
function mentioned(): ReadonlySet<string> {
  const asked = UNIT_FIELDS.filter(({ filters, sortable, pending }) => !pending && (filters.length > 0 || sortable));
  const expressions = asked.flatMap(({ name, read, filters }) => [
    read ?? name,
    ...filters.flatMap(({ over }) => over ?? []),
  ]);
  return new Set([...expressions.flatMap((text) => text.match(/\w+/g) ?? []), ...ALSO_READ]);
}

function encodingOf(name: string): Encoding {
  const field = UNIT_FIELDS.find((one) => one.name === name);
  const readers = UNIT_FIELDS.filter(({ read, name: own }) => read === name || own === name);
  if (readers.length > 0 && readers.every(onlyPresence)) return 'presence';
  if (field?.kind === 'number') return 'number';
  if ((field?.kind === 'label' || field?.kind === 'text') && !PLAIN_TEXTS.has(name)) return 'labels';
  return 'own';
}

function onlyPresence({ filters, sortable }: UnitField): boolean {
  return !sortable && filters.every(({ compare }) => compare === 'present');
}

/** The ENUM of a column's values. */
export const labelsType = (column: string): string => `werte_${column}`;

const SELECTED: Record<Encoding, (column: string) => string> = {
  own: (column) => column,
  labels: (column) => `${column}::${labelsType(column)} AS ${column}`,
  number: (column) => `${column === 'mastrNummer' ? 'nummer' : duckdbMastrBits(column)} AS ${column}`,
  presence: (column) => `CASE WHEN ${column} IS NOT NULL THEN true END AS ${column}`,
};

/**
 * The statements that make the question tables from `units`, one after the other.
 * @param wanted the columns that `units` has, where it has not all
 */
export function projectionStatements(wanted: ReadonlyMap<string, Encoding> = PROJECTION_COLUMNS): string[] {
  const labels = [...wanted].filter(([, encoding]) => encoding === 'labels').map(([name]) => name);
  const types = labels.map(
    (name) =>
      `CREATE TYPE ${labelsType(name)} AS ENUM (SELECT ${name} FROM units WHERE ${name} IS NOT NULL UNION SELECT '' ORDER BY ALL)`,
  );
  const columns = [...wanted].map(([name, encoding]) => SELECTED[encoding](name)).join(', ');
  const tables = Object.entries(PROJECTIONS).map(([table, order]) => {
    const source = table === 'units_by_number' ? `SELECT ${columns} FROM units` : 'SELECT * FROM units_by_number';
    const keys = [...order.filter((name) => name !== 'mastrNummer'), 'mastrNummer'];
    return `CREATE TABLE ${table} AS ${source} ORDER BY ${keys.map((name) => `${name} ASC NULLS LAST`).join(', ')}`;
  });
  return [types.join(';\n'), ...tables];
}
