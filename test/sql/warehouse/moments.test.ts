import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { clickhouse } from '../../../sql/query/clickhouse.ts';
import { duckdb, milliseconds } from '../../../sql/query/duckdb.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { administratorClient } from '../../support/clickhouse.ts';

/** Moments keep their millisecond, and so their day and year, from one engine to the other. */

const MOMENTS = [
  '0001-01-01 00:00:00.000999',
  '1969-12-31 23:59:59.999999',
  '1969-12-31 23:59:59.000999',
  '1969-12-31 23:59:59',
  '1970-01-01 00:00:00.000001',
  '2026-11-01 12:34:56.789999',
  '9999-12-31 23:59:59.999999',
];

test('moments of the years 1 to 9999 are equal in both engines', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const moments = MOMENTS.map((moment) => `TIMESTAMP '${moment}'`).join(', ');
  const reader = await connection.runAndReadAll(
    `SELECT ${duckdb.toJson('time', 't')} AS here, ${milliseconds('t')} AS handed FROM (SELECT unnest([${moments}]) AS t)`,
  );
  const rows = reader.getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  const client = await administratorClient();
  const handed = rows.map((row) => `toInt64(${row.handed})`).join(', ');
  const there = await queryRows(
    client,
    z.strictObject({ moment: z.string() }),
    `SELECT ${clickhouse.toJson('time', 't')} AS moment FROM (SELECT arrayJoin([${handed}]) AS t)`,
  );
  await client.close();
  const expected = MOMENTS.map((moment) => `${moment.replace(' ', 'T').padEnd(23, '.000').slice(0, 23)}Z`);
  expect(rows.map(({ here }) => here)).toEqual(expected);
  expect(there.map(({ moment }) => moment)).toEqual(expected);
});
