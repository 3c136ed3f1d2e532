import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type ProcessResult, waitForExit } from '../../support/command.ts';
import { freshDatabase, POSTGRES_HERE } from '../../support/database.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { startNode } from '../../support/node-process.ts';
import { putStore } from '../../support/prepared-store.ts';
import { type Output, runAdminHere } from './console.ts';

/** The commands backup and restore, with and without a running service. */

const folder = temporaryFolder();
const state = join(folder.path, 'state');
const script = (path: string): URL => new URL(`../../../api/${path}`, import.meta.url);
const environment = { PORT: '0', DEMO: 'off', LOG_LEVEL: 'info' };

const admin = (words: string, more: Record<string, string> = {}): Promise<ProcessResult> =>
  waitForExit(
    startNode(
      script('admin/main.ts'),
      words.split(' '),
      { ...environment, STATE_DIR: state, ...more },
      // Relative paths start at the folder of the command line.
      { cwd: folder.path },
    ),
  );

/** Runs a command in this process where files and their paths do not matter. */
const adminHere = (words: string, more: Record<string, string> = {}): Promise<Output> =>
  runAdminHere(words, { ...environment, STATE_DIR: state, ...more });

let service: ChildProcess;
let address: string;

beforeAll(async () => {
  mkdirSync(state);
  await putStore(join(state, 'org'));
  service = startNode(script('main.ts'), [], { ...environment, STATE_DIR: state });
  let said = '';
  service.stderr!.resume();
  address = await new Promise((resolve, reject) => {
    service.stdout!.on('data', (text) => {
      said += text;
      const found = /Listening on (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    service.on('close', () => reject(new Error(said)));
  });
});

afterAll(() => {
  service.kill('SIGKILL');
  folder.remove();
});

const calls = async (key: string): Promise<number> => {
  const answer = await fetch(`${address}/v1/usage`, { headers: { 'X-API-Key': key } });
  return z.object({ data: z.object({ requests: z.object({ used: z.int() }) }) }).parse(await answer.json()).data
    .requests.used;
};

test('with a running service, a restore undoes later changes and the service continues', async () => {
  await adminHere('organisations create werk --name Werk --modules api');
  const key = (await adminHere('keys create werk --name K --scopes all')).out.trim();
  const before = await calls(key);
  const { code, out } = await admin('backup saved.gz');
  expect([code, statSync(join(folder.path, 'saved.gz')).mode & 0o777]).toEqual([0, 0o600]);
  expect(out).toMatch(/^api_keys +1$/m);
  expect(out).toMatch(/Wrote \d+ rows to .*\/saved\.gz and read them back; only you can read it\.\n$/);
  expect(readdirSync(state).filter((name) => name.startsWith('org.'))).toEqual(['org.lock', 'org.sock']);

  await adminHere('organisations create later --name Later');
  for (let call = 0; call < 3; call++) await fetch(`${address}/v1/units`, { headers: { 'X-API-Key': key } });
  expect(await admin('restore saved.gz')).toMatchObject({ code: 5, err: expect.stringContaining('add --replace') });
  expect(await admin('restore saved.gz --replace')).toMatchObject({
    code: 0,
    out: expect.stringContaining('read back.'),
  });
  expect(JSON.parse((await adminHere('organisations list --json')).out)).toMatchObject([
    { externalId: 'werk', liveKeys: 1 },
  ]);
  // The service still has the monthly count from before the restore.
  expect(await calls(key)).toEqual(before);
});

test('exits with 5 and a reason for a file that is no backup, exists already or is missing', async () => {
  const answers = await Promise.all([
    admin('restore state/store.json'),
    admin('backup state'),
    admin('restore none.gz'),
  ]);
  const said = [/is no whole backup: /, /There is a file .*state already/, /none\.gz cannot be read: ENOENT/];
  for (const [at, { code, err }] of answers.entries()) {
    expect(code).toBe(5);
    expect(err).toMatch(said[at]!);
  }
});

test.skipIf(!POSTGRES_HERE)('without a service it moves everything to a server', async () => {
  const ORG_STORE_URL = await freshDatabase();
  const to = { ORG_STORE_URL, STATE_DIR: join(folder.path, 'other') };
  expect(await admin('restore saved.gz', to)).toMatchObject({ code: 0 });
  expect(JSON.parse((await adminHere('organisations list --json', to)).out)).toMatchObject([{ externalId: 'werk' }]);
  expect(await admin('backup moved.gz', to)).toMatchObject({ code: 0 });
});
