import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { socketPath } from '../../../api/admin/execution/socket-path.ts';
import { parseApiKey } from '../../../sql/org/api-key.ts';
import { type ProcessResult, waitForExit, waitForOutput } from '../../support/command.ts';
import { OF_EVERY_PROCESS, QUICK_START } from '../../support/environment.ts';
import { temporaryFolder } from '../../support/fixture.ts';
import { startNode } from '../../support/node-process.ts';
import { putStore, putWithoutTables } from '../../support/prepared-store.ts';
import { type Output, runAdminHere } from './console.ts';

/**
 * The command line with and without a running service. What depends on a process is tried with one; where only the words
 * count, `adminHere` runs the same command in this process.
 */

const script = (path: string): string => new URL(path, import.meta.url).pathname;
const SERVICE = script('../../../api/main.ts');
const ADMIN = script('../../../api/admin/main.ts');

const environment = (state: string, more: Record<string, string> = {}): Record<string, string> => ({
  STATE_DIR: state,
  PORT: '0',
  DEMO: 'off',
  ...more,
});

const admin = (state: string, words: string, more?: Record<string, string>): Promise<ProcessResult> =>
  waitForExit(startNode(ADMIN, words.split(' '), environment(state, more)));

const adminHere = (state: string, words: string, more?: Record<string, string>): Promise<Output> =>
  runAdminHere(words, environment(state, more));

const running: ChildProcess[] = [];

async function startService(state: string): Promise<{ child: ChildProcess; end: Promise<ProcessResult> }> {
  const child = startNode(SERVICE, [], environment(state));
  running.push(child);
  const end = waitForExit(child);
  await waitForOutput(child, 'Listening');
  return { child, end };
}

const folder = temporaryFolder();
let states = 0;

/** Creates an empty STATE_DIR. */
function newState(): string {
  states += 1;
  const state = join(folder.path, `state-${states}`);
  mkdirSync(state);
  return state;
}

afterEach(async () => {
  for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

afterAll(() => folder.remove());

describe('beside a running service', () => {
  const state = newState();
  let service: Awaited<ReturnType<typeof startService>>;

  beforeAll(async () => {
    await putStore(join(state, 'org'));
    service = await startService(state);
    running.pop();
  });

  afterAll(() => void service.child.kill('SIGKILL'));

  test('the service executes commands and logs changes', async () => {
    expect(await admin(state, 'organisations create werk --name Werk --modules api')).toMatchObject({ code: 0 });
    const { out, code, err } = await admin(state, 'keys create werk --name Leitwarte --scopes all');
    const key = parseApiKey(out.trimEnd())!;
    expect(code).toBe(0);
    expect(err).toContain(`npm run admin -- keys revoke ${key.prefix}\n`);
    expect(JSON.parse((await adminHere(state, 'organisations list --json')).out)).toMatchObject([
      { externalId: 'werk', liveKeys: 1 },
    ]);
    service.child.kill('SIGTERM');
    const { err: log } = await service.end;
    const lines = log.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'administration')).toMatchObject([
      { command: 'organisations create', organisation: 'werk' },
      { command: 'keys create', organisation: 'werk', prefix: key.prefix },
    ]);
    expect(log).not.toContain(key.secret);
    service = await startService(state);
    running.pop();
  });

  test('failures come back unchanged, with their exit codes', async () => {
    expect(await admin(state, 'organisations show wekr')).toMatchObject({
      code: 5,
      out: '',
      err: 'There is no organisation wekr; did you mean werk?\nThose there are: npm run admin -- organisations list\n',
    });
    expect(await adminHere(state, 'audit')).toMatchObject({ code: 2 });
  });

  test('the command line, not the service, reads and writes files', async () => {
    const file = join(state, 'werk.json');
    expect(await admin(state, `export werk --out ${file}`)).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await adminHere(state, `import ${file}`)).out).toMatch(/^The organisation werk is as the document says/);
  });

  test('only its owner can open the socket', () => {
    const socket = statSync(join(state, 'org.sock'));
    expect(socket.isSocket()).toBe(true);
    expect(socket.mode & 0o777).toBe(0o600);
  });
});

