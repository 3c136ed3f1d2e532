import { randomUUIDv7 } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashSecret, parseApiKey } from '../../../sql/org/api-key.ts';
import { insertAuditRows } from '../../../sql/org/audit.ts';
import { callerRow, callerStatement } from '../../../sql/org/callers.ts';
import { SCOPES } from '../../../sql/org/rights.ts';
import { type Console, openConsole } from './console.ts';

let admin: Console;

beforeAll(async () => {
  admin = await openConsole();
  await admin.json('organisations create werk --name Werk --modules api');
  await admin.json('users create werk olga --name Olga --role owner');
  await admin.json('users create werk adam --name Adam --role admin');
  await admin.json('users create werk mona --name Mona --role member');
});

afterAll(() => admin.close());

const stored = async (prefix: string) => (await admin.store.autocommit(callerRow, callerStatement(prefix)))[0]!;

describe('keys create', () => {
  test('prints only the key on standard output, and stores its hash', async () => {
    const { code, out, err } = await admin.run('keys create werk --name Leitwarte --scopes units:read,region:read');
    expect(code).toBe(0);
    const key = parseApiKey(out.trimEnd())!;
    expect(key).toMatchObject({ environment: 'live' });
    expect(out).toBe(`${out.trimEnd()}\n`);
    expect(await stored(key.prefix)).toMatchObject({
      secretHash: hashSecret(key.secret),
      scopes: ['units:read', 'region:read'],
      expiresAt: null,
      revokedAt: null,
    });
    expect(err).toBe(
      `Leitwarte (${key.prefix}) of werk may: units:read, region:read; it expires never.\n` +
        `The key is not shown again. To end it: npm run admin -- keys revoke ${key.prefix}\n`,
    );
  });

  test('has the key as a member of its JSON', async () => {
    const made = await admin.json('keys create werk --name Probe --scopes all --environment test --expires 2090-01-31');
    expect(parseApiKey(made.key)).toMatchObject({ environment: 'test', prefix: made.prefix });
    expect(made).toMatchObject({ scopes: Object.keys(SCOPES), expiresAt: '2090-01-31T23:00:00.000Z' });
    expect(made).not.toHaveProperty('secretHash');
  });

  test.each(['olga', 'adam'])('%s, an owner or admin, may be the creator of a key', async (user) => {
    const { prefix } = await admin.json(`keys create werk --name K --scopes all --by ${user}`);
    const keys: { prefix: string }[] = await admin.json('keys list werk');
    expect(keys.find((key) => key.prefix === prefix)).toMatchObject({ createdBy: user });
  });

  test('a member may not', async () => {
    const before = await admin.json('keys list werk');
    expect(await admin.run('keys create werk --name K --scopes all --by mona')).toEqual({
      code: 5,
      out: '',
      err: 'mona is a member of werk: only its owners and admins may have keys made\n',
    });
    expect(await admin.json('keys list werk')).toEqual(before);
  });

  test('warns that the key is useless without the module api', async () => {
    await admin.json('organisations create ohne --name Ohne --modules analysis');
    const { err } = await admin.run('keys create ohne --name K --scopes all');
    expect(err).toContain('ohne has no module api now, so every call with the key is answered 403.\n');
  });
});

