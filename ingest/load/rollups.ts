import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { countedFigures, storedFigures } from '../../sql/warehouse/clickhouse/recount.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { digestOf } from './digest.ts';

/** Checks that the views have filled the roll-ups correctly: they must equal a recount of all units at once, and the local file. */

/** Compares what the roll-ups have with a recount of the units. @returns one sentence for each difference */
export async function recountDifferences(client: ClickHouseClient): Promise<string[]> {
  const counted = new Map<string, readonly string[]>();
  for (const statement of countedFigures()) {
    const [row = {}] = await queryRows(client, z.record(z.string(), figures), statement);
    for (const [table, values] of Object.entries(row)) counted.set(table, values);
  }
  const stored = await queryRows(client, z.strictObject({ name: z.string(), figures }), storedFigures());
  return stored
    .filter((one) => one.figures.join() !== counted.get(one.name)?.join())
    .map(({ name }) => `${name}: other figures than a recount of the units`);
}

const figures = z.array(z.string());

/** Columns that are summed up within a group, as whole numbers in the dialect of each engine. */
const SUMS: Readonly<Record<string, { readonly duckdb: string; readonly clickhouse: string }>> = {
  anzahl: { duckdb: 'sum(anzahl)::HUGEINT', clickhouse: 'sum(anzahl)' },
  mitLeistung: { duckdb: 'sum(mitLeistung)::HUGEINT', clickhouse: 'sum(mitLeistung)' },
  kw: thousandths('kw'),
  kwh: thousandths('kwh'),
};

function thousandths(column: string) {
  return {
    duckdb: `replace(sum(${column})::VARCHAR, '.', '')::HUGEINT`,
    clickhouse: `toInt128(sum(toDecimal128(${column}, 3)) * 1000)`,
  };
}

/** Beyond this many bytes the server spills groups to its disk. */
const SETTINGS = { max_bytes_before_external_group_by: '2000000000' } as const;

interface Digest {
  readonly groups: string;
  readonly digest: string;
}

/**
 * Compares a roll-up with that of the local file, group by group: the number of groups and a sum over a hash of each.
 * @returns one sentence for each difference
 */
export async function rollupDifferences(
  engine: WarehouseConnection,
  client: ClickHouseClient,
  database: string,
  table: string,
): Promise<string[]> {
  const columns = await queryRows(
    client,
    z.strictObject({ name: z.string() }),
    `SELECT name FROM system.columns WHERE database = {database:String} AND table = {table:String} ORDER BY position`,
    { database, table },
  );
  const names = columns.map(({ name }) => name);
  const keys = names.filter((name) => SUMS[name] === undefined);
  const sums = names.flatMap((name) => SUMS[name] ?? []);
  const digest = digestOf({ duckdb: 'line', clickhouse: "arrayStringConcat(line, '|')" });
  const lines = `SELECT [${[...keys.map((key) => `ifNull(toString(${key}), '~')`), ...sums.map((sum) => `toString(${sum.clickhouse})`)].join(', ')}] AS line
       FROM ${table} GROUP BY ${keys.join(', ')}`;
  const result = await client.query({
    query: `SELECT toString(count()) AS groups, ${digest.clickhouse} AS digest FROM (${lines})`,
    format: 'JSONEachRow',
    clickhouse_settings: SETTINGS,
  });
  const stored = firstRow(await result.json<Digest>());
  const local = firstRow(
    await engine.rows<Digest>(
      `SELECT count(*)::VARCHAR AS groups, ${digest.duckdb} AS digest
     FROM (
       SELECT concat_ws('|', ${[...keys.map((key) => `coalesce(${keyText(key)}, '~')`), ...sums.map((sum) => `${sum.duckdb}::VARCHAR`)].join(', ')}) AS line
       FROM ${table} GROUP BY ${keys.join(', ')}
     )`,
    ),
  );
  if (stored.groups === local.groups && stored.digest === local.digest) return [];
  const difference = stored.groups === local.groups ? 'other figures' : `${stored.groups} groups, not ${local.groups},`;
  return [`${table}: ${difference} than the local file`];
}

/** A key as the text that ClickHouse makes of it, where days are numbers. */
const keyText = (key: string): string => (key === 'tag' ? "(tag - DATE '1970-01-01')::VARCHAR" : `${key}::VARCHAR`);
