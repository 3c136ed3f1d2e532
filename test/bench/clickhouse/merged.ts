import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import type { Server } from './server.ts';

/** Looks, a second apart, that must find nothing to merge: between two merges there is a moment without one. */
const QUIET_LOOKS = 3;

/** Waits until the server has merged the blocks of each table of a version into one part, as it does some minutes after a night. */
export async function merged({ client, prefix }: Server): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    const [row] = await queryRows(
      client,
      z.strictObject({ parts: z.string(), merges: z.string() }),
      // What a night has cloned is left in several.
      `SELECT toString(max(count)) AS parts, toString((SELECT count() FROM system.merges)) AS merges FROM (
         SELECT count() AS count FROM system.parts WHERE active AND startsWith(database, {prefix:String})
           AND (database, table) IN (SELECT database, name FROM system.tables WHERE engine_full LIKE '%min_age_to_force_merge_seconds%')
         GROUP BY database, table
       )`,
      { prefix: `${prefix}_v` },
    );
    quiet = row!.parts === '1' && row!.merges === '0' ? quiet + 1 : 0;
    await sleep(1000);
  }
}
