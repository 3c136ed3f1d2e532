import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { conspicuousStatement, locationsStatement } from '../../ingest/assembly/answers.ts';
import { countStatements } from '../../ingest/assembly/count.ts';
import { placeStatements } from '../../ingest/assembly/places.ts';
import { macroStatements, warehouseSql } from '../../ingest/duckdb/sql-files.ts';
import { duckdbUnitColumns } from '../../sql/warehouse/duckdb/columns.ts';
import { projectionStatements } from '../../sql/warehouse/duckdb/projections.ts';
import { parseVersionId, publish, rowFile, versionFile, versionFolder } from '../../sql/warehouse/versions.ts';
import { writeRowFile } from './row-file.ts';
import { sharedFolder } from './shared-folder.ts';

/** Warehouse folders made by hand, small enough to be read. */

/** The day that counts as today in every test over the fixture. */
export const TODAY = '2026-03-15';

export const FIXTURE_VERSION = '20260314-0001';

const file = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The empty tables. A comment after the last column would swallow the comma that may follow it. */
const tables = (): string =>
  ['tables.sql', 'units-tables.sql']
    .map((name) => file(`../../sql/warehouse/duckdb/${name}`))
    .join('\n')
    .replaceAll(/^\{\{unitColumns\}\}/gm, () => duckdbUnitColumns().replaceAll(/ --.*$/gm, ''));

/** A folder that is gone after the tests. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'conformance-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Builds a version from statements of its own: `fill` inserts the units, the roll-ups follow from them. */
export async function buildVersion(
  warehouse: string,
  id: string,
  fill: (connection: DuckDBConnection) => Promise<void>,
): Promise<void> {
  const version = parseVersionId(id);
  if (version === null) throw new Error(`${id} is no version`);
  mkdirSync(versionFolder(warehouse, id), { recursive: true });
  const instance = await DuckDBInstance.create(versionFile(warehouse, id), { threads: '1', memory_limit: '200MB' });
  const connection = await instance.connect();
  await connection.run(
    `ATTACH ':memory:' AS scratch; SET search_path = '${basename(versionFile(warehouse, id), '.duckdb')},scratch'`,
  );
  await connection.run(tables());
  await connection.run(macroStatements());
  await connection.run(
    `INSERT INTO dataset BY NAME SELECT $id AS version, $sequence AS sequence, CAST($day AS DATE) AS exportDay,
       'fixture' AS exportName, TIMESTAMP '2026-03-15 03:00:00' AS builtAt, 'none' AS hashBasis`,
    { id, sequence: version.sequence, day: version.exportDay },
  );
  await connection.run('INSERT INTO staende SELECT version, sequence, exportDay FROM dataset');
  await fill(connection);
  await connection.run(`UPDATE units SET nummer = mastr_bits(mastrNummer),
    inhaltSeit = coalesce(inhaltSeit, ${version.sequence}), signals = coalesce(signals, 0)`);
  await connection.run(file('fixture/regions.sql'));
  for (const table of ['regionen', 'gebiete']) {
    await connection.run(`CREATE TABLE scratch.${table}_before AS FROM ${table}_verlauf LIMIT 0`);
  }
  for (const text of placeStatements(null)) await connection.run(text);
  await connection.run(file('fixture/rollups.sql'));
  const texts = { texts: 'suchtexte', units: 'units', regions: 'regionen', inSlice: 'true' };
  await connection.run(warehouseSql('search.sql', texts));
  await connection.run(warehouseSql('search-names.sql', { part: 0, parts: 1 }));
  const { types, byNumber, sorted } = projectionStatements();
  for (const text of [types, byNumber, ...sorted.values(), conspicuousStatement(), locationsStatement()])
    await connection.run(text);
  for (const text of countStatements()) await connection.run(text);
  await writeRowFile(connection, rowFile(warehouse, id));
  connection.closeSync();
  instance.closeSync();
}

/** Puts a version that these statements fill into a warehouse folder. Equal ones are built once in a run. */
export async function putVersion(warehouse: string, id: string, statements: readonly string[]): Promise<void> {
  const digest = createHash('sha256')
    .update(JSON.stringify([id, statements]))
    .digest('hex');
  const built = await sharedFolder(`version-${digest}`, (folder) =>
    buildVersion(folder, id, async (connection) => {
      for (const statement of statements) await connection.run(statement);
    }),
  );
  cpSync(built, warehouse, { recursive: true });
}

/** The small register, built and published. */
export async function publishFixture(warehouse: string): Promise<void> {
  const built = await sharedFolder('fixture', (folder) =>
    buildVersion(folder, FIXTURE_VERSION, async (connection) => {
      await connection.run(file('fixture/units.sql'));
      await connection.run(file('fixture/tenders.sql'));
    }),
  );
  cpSync(built, warehouse, { recursive: true });
  publish(warehouse, FIXTURE_VERSION, 'build', new Date('2026-03-15T03:30:00Z'));
}
