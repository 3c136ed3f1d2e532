import { PROJECTIONS, type Projection } from '../../sql/catalogue/projections.ts';
import {
  enumOf,
  type ProjectionType,
  projectionTypes,
  rowsByNumber,
  sortedRows,
} from '../../sql/warehouse/duckdb/projections.ts';
import type { ReplacedUnits } from '../destination/destination.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { conspicuousRows, locationRows } from './unit-rows.ts';

/**
 * Replaces the rows of some units in the tables of a version before: in the projections, and in those that are made from them. Rows that
 * come are added at the end, so a table is less and less in its order until a build from nothing sorts it again.
 */
export async function replaceUnits(engine: WarehouseConnection, { numbers, rows }: ReplacedUnits): Promise<void> {
  for (const type of projectionTypes()) await addTexts(engine, type, rows);
  // Both have the columns of `units_by_number`, with the ENUMs as they are by now.
  await engine.run(`CREATE TABLE scratch.projected AS ${rowsByNumber(rows)}`);
  for (const table of Object.keys(PROJECTIONS) as Projection[]) {
    const now = table === 'units_by_number' ? 'FROM projected' : sortedRows(table, 'projected');
    await replaceRows(engine, { table, number: 'mastrNummer', numbers, now });
  }
  const conspicuous = conspicuousRows(rows, 'projected');
  await replaceRows(engine, { table: 'units_auffaellig', number: 'mastrNummer', numbers, now: conspicuous });
  await replaceRows(engine, { table: 'standorte', number: 'nummer', numbers, now: locationRows(rows) });
  await engine.run('DROP TABLE scratch.projected');
}

interface Replacement {
  readonly table: string;
  /** Its column of the unit's number. */
  readonly number: string;
  readonly numbers: string;
  /** Selects the rows that come. */
  readonly now: string;
}

async function replaceRows(engine: WarehouseConnection, { table, number, numbers, now }: Replacement): Promise<void> {
  await engine.run(`DELETE FROM ${table} WHERE ${number} IN (SELECT nummer FROM ${numbers})`);
  await engine.run(`INSERT INTO ${table} BY NAME ${now}`);
}

/** Gives an ENUM the texts that only the rows that come have. It keeps its order, and the texts that only former units had. */
async function addTexts(
  engine: WarehouseConnection,
  { column, type, textsOf }: ProjectionType,
  rows: string,
): Promise<void> {
  const known = `SELECT unnest(enum_range(NULL::${type}))::VARCHAR AS text`;
  const missing = await engine.rows(`SELECT text FROM (${textsOf(rows)}) WHERE text NOT IN (${known}) LIMIT 1`);
  if (missing.length === 0) return;
  const tables = await engine.rows<{ name: string }>(
    `SELECT table_name AS name FROM duckdb_columns() WHERE data_type LIKE 'ENUM%' AND column_name = '${column}'
     AND database_name = current_database() AND table_name LIKE 'units_%'`,
  );
  await engine.run(`CREATE TABLE scratch.texts AS ${known} UNION ${textsOf(rows)}`);
  for (const { name } of tables) await engine.run(`ALTER TABLE ${name} ALTER ${column} TYPE VARCHAR`);
  await engine.run(`DROP TYPE ${type}`);
  await engine.run(enumOf(type, 'SELECT text FROM texts'));
  for (const { name } of tables) await engine.run(`ALTER TABLE ${name} ALTER ${column} TYPE ${type}`);
  await engine.run('DROP TABLE scratch.texts');
}