describe('keys create --out', () => {
  const path = (name: string) => join(admin.settings.STATE_DIR, name);

  test('writes the key to a new private file and prints it nowhere', async () => {
    const file = path('key');
    const { code, out, err } = await admin.run([
      'keys',
      'create',
      'werk',
      '--name',
      'K',
      '--scopes',
      'all',
      '--out',
      file,
    ]);
    const key = parseApiKey(readFileSync(file, 'utf8').trimEnd())!;
    expect(code).toBe(0);
    expect(out).toBe(`Wrote ${file}; only you can read it.\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(out + err).not.toContain(key.secret);
    expect((await stored(key.prefix)).secretHash).toBe(hashSecret(key.secret));
  });

  test('does so with --json too', async () => {
    const file = path('key.json');
    const made = await admin.json(['keys', 'create', 'werk', '--name', 'K', '--scopes', 'all', '--out', file]);
    expect(made).toMatchObject({ file, name: 'K' });
    expect(made).not.toHaveProperty('key');
    expect(parseApiKey(readFileSync(file, 'utf8').trimEnd())).toMatchObject({ prefix: made.prefix });
  });

  test.each([
    ['a file that is there', () => writeFileSync(path('mine'), 'precious'), 'mine'],
    ['a folder', () => mkdirSync(path('folder')), 'folder'],
    ['a folder that is not there', () => {}, 'nowhere/key'],
  ])('%s is refused before a key is made', async (_, prepare, name) => {
    prepare();
    const before = await admin.json('keys list werk');
    const { code, out, err } = await admin.run([
      'keys',
      'create',
      'werk',
      '--name',
      'K',
      '--scopes',
      'all',
      '--out',
      path(name),
    ]);
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(err).toContain(path(name));
    expect(await admin.json('keys list werk')).toEqual(before);
    if (name === 'mine') expect(readFileSync(path(name), 'utf8')).toBe('precious');
  });

  test('leaves no file when the command is refused', async () => {
    const file = path('none');
    const { code } = await admin.run([
      'keys',
      'create',
      'werk',
      '--name',
      'K',
      '--scopes',
      'all',
      '--by',
      'mona',
      '--out',
      file,
    ]);
    expect(code).toBe(5);
    expect(existsSync(file)).toBe(false);
  });
});

test('keys list shows the last use of a key, and never a hash', async () => {
  const { prefix, id: keyId } = await admin.json('keys create werk --name Used --scopes all');
  const { organisationId } = await stored(prefix);
  const call = (answeredAt: string) => ({
    id: randomUUIDv7(),
    organisationId,
    answeredAt,
    method: 'GET',
    path: '/v1/units',
    status: 200,
    durationMs: 5,
    rowCount: 3,
    requestId: randomUUIDv7(),
    keyId,
    keyPrefix: prefix,
    query: null,
    queryHash: null,
  });
  const calls = ['2026-11-01T08:00:00.000Z', '2026-11-03T09:30:00.000Z', '2026-11-02T08:00:00.000Z'].map(call);
  await admin.store.asOperator((session) => session.run(insertAuditRows(calls)));
  const keys: { prefix: string }[] = await admin.json('keys list werk');
  expect(keys.find((key) => key.prefix === prefix)).toMatchObject({
    state: 'live',
    lastUsedAt: '2026-11-03T09:30:00.000Z',
  });
  const { out } = await admin.run('keys list werk');
  expect(out).toMatch(new RegExp(`^${prefix} +live +Used +live .* 2026-11-03 09:30 UTC +all \\d+$`, 'm'));
  expect(JSON.stringify(keys) + out).not.toMatch(/[0-9a-f]{64}|secret/i);
});

describe('keys revoke', () => {
  test('revokes a key for good, and reports when it was revoked before', async () => {
    const { prefix } = await admin.json('keys create werk --name Old --scopes all');
    expect(await admin.run(`keys revoke ${prefix}`)).toEqual({
      code: 0,
      out: `Revoked Old (${prefix}) of werk.\n`,
      err: '',
    });
    const { revokedAt } = await stored(prefix);
    expect(Date.parse(revokedAt!)).toBeGreaterThan(Date.now() - 60_000);
    expect((await admin.run(`keys revoke mds_live_${prefix}`)).out).toMatch(
      new RegExp(`^Old \\(${prefix}\\) of werk was revoked before, on 20[0-9: -]+ UTC\\.\n$`),
    );
    expect((await stored(prefix)).revokedAt).toBe(revokedAt);
    const keys: { prefix: string }[] = await admin.json('keys list werk');
    expect(keys.find((key) => key.prefix === prefix)).toMatchObject({ state: 'revoked', revokedAt });
  });

  test('refuses an unknown prefix', async () => {
    const { code, err } = await admin.run('keys revoke AAAAAAAA');
    expect(code).toBe(5);
    expect(err).toMatch(/^There is no key AAAAAAAA; upper and lower case count\n/);
  });

  test('refuses a whole key without repeating it', async () => {
    const { key } = await admin.json('keys create werk --name Typed --scopes all');
    const { code, out, err } = await admin.run(`keys revoke ${key}`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^<prefix> must be the eight characters that `keys list` shows; never type a whole key/);
    expect(err).not.toContain(parseApiKey(key)!.secret);
  });
});

test('a secret is in one output only and never in the log', async () => {
  const { key, prefix } = await admin.json('keys create werk --name Secret --scopes all --by olga');
  const { secret } = parseApiKey(key)!;
  const words = ['keys list werk', 'organisations show werk', 'export werk', 'audit werk', `keys revoke ${prefix}`];
  for (const line of words) {
    for (const { out, err } of [await admin.run(line), await admin.run(`${line} --json`)]) {
      expect(out + err, line).not.toContain(secret);
    }
  }
  const log = JSON.stringify(admin.log);
  expect(log).not.toContain(secret);
  expect(log).not.toContain(hashSecret(secret));
  expect(admin.log).toContainEqual(
    expect.objectContaining({ command: 'keys create', organisation: 'werk', prefix, msg: 'administration' }),
  );
  expect(admin.log).toContainEqual(expect.objectContaining({ command: 'keys revoke', organisation: 'werk', prefix }));
});
