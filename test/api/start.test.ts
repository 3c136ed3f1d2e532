import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publishSample } from '../support/built.ts';
import { drawn } from '../support/cases.ts';
import { type ProcessResult, waitForExit, waitForOutput } from '../support/command.ts';
import { freshDatabase, onServer, POSTGRES_HERE } from '../support/database.ts';
import { OF_EVERY_PROCESS } from '../support/environment.ts';
import { folderOfTests } from '../support/exports.ts';
import { startNode } from '../support/node-process.ts';
import { putStore, storeAnywhere } from '../support/prepared-store.ts';
import { type Output, runAdminHere } from './admin/console.ts';

/** A service looks before it starts who can read its files, and whether everything it had is still there. */

const tests = folderOfTests();
afterAll(() => tests.remove());

let count = 0;

/** A STATE_DIR with a store in which nobody has started a service. */
async function newState(): Promise<string> {
  const state = join(tests.path, `state-${count++}`);
  mkdirSync(state, { mode: 0o700 });
  await putStore(join(state, 'org'));
  return state;
}

/** One open to everybody, as releases before made it. */
async function openState(): Promise<string> {
  const state = await newState();
  for (const path of [state, ...allIn(state)]) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o666);
  return state;
}

const allIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));

const ROOT = new URL('../../', import.meta.url).pathname;

const start = (script: string, state: string, more: Record<string, string> = {}, words: readonly string[] = []) =>
  startNode(join(ROOT, script), words, { STATE_DIR: state, PORT: '0', LOG_LEVEL: 'warn', ...more });

