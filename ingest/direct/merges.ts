import { z } from 'zod';
import { onCluster } from '../../sql/warehouse/clickhouse/placement.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { carryOut } from '../load/cluster.ts';
import type { LoadServer } from '../load/server.ts';
import type { TaskContext } from '../run/task-context.ts';

/** The code of ClickHouse for a user without the right. */
const ACCESS_DENIED = '497';

/**
 * Lets the server merge the parts of a version, or has it wait with that until the version is published: merging what is still being
 * inserted takes as much of its processors as inserting it. A server that starts again merges by itself, which does no harm.
 * @param only names of tables; null: all of the version
 */
export async function letMerge(
  server: LoadServer,
  database: string,
  what: 'START' | 'STOP',
  task: TaskContext,
  only: readonly string[] | null = null,
): Promise<void> {
  const { client, placement } = server;
  const tables = await server.retryPersistently(
    () =>
      queryRows(
        client,
        z.strictObject({ name: z.string() }),
        `SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree' ORDER BY name`,
        { database },
      ),
    task,
  );
  try {
    for (const { name } of tables.filter((table) => only === null || only.includes(table.name))) {
      const statement = `SYSTEM ${what} MERGES${onCluster(placement)} ${database}.${name}`;
      await server.retryPersistently(() => carryOut(server, client, statement, task.progress), task);
    }
  } catch (error) {
    if (!isDenied(error)) throw error;
    task.progress.note(
      `${server.name} merges parts while they are inserted, which takes longer: the loading user needs ` +
        `GRANT SYSTEM MERGES ON ${server.prefix}*.* (sql/warehouse/clickhouse/users.sql)`,
    );
  }
}

const isDenied = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  String(error.cause.code) === ACCESS_DENIED;
