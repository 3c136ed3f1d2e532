import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { z } from 'zod';
import { SESSION_SETTINGS } from '../../../sql/warehouse/clickhouse/client.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { type QueryLimits, STATEMENT_SECONDS } from '../version.ts';

/** Every statement relies on these settings. */
const REQUIRED_SETTINGS = {
  ...SESSION_SETTINGS,
  // A cast of NULL stays NULL, and a name means the column rather than the alias, as in DuckDB.
  cast_keep_nullable: 1,
  prefer_column_name_to_alias: 1,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 0,
  // On shards, a list of units or a joined table within a statement comes from all of them.
  distributed_product_mode: 'global',
  // The server holds rows back until it is done, because an error after the first rows would come with status 200.
  wait_end_of_query: 1,
} satisfies ClickHouseSettings;

/**
 * Settings of statements that read a sorted table as far as their rows reach. Two threads read all of 400,000 rows where one
 * reads 25,000, and blocks of the usual size have 65,000.
 */
export const IN_ORDER = { max_threads: 1, max_block_size: '2048' } satisfies ClickHouseSettings;

/** Settings that limit a statement. */
const limitSettings = ({ threads, memoryMb }: QueryLimits) => ({
  max_execution_time: STATEMENT_SECONDS,
  max_memory_usage: memoryMb * 1_000_000,
  ...(threads === null ? {} : { max_threads: threads }),
});

/** The constraint of a setting in the user's profile. */
const constraintRow = z.strictObject({
  name: z.string(),
  /** 1 = may not be set. */
  readonly: z.int(),
  max: z.string().nullable(),
});

/** Settings of a reader's statements. */
interface ReadingSettings {
  readonly usual: ClickHouseSettings;
  readonly inOrder: ClickHouseSettings;
}

/**
 * Returns the settings of a reader's statements. Limits that the profile of the user fixes are left out, and none exceeds
 * what it allows.
 * @throws Error when the profile forbids a setting that answers depend on
 */
export async function readingSettings(client: ClickHouseClient, limits: QueryLimits): Promise<ReadingSettings> {
  const limited = limitSettings(limits);
  const names = [...Object.keys(REQUIRED_SETTINGS), ...Object.keys(limited), ...Object.keys(IN_ORDER)];
  const rows = await queryRows(
    client,
    constraintRow,
    'SELECT name, readonly, max FROM system.settings WHERE name IN {names:Array(String)}',
    { names },
  );
  const constraints = new Map(rows.map((row) => [row.name, row]));
  const isReadonly = (name: string) => Number(constraints.get(name)?.readonly ?? 0) === 1;
  const forbidden = Object.keys(REQUIRED_SETTINGS).filter(isReadonly);
  if (forbidden.length > 0) {
    throw new Error(
      `The ClickHouse user may not set ${forbidden.join(', ')}: give its profile readonly = 2 instead of 1, see docs/operations.md`,
    );
  }
  const bounded = Object.entries(limited)
    .filter(([name]) => !isReadonly(name))
    .map(([name, value]) => [name, String(Math.min(value, Number(constraints.get(name)?.max ?? value)))]);
  const usual = { ...REQUIRED_SETTINGS, ...Object.fromEntries(bounded) };
  const inOrder = Object.entries(IN_ORDER).filter(([name]) => !isReadonly(name));
  return { usual, inOrder: { ...usual, ...Object.fromEntries(inOrder) } };
}
