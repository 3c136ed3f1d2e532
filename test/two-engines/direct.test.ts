import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backfill } from '../../ingest/build/backfill.ts';
import type { PublicationTarget } from '../../ingest/destination/target.ts';
import { openReadOnly } from '../../ingest/duckdb/connection.ts';
import { compareTables, copiedTables, filledTables } from '../../ingest/load/compare.ts';
import { folderTarget } from '../../ingest/publication/folder.ts';
import { silentProgress } from '../../ingest/run/progress.ts';
import { storeRound } from '../../ingest/tenders/store.ts';
import { tenderKey } from '../../sql/tenders/technologies.ts';
import { COPIED_TABLES } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { listVersions, versionFile } from '../../sql/warehouse/versions.ts';
import { administratorClient, databasesOf, loadServer, serverTarget } from '../support/clickhouse.ts';
import { folderOfTests, generateExport, RegisterExport } from '../support/exports.ts';
import { buildIn, withDefaults } from '../support/warehouse.ts';

/**
 * A version that is built straight in ClickHouse equals the one that is built in files from the same exports, table by table, over a
 * chain of days: with units that leave and return, a version that is withdrawn, history of an older export, and award lists.
 */

const folder = folderOfTests();
const PREFIX = 'energy_direct';
const client = await administratorClient();
const files = join(folder.path, 'files');
const direct = join(folder.path, 'direct');
let target: PublicationTarget;

/** Does the same in both places. */
async function inBoth(work: (warehouse: string, target: PublicationTarget) => Promise<unknown>): Promise<void> {
  await work(files, folderTarget(files));
  await work(direct, target);
}

/** Files from nothing, as the server has every version: a night would keep the numbers of places. */
const build = (source: string) =>
  inBoth((warehouse, published) =>
    buildIn(warehouse, source, { target: published, force: true, keep: 9, fromNothing: true }),
  );

beforeAll(async () => {
  target = await serverTarget(direct, PREFIX);
  const days = ['2026-10-01', '2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05'];
  const exports: string[] = [];
  for (const day of days) exports.push(await generateExport(folder.path, day, exports.at(-1)));
  const [older = '', first = '', second = '', third = '', fourth = '', fifth = ''] = exports;
  await build(first);
  await build(await without(second, 'second', 5));
  await build(await without(third, 'third', 9));
  await inBoth((_, published) => published.publish('20261102-0002', 'rollback'));
  await inBoth((warehouse, published) => backfill(withDefaults(warehouse, older, { target: published })));
  await inBoth(async (warehouse) => loadList(warehouse, await RegisterExport.read(fourth)));
  // The units that had left return. As if another release had built what is served, all units are hashed again.
  const { hashBasis } = await hashedBy('of another release');
  await build(fourth);
  await hashedBy(hashBasis);
  await build(fifth);
});

afterAll(async () => {
  await target.close();
  await client.close();
  folder.remove();
});

/** Replaces what the second version says of its hashes, in both places. @returns what it said */
async function hashedBy(text: string): Promise<{ hashBasis: string }> {
  const file = await DuckDBInstance.create(versionFile(files, '20261102-0002'));
  const connection = await file.connect();
  await connection.run(`UPDATE dataset SET hashBasis = '${text}'`);
  connection.closeSync();
  file.closeSync();
  const table = `${databaseOf(PREFIX, '20261102-0002')}.dataset`;
  const rows = await client.query({ query: `SELECT hashBasis FROM ${table}`, format: 'JSONEachRow' });
  const [before] = await rows.json<{ hashBasis: string }>();
  await client.command({
    query: `ALTER TABLE ${table} UPDATE hashBasis = '${text}' WHERE 1 SETTINGS mutations_sync = 1`,
  });
  return before!;
}

test('a version that is served is merged', async () => {
  await client.command({ query: 'SYSTEM FLUSH LOGS' });
  const rows = await client.query({
    query: `SELECT count() AS n FROM system.query_log WHERE startsWith(query, 'SYSTEM START MERGES ${PREFIX}_v20261105_0005.units')`,
    format: 'JSONEachRow',
  });
  expect(Number((await rows.json<{ n: string }>())[0]!.n)).toBeGreaterThan(0);
});

