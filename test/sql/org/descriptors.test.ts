import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { OF_EVERY_PROCESS, QUICK_START } from '../../support/environment.ts';
import { folderOfTests } from '../../support/exports.ts';
import { putStore } from '../../support/prepared-store.ts';

/** The store in a folder, in a process that has no file descriptor left (sql/org/reopening.ts). */

const tests = folderOfTests();
afterAll(() => tests.remove());

/** Runs a process with a limit of descriptors on the store of a folder; `attempt` prints the outcome of a statement. */
async function withDescriptors(count: number, folder: string, work: string): Promise<string[]> {
  const from = (path: string) => JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);
  const text = `
    import { closeSync, openSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { openOrgStore } from ${from('sql/org/store.ts')};
    import { sql } from ${from('sql/org/statement.ts')};
    import { readSettings } from ${from('runtime/settings.ts')};
    import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
    import { pino } from ${JSON.stringify(import.meta.resolve('pino'))};
    const settings = readSettings({ ORG_STORE_URL: ${JSON.stringify(`pglite:${folder}`)} });
    const store = await openOrgStore(settings, pino({ level: 'silent' }));
    const attempt = (statement) => store.autocommit(z.unknown(), statement).then(
      (rows) => console.log('ok', JSON.stringify(rows)),
      (error) => console.log(error.constructor.name));
    ${work}
    await store.close();`;
  const command = 'ulimit -n "$1"; shift; exec "$@"';
  const words = [
    '-c',
    command,
    'sh',
    String(count),
    process.execPath,
    ...QUICK_START,
    '--input-type=module',
    '-e',
    text,
  ];
  const { stdout } = await promisify(execFile)('sh', words, { env: OF_EVERY_PROCESS });
  return stdout.trim().split('\n');
}

/** It needs files that are not open yet, because it writes the first rows of a table. */
const FILL = `sql\`
  INSERT INTO audit_log (id, answered_at, method, path, status, duration_ms, request_id)
  SELECT gen_random_uuid(), now(), 'GET', repeat('x', 500), 200, 1, gen_random_uuid() FROM generate_series(1, 20000)\``;

it('accepts writes again without a restart when descriptors are free, and has lost none', async () => {
  const folder = join(tests.path, 'org');
  await putStore(folder);
  const said = await withDescriptors(
    200,
    folder,
    `await attempt(sql\`INSERT INTO job_runs (job, ran_at, took_ms) VALUES ('before', now(), 1)\`);
     const taken = [];
     try { for (;;) taken.push(openSync('/dev/null', 'r')); } catch {}
     await attempt(${FILL});
     await attempt(${FILL});
     for (const descriptor of taken) closeSync(descriptor);
     await sleep(1_100);
     await attempt(${FILL});
     await attempt(sql\`SELECT count(*)::int AS rows FROM audit_log\`);
     await attempt(sql\`SELECT job FROM job_runs\`);`,
  );
  expect(said).toEqual([
    'ok []',
    'StoreUnavailable',
    'StoreUnavailable',
    'ok []',
    'ok [{"rows":20000}]',
    'ok [{"job":"before"}]',
  ]);
});
