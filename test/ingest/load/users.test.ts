import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { publishRegister } from '../../support/built.ts';
import { clickhouseOfRun } from '../../support/clickhouse-of-run.ts';
import type { ClickHouseAccess } from '../../support/clickhouse-server.ts';
import { ingestHere } from '../../support/command.ts';
import { folderOfTests, generateExport } from '../../support/exports.ts';
import { serve } from '../../support/service.ts';

/** The users of users.sql on a real front end: what they have to do they may, and nothing else. */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
const VERSION = '20261101-0001';
const PREFIX = 'energy_users';
const DATABASE = databaseOf(PREFIX, VERSION);

describe('the users of a server', () => {
  let server: ClickHouseAccess;

  beforeAll(async () => {
    server = await clickhouseOfRun();
    await publishRegister(warehouse);
    // With a server the folder of versions is that of STATE_DIR.
    cpSync(warehouse, join(folder.path, 'state/warehouse'), { recursive: true });
  });

  afterAll(() => folder.remove());

  const ingest = (user: 'energy_loader' | 'energy_reader', ...words: string[]) =>
    ingestHere(join(folder.path, 'state'), words, { WAREHOUSE_URL: server.warehouse(user, PREFIX) });

  test('the loader loads a version and publishes it', async () => {
    const published = await ingest('energy_loader', 'publish', VERSION);
    expect(published).toMatchObject({ code: 0, out: `Published ${VERSION}\n` });
    expect((await ingest('energy_loader', 'status')).out).toContain(`Served: ${VERSION}`);
    expect(await server.run(`SELECT count() > 400 FROM ${DATABASE}.units`)).toBe('1\n');
  });

  test('the reader serves it, with lists, counts, details, searches and groups', async () => {
    const service = await serve(warehouse, { WAREHOUSE_URL: server.warehouse('energy_reader', PREFIX) });
    try {
      const list = await service.get('/v1/units?limit=5&einheitTyp=solar&include=technik');
      expect(list).toMatchObject({ status: 200, json: { meta: { page: { total: 167 } } } });
      const paths = [
        `/v1/units/${list.json.data[0].mastrNummer}`,
        '/v1/search?q=wind',
        '/v1/aggregations?groupBy=bundesland&leistungMinKw=10',
        '/v1/region/zeitreihe?periode=jahr',
        '/v1/datasets',
        '/v1/health',
      ];
      for (const path of paths)
        expect({ path, status: (await service.get(path)).status }).toEqual({ path, status: 200 });
    } finally {
      await service.stop();
    }
  });

  test.each([
    ['energy_reader', `INSERT INTO ${DATABASE}.units (mastrNummer) VALUES ('SEE900000000000')`],
    ['energy_reader', `DROP TABLE ${DATABASE}.units`],
    ['energy_reader', 'CREATE DATABASE energy_mine'],
    ['energy_reader', 'SELECT count() FROM other.secret'],
    ['energy_reader', 'SELECT count() FROM numbers(10) SETTINGS max_execution_time = 3600'],
    ['energy_board', `INSERT INTO ${DATABASE}.units (mastrNummer) VALUES ('SEE900000000000')`],
    ['energy_board', `DROP TABLE ${DATABASE}.units`],
    ['energy_board', 'SELECT count() FROM other.secret'],
    ['energy_board', `SELECT * FROM url('http://127.0.0.1:1/x', 'CSV', 'a String')`],
    ['energy_board', 'SELECT count() FROM numbers(10) SETTINGS max_execution_time = 3600'],
    ['energy_board', 'SELECT count() FROM numbers(10) SETTINGS max_memory_usage = 8000000000'],
    ['energy_board', 'SELECT count() FROM numbers(10) SETTINGS max_threads = 8'],
    // 0 would be no limit.
    ['energy_board', 'SELECT count() FROM numbers(10) SETTINGS max_execution_time = 0'],
    ['energy_board', 'SELECT count() FROM numbers(10) SETTINGS max_memory_usage_for_user = 0'],
    ['energy_board', 'SELECT count() FROM numbers(10) SETTINGS max_concurrent_queries_for_user = 0'],
    ['energy_board', 'SELECT count() FROM numbers(10) SETTINGS max_result_bytes = 0'],
    ['energy_loader', 'SELECT count() FROM other.secret'],
    ['energy_loader', 'CREATE DATABASE other2'],
    ['energy_loader', 'DROP DATABASE other'],
    ['energy_loader', `ALTER TABLE ${DATABASE}.units UPDATE name = NULL WHERE 1`],
    ['energy_loader', `SELECT * FROM url('http://127.0.0.1:1/x', 'CSV', 'a String')`],
    ['energy_loader', 'GRANT SELECT ON energy*.* TO energy_reader'],
  ] as const)('%s is refused: %s', async (user, statement) => {
    await server.run('CREATE DATABASE IF NOT EXISTS other');
    await server.run('CREATE TABLE IF NOT EXISTS other.secret (a Int8) ENGINE = Memory');
    await expect(server.run(statement, user)).rejects.toThrow(
      /ACCESS_DENIED|READONLY|SETTING_CONSTRAINT_VIOLATION|Not enough privileges/,
    );
  });

  test('who may not load learns that before a build, and what to do', async () => {
    const source = await generateExport(folder.path, '2026-11-02');
    const build = (url: string) =>
      ingestHere(join(folder.path, 'elsewhere'), ['build', source], { WAREHOUSE_URL: url });
    for (const url of [server.warehouse('energy_loader', 'foreign'), server.warehouse('energy_reader', PREFIX)]) {
      const { code, err } = await build(url);
      expect(code).toBe(1);
      expect(err).toMatch(/ refused: .*Not enough privileges.*\n.*needs the loading user in WAREHOUSE_URL/);
      expect(err).not.toMatch(/reading \d+ files/);
    }
  });

  test.each([
    ['energy_reader', ['ip_address'], 0, 2400],
    ['energy_board', ['user_name'], 1200, 240],
  ])('%s has a quota in each minute', async (user, keys, statements, seconds) => {
    const quota = await server.run(
      `SELECT keys, toInt32(ifNull(max_queries, 0)) AS statements, max_execution_time AS seconds
       FROM system.quotas INNER JOIN system.quota_limits ON quotas.name = quota_name
       WHERE has(apply_to_list, '${user}') AND duration = 60 FORMAT JSONEachRow`,
    );
    expect(JSON.parse(quota)).toEqual({ keys, statements, seconds });
  });

  test('the loader drops what is no longer needed', async () => {
    expect((await ingest('energy_reader', 'prune', '--keep', '1')).code).not.toBe(0);
    await server.run(`DROP DATABASE ${DATABASE}`, 'energy_loader');
    expect(await server.run(`SELECT count() FROM system.databases WHERE name = '${DATABASE}'`)).toBe('0\n');
  });
});
