import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyRow, putKeys } from '../../sql/org/keys.ts';
import { type OrganisationRow, putOrganisation } from '../../sql/org/organisations.ts';
import { MODULES, SCOPES } from '../../sql/org/rights.ts';
import { type FailingStore, openFailingStore } from '../support/failing-store.ts';
import { makeCaller, makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, NO_KEY, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';

/** Access (interface.md, Authentication): keys, scopes, modules, trials, and the time until a change takes effect. */

let store: FailingStore;
let service: OwnSubject;
beforeAll(async () => {
  store = await openFailingStore();
  service = await serveOwnFixture({}, store);
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

const me = (headers: Record<string, string>): Promise<ServiceResponse> => service.get('/v1/me', headers);
const units = (key: string): Promise<ServiceResponse> => service.get('/v1/units', withKey(key));

const change = (row: KeyRow, organisation: OrganisationRow, changes: Partial<KeyRow>) =>
  store.asOperator((session) => session.run(putKeys(organisation.id, [{ ...row, ...changes }])));

const changeOrganisation = (row: OrganisationRow, changes: Partial<OrganisationRow>) =>
  store.asOperator((session) => session.run(putOrganisation({ ...row, ...changes })));

/** An instant before or after now, RFC 3339. */
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

describe('how a key is sent', () => {
  test.each([
    ['Authorization: Bearer', (key: string) => ({ Authorization: `Bearer ${key}` })],
    ['the scheme in any case', (key: string) => ({ Authorization: `bEARER  ${key} ` })],
    ['X-API-Key', (key: string) => ({ 'X-API-Key': key })],
    ['both, with the same key', (key: string) => ({ Authorization: `Bearer ${key}`, 'X-API-Key': key })],
  ])('%s', async (_, headers) => {
    expect((await me(headers(service.key))).status).toBe(200);
  });

  test('both, with different keys: neither counts', async () => {
    const other = await makeCaller(store);
    for (const [bearer, direct] of [
      [service.key, other],
      [other, service.key],
      [service.key, 'nonsense'],
      ['nonsense', service.key],
    ] as const) {
      const response = await me({ Authorization: `Bearer ${bearer}`, 'X-API-Key': direct });
      expectProblem(response, 401, 'INVALID_API_KEY');
      expect(response.json.detail).toContain('different keys');
    }
  });

  test('no header, or an empty one: there is no key', async () => {
    for (const headers of [NO_KEY, { 'X-API-Key': '' }]) expectProblem(await me(headers), 401, 'MISSING_API_KEY');
  });

  test.each(['Basic bWRzOng=', 'Token KEY', 'KEY', 'Bearer', 'Bearer KEY KEY'])('not as %s', async (form) => {
    const response = await me({ Authorization: form.replaceAll('KEY', service.key) });
    expectProblem(response, 401, 'INVALID_API_KEY');
    expect(response.json.detail).toContain('Bearer <API key>');
  });

  test('the query is no place for a key', async () => {
    expectProblem(await service.get(`/v1/me?api_key=${service.key}`, NO_KEY), 401, 'MISSING_API_KEY');
  });
});

describe('invalid keys', () => {
  test('a mistyped key is refused by its checksum, without a query to the store', async () => {
    const key = await makeCaller(store);
    const before = store.lookUps;
    for (const [index, character] of [...key].entries()) {
      const mistyped = key.slice(0, index) + (character === 'x' ? 'y' : 'x') + key.slice(index + 1);
      const response = await me(withKey(mistyped));
      expect([mistyped, response.status, response.json.code]).toEqual([mistyped, 401, 'INVALID_API_KEY']);
    }
    expect(store.lookUps).toBe(before);
    expect((await me(withKey(key))).status).toBe(200);
    expect(store.lookUps).toBe(before + 1);
  });

  test('an unknown key, a wrong secret and a swapped environment have one answer', async () => {
    const { row, text } = await makeKey(store, await makeOrganisation(store));
    const secret = text.slice(-49, -6);
    const refusals = await Promise.all([
      me(withKey(forge('test', 'Unknown0', secret))),
      me(withKey(forge('test', row.prefix, secret.split('').reverse().join('')))),
      me(withKey(forge('live', row.prefix, secret))),
    ]);
    for (const response of refusals) expectProblem(response, 401, 'INVALID_API_KEY');
    expect(new Set(refusals.map(withoutRequestId)).size).toBe(1);
    // A forgery that has all the right parts is the key itself.
    expect(forge('test', row.prefix, secret)).toBe(text);
  });

  test.each([
    ['revoked', { revokedAt: inSeconds(-60) }],
    ['expired', { expiresAt: inSeconds(-60) }],
  ] as const)('%s: reported only to callers with the secret', async (word, state) => {
    const { row, text } = await makeKey(store, await makeOrganisation(store), state);
    const response = await me(withKey(text));
    expectProblem(response, 401, 'INVALID_API_KEY');
    expect(response.json.detail).toBe(
      `The API key ${word === 'revoked' ? 'was revoked' : word} on ${Object.values(state)[0]}`,
    );
    const guessed = await me(withKey(forge('test', row.prefix, 'A'.repeat(43))));
    const unknown = await me(withKey(forge('test', 'Unknown1', 'A'.repeat(43))));
    expect(withoutRequestId(guessed)).toBe(withoutRequestId(unknown));
  });

  /** A key of these parts, with the checksum that belongs to them: CRC-32 in base62. */
  function forge(environment: string, prefix: string, secret: string): string {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const body = `mds_${environment}_${prefix}_${secret}`;
    const places = [5, 4, 3, 2, 1, 0].map((power) => Math.floor(crc32(body) / 62 ** power) % 62);
    return body + places.map((place) => digits[place]).join('');
  }

  const withoutRequestId = ({ text, headers, status }: ServiceResponse): string => {
    const id = headers.get('x-request-id') ?? '';
    const others = [...headers].filter(([name]) => name !== 'date');
    return JSON.stringify([status, text, others]).replaceAll(id, '');
  };
});

describe.concurrent('changes hold within a second, also for a key in constant use', () => {
  /** Calls again and again; a second after the change, and from then on, every answer is as expected. */
  async function changesWithinASecond(
    call: () => Promise<ServiceResponse>,
    makeChange: () => Promise<unknown>,
    after: number,
  ) {
    expect((await call()).status).toBe(200);
    await makeChange();
    const changed = Date.now();
    const late: ServiceResponse[] = [];
    while (late.length < 5) {
      const response = await call();
      if (response.sentAt >= changed + 1000) late.push(response);
    }
    expect(late.map(({ status }) => status)).toEqual(late.map(() => after));
    return late[0]!;
  }

  test('revocation', async () => {
    const organisation = await makeOrganisation(store);
    const { row, text } = await makeKey(store, organisation);
    const revoke = () => change(row, organisation, { revokedAt: new Date().toISOString() });
    expectProblem(await changesWithinASecond(() => units(text), revoke, 401), 401, 'INVALID_API_KEY');
  });

  test('a module that is no longer booked, and a revoked scope', async () => {
    const organisation = await makeOrganisation(store);
    const { row, text } = await makeKey(store, organisation);
    const cancel = () => changeOrganisation(organisation, { modules: ['api', 'portfolio'] });
    const refused = await changesWithinASecond(() => units(text), cancel, 403);
    expectProblem(refused, 403, 'MISSING_MODULE');
    const narrow = () => change(row, organisation, { scopes: ['units:read'] });
    const portfolio = () => service.get('/v1/portfolio', withKey(text));
    expectProblem(await changesWithinASecond(portfolio, narrow, 403), 403, 'MISSING_SCOPE');
  });

  test('limits', async () => {
    const organisation = await makeOrganisation(store);
    const { text } = await makeKey(store, organisation);
    const lower = () => changeOrganisation(organisation, { limits: { standard: 1 } });
    const refused = await changesWithinASecond(() => units(text), lower, 429);
    expectProblem(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('ratelimit-policy')).toBe('"standard";q=1;w=60');
  });

  test('expiry, at once', async () => {
    const expiresAt = inSeconds(2);
    const { text } = await makeKey(store, await makeOrganisation(store), { expiresAt });
    const responses: ServiceResponse[] = [];
    while (Date.now() < Date.parse(expiresAt) + 200) responses.push(await units(text));
    const end = Date.parse(expiresAt);
    expect(responses.filter(({ receivedAt }) => receivedAt < end).map(({ status }) => status)).toContain(200);
    expect(responses.filter(({ sentAt, status }) => sentAt >= end && status !== 401)).toEqual([]);
    expect(responses.filter(({ receivedAt, status }) => receivedAt < end && status !== 200)).toEqual([]);
  });
});

describe('scopes and modules', () => {
  test('the scope is checked before the module, and the module api before both', async () => {
    const readUnits = async (modules: string[]) =>
      units(await makeCaller(store, { modules }, { scopes: ['region:read'] }));
    expectProblem(await readUnits(['api']), 403, 'MISSING_SCOPE');
    const response = await readUnits([]);
    expectProblem(response, 403, 'MISSING_MODULE');
    expect(response.json.detail).toContain('module api ');
  });

  test('a missing scope is named, with the scopes of the key', async () => {
    const response = await units(await makeCaller(store, {}, { scopes: ['region:read', 'audit:read'] }));
    expect(response.json.detail).toBe('The operation needs the scope units:read; the key has audit:read, region:read');
    const bare = await units(await makeCaller(store, {}, { scopes: [] }));
    expect(bare.json.detail).toContain('no scope at all');
  });

  test('without module analysis units are refused, with a reference to /v1/aggregations', async () => {
    const key = await makeCaller(store, { modules: ['api'] });
    for (const path of ['/v1/units', '/v1/units/SEE900000000001']) {
      const response = await service.get(path, withKey(key));
      expectProblem(response, 403, 'MISSING_MODULE');
      expect(response.json.detail).toMatch(/module analysis .*\/v1\/aggregations/);
    }
    expect((await service.get('/v1/units/fields', withKey(key))).status).toBe(200);
  });

  test('the field catalogue marks the fields that this key can read', async () => {
    const all = await service.get('/v1/units/fields');
    const none = await service.get('/v1/units/fields', withKey(await makeCaller(store, { modules: ['api'] })));
    expect(none.json.meta.module).toEqual(['api']);
    type Field = { readonly modul: string | null; readonly verfuegbar: boolean };
    const locked = all.json.data.filter(({ modul }: Field) => modul !== null).length;
    expect(none.json.meta).toMatchObject({ count: all.json.meta.count, gesperrt: locked });
    const differing = all.json.data.map((field: Field) => ({
      ...field,
      verfuegbar: field.verfuegbar && field.modul === null,
    }));
    expect(none.json.data).toEqual(differing);
  });

  test('without module api only /v1/me answers', async () => {
    const key = await makeCaller(store, { modules: Object.keys(MODULES).filter((name) => name !== 'api') });
    expect((await me(withKey(key))).status).toBe(200);
    for (const path of ['/v1/usage', '/v1/units/fields', '/v1/portfolio']) {
      expectProblem(await service.get(path, withKey(key)), 403, 'MISSING_MODULE');
    }
  });

  test('an ended trial removes every module, and reports it', async () => {
    const trialEndsAt = inSeconds(-1);
    const key = await makeCaller(store, { trialEndsAt });
    const { json } = await me(withKey(key));
    expect(json.data.organization).toMatchObject({ modules: [], trialEndsAt });
    for (const path of ['/v1/usage', '/v1/units']) {
      const response = await service.get(path, withKey(key));
      expectProblem(response, 403, 'MISSING_MODULE');
      expect(response.json.detail).toContain(`its trial ended on ${trialEndsAt}`);
    }
  });

  test('a running trial removes nothing', async () => {
    const trialEndsAt = inSeconds(3600);
    const key = await makeCaller(store, { trialEndsAt });
    expect((await units(key)).status).toBe(200);
    const { modules } = (await me(withKey(key))).json.data.organization;
    expect(modules).toEqual(Object.keys(MODULES).sort());
  });

  test('scopes that this release does not know are listed separately, and grant nothing', async () => {
    const key = await makeCaller(store, {}, { scopes: ['units:read', 'later:read', 'toString'] });
    expect((await me(withKey(key))).json.data.key).toMatchObject({
      scopes: ['units:read'],
      unbekannteScopes: ['later:read', 'toString'],
    });
    const all = await me(withKey(service.key));
    expect(all.json.data.key).toMatchObject({ scopes: Object.keys(SCOPES).sort(), unbekannteScopes: [] });
  });
});
