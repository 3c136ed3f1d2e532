import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
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

/** Loads a version of a state folder as a build does, without publishing. */
export async function measureLoad(server: Server, version: string, state: string): Promise<Loaded> {
  try {
    const child = spawn(process.execPath, [join(ROOT, 'test/bench/clickhouse/load.ts'), version], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, STATE_DIR: state, WAREHOUSE_URL: server.url },
    });
    const output = await text(child.stdout);
    if (output === '') throw new NotMeasurable('The load failed, and says why above');
    return JSON.parse(output) as Loaded;
  } finally {
    for (const { name } of await databasesOf(server)) await server.client.command({ query: `DROP DATABASE ${name}` });
  }
}
