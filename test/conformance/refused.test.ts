import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeApiKey } from '../../sql/org/api-key.ts';
import { sql } from '../../sql/org/statement.ts';
import { type FailingStore, openFailingStore } from '../support/failing-store.ts';
import { makeCaller } from '../support/organisation.ts';
import { open } from '../support/raw-request.ts';
import { expectProblem, NO_KEY, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';

/** Callers without a good key can ask for so much by address, and no more. */

const SHARE = 20;

let store: FailingStore;
let service: OwnSubject;
beforeAll(async () => {
  store = await openFailingStore();
  service = await serveOwnFixture(
    {
      TRUSTED_PROXIES: '127.0.0.0/8,::1',
      REFUSED_CALLS_PER_MINUTE: String(SHARE),
      MAX_CONNECTIONS: '40',
      METRICS_PORT: '0',
    },
    store,
  );
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

let count = 0;
/** Makes the headers of a caller at an address that no caller had before. */
const newAddress = () => ({ 'X-Forwarded-For': `198.51.${Math.floor(count / 250)}.${(count++ % 250) + 1}` });

const unknownKey = () => withKey(makeApiKey('test').text);

async function calls(times: number, call: (index: number) => Promise<ServiceResponse>): Promise<ServiceResponse[]> {
  const responses: ServiceResponse[] = [];
  for (let index = 0; index < times; index++) responses.push(await call(index));
  return responses;
}

const statuses = (responses: readonly ServiceResponse[]) => responses.map(({ status }) => status);

test.each([
  ['no key', () => NO_KEY],
  ['what is none', () => withKey('nonsense')],
  ['keys that nobody has', unknownKey],
])('401 for %s, as often as an address may; then 429, like everywhere', async (_, headers) => {
  const address = newAddress();
  const responses = await calls(SHARE + 5, () => service.get('/v1/units', { ...address, ...headers() }));
  // Some are forgiven while the test runs.
  expect(statuses(responses.slice(0, SHARE))).toEqual(Array.from({ length: SHARE }, () => 401));
  expect(statuses(responses.slice(SHARE))).toContain(429);
  const refused = responses.find(({ status }) => status === 429)!;
  expectProblem(refused, 429, 'RATE_LIMITED');
  expect(refused.headers.has('ratelimit')).toBe(false);
  // Others are not touched.
  expect((await service.get('/v1/units', { ...newAddress(), ...headers() })).status).toBe(401);
});

test('no key is queried for an address that has used up its share, not even on an unknown path', async () => {
  const address = newAddress();
  await calls(SHARE, () => service.get('/v1/units', { ...address, ...NO_KEY }));
  const before = store.lookUps;
  const responses = await calls(40, (index) =>
    service.get(index % 2 === 0 ? '/v1/units' : '/v1/nowhere', { ...address, ...unknownKey() }),
  );
  expect(statuses(responses)).toContain(429);
  // As many as were forgiven meanwhile: one in three seconds.
  expect(store.lookUps - before).toBeLessThan(5);
});

test('a valid key at the same address still works, in every operation', async () => {
  const address = newAddress();
  const key = await makeCaller(store);
  expect((await service.get('/v1/units', { ...address, ...withKey(key) })).status).toBe(200);
  await calls(SHARE + 2, () => service.get('/v1/units', { ...address, ...unknownKey() }));
  const responses = await calls(10, () => service.get('/v1/units', { ...address, ...withKey(key) }));
  expect(new Set(statuses(responses))).toEqual(new Set([200]));
});

test('a key that was valid and is revoked is refused like others', async () => {
  const address = newAddress();
  const key = await makeCaller(store);
  const readUnits = () => service.get('/v1/units', { ...address, ...withKey(key) });
  expect((await readUnits()).status).toBe(200);
  const prefix = key.split('_')[2] ?? '';
  await store.asOperator((session) =>
    session.run(sql`UPDATE api_keys SET revoked_at = now() WHERE prefix = ${prefix}`),
  );
  // So long a look-up holds.
  await sleep(1_000);
  const responses = await calls(SHARE + 5, readUnits);
  expect(statuses(responses.slice(0, SHARE))).toEqual(Array.from({ length: SHARE }, () => 401));
  expect(statuses(responses.slice(SHARE))).toContain(429);
});

test('public operations stay public', async () => {
  const address = newAddress();
  await calls(SHARE + 2, () => service.get('/v1/units', { ...address, ...NO_KEY }));
  for (const path of ['/v1/health', '/docs', '/v1/openapi.json']) {
    expect((await service.get(path, { ...address, ...NO_KEY })).status).toBe(200);
  }
});

test('under /api/v1 with the code of that variant', async () => {
  const address = newAddress();
  const codes: string[] = [];
  for (let index = 0; index < SHARE + 5; index++) {
    const answer = await fetch(`${service.url}/api/v1/units`, { headers: address });
    codes.push(((await answer.json()) as { code: string }).code);
  }
  expect(new Set(codes)).toEqual(new Set(['MISSING_API_KEY', 'RATE_LIMIT_EXCEEDED']));
});

test('each of them is counted', async () => {
  const metrics = await (await fetch(service.metricsUrl ?? '')).text();
  for (const reason of ['no_key', 'wrong_key', 'too_many']) {
    expect(metrics).toMatch(new RegExp(`^energy_http_refused_calls_total\\{reason="${reason}"\\} [1-9]`, 'm'));
  }
});

test('more connections than there may be are closed as they come, and the others are answered', async () => {
  const silent = await Promise.all(Array.from({ length: 60 }, () => open(service.url)));
  const closed = silent.map((socket) => new Promise((resolve) => socket.on('error', () => {}).on('close', resolve)));
  await vi.waitFor(() => expect(silent.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(40));
  for (const socket of silent) socket.destroy();
  await Promise.all(closed);
  expect((await service.get('/v1/units')).status).toBe(200);
  const metrics = await (await fetch(service.metricsUrl ?? '')).text();
  expect(metrics).toMatch(/^energy_http_connections_dropped_total [1-9]/m);
});
