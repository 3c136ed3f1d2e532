import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { rowsOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { type QueryLimits, STATEMENT_SECONDS } from '../version.ts';

/** With which settings statements are read. */

/** What every statement relies on; the client adds those that loading needs too. */
const MEANING = {
  // A cast of NULL stays NULL, and a name means the column before it means the alias, as in the other engine.
  cast_keep_nullable: 1,
  prefer_column_name_to_alias: 1,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 0,
  // An error behind the first rows would come under the status 200: the server is to keep them until it is done.
  wait_end_of_query: 1,
} satisfies ClickHouseSettings;

/** How much a statement may take. */
const bounds = ({ threads, memoryMb }: QueryLimits) => ({
  max_execution_time: STATEMENT_SECONDS,
  max_memory_usage: String(memoryMb * 1_000_000),
  max_threads: threads,
});

/**
 * The settings of a reader's statements. Bounds that the user's own profile keeps to itself are left to it.
 * @throws Error when the profile forbids what answers depend on
 */
export async function readingSettings(client: ClickHouseClient, limits: QueryLimits): Promise<ClickHouseSettings> {
  const wanted = bounds(limits);
  const names = [...Object.keys(MEANING), ...Object.keys(wanted)];
  const fixed = await rowsOf<{ name: string }>(
    client,
    'SELECT name FROM system.settings WHERE readonly = 1 AND name IN {names:Array(String)}',
    { names },
  );
  const shut = new Set(fixed.map(({ name }) => name));
  const needed = Object.keys(MEANING).filter((name) => shut.has(name));
  if (needed.length > 0) {
    throw new Error(
      `The ClickHouse user may not set ${needed.join(', ')}: give its profile readonly = 2 instead of 1, see docs/operations.md`,
    );
  }
  return { ...MEANING, ...Object.fromEntries(Object.entries(wanted).filter(([name]) => !shut.has(name))) };
}
