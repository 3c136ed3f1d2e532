import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { databaseOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { listVersions } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { administratorClient, serverTarget } from '../../support/clickhouse.ts';
import { folderOfTests } from '../../support/exports.ts';

/** The server's own record of what a load set off. */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
const client = await administratorClient();
let database: string;

beforeAll(async () => {
  await publishRegister(warehouse);
  const version = listVersions(warehouse)[0]!.id;
  database = databaseOf('energy_views', version);
  const published = await serverTarget(warehouse, 'energy_views');
  await published.load(version, { folder: join(folder.path, 'work'), memoryMb: 300, progress: silentProgress });
  await published.close();
  await client.command({ query: 'SYSTEM FLUSH LOGS' });
});

afterAll(async () => {
  await client.close();
  folder.remove();
});

test('every materialized view ran for every block of its table, and none failed', async () => {
  const blocks = await queryRows(
    client,
    z.strictObject({ id: z.string() }),
    `SELECT query_id AS id FROM system.query_log
     WHERE current_database = {database:String} AND type = 'QueryFinish' AND query LIKE 'INSERT INTO units %'`,
    { database },
  );
  expect(blocks.length).toBeGreaterThan(0);
  const views = await queryRows(
    client,
    z.strictObject({ name: z.string() }),
    `SELECT concat(database, '.', name) AS name FROM system.tables
     WHERE database = {database:String} AND engine = 'MaterializedView' ORDER BY name`,
    { database },
  );
  expect(views.length).toBeGreaterThan(10);
  const runs = await queryRows(
    client,
    z.strictObject({ name: z.string(), status: z.string(), ran: z.int(), wrote: z.boolean() }),
    `SELECT view_name AS name, toString(status) AS status, toInt32(count()) AS ran, toBool(min(written_rows) > 0) AS wrote
     FROM system.query_views_log WHERE initial_query_id IN {ids:Array(String)} GROUP BY ALL ORDER BY name, status`,
    { ids: blocks.map(({ id }) => id) },
  );
  expect(runs).toEqual(views.map(({ name }) => ({ name, status: 'QueryFinish', ran: blocks.length, wrote: true })));
});