/** Writes the export without some units of three kinds. */
async function without(path: string, name: string, units: number): Promise<string> {
  const register = await RegisterExport.read(path);
  for (const kind of ['EinheitenSolar', 'EinheitenWind', 'EinheitenStromSpeicher'])
    register.of(kind).records.splice(units, units);
  return register.write(
    join(folder.path, name),
    path
      .match(/(\d{4})(\d{2})(\d{2})/)!
      .slice(1, 4)
      .join('-'),
  );
}

/** A list whose awards belong to units of the register. */
function loadList(warehouse: string, register: RegisterExport): void {
  const tender = 2020060110;
  const nothing = { bundesland: null, landkreis: null, plz: null, gemeinde: null, gemarkung: null, flurstueck: null };
  const zuschlaege = register
    .of('EinheitenWind')
    .records.slice(0, 4)
    .map(({ EinheitMastrNummer: number }, place) => ({
      ...nothing,
      id: tender * 100_000 + place + 1,
      gebotstermin: tender,
      zuschlagsnummer: `WIN20-3/00${place + 1}`,
      gebotsmengeKw: 1000,
      flurstueckRoh: null,
      mastrNummern: [number!],
      foerderNummern: [],
    }));
  const liste = { quelle: 'Liste', pruefsumme: '', bekanntgabe: '2020-07-01', kalender: [], zuschlaege, befunde: [] };
  storeRound(warehouse, { ...tenderKey(tender)!, id: tender, listen: [liste], statistik: null });
}

const VERSIONS = ['20261101-0001', '20261102-0002', '20261103-0003', '20261104-0004', '20261105-0005'];

test('the same versions are there', async () => {
  expect(listVersions(files).map(({ id }) => id)).toEqual(VERSIONS);
  expect((await target.versions()).map(({ id }) => id)).toEqual(VERSIONS);
});

test.each(VERSIONS)('%s has the same rows in every table', async (version) => {
  const server = await loadServer(PREFIX);
  const database = databaseOf(PREFIX, version);
  const here = server.clientFor(database);
  const limits = { memoryMb: 500, threads: 1, temporaryFolder: join(folder.path, 'temporary') };
  const engine = await openReadOnly(versionFile(files, version), limits);
  try {
    const copied = Object.entries(COPIED_TABLES).map(([table, columns]) => ({
      table,
      // The two were not built in the same moment.
      columns: table === 'dataset' ? '* EXCLUDE (builtAt)' : columns,
    }));
    const task = { folder: join(folder.path, 'work'), memoryMb: 500, progress: silentProgress };
    await compareTables(
      { server, engine, version, task },
      { database, client: here, tables: [...copiedTables(copied), ...filledTables()] },
    );
  } finally {
    await engine.close();
    await here.close();
    await server.close();
  }
});

describe('a build on the server', () => {
  test('leaves no files of versions in the folder, and nothing of the work', () => {
    expect(existsSync(join(direct, 'versions'))).toBe(false);
    expect(existsSync(join(direct, 'building'))).toBe(false);
    expect(readdirSync(direct).sort()).toEqual(['history', 'tenders']);
  });

  test('reads no texts of units of earlier versions, even when it hashes all units again', async () => {
    await client.command({ query: 'SYSTEM FLUSH LOGS' });
    const rows = await client.query({
      query: `SELECT countIf(has(read, 'nummer')) > 0 AS numbers, countIf(has(read, 'zeile')) AS texts FROM (
        SELECT arrayMap(one -> splitByChar('.', one)[3], arrayFilter(one -> match(one, '^${PREFIX}_v.*[.]units[.]'), columns)) AS read
        FROM system.query_log WHERE type = 'QueryFinish' AND query_kind = 'Select')`,
      format: 'JSONEachRow',
    });
    const [{ numbers, texts } = {}] = await rows.json<Record<string, string>>();
    expect({ numbers: Boolean(numbers), texts: Number(texts) }).toEqual({ numbers: true, texts: 0 });
  });

  test('leaves one database for each version, without the table of its work', async () => {
    expect(await databasesOf(client, `${PREFIX}_`)).toEqual(VERSIONS.map((version) => databaseOf(PREFIX, version)));
    const rows = await client.query({
      query: `SELECT count() AS n FROM system.tables WHERE startsWith(database, '${PREFIX}_v') AND name = 'uebernommen'`,
      format: 'JSONEachRow',
    });
    expect(await rows.json()).toEqual([{ n: expect.toSatisfy((n) => Number(n) === 0) }]);
  });
});
