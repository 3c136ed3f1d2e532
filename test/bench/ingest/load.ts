import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ClickHouseError } from '@clickhouse/client';
import { z } from 'zod';
import { databaseOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import type { Loaded } from '../clickhouse/load.ts';
import type { Server } from '../clickhouse/server.ts';
import { NotMeasurable } from '../support/place.ts';
import { ROOT } from '../support/register.ts';

const databasesOf = ({ client, prefix }: Server): Promise<{ name: string }[]> =>
  queryRows(
    client,
    z.strictObject({ name: z.string() }),
    'SELECT name FROM system.databases WHERE name = {prefix:String} OR startsWith(name, {start:String}) ORDER BY name',
    { prefix, start: `${prefix}_v` },
  );

/** @throws NotMeasurable where somebody's versions are: what is measured is made there and dropped again */
export async function refuseTaken(server: Server): Promise<void> {
  const taken = (await databasesOf(server)).map(({ name }) => name);
  if (taken.length === 0) return;
  throw new NotMeasurable(
    `There is ${taken.join(', ')} on that server, and measuring makes and drops databases of these names: ` +
      `name another prefix, such as ${server.prefix}_bench, or drop them`,
  );
}

/** A load, and the processor time of the server for its statements, as its log has it. */
export interface MeasuredLoad extends Loaded {
  /** Null where the user may not read the log. */
  readonly statements: ServerTime | null;
  /** Null for a server that is somebody else's. */
  readonly peakOfServerMb: number | null;
}

interface ServerTime {
  readonly insertSeconds: number;
  /** Statements that compare the tables with the file. */
  readonly checkSeconds: number;
}

/** Loads a version of a state folder as a build does, without publishing. */
export async function measureLoad(server: Server, version: string, state: string): Promise<MeasuredLoad> {
  const spent = server.meter();
  const child = spawn(process.execPath, [join(ROOT, 'test/bench/clickhouse/load.ts'), version], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, STATE_DIR: state, WAREHOUSE_URL: server.url },
  });
  const output = await text(child.stdout);
  if (output === '') throw new NotMeasurable('The load failed, and says why above');
  const statements = await serverTime(server, databaseOf(server.prefix, version));
  return { ...(JSON.parse(output) as Loaded), statements, peakOfServerMb: spent()?.peakMemoryMb ?? null };
}

/** Drops what was built and loaded. */
export async function dropVersions(server: Server): Promise<void> {
  for (const { name } of await databasesOf(server)) await server.client.command({ query: `DROP DATABASE ${name}` });
}

/** Background merges are not in it. */
async function serverTime({ client }: Server, database: string): Promise<ServerTime | null> {
  try {
    await client.command({ query: 'SYSTEM FLUSH LOGS' });
    const [row] = await queryRows(
      client,
      z.strictObject({ insertSeconds: z.number(), checkSeconds: z.number() }),
      `SELECT sumIf(seconds, query_kind = 'Insert') AS insertSeconds, sumIf(seconds, query_kind = 'Select') AS checkSeconds
       FROM (
         SELECT query_kind, (ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds']) / 1e6 AS seconds
         FROM system.query_log
         WHERE type = 'QueryFinish' AND is_initial_query AND current_database = {database:String}
       )`,
      { database },
    );
    return row!;
  } catch (error) {
    if (error instanceof ClickHouseError) return null;
    throw error;
  }
}