const running: ReturnType<typeof start>[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Lets a service start and stop. @returns what it said */
async function startAndStop(state: string, more: Record<string, string> = {}): Promise<ProcessResult> {
  const child = start('api/main.ts', state, more);
  running.push(child);
  const end = waitForExit(child);
  await Promise.race([waitForOutput(child, 'Try next'), end]);
  child.kill('SIGTERM');
  return end;
}

/** What a command says and its code are those of its process, as test/api/admin/socket.test.ts proves. */
const admin = (state: string, ...words: string[]): Promise<Output> => runAdminHere(words, { STATE_DIR: state });

test('files that other users could read and write are restricted to their owner at the start, and the log reports it', async () => {
  const state = await openState();
  const { code, err } = await startAndStop(state, { DEMO: 'auto' });
  expect(code).toBe(0);
  expect(err).toContain('STATE_DIR was open to other users of this machine; now it is for its owner only');
  expect(err).toContain('the organisation store was open to other users');
  const open = [state, ...allIn(state)].filter((path) => (statSync(path).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  // The second start has nothing to close.
  expect((await startAndStop(state)).err).not.toContain('open to');
});

test('a new STATE_DIR is accessible to its owner only', async () => {
  for (const [script, words] of [
    ['api/admin/main.ts', ['organisations', 'list']],
    ['ingest/main.ts', ['build', join(tests.path, 'none.zip')]],
  ] as const) {
    const state = join(tests.path, `state-${count++}`);
    await waitForExit(start(script, state, {}, words));
    expect(existsSync(state), script).toBe(true);
    expect([state, ...allIn(state)].filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  }
});

test('a STATE_DIR with files of other users is not restricted, but refused', async () => {
  const state = join(tests.path, `state-${count++}`);
  mkdirSync(state, { mode: 0o755 });
  writeFileSync(join(state, 'theirs'), '');
  const { code, err } = await startAndStop(state);
  expect([code, statSync(state).mode & 0o777]).toEqual([1, 0o755]);
  expect(err).toMatch(
    /^STATE_DIR=.* is open to other users \(mode 0755\) and holds things .*\. Name a folder of its own/,
  );
});

test('under a service manager there is a demo only with DEMO=on, and its key stands in the file alone', async () => {
  for (const [DEMO, made] of [
    ['auto', false],
    ['on', true],
  ] as const) {
    const state = await newState();
    const ORG_STORE_URL = await storeAnywhere();
    const { out, err } = await startAndStop(state, { ORG_STORE_URL, DEMO, NOTIFY_SOCKET: join(tests.path, 'none') });
    expect([out.includes('Its key is in'), existsSync(join(state, 'demo-key'))]).toEqual([made, made]);
    expect(out).not.toContain('mds_');
    expect(err.includes('systemd runs it; DEMO=on makes one there too')).toBe(!made);
  }
});

test('a key of another store in STATE_DIR does not stand in for the demo', async () => {
  const state = await newState();
  const own = { ORG_STORE_URL: await storeAnywhere() };
  const first = await startAndStop(state, { DEMO: 'auto', ...own });
  const other = { ORG_STORE_URL: await storeAnywhere() };
  const second = await startAndStop(state, { DEMO: 'auto', ...other });
  const keys = [first, second].map(({ out }) => /mds_test_\S+/.exec(out)?.[0]);
  expect(new Set(keys)).toHaveProperty('size', 2);
  expect(readFileSync(join(state, 'demo-key'), 'utf8')).toBe(`${keys[1]}\n`);
  expect(second.err).toContain('the key of another store in the file was replaced');
  const back = await startAndStop(state, { DEMO: 'auto', ...own });
  expect(back.err).toContain('the file holds no key of this store');
  expect(back.out).toContain('Bearer <key>');
});

describe('existing organisations', () => {
  let state: string;
  beforeAll(async () => {
    state = await openState();
    await startAndStop(state, { DEMO: 'off' });
  });

  test('a store that has lost its organisations gets no demo', async () => {
    const { code, out, err } = await startAndStop(state, { DEMO: 'auto' });
    expect([code, out.includes('mds_')]).toEqual([0, false]);
    expect(err).toContain('this is not the first start with this store');
    expect(existsSync(join(state, 'demo-key'))).toBe(false);
  });

  test('a folder that is missing or empty is no first start: service and command line refuse', async () => {
    const marker = join(state, 'store.json');
    expect(JSON.parse(readFileSync(marker, 'utf8'))).toEqual({
      store: `pglite:${state}/org`,
      since: expect.any(String),
    });
    const org = join(state, 'org');
    rmSync(org, { recursive: true });
    const service = await startAndStop(state, { DEMO: 'auto' });
    expect([service.code, existsSync(org)]).toEqual([1, false]);
    mkdirSync(org);
    const command = await admin(state, 'organisations', 'list');
    expect([command.code, readdirSync(org)]).toEqual([5, []]);
    for (const { err } of [service, command]) {
      expect(err).toContain(`The organisations were in pglite:${state}/org since `);
      expect(err).toMatch(
        /Is a disk not mounted.*npm run admin -- restore <file>.*To begin anew .*remove .*store\.json\n$/,
      );
      expect(err).not.toMatch(/^\s+at /m);
    }
    rmSync(marker);
    expect(await admin(state, 'organisations', 'list')).toMatchObject({ code: 0 });
  });

  test.skipIf(!POSTGRES_HERE)('so is a database that has lost its tables', async () => {
    const state = join(tests.path, `state-${count++}`);
    const store = await freshDatabase();
    expect((await startAndStop(state, { ORG_STORE_URL: store })).out).toContain(
      'so there is one now to try things with',
    );
    await onServer(store, 'DROP OWNED BY CURRENT_USER');
    const { code, err } = await startAndStop(state, { ORG_STORE_URL: store });
    expect(code).toBe(1);
    expect(err).toContain('and it has no tables now');
  });
});

test('a damaged store is reported with its folder and a remedy', async () => {
  const state = await openState();
  truncateSync(join(state, 'org/global/pg_control'), 100);
  for (const [{ err, code }, expected] of [
    [await startAndStop(state), 1],
    [await admin(state, 'organisations', 'list'), 5],
  ] as const) {
    expect(code).toBe(expected);
    expect(err).toContain(`The organisation store in ${state}/org is damaged: could not read file "global/pg_control"`);
    expect(err).toMatch(/and bring back the last backup: npm run admin -- restore <file>\n$/);
    expect(err).not.toMatch(/^\s+at |wasm/m);
  }
});

test('with an empty file of the signing key it does not start', async () => {
  const state = join(tests.path, `state-${count++}`);
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(join(state, 'signing-key'), '');
  const { code, err } = await startAndStop(state);
  expect([code, readdirSync(state)]).toEqual([1, ['signing-key']]);
  expect(err).toMatch(/^.*signing-key holds nothing where a secret .*\n$/);
});

describe('npm start', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

  /** Runs the script as npm does: by a shell, in the folder of the package. */
  function startScript(state: string, more: Record<string, string> = {}) {
    const child = spawn('sh', ['-c', scripts.start], {
      cwd: ROOT,
      env: { ...OF_EVERY_PROCESS, STATE_DIR: state, PORT: '0', DEMO: 'off', LOG_LEVEL: 'info', ...more },
    });
    running.push(child);
    return { child, end: waitForExit(child) };
  }

  test.each(drawn(['SIGTERM', 'SIGINT'] as const, 1))(
    '%s reaches the service, which stops in order',
    async (signal) => {
      const state = join(tests.path, `state-${count++}`);
      await publishSample(join(state, 'warehouse'));
      await putStore(join(state, 'org'));
      chmodSync(state, 0o700);
      const { child, end } = startScript(state);
      await waitForOutput(child, 'Try next');
      child.kill(signal);
      const { code, err, out } = await end;
      expect([code, out]).toEqual([0, expect.not.stringContaining('building one')]);
      expect(err).toContain(`"signal":"${signal}","msg":"stopping"`);
    },
  );

  test('SIGTERM during the first build ends it in order, and no service starts', async () => {
    const state = join(tests.path, `state-${count++}`);
    const { child, end } = startScript(state);
    await waitForOutput(child, 'archive and catalogues');
    child.kill('SIGTERM');
    const { code, err, out } = await end;
    expect([code, out]).toEqual([143, expect.not.stringContaining('Listening')]);
    expect(err).toContain('Stopped by SIGTERM: nothing was published');
  });

  test('settings that are not valid end it with exit code 2', async () => {
    const { end } = startScript(join(tests.path, `state-${count++}`), { PORT: 'eighty' });
    expect(await end).toMatchObject({ code: 2, out: '' });
  });

  test('and so does an address that leads nowhere, before anything is built', async () => {
    const state = join(tests.path, `state-${count++}`);
    const { end } = startScript(state, { HOST: '0.0.0.0' });
    expect(await end).toMatchObject({ code: 2, out: '', err: expect.stringContaining('set BASE_URL') });
    expect(existsSync(state)).toBe(false);
  });

  test('needs no POSIX shell: where exec is no command, the second half runs', () => {
    expect(scripts.start).toMatch(/^exec (node .+\.ts) \|\| \1$/);
  });
});
