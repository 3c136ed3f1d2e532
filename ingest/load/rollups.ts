import type { ClickHouseClient } from '@clickhouse/client';
import { rowsOf } from '../../sql/warehouse/clickhouse/publications.ts';
import type { BuildingWarehouse } from '../assembly/warehouse.ts';

/**
 * Whether the views have filled the roll-ups rightly: group by group they must equal what the same views count over all
 * units at once, and what the local file has. Groups are compared by number and by a sum over a hash of each, which both
 * engines compute alike.
 */

/** Columns that are summed up within a group, and what makes whole numbers of them. */
const SUMS: Readonly<Record<string, { readonly duckdb: string; readonly clickhouse: string }>> = {
  anzahl: { duckdb: 'sum(anzahl)::HUGEINT', clickhouse: 'sum(anzahl)' },
  mitLeistung: { duckdb: 'sum(mitLeistung)::HUGEINT', clickhouse: 'sum(mitLeistung)' },
  kw: {
    duckdb: "replace(sum(kw)::VARCHAR, '.', '')::HUGEINT",
    clickhouse: 'toInt128(sum(toDecimal128(kw, 3)) * 1000)',
  },
};

/** Groups spill to the disk of the server beyond this many bytes. */
const SETTINGS = { max_bytes_before_external_group_by: '2000000000' } as const;

interface Digest {
  readonly groups: string;
  readonly digest: string;
}

/** @returns one sentence for each roll-up that differs */
export async function rollupDifferences(
  engine: BuildingWarehouse,
  client: ClickHouseClient,
  database: string,
  table: string,
): Promise<string[]> {
  const columns = await rowsOf<{ name: string }>(
    client,
    `SELECT name FROM system.columns WHERE database = {database:String} AND table = {table:String} ORDER BY position`,
    { database, table },
  );
  const names = columns.map(({ name }) => name);
  const keys = names.filter((name) => SUMS[name] === undefined);
  const sums = names.flatMap((name) => SUMS[name] ?? []);
  const there = (source: string) =>
    `SELECT toString(count()) AS groups,
       toString(sum(toInt128(reinterpretAsUInt64(substring(MD5(arrayStringConcat(line, '|')), 1, 8))))) AS digest
     FROM (
       SELECT [${[...keys.map((key) => `ifNull(toString(${key}), '~')`), ...sums.map((sum) => `toString(${sum.clickhouse})`)].join(', ')}] AS line
       FROM ${source} GROUP BY ${keys.join(', ')}
     )`;
  const ask = async (source: string): Promise<Digest> => {
    const result = await client.query({ query: there(source), format: 'JSONEachRow', clickhouse_settings: SETTINGS });
    return (await result.json<Digest>())[0]!;
  };
  const stored = await ask(table);
  const counted = await ask(`(${await viewOf(client, database, table)})`);
  const [local] = await engine.rows<Digest>(
    `SELECT count(*)::VARCHAR AS groups, coalesce(sum(md5_number_upper(line)::HUGEINT), 0)::VARCHAR AS digest
     FROM (
       SELECT concat_ws('|', ${[...keys.map((key) => `coalesce(${keyText(key)}, '~')`), ...sums.map((sum) => `${sum.duckdb}::VARCHAR`)].join(', ')}) AS line
       FROM ${table} GROUP BY ${keys.join(', ')}
     )`,
  );
  return [
    ...compared(table, stored, counted, 'a recount of the units'),
    ...compared(table, stored, local!, 'the local file'),
  ];
}

/** A key as the other engine writes it: days are numbers in ClickHouse. */
const keyText = (key: string): string => (key === 'tag' ? "(tag - DATE '1970-01-01')::VARCHAR" : `${key}::VARCHAR`);

function compared(table: string, stored: Digest, other: Digest, what: string): string[] {
  if (stored.groups === other.groups && stored.digest === other.digest) return [];
  const difference = stored.groups === other.groups ? 'other figures' : `${stored.groups} groups, not ${other.groups},`;
  return [`${table}: ${difference} than ${what}`];
}

/** What the view that fills a table asks; over the units of all shards, where there are several. */
async function viewOf(client: ClickHouseClient, database: string, table: string): Promise<string> {
  const [view] = await rowsOf<{ asked: string }>(
    client,
    `SELECT as_select AS asked FROM system.tables
     WHERE database = {database:String} AND engine = 'MaterializedView' AND name = {view:String}`,
    { database, view: `${table}_aus_units` },
  );
  if (view === undefined) throw new Error(`No view fills ${table}`);
  return view.asked.replaceAll('units_shard', 'units');
}
