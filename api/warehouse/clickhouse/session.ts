import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { rowsOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { type QueryLimits, STATEMENT_SECONDS } from '../version.ts';

/** With which settings statements are read. */

/** What every statement relies on; the client adds those that loading needs too. */
const REQUIRED_SETTINGS = {
  // A cast of NULL stays NULL, and a name means the column before it means the alias, as in the other engine.
  cast_keep_nullable: 1,
  prefer_column_name_to_alias: 1,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 0,
  // An error behind the first rows would come under the status 200: the server is to keep them until it is done.
  wait_end_of_query: 1,
} satisfies ClickHouseSettings;

/** How much a statement may take. */
const limitSettings = ({ threads, memoryMb }: QueryLimits) => ({
  max_execution_time: STATEMENT_SECONDS,
  max_memory_usage: memoryMb * 1_000_000,
  max_threads: threads,
});

/** A setting as the user's profile constrains it. */
interface Constraint {
  readonly name: string;
  /** 1 = may not be set. */
  readonly readonly: number;
  readonly max: string | null;
}

/**
 * The settings of a reader's statements. Bounds that the user's own profile keeps to itself are left to it, and none goes
 * beyond what it allows.
 * @throws Error when the profile forbids what answers depend on
 */
export async function readingSettings(client: ClickHouseClient, limits: QueryLimits): Promise<ClickHouseSettings> {
  const limited = limitSettings(limits);
  const names = [...Object.keys(REQUIRED_SETTINGS), ...Object.keys(limited)];
  const rows = await rowsOf<Constraint>(
    client,
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
  return { ...REQUIRED_SETTINGS, ...Object.fromEntries(bounded) };
}
