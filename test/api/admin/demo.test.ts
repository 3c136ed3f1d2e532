import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { apiKeyCache } from '../../../api/access/api-key-cache.ts';
import { demoAtStart, ensureDemo, reachableDemo, usableKeyFile } from '../../../api/admin/demo.ts';
import { SIGNALS } from '../../../sql/catalogue/signals.ts';
import { makeApiKey, parseApiKey } from '../../../sql/org/api-key.ts';
import { MODULES, SCOPES } from '../../../sql/org/rights.ts';
import { sql } from '../../../sql/org/statement.ts';
import { type Console, openConsole } from './console.ts';

let admin: Console;
let file: string;

beforeAll(async () => {
  admin = await openConsole();
  file = join(admin.settings.STATE_DIR, 'demo-key');
});

afterAll(() => admin.close());

/** Every test begins with a store and a STATE_DIR that are empty. */
afterEach(async () => {
  for (const { externalId } of await admin.json('organisations list')) {
    await admin.json(`organisations delete ${externalId} --yes-delete-everything-of ${externalId}`);
  }
  rmSync(file, { force: true });
});

const callerOf = async (key: string) => apiKeyCache(admin.store)(parseApiKey(key)!);

test('the demo has everything booked, and its key may do everything', async () => {
  const { code, out, err } = await admin.run('demo');
  expect(code).toBe(0);
  expect(err).toBe(`The key of demo is not shown again; it is also in ${file}\n`);
  const { caller } = await callerOf(out.trimEnd());
  expect([...caller!.key.scopes]).toEqual(Object.keys(SCOPES));
  expect([...caller!.organisation.modules]).toEqual(Object.keys(MODULES));
  expect([...caller!.organisation.signals]).toEqual(Object.keys(SIGNALS));
  expect(caller!.organisation).toMatchObject({
    quota: 10_000_000,
    limits: { standard: 6000, mutation: 3000, expensive: 1200 },
    trialEndsAt: null,
  });
  expect(await admin.json('users list demo')).toMatchObject([
    { externalId: 'anna', role: 'member' },
    { externalId: 'owner', role: 'owner' },
  ]);
  expect(await admin.json('keys list demo')).toMatchObject([{ createdBy: 'owner', environment: 'test' }]);
});

test('the demo has an alert from each template, and none is faulty', async () => {
  await admin.json('demo');
  expect((await admin.json('alerts list demo')).data).toMatchObject([
    { template: 'NEW_UNIT', enabled: true, fault: null },
    { template: 'SIGNAL_CHANGE', enabled: true, fault: null, savedFilterId: expect.any(String) },
  ]);
});

test('the key is in a file that only the user of the process can read', async () => {
  const { key } = await admin.json('demo');
  expect(readFileSync(file, 'utf8')).toBe(`${key}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(admin.settings.STATE_DIR)).toEqual(['demo-key', 'encryption-key']);
});

test('it has a partner without rights and keys, and goes with both', async () => {
  await admin.json('demo');
  const { organisation } = await admin.json('organisations show demo-partner');
  expect(organisation).toMatchObject({ name: 'Partner der Demo (erfunden)', modules: [] });
  expect(await admin.json('keys list demo-partner')).toEqual([]);
  expect(await admin.json('connections list demo-partner')).toMatchObject([{ status: 'ACCEPTED' }]);
  for (const side of ['demo', 'demo-partner']) {
    expect(await admin.json(`threads list ${side}`)).toHaveLength(2);
    await admin.json(`organisations delete ${side} --yes-delete-everything-of ${side}`);
  }
  const left = sql`SELECT count(*) AS n FROM connections, threads, messages`;
  expect(await admin.store.autocommit(z.strictObject({ n: z.int() }), left)).toEqual([{ n: 0 }]);
});

test('it has no partner where somebody else has that name', async () => {
  await admin.json('organisations create demo-partner --name Andere');
  const before = await admin.json('export demo-partner');
  await admin.json('demo');
  expect(await admin.json('export demo-partner')).toEqual(before);
  expect(await admin.json('export demo')).toMatchObject({ connections: [], threads: [], mailboxes: [{}, {}] });
});

test('a second run names the file of the key and makes no other', async () => {
  await admin.json('demo');
  const again = await admin.run('demo');
  expect(again).toEqual({ code: 0, out: `The organisation demo is there, and its key is in ${file}\n`, err: '' });
  expect(await admin.json('demo')).toEqual({ organisation: 'demo', key: null, file });
  expect(await admin.json('keys list demo')).toHaveLength(1);
});

test('a folder in the place of the key is named', async () => {
  mkdirSync(file);
  expect(await admin.run('demo')).toMatchObject({
    code: 5,
    err: expect.stringContaining('move away what is in its place'),
  });
  rmSync(file, { recursive: true });
});

test('when the key is lost, the message says how to make another one', async () => {
  await admin.json('demo');
  rmSync(file);
  expect((await admin.run('demo')).out).toBe(
    'The organisation demo is there, but no key of it is kept here. To make one: npm run admin -- demo --new-key\n',
  );
});

test('a new key replaces the key of the file, which is revoked', async () => {
  const { key: before } = await admin.json('demo');
  const { key: after } = await admin.json('demo --new-key');
  expect(readFileSync(file, 'utf8')).toBe(`${after}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await callerOf(before)).toMatchObject({ caller: null, refusal: expect.stringContaining('was revoked') });
  expect((await callerOf(after)).refusal).toBe(null);
});

