import { describe, expect, test } from 'vitest';
import { encryptionKey, newEncryptionKey } from '../../sql/org/encryption.ts';
import { isSecret, signingSecrets } from '../../sql/org/webhooks/secrets.ts';
import { TEST_KEYS } from '../support/contacts.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { makeEndpoint, TEST_SECRET } from '../support/webhooks.ts';
import { ENDPOINTS, OWN_SECRET, serveEndpoints } from './served-endpoints.ts';

/** Secrets of webhook endpoints over HTTP: interface.md, Events, webhooks; decisions.md, 5 and 8. */

const served = serveEndpoints();
const { ask, list, change, secretOf, rotate, stored, created } = served;

describe('POST /v1/webhooks/endpoints/{id}/secret', () => {
  test('makes a new secret, and the old one signs as well for a day', async () => {
    const { id, secret: before } = await created();
    const { status, json } = await rotate(id);
    expect([status, json]).toEqual([
      200,
      { data: { endpointId: id, secret: expect.any(String) }, meta: { previousSecretValidForSeconds: 86_400 } },
    ]);
    const { secret } = json.data;
    expect([isSecret(secret), secret === before, await secretOf(id)]).toEqual([true, false, secret]);
    const [row] = await stored();
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    expect(signingSecrets(row!, TEST_KEYS, inHours(23.9))).toEqual([secret, before]);
    expect(signingSecrets(row!, TEST_KEYS, inHours(24.1))).toEqual([secret]);
  });

  test('takes a secret of the caller; of three the last two sign', async () => {
    const { id } = await created();
    const { secret } = (await rotate(id)).json.data;
    expect((await rotate(id, { secret: OWN_SECRET })).json.data.secret).toBe(OWN_SECRET);
    const [row] = await stored();
    expect(signingSecrets(row!, TEST_KEYS, new Date())).toEqual([OWN_SECRET, secret]);
  });

  test('400: the secret that it has, or one that is none; then nothing is changed', async () => {
    const { id, secret } = await created();
    const before = await stored();
    for (const wrong of [secret, 'geheim', null]) {
      const response = await rotate(id, { secret: wrong });
      expect([response.status, response.json.errors[0].pointer]).toEqual([400, '#/secret']);
      expect(response.text).not.toContain(secret.slice(6));
    }
    expect(await stored()).toEqual(before);
  });

  test('needs no body, also of a client that calls nothing JSON', async () => {
    const { id } = await created();
    const send = (init: RequestInit & { duplex?: 'half' } = {}) =>
      served.service.send('POST', `${ENDPOINTS}/${id}/secret`, {
        ...init,
        headers: { ...withKey(served.key), ...init.headers },
      });
    const headers = { 'Content-Type': 'application/json' };
    const chunked = new Blob([]).stream();
    for (const init of [{}, { headers }, { headers, body: '' }, { headers, body: chunked, duplex: 'half' as const }])
      expect((await send(init)).status).toBe(200);
    expectProblem(await send({ body: '{}' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectProblem(await send({ headers, body: ' ' }), 400, 'INVALID_BODY');
  });

  test('of many at once, each shows its own, and the last two sign', async () => {
    const { id } = await created();
    const shown = (await Promise.all(Array.from({ length: 6 }, () => rotate(id)))).map(({ json }) => json.data.secret);
    const [row] = await stored();
    const signing = signingSecrets(row!, TEST_KEYS, new Date());
    expect(new Set(shown).size).toBe(6);
    expect(shown).toEqual(expect.arrayContaining([...signing]));
    expect(signing).toHaveLength(2);
  });
});

test('503 where the key of a secret is missing: it can be neither shown nor rotated, all else works', async () => {
  const { id } = await makeEndpoint(served.service.store, served.organisation, {}, [encryptionKey(newEncryptionKey())]);
  for (const response of [await ask('GET', `${ENDPOINTS}/${id}/secret`), await rotate(id)]) {
    expectProblem(response, 503, 'SERVICE_UNAVAILABLE');
    expect(response.json.detail).not.toMatch(/[0-9a-f]{12}/);
  }
  expect((await change(id, { description: 'geht' })).status).toBe(200);
  expect((await list()).json.data).toHaveLength(1);
  expect((await ask('DELETE', `${ENDPOINTS}/${id}`)).status).toBe(200);
});

test('TEST_SECRET is what an endpoint of tests has', async () => {
  const { id } = await makeEndpoint(served.service.store, served.organisation);
  expect(await secretOf(id)).toBe(TEST_SECRET);
});
