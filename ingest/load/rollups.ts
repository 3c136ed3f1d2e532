import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { digestOf } from './digest.ts';

/**
 * Checks that the views have filled the roll-ups correctly. Group by group they must equal what the same views count over
 * all units at once, and the local file: the number of groups and a sum over a hash of each must agree.
 */

/** Columns that are summed up within a group, as whole numbers in the dialect of each engine. */
const SUMS: Readonly<Record<string, { readonly duckdb: string; readonly clickhouse: string }>> = {
  anzahl: { duckdb: 'sum(anzahl)::HUGEINT', clickhouse: 'sum(anzahl)' },
  mitLeistung: { duckdb: 'sum(mitLeistung)::HUGEINT', clickhouse: 'sum(mitLeistung)' },
  kw: {
    duckdb: "replace(sum(kw)::VARCHAR, '.', '')::HUGEINT",
    clickhouse: 'toInt128(sum(toDecimal128(kw, 3)) * 1000)',
  },
};

/** Beyond this many bytes the server spills groups to its disk. */
const SETTINGS = { max_bytes_before_external_group_by: '2000000000' } as const;

interface Digest {
  readonly groups: string;
  readonly digest: string;
}

/**
 * @param engine has the roll-up, too; null: it is compared with the recount alone
 * @returns one sentence for each difference
 */
export async function rollupDifferences(
  engine: WarehouseConnection | null,
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
  const select = (source: string) =>
    `SELECT toString(count()) AS groups, ${digest.clickhouse} AS digest
     FROM (
       SELECT [${[...keys.map((key) => `ifNull(toString(${key}), '~')`), ...sums.map((sum) => `toString(${sum.clickhouse})`)].join(', ')}] AS line
       FROM ${source} GROUP BY ${keys.join(', ')}
     )`;
  const query = async (source: string): Promise<Digest> => {
    const result = await client.query({
      query: select(source),
      format: 'JSONEachRow',
      clickhouse_settings: SETTINGS,
    });
    return firstRow(await result.json<Digest>());
  };
  const stored = await query(table);
  const counted = await query(`(${await viewOf(client, database, table)})`);
  const differences = differenceOf(table, stored, counted, 'a recount of the units');
  if (engine === null) return differences;
  const local = firstRow(
    await engine.rows<Digest>(
      `SELECT count(*)::VARCHAR AS groups, ${digest.duckdb} AS digest
     FROM (
       SELECT concat_ws('|', ${[...keys.map((key) => `coalesce(${keyText(key)}, '~')`), ...sums.map((sum) => `${sum.duckdb}::VARCHAR`)].join(', ')}) AS line
       FROM ${table} GROUP BY ${keys.join(', ')}
     )`,
    ),
  );
  return [...differences, ...differenceOf(table, stored, local, 'the local file')];
}

/** A key as the text that ClickHouse makes of it, where days are numbers. */
const keyText = (key: string): string => (key === 'tag' ? "(tag - DATE '1970-01-01')::VARCHAR" : `${key}::VARCHAR`);

function differenceOf(table: string, stored: Digest, other: Digest, what: string): string[] {
  if (stored.groups === other.groups && stored.digest === other.digest) return [];
  const difference = stored.groups === other.groups ? 'other figures' : `${stored.groups} groups, not ${other.groups},`;
  return [`${table}: ${difference} than ${what}`];
}

/** The query of the view that fills a table, over the units of all shards. */
async function viewOf(client: ClickHouseClient, database: string, table: string): Promise<string> {
  const [view] = await queryRows(
    client,
    z.strictObject({ query: z.string() }),
    `SELECT as_select AS query FROM system.tables
     WHERE database = {database:String} AND engine = 'MaterializedView' AND name = {view:String}`,
    { database, view: `${table}_aus_units` },
  );
  if (view === undefined) throw new Error(`No view fills ${table}`);
  return view.query.replaceAll('units_shard', 'units');
}
