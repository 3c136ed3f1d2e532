import { DuckDBInstance } from '@duckdb/node-api';
import { labelsType, OF_SPACE, PROJECTION_COLUMNS, PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { unpackedColumns } from '../../sql/warehouse/duckdb/projections.ts';

/** Replaces the projections of a version by those that an earlier release built: all columns of all units in each, none in the order of the map. */
export async function makeProjectionsEarlier(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file, { threads: '1' });
  const connection = await instance.connect();
  const tables = Object.entries(PROJECTIONS);
  for (const [table] of tables) await connection.run(`DROP TABLE ${table}`);
  const types = await connection.runAndReadAll("SELECT type_name FROM duckdb_types() WHERE type_name LIKE 'werte_%'");
  for (const [type] of types.getRowsJS()) await connection.run(`DROP TYPE ${type}`);
  const labels = [...PROJECTION_COLUMNS].flatMap(([name, encoding]) => (encoding === 'labels' ? [name] : []));
  for (const name of labels) {
    const texts = `SELECT ${name} FROM units WHERE ${name} IS NOT NULL UNION SELECT '' ORDER BY ALL`;
    await connection.run(`CREATE TYPE ${labelsType(name)} AS ENUM (${texts})`);
  }
  const asLabels = labels.map((name) => `${name}::${labelsType(name)} AS ${name}`).join(', ');
  for (const [table, keys] of tables.filter(([table]) => table !== OF_SPACE)) {
    const order = [...keys, 'mastrNummer'].map((name) => `${name} NULLS LAST`).join(', ');
    await connection.run(
      `CREATE TABLE ${table} AS SELECT * REPLACE (${asLabels}) FROM (SELECT ${unpackedColumns()} FROM units) ORDER BY ${order}`,
    );
  }
  connection.closeSync();
  instance.closeSync();
}
