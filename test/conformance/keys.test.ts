import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeUser } from '../support/channel.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** Keys that an organisation has made for its users, and ends. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

const SCOPES = ['keys:read', 'keys:write', 'units:read'];

let organisation: { readonly id: string };
let key: string;
let admin: string;
beforeEach(async () => {
  organisation = await makeOrganisation(service.store);
  key = (await makeKey(service.store, organisation, { scopes: SCOPES, name: 'Erster' })).text;
  admin = (await makeUser(service.store, organisation, { role: 'admin' })).externalId;
});

const send = (method: string, path: string, body?: object, by = key) =>
  service.send(method, `/v1/keys${path}`, {
    headers: { ...withKey(by), 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const create = (body: object) =>
  send('POST', '', { name: 'Leitwarte', scopes: ['units:read'], createdBy: admin, ...body });
const me = (text: string) => service.get('/v1/me', withKey(text));

test('a new key works at once, may what was asked, and is shown once', async () => {
  const { status, json } = await create({ environment: 'test', expiresAt: '2999-01-01T00:00:00+01:00' });
  expect(status).toBe(201);
  expect(json.data).toMatchObject({
    ...{ name: 'Leitwarte', environment: 'test', scopes: ['units:read'], createdBy: admin, state: 'live' },
    ...{ expiresAt: '2998-12-31T23:00:00.000Z', revokedAt: null },
  });
  expect((await me(json.data.key)).json.data.key).toMatchObject({ prefix: json.data.prefix, scopes: ['units:read'] });
  const list = await send('GET', '');
  expect(list.json.data.map(({ name }: { name: string }) => name)).toEqual(['Erster', 'Leitwarte']);
  expect(list.text).not.toContain(json.data.key);
  expect(list.text).not.toMatch(/hash/i);
});

test('one that is revoked is refused, and stays in the list', async () => {
  const { key: text, prefix } = (await create({})).json.data;
  const { meta } = (await send('DELETE', `/${prefix}`)).json;
  expect(meta.revoked).toBe(prefix);
  await expect.poll(async () => (await me(text)).status).toBe(401);
  expect((await send('DELETE', `/${prefix}`)).json.meta).toEqual(meta);
  expect((await send('GET', '')).json.data[1]).toMatchObject({ prefix, state: 'revoked', revokedAt: meta.revokedAt });
});

describe('is refused', () => {
  test.each<[string, object, string]>([
    [
      'a scope that the calling key lacks',
      { scopes: ['units:read', 'contacts:read'] },
      'the calling key does not have',
    ],
    ['a scope that there is not', { scopes: ['units:raed'] }, 'did you mean units:read?'],
    ['a user of nobody', { createdBy: 'niemand' }, 'which is no user'],
    ['a time that is over', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must lie ahead'],
  ])('%s', async (_, body, detail) => {
    const response = await create(body);
    expectProblem(response, 422, 'UNPROCESSABLE');
    expect(JSON.stringify(response.json)).toContain(detail);
    expect((await send('GET', '')).json.meta.count).toBe(1);
  });

  test('a key for a member', async () => {
    const member = await makeUser(service.store, organisation);
    expect((await create({ createdBy: member.externalId })).json.detail).toContain('only its owners and admins');
  });

  test('a key that would work for longer than the one that makes it', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { text } = await makeKey(service.store, organisation, { scopes: SCOPES, expiresAt });
    const body = { name: 'x', scopes: ['units:read'], createdBy: admin };
    for (const end of [{}, { expiresAt: new Date(Date.parse(expiresAt) + 1).toISOString() }]) {
      const response = await send('POST', '', { ...body, ...end }, text);
      expectProblem(response, 422, 'UNPROCESSABLE');
      expect(response.json.detail).toBe(`expiresAt must not lie behind ${expiresAt}, when the calling key ends`);
    }
    expect((await send('POST', '', { ...body, expiresAt }, text)).status).toBe(201);
  });

  test('what the key has no scope for', async () => {
    const { text } = await makeKey(service.store, organisation, { scopes: ['keys:read'] });
    expectProblem(
      await send('POST', '', { name: 'x', scopes: ['keys:read'], createdBy: admin }, text),
      403,
      'MISSING_SCOPE',
    );
  });

  test('an unknown prefix', async () => {
    expectProblem(await send('DELETE', '/Zz00zz00'), 404, 'NOT_FOUND');
  });
});
