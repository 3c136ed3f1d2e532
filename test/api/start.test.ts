import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Ended, ended, saying } from '../support/command.ts';
import { freshDatabase, onServer, POSTGRES_HERE } from '../support/database.ts';
import { OF_EVERY_PROCESS } from '../support/environment.ts';
import { folderOfTests } from '../support/exports.ts';
import { putStore } from '../support/prepared-store.ts';

/** What a service looks at before it starts: who can read what it keeps, and whether what it had is still there. */

const tests = folderOfTests();
afterAll(() => tests.remove());

let count = 0;

/** A STATE_DIR with a store, open to everybody as releases before made it. */
async function openState(): Promise<string> {
  const state = join(tests.path, `state-${count++}`);
  mkdirSync(state);
  await putStore(join(state, 'org'));
  for (const path of [state, ...allIn(state)]) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o666);
  return state;
}

const allIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));

const ROOT = new URL('../../', import.meta.url).pathname;

const start = (script: string, state: string, more: Record<string, string> = {}, words: readonly string[] = []) =>
  spawn(process.execPath, [join(ROOT, script), ...words], {
    env: { ...OF_EVERY_PROCESS, STATE_DIR: state, PORT: '0', LOG_LEVEL: 'warn', ...more },
  });

const running: ReturnType<typeof start>[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Lets a service start and stop. @returns what it said */
async function startAndStop(state: string, more: Record<string, string> = {}): Promise<Ended> {
  const child = start('api/main.ts', state, more);
  running.push(child);
  const end = ended(child);
  await Promise.race([saying(child, 'Try next'), end]);
  child.kill('SIGTERM');
  return end;
}

const admin = (state: string, ...words: string[]): Promise<Ended> =>
  ended(start('api/admin/main.ts', state, {}, words));

test('what other users could read and write is for its owner only after a start, and the log says so', async () => {
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

test('a new STATE_DIR is for its owner only, whoever makes it', async () => {
  for (const [script, words] of [
    ['api/admin/main.ts', ['organisations', 'list']],
    ['ingest/main.ts', ['build', join(tests.path, 'none.zip')]],
  ] as const) {
    const state = join(tests.path, `state-${count++}`);
    await ended(start(script, state, {}, words));
    expect(existsSync(state), script).toBe(true);
    expect([state, ...allIn(state)].filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  }
});

test('a STATE_DIR that holds things of others is not closed to them, but refused', async () => {
  const state = join(tests.path, `state-${count++}`);
  mkdirSync(state, { mode: 0o755 });
  writeFileSync(join(state, 'theirs'), '');
  const { code, err } = await startAndStop(state);
  expect([code, statSync(state).mode & 0o777]).toEqual([1, 0o755]);
  expect(err).toMatch(/^STATE_DIR=.* is open to other users \(mode 0755\) and holds things .*\. Name a folder of its own/);
});

describe('organisations that were there', () => {
  test.each(['is missing', 'is empty'])('a folder that %s is no first start: service and command line refuse', async (how) => {
    const state = await openState();
    await startAndStop(state);
    rmSync(join(state, 'org'), { recursive: true });
    if (how === 'is empty') mkdirSync(join(state, 'org'));
    for (const { code, err } of [await startAndStop(state, { DEMO: 'auto' }), await admin(state, 'organisations', 'list')]) {
      expect([1, 5]).toContain(code);
      expect(err).toContain(`The organisations were in pglite:${state}/org since `);
      expect(err).toMatch(/Is a disk not mounted.*npm run admin -- restore <file>.*To begin anew .*remove .*organisations\.json\n$/);
      expect(err).not.toMatch(/^\s+at /m);
    }
    expect(existsSync(join(state, 'org', 'PG_VERSION'))).toBe(false);
    rmSync(join(state, 'organisations.json'));
    expect(await startAndStop(state, { DEMO: 'off' })).toMatchObject({ code: 0 });
  });

  test.skipIf(!POSTGRES_HERE)('so is a database that has lost its tables', async () => {
    const state = join(tests.path, `state-${count++}`);
    const store = await freshDatabase();
    expect((await startAndStop(state, { ORG_STORE_URL: store })).out).toContain('so there is one now to try things with');
    await onServer(store, 'DROP OWNED BY CURRENT_USER');
    const { code, err } = await startAndStop(state, { ORG_STORE_URL: store });
    expect(code).toBe(1);
    expect(err).toContain('and it has no tables now');
  });

  test('a store that has lost its organisations gets no demo', async () => {
    const state = await openState();
    await startAndStop(state, { DEMO: 'off' });
    const { code, out, err } = await startAndStop(state, { DEMO: 'auto' });
    expect([code, out.includes('mds_')]).toEqual([0, false]);
    expect(err).toContain('this is not its first start');
    expect(existsSync(join(state, 'demo-key'))).toBe(false);
  });
});

describe('damage is told by folder and remedy', () => {
  const remedy = /Move that folder away, and bring back the last backup: npm run admin -- restore <file>\n$/;
  test.each<[string, (org: string) => void, RegExp]>([
    ['PG_VERSION is missing', (org) => rmSync(join(org, 'PG_VERSION')), /it has no file PG_VERSION/],
    ['pg_control is cut', (org) => truncateSync(join(org, 'global/pg_control'), 100), /could not read file "global\/pg_control"/],
    ['a table is empty', (org) => truncateSync(join(org, 'base/5/1259'), 0), /could not open critical system index/],
    ['the log is gone', (org) => rmSync(join(org, 'pg_wal'), { recursive: true }), /required WAL directory "pg_wal" does not exist/],
  ])('%s', async (_, damage, reason) => {
    const state = await openState();
    damage(join(state, 'org'));
    for (const { code, err } of [await startAndStop(state), await admin(state, 'organisations', 'list')]) {
      expect([1, 5]).toContain(code);
      expect(err).toContain(`The organisation store in ${state}/org is damaged: `);
      expect(err).toMatch(reason);
      expect(err).toMatch(remedy);
      expect(err).not.toMatch(/^\s+at |wasm/m);
    }
  });
});

describe('the file of the signing key', () => {
  test.each([
    ['is empty', (file: string) => writeFileSync(file, ''), /signing-key holds nothing where a secret of at least 32 belongs/],
    ['is too short', (file: string) => writeFileSync(file, 'short\n'), /signing-key holds 5 characters where a secret/],
    ['is no file', (file: string) => mkdirSync(file), /^The signing key cannot be read \(EISDIR/m],
  ])('%s: the service does not start, and says what to do', async (_, make, said) => {
    const state = join(tests.path, `state-${count++}`);
    mkdirSync(state, { mode: 0o700 });
    make(join(state, 'signing-key'));
    const { code, err } = await startAndStop(state);
    expect(code).toBe(1);
    expect(err).toMatch(said);
    expect(err).not.toMatch(/^\s+at /m);
    expect(readdirSync(state)).toEqual(['signing-key']);
  });
});

test('the marker says where the organisations are, for its owner only', async () => {
  const state = await openState();
  await startAndStop(state);
  const marker = join(state, 'organisations.json');
  expect(JSON.parse(readFileSync(marker, 'utf8'))).toEqual({ store: `pglite:${state}/org`, since: expect.any(String) });
  expect(statSync(marker).mode & 0o777).toBe(0o600);
});