test('the log never has its secret', async () => {
  const before = admin.log.length;
  const { key } = await admin.json('demo');
  const lines = admin.log.slice(before);
  expect(JSON.stringify(lines)).not.toContain(parseApiKey(key)!.secret);
  expect(lines).toMatchObject([{ command: 'demo', organisation: 'demo', prefix: parseApiKey(key)!.prefix }]);
});

test('two services that start on an empty store make it once', async () => {
  const made = await Promise.all([1, 2, 3].map(() => ensureDemo(admin.store, admin.settings)));
  const keys = made.flatMap((demo) => (demo === null ? [] : [demo.key]));
  expect(keys).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toBe(`${keys[0]}\n`);
  expect(readdirSync(admin.settings.STATE_DIR)).toEqual(['demo-key', 'encryption-key']);
  expect(await admin.json('keys list demo')).toHaveLength(1);
  expect(await ensureDemo(admin.store, admin.settings)).toBe(null);
});

test('a service whose store has an organisation makes none', async () => {
  await admin.json('organisations create werk --name Werk');
  expect(await ensureDemo(admin.store, admin.settings)).toBe(null);
  expect(existsSync(file)).toBe(false);
  expect(await admin.json('organisations list')).toHaveLength(1);
});

/** A log, and what it was told. */
function heardLog() {
  const lines: string[] = [];
  return { log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }), lines };
}

test.each([
  ['where others can reach it', { HOST: '0.0.0.0' }, true, null, 'others can reach HOST=0.0.0.0'],
  ['where others can reach it by its name', { HOST: 'energy.example' }, true, null, 'HOST=energy.example'],
  ['behind a proxy', { BASE_URL: 'https://energy.example' }, true, null, 'BASE_URL=https://energy.example'],
  ['under a service manager', {}, true, 'systemd', 'systemd runs it; DEMO=on makes one there too'],
  ['where there were organisations before', {}, false, null, 'not the first start'],
  ['where there were organisations before, even when told to', { DEMO: 'on' }, false, null, 'not the first start'],
  ['where it is switched off', { DEMO: 'off' }, true, null, null],
] as const)('a service makes none %s', async (_, choices, firstStart, manager, reason) => {
  const settings = { ...admin.settings, ...choices };
  const { log, lines } = heardLog();
  expect(await demoAtStart(admin.store, settings, firstStart, log, manager)).toBe(null);
  expect(await admin.json('organisations list')).toEqual([]);
  expect(lines).toEqual(reason === null ? [] : [expect.stringContaining(reason)]);
});

test.each([
  { HOST: '127.0.0.1' },
  { HOST: '127.0.0.2', BASE_URL: 'http://127.0.0.2:1' },
  { HOST: 'localhost', BASE_URL: 'http://localhost:1' },
  { HOST: '::1', BASE_URL: 'http://[::1]:1' },
])('a service of this machine alone makes one: %j', async (choices) => {
  const made = await demoAtStart(admin.store, { ...admin.settings, ...choices }, true, heardLog().log, null);
  expect(made).not.toBe(null);
});

test('DEMO=on makes one wherever the service runs', async () => {
  const settings = { ...admin.settings, DEMO: 'on', HOST: '0.0.0.0', BASE_URL: 'https://energy.example' } as const;
  expect(await demoAtStart(admin.store, settings, true, heardLog().log, 'systemd')).not.toBe(null);
});

test('a key of another store in the file is replaced, which the log reports', async () => {
  const former = makeApiKey('test');
  writeFileSync(file, `${former.text}\n`);
  const { log, lines } = heardLog();
  expect(await usableKeyFile(admin.store, admin.settings, log)).toBe(null);
  expect(lines).toEqual([expect.stringContaining('holds no key of this store')]);
  const made = await demoAtStart(admin.store, admin.settings, true, log, null);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('the key of another store in the file was replaced');
  expect(lines[1]).toContain(former.prefix);
  expect(readFileSync(file, 'utf8')).toBe(`${made?.key}\n`);
  expect(await usableKeyFile(admin.store, admin.settings, log)).toBe(file);
  expect(lines).toHaveLength(2);
});

test('nothing is made when the file cannot be written', async () => {
  const settings = { ...admin.settings, STATE_DIR: '/dev/null/state' };
  await expect(ensureDemo(admin.store, settings)).rejects.toThrow('/dev/null');
  expect(await admin.json('organisations list')).toEqual([]);
});

test('a demo that others can reach is told by its live keys', async () => {
  const { key } = await admin.json('demo');
  const { prefix } = parseApiKey(key)!;
  const reachable = async (choices: { HOST?: string; BASE_URL?: string }) => {
    const { log, lines } = heardLog();
    const found = await reachableDemo(admin.store, { ...admin.settings, ...choices }, log);
    return [found, lines.length];
  };
  const prefixes = [prefix];
  expect(await reachable({})).toEqual([null, 0]);
  expect(await reachable({ HOST: '0.0.0.0' })).toEqual([{ opened: 'HOST=0.0.0.0', prefixes }, 1]);
  const BASE_URL = 'https://energy.example';
  expect(await reachable({ BASE_URL })).toEqual([{ opened: `BASE_URL=${BASE_URL}`, prefixes }, 1]);
  await admin.json(`keys revoke ${prefix}`);
  expect(await reachable({ HOST: '0.0.0.0' })).toEqual([null, 0]);
});