describe('without a service', () => {
  const state = newState();

  test('the command line opens the store, creates its tables and closes it', async () => {
    await putWithoutTables(join(state, 'org'));
    const planned = JSON.parse((await adminHere(state, 'migrate --dry-run --json')).out);
    expect(planned.migrations[0]).toBe('0001_organisations.sql');
    expect((await admin(state, 'organisations list')).out).toMatch(/^There are no organisations yet\./);
    expect((await adminHere(state, 'migrate')).out).toBe(`The tables of pglite:${state}/org are up to date.\n`);
    expect(readdirSync(state)).toEqual(['org']);
  });

  test('a stopped service leaves no socket, and commands still work', async () => {
    const { child, end } = await startService(state);
    expect(existsSync(join(state, 'org.sock'))).toBe(true);
    expect(await adminHere(state, 'organisations list')).toMatchObject({ code: 0 });
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 0 });
    expect(readdirSync(state).filter((file) => file.startsWith('org'))).toEqual(['org']);
    expect(await adminHere(state, 'organisations list')).toMatchObject({ code: 0 });
  });

  test('the socket of a killed service is ignored, and the next service replaces it', async () => {
    const { child, end } = await startService(state);
    child.kill('SIGKILL');
    await end;
    expect(existsSync(join(state, 'org.sock'))).toBe(true);
    expect(await adminHere(state, 'organisations list')).toMatchObject({ code: 0 });
    await startService(state);
    expect(await adminHere(state, 'organisations list')).toMatchObject({ code: 0 });
  });

  test('concurrent commands wait for each other', async () => {
    const many = ['a', 'b'].map((name) => admin(state, `organisations create ${name} --name ${name}`));
    for (const { code, err } of await Promise.all(many)) expect(code, err).toBe(0);
    expect(JSON.parse((await adminHere(state, 'organisations list --json')).out)).toHaveLength(2);
  });

  test('a command waits for a service that is starting', async () => {
    const child = startNode(SERVICE, [], environment(state));
    running.push(child);
    // It has the store, and does not listen yet.
    await vi.waitUntil(() => existsSync(join(state, 'org.lock')), { timeout: 60_000, interval: 5 });
    const [listed] = await Promise.all([admin(state, 'organisations list --json'), waitForOutput(child, 'Listening')]);
    expect(listed).toMatchObject({ code: 0 });
  });

  test('a path that is too long for a socket becomes a short name in a private folder', async () => {
    const long = join(state, 'long'.repeat(30));
    mkdirSync(long);
    renameSync(join(state, 'org'), join(long, 'org'));
    const path = socketPath(join(long, 'org'));
    expect(path.startsWith(tmpdir())).toBe(true);
    expect(path.length).toBeLessThan(104);
    expect(socketPath(join(long, 'org'))).toBe(path);
    expect(socketPath(join(long, 'other'))).not.toBe(path);
    const { child, end } = await startService(long);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(JSON.parse((await adminHere(long, 'organisations list --json')).out)).toHaveLength(2);
    child.kill('SIGTERM');
    await end;
    expect(existsSync(path)).toBe(false);
  });

  test('exits with 4 and names the process that holds the store and does not listen', async () => {
    const state = newState();
    const startedAt = new Date().toISOString();
    const holder = { pid: process.pid, host: hostname(), startedAt, task: 'organisation store' };
    writeFileSync(join(state, 'org.lock'), JSON.stringify(holder));
    const { code, out, err } = await admin(state, 'organisations list');
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toMatch(/^Waiting for the store .*: another process has it\n/);
    expect(err).toContain(`${state}/org belongs to another process: process ${process.pid} on ${hostname()}, since`);
    expect(err).toMatch(/\nIf it is starting or stopping, try again\n$/);
  });
});

test('exits with 4 when the service ends before it answers', async () => {
  const state = newState();
  const server = createServer((socket) => socket.once('data', () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(join(state, 'org.sock'), resolve));
  const { code, err } = await adminHere(state, 'organisations list');
  server.close();
  expect(code).toBe(4);
  expect(err).toMatch(/ended before it answered, so whether the command was carried out is not known\. Look, and try/);
});

describe('settings', () => {
  test.each([
    [{ ORG_STORE_URL: 'pglite:memory' }, 2, /^ORG_STORE_URL=pglite:memory is a store inside one process that is gone/],
    [{ ORG_STORE_URL: 'mysql://x' }, 2, /^The environment is not valid:\n {2}ORG_STORE_URL: /],
    [{ ORG_STORE_URL: 'postgres://a:secret@127.0.0.1:1/x' }, 4, /127\.0\.0\.1/],
  ])('%j: exit code %i', async (more, code, said) => {
    const result = await adminHere(newState(), 'organisations list', more);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toMatch(said);
    expect(result.err).not.toMatch(/secret|^\s+at /m);
  });
});

test('help needs neither settings nor store', async () => {
  const state = newState();
  expect(await adminHere(state, '--help', { ORG_STORE_URL: 'mysql://x' })).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(state)).toEqual([]);
});

test('a reader may close the output early', async () => {
  const state = newState();
  const piped = [
    '--norc',
    '-c',
    `"${process.execPath}" ${QUICK_START.join(' ')} "${ADMIN}" --help | head -1; echo "\${PIPESTATUS[0]}"`,
  ];
  const { out, err } = await waitForExit(spawn('bash', piped, { env: { ...OF_EVERY_PROCESS, ...environment(state) } }));
  expect({ out, err }).toEqual({ out: 'Usage: npm run admin -- [options] [command]\n0\n', err: '' });
});
