import { cpSync, existsSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { build, publishVersion } from '../../../ingest/build/build.ts';
import type { PublicationTarget } from '../../../ingest/destination/target.ts';
import { clickhouseTarget } from '../../../ingest/publication/clickhouse.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { clickhouseAddress } from '../../../runtime/clickhouse-address.ts';
import { ONE_SERVER } from '../../../sql/warehouse/clickhouse/placement.ts';
import { databaseOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { versionFile } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { drawn } from '../../support/cases.ts';
import { administratorClient, bothAnswers, databasesOf, serverTarget } from '../../support/clickhouse.ts';
import { type Outcome, openBridge } from '../../support/clickhouse-bridge.ts';
import { clickhouseOfRun } from '../../support/clickhouse-of-run.ts';
import { folderOfTests, generateDays } from '../../support/exports.ts';
import { buildIn, withDefaults } from '../../support/warehouse.ts';

const folder = folderOfTests();
const server = await clickhouseOfRun();
const client = await administratorClient();
const nights: string[] = [];

beforeAll(async () => {
  nights.push(...(await generateDays(folder.path, 3)));
});

afterAll(async () => {
  await client.close();
  folder.remove();
});

/** A warehouse of its own: folder and databases. */
async function warehouse(prefix: string) {
  const path = join(folder.path, prefix);
  return { path, prefix, published: await serverTarget(path, prefix) };
}

const night = (path: string, published: PublicationTarget, number: number) =>
  build(withDefaults(path, nights[number]!, { target: published, keep: 3, force: true }));

describe('a night with ClickHouse', async () => {
  const one = await warehouse('energy_nights');
  let versions: string[];

  const files = join(folder.path, 'files');

  beforeAll(async () => {
    for (const number of [0, 1]) await night(one.path, one.published, number);
    await publishRegister(files, 1);
    versions = (await one.published.versions()).map(({ id }) => id);
  });

  afterAll(() => one.published.close());

  test('leaves a database for each version, and the last row of the pointer names the one that is served', async () => {
    expect(versions).toEqual(['20261101-0001', '20261102-0002']);
    expect(await databasesOf(client, 'energy_nights')).toEqual([
      'energy_nights',
      'energy_nights_v20261101_0001',
      'energy_nights_v20261102_0002',
    ]);
    const publications = await one.published.publications();
    expect(publications.map(({ version, cause }) => `${version} ${cause}`)).toEqual([
      '20261101-0001 build',
      '20261102-0002 build',
    ]);
  });

  test('both engines hold the same, with history, replaced and departed units', async () => {
    for (const version of drawn(versions, 1)) {
      const { here, there } = await bothAnswers(client, files, one.prefix, version);
      expect(there).toEqual(here);
    }
    const second = databaseOf('energy_nights', versions[1]!);
    const [row] = await queryRows(
      client,
      z.strictObject({ kept: z.int(), replaced: z.int(), lineage: z.int() }),
      `SELECT (SELECT toInt32(count()) FROM ${second}.units WHERE inhaltSeit = 1) AS kept,
         (SELECT toInt32(count()) FROM ${second}.units_ersetzt) AS replaced, (SELECT toInt32(count()) FROM ${second}.vorgaenger) AS lineage`,
    );
    expect(row!.kept).toBeGreaterThan(0);
    expect(row!.replaced).toBeGreaterThan(0);
    expect(row!.lineage).toBe(2);
  });

  test('the folder has no pointer', () => {
    expect(existsSync(join(one.path, 'current.json'))).toBe(false);
  });

  test('the report is available to machines without the folder', async () => {
    const elsewhere = await serverTarget(join(folder.path, 'elsewhere'), 'energy_nights');
    expect(await elsewhere.report(versions[1]!)).toMatchObject({ version: versions[1], exportDay: '2026-11-02' });
    expect(await elsewhere.report('20200101-0001')).toBeNull();
    await elsewhere.close();
  });

  test('another machine takes the history from ClickHouse, too: the third night is the same as in files', async () => {
    const elsewhere = join(folder.path, 'new-disk');
    const published = await serverTarget(elsewhere, 'energy_nights');
    const { report } = await build(withDefaults(elsewhere, nights[2]!, { target: published, force: true, keep: 9 }));
    await published.close();
    expect(report).toMatchObject({ previousVersion: versions[1], madeFrom: { version: versions[1] } });
    await buildIn(files, nights[2]!, { force: true, keep: 9 });
    const { here, there } = await bothAnswers(client, files, 'energy_nights', report.version);
    expect(there).toEqual(here);
  });

  test('a file of an earlier release is loaded without the tables that may be missing, and refused without others', async () => {
    const version = versions[1]!;
    const older = await warehouse('energy_older');
    cpSync(join(files, 'versions', version), join(older.path, 'versions', version), { recursive: true });
    const without = async (table: string) => {
      const instance = await DuckDBInstance.create(versionFile(older.path, version), { threads: '1' });
      const connection = await instance.connect();
      await connection.run(`DROP TABLE ${table}`);
      connection.closeSync();
      instance.closeSync();
    };
    const notes: string[] = [];
    const progress = { ...silentProgress, note: (text: string) => void notes.push(text) };
    const load = () =>
      publishVersion(
        older.published,
        { version, failedChecks: [] },
        { folder: join(folder.path, 'older-work'), memoryMb: 300, progress },
      );

    await without('hoechstwerte');
    await without('auffaelligkeiten_verlauf');
    await load();
    const [row] = await queryRows(
      client,
      z.strictObject({ rounds: z.int(), caps: z.int() }),
      `SELECT (SELECT toInt32(count()) FROM ${databaseOf('energy_older', version)}.gebotstermine) AS rounds,
         (SELECT toInt32(count()) FROM ${databaseOf('energy_older', version)}.hoechstwerte) AS caps`,
    );
    expect(row).toEqual({ rounds: expect.any(Number), caps: 0 });
    expect(row!.rounds).toBeGreaterThan(0);

    await server.run(`DROP DATABASE ${databaseOf('energy_older', version)}`);
    await without('zusatztabellen');
    await expect(load()).rejects.toThrow('was built by an older release and has no zusatztabellen');
    expect(notes).toEqual([]);
    expect(await databasesOf(client, 'energy_older_')).toEqual([]);
    await older.published.close();
  });

  test('superseded versions are dropped, but not before their readers have had time to finish', async () => {
    // Served until a moment ago: only the folder lets go of it.
    expect(await one.published.prune(2)).toEqual([]);
    expect(await databasesOf(client, 'energy_nights_')).toHaveLength(3);
    await server.run(
      'ALTER TABLE energy_nights.publications UPDATE publishedAt = publishedAt - INTERVAL 1 HOUR WHERE 1 SETTINGS mutations_sync = 1',
    );
    expect(await one.published.prune(2)).toEqual(['20261101-0001']);
    expect(await databasesOf(client, 'energy_nights_')).toEqual([
      'energy_nights_v20261102_0002',
      'energy_nights_v20261103_0003',
    ]);
  });

  test('a version that ClickHouse does not have any more is not built upon', async () => {
    await server.run('DROP DATABASE energy_nights_v20261103_0003');
    await expect(night(one.path, one.published, 2)).rejects.toThrow(
      /20261103-0003 is served, but ClickHouse at .* does not have it any more.*backup/,
    );
  });
});

test('rows that are missing on the server, changed or twice there keep a version from being served; debris goes, but not the work of others', async () => {
  const spoiled = await warehouse('energy_spoiled');
  const bridge = await openBridge();
  const damaged = clickhouseTarget(spoiled.path, {
    address: clickhouseAddress(bridge.url(spoiled.prefix)),
    placement: ONE_SERVER,
  });
  const database = 'energy_spoiled_v20261101_0001';
  const damage = async () => {
    await server.run(`INSERT INTO ${database}.units_by_place SELECT * FROM ${database}.units_by_place LIMIT 1`);
    await server.run(`INSERT INTO ${database}.bundesland_tage SELECT * FROM ${database}.bundesland_tage LIMIT 1`);
    await server.run(`ALTER TABLE ${database}.regionen DELETE WHERE region = 1 SETTINGS mutations_sync = 1`);
    await server.run(
      `ALTER TABLE ${database}.units UPDATE bruttoleistungKw = bruttoleistungKw + 0.001 WHERE einheitTyp = 'nuclear'
       SETTINGS mutations_sync = 1`,
    );
    await server.run(
      `ALTER TABLE ${database}.marktakteure UPDATE name = reverseUTF8(name) WHERE lengthUTF8(name) > 3 SETTINGS mutations_sync = 1`,
    );
    await server.run(
      `ALTER TABLE ${database}.suchtexte UPDATE einheiten = arrayMap(nummer -> nummer + 1, einheiten) WHERE length(einheiten) = 1
       SETTINGS mutations_sync = 1`,
    );
    await server.run(
      `ALTER TABLE ${database}.suchnamen
       UPDATE groesste = arrayMap((unit, place) -> if(place = 2, (unit.1, unit.2 + 0.001), unit), groesste, arrayEnumerate(groesste))
       WHERE gefaltet = (SELECT min(gefaltet) FROM ${database}.suchnamen WHERE length(groesste) > 1) SETTINGS mutations_sync = 1`,
    );
  };
  let isChecked = false;
  let done: Promise<void> | null = null;
  bridge.outcomeOf = async (): Promise<Outcome> => {
    // Several requests of the check come at once; all of them see the damage.
    if (isChecked) {
      done ??= damage();
      await done;
    }
    return 'answered';
  };
  const stage = (name: string) => {
    isChecked = name === 'ClickHouse: check';
  };
  const progress = { ...silentProgress, stage };
  await publishRegister(spoiled.path);
  rmSync(join(spoiled.path, 'current.json'));
  const work = { folder: join(folder.path, 'work'), memoryMb: 300 };
  const loaded = { version: '20261101-0001', failedChecks: [] };
  const message = await publishVersion(damaged, loaded, { ...work, progress }).then(
    () => 'published',
    (error: Error) => error.message,
  );
  expect(message).toMatch(/does not hold what 20261101-0001 holds, so it was not published/);
  expect(message).toMatch(/ {2}units: sum of bruttoleistungKw .* in the file, .* in ClickHouse/);
  expect(message).toMatch(/ {2}units_by_place: rows \d+ in the file, \d+ in ClickHouse/);
  expect(message).toMatch(/ {2}regionen: rows /);
  expect(message).toMatch(/ {2}marktakteure: content of the texts \d+ in the file, \d+ in ClickHouse/);
  expect(message).toMatch(/ {2}suchtexte: content of the texts \d+ in the file, \d+ in ClickHouse/);
  expect(message).toMatch(/ {2}suchnamen: content of the texts \d+ in the file, \d+ in ClickHouse/);
  expect(message).not.toMatch(/marktakteure: sum|suchtexte: sum|suchnamen: sum/);
  expect(message).toMatch(/ {2}bundesland_tage: other figures than a recount of the units/);
  expect(message).toMatch(/ {2}bundesland_tage: other figures than the local file/);
  expect(await spoiled.published.publications()).toEqual([]);
  await damaged.close();
  await bridge.close();

  // It is complete in the folder, so it can be published without being built again.
  await publishVersion(spoiled.published, loaded, { ...work, progress: silentProgress });
  expect((await spoiled.published.publications()).map((one) => one.version)).toEqual(['20261101-0001']);
  const { here, there } = await bothAnswers(client, spoiled.path, 'energy_spoiled', loaded.version);
  expect(there).toEqual(here);

  const half = async (database: string, loader: string) => {
    await server.run(`CREATE DATABASE ${database} COMMENT '${loader}'`);
    await server.run(`CREATE TABLE ${database}.units (nummer Int64) ENGINE = MergeTree ORDER BY nummer`);
    await server.run(`INSERT INTO ${database}.units VALUES (1)`);
  };
  await half('energy_spoiled_v20261105_0008', `${hostname()}:${spoiled.path}`);
  await half('energy_spoiled_v20261106_0009', 'another-machine:/srv/warehouse');
  await server.run('CREATE DATABASE energy_spoiled_v2');
  await spoiled.published.prune(3);
  expect(await databasesOf(client, 'energy_spoiled_')).toEqual([
    'energy_spoiled_v2',
    database,
    'energy_spoiled_v20261106_0009',
  ]);
  expect(await spoiled.published.nextSequence()).toBe(10);
  await expect(night(spoiled.path, spoiled.published, 1)).rejects.toThrow(
    /another-machine:\/srv\/warehouse loads 20261106-0009 .*Nothing was published/,
  );
  expect(await spoiled.published.publications()).toHaveLength(1);
  await spoiled.published.close();
});
