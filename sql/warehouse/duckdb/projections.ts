import { type ColumnEncoding, labelsType, PROJECTION_COLUMNS, PROJECTIONS } from '../../catalogue/projections.ts';
import { duckdbMastrBits } from '../../register/mastr-number.ts';

/**
 * DuckDB's projections (sql/catalogue/projections.ts): of every unit the columns that a filter, an order or a grouping
 * reads, encoded so that comparing them is cheap, in several orders. All other values stand in the row file.
 */

const SELECTED: Record<ColumnEncoding, (column: string) => string> = {
  own: (column) => column,
  labels: (column) => `${column}::${labelsType(column)} AS ${column}`,
  number: (column) => `${column === 'mastrNummer' ? 'nummer' : duckdbMastrBits(column)} AS ${column}`,
  presence: (column) => `CASE WHEN ${column} IS NOT NULL THEN true END AS ${column}`,
};

/**
 * The statements that make the projections from `units`, one after the other.
 * @param projected the columns of the projections; all by default
 */
export function projectionStatements(projected: ReadonlyMap<string, ColumnEncoding> = PROJECTION_COLUMNS): string[] {
  const labels = [...projected].filter(([, encoding]) => encoding === 'labels').map(([name]) => name);
  const types = labels.map(
    (name) =>
      `CREATE TYPE ${labelsType(name)} AS ENUM (SELECT ${name} FROM units WHERE ${name} IS NOT NULL UNION SELECT '' ORDER BY ALL)`,
  );
  const columns = [...projected].map(([name, encoding]) => SELECTED[encoding](name)).join(', ');
  const tables = Object.entries(PROJECTIONS).map(([table, order]) => {
    const source = table === 'units_by_number' ? `SELECT ${columns} FROM units` : 'SELECT * FROM units_by_number';
    const keys = [...order.filter((name) => name !== 'mastrNummer'), 'mastrNummer'];
    return `CREATE TABLE ${table} AS ${source} ORDER BY ${keys.map((name) => `${name} ASC NULLS LAST`).join(', ')}`;
  });
  return [types.join(';\n'), ...tables];
}
