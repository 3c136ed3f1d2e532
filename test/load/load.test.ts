import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../ingest/build/build.ts';
import type { Published } from '../../ingest/published/published.ts';
import { databaseOf, rowsOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { listVersions, versionFolder } from '../../sql/warehouse/versions.ts';
import { bothAnswers, databasesOf, engineClient, inEngine } from '../support/clickhouse.ts';
import { folderOfTests, generateExport } from '../support/exports.ts';
import { withDefaults } from '../support/warehouse.ts';

const folder = folderOfTests();
const client = engineClient();
const nights: string[] = [];

beforeAll(async () => {
  nights.push(await generateExport(folder.path, '2026-11-01'));
  nights.push(await generateExport(folder.path, '2026-11-02', nights[0]));
  nights.push(await generateExport(folder.path, '2026-11-03', nights[1]));
});

afterAll(async () => {
  await client.close();
  folder.remove();
});

/** A warehouse of its own: folder and databases. */
function warehouse(name: string) {
  const path = join(folder.path, name);
  return { path, prefix: name, published: inEngine(path, name) };
}

const night = (path: string, published: Published, number: number, keep = 3) =>
  build(withDefaults(path, nights[number]!, { published, keep, force: true }));

describe('a night with ClickHouse', () => {
  const one = warehouse('nights');
  let versions: string[];

  beforeAll(async () => {
    for (const number of [0, 1]) await night(one.path, one.published, number);
    versions = (await one.published.versions()).map(({ id }) => id);
  });

  afterAll(() => one.published.close());

  test('leaves a database for each version, and the last row of the pointer names the one that is served', async () => {
    expect(versions).toEqual(['20261101-0001', '20261102-0002']);
    expect(await databasesOf(client, 'nights')).toEqual(['nights', 'nights_v20261101_0001', 'nights_v20261102_0002']);
    const publications = await one.published.publications();
    expect(publications.map(({ version, cause }) => `${version} ${cause}`)).toEqual([
      '20261101-0001 build',
      '20261102-0002 build',
    ]);
  });

  test('both engines hold the same, with history, replaced and departed units', async () => {
    for (const version of versions) {
      const { here, there } = await bothAnswers(client, one.path, one.prefix, version);
      expect(there).toEqual(here);
    }
    const second = databaseOf('nights', versions[1]!);
    const [row] = await rowsOf<{ kept: string; replaced: string; lineage: string }>(
      client,
      `SELECT (SELECT count() FROM ${second}.units WHERE inhaltSeit = 1) AS kept,
         (SELECT count() FROM ${second}.units_ersetzt) AS replaced, (SELECT count() FROM ${second}.vorgaenger) AS lineage`,
    );
    expect(Number(row!.kept)).toBeGreaterThan(0);
    expect(Number(row!.replaced)).toBeGreaterThan(0);
    expect(Number(row!.lineage)).toBe(2);
  });

  test('nothing of the pointer is in the folder', () => {
    expect(existsSync(join(one.path, 'current.json'))).toBe(false);
  });

  test('the report is there for machines without the folder', async () => {
    const elsewhere = inEngine(join(folder.path, 'elsewhere'), 'nights');
    expect(await elsewhere.report(versions[1]!)).toMatchObject({ version: versions[1], exportDay: '2026-11-02' });
    expect(await elsewhere.report('20200101-0001')).toBeNull();
    await elsewhere.close();
  });

  test('another machine takes the history from ClickHouse: the third night is the same as with the folder', async () => {
    const elsewhere = join(folder.path, 'new-disk');
    const published = inEngine(elsewhere, 'nights');
    const said: string[] = [];
    const progress = { stage: (name: string) => void said.push(name), advance() {}, note() {}, end() {} };
    const { report } = await build(withDefaults(elsewhere, nights[2]!, { published, progress, force: true, keep: 9 }));
    await published.close();
    expect(report.previousVersion).toBe(versions[1]);
    expect(said.join('\n')).toContain('its history is read from ClickHouse');
    const withFolder = join(folder.path, 'with-folder');
    for (const number of [0, 1, 2]) await build(withDefaults(withFolder, nights[number]!, { force: true, keep: 9 }));
    const { here, there } = await bothAnswers(client, withFolder, 'nights', report.version);
    expect(there.map((text) => text.replaceAll(report.version, 'third'))).toEqual(
      here.map((text) => text.replaceAll(report.version, 'third')),
    );
  });

  test('a version that neither the folder nor ClickHouse has any more is not built upon', async () => {
    const lost = warehouse('lost');
    await night(lost.path, lost.published, 0);
    await client.command({ query: 'DROP DATABASE lost_v20261101_0001' });
    rmSync(versionFolder(lost.path, '20261101-0001'), { recursive: true });
    await expect(night(lost.path, lost.published, 1)).rejects.toThrow(
      /20261101-0001 is served, but neither .* has it.*backup/,
    );
    await lost.published.close();
  });
});

describe('what is published', () => {
  test('is what was compared: rows that are missing on the server, or twice there, keep a version from being served', async () => {
    const spoiled = warehouse('spoiled');
    await night(spoiled.path, spoiled.published, 0);
    await spoiled.published.close();
    const [version] = listVersions(spoiled.path);
    const mischief = [
      'INSERT INTO {db}.units_by_place SELECT * FROM {db}.units_by_place LIMIT 1',
      'INSERT INTO {db}.region_tage SELECT * FROM {db}.region_tage LIMIT 1',
      'ALTER TABLE {db}.units UPDATE bruttoleistungKw = bruttoleistungKw + 0.001 WHERE nummer = (SELECT min(nummer) FROM {db}.units) SETTINGS mutations_sync = 1',
      'ALTER TABLE {db}.regionen DELETE WHERE region = 1 SETTINGS mutations_sync = 1',
    ];
    for (const [number, statement] of mischief.entries()) {
      const prefix = `spoiled${number}`;
      const published = inEngine(spoiled.path, prefix);
      const before = databaseOf(prefix, version!.id);
      // The mischief is done while the last table is on its way, before the comparison begins.
      let done = false;
      const progress = {
        stage(name: string) {
          if (name !== 'ClickHouse: check' || done) return;
          done = true;
        },
        advance() {},
        note() {},
        end() {},
      };
      const work = { folder: join(folder.path, 'work'), memoryMb: 300, progress };
      const spoil = published.take(version!.id, {
        ...work,
        progress: {
          ...progress,
          stage(name: string) {
            if (name === 'ClickHouse: check')
              spoiling = client.command({ query: statement.replaceAll('{db}', before) });
          },
        },
      });
      let spoiling: Promise<unknown> = Promise.resolve();
      await expect(spoil, statement).rejects.toThrow(/does not hold what 20261101-0001 holds.*not published/);
      await spoiling;
      expect(await published.publications()).toEqual([]);
      await published.close();
    }
  });
});
