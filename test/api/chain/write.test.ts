import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiKeyCache } from '../../../api/access/api-key-cache.ts';
import { authFailureLimiter } from '../../../api/access/auth-failure-limiter.ts';
import { openRateLimiter } from '../../../api/access/open-rate-limiter.ts';
import { auditRecorder } from '../../../api/audit/recorder.ts';
import { mount } from '../../../api/chain/router.ts';
import { operation } from '../../../api/operation/operation.ts';
import type { Service } from '../../../api/operation/service.ts';
import { Problem } from '../../../api/problem/problem.ts';
import { booleanParameter, text } from '../../../api/wire/parameters.ts';
import { portfolioOf, portfolioRow, putPortfolio } from '../../../sql/org/records/portfolio.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { makeKey, makeOrganisation } from '../../support/organisation.ts';
import { ANYWHERE, openFresh, SILENT } from '../../support/store-engines.ts';
import { stubService } from './stub-service.ts';

/**
 * The transaction around a write, for an operation with everything that one may have: path, query, problems of its own.
 */

const mark = operation({
  id: 'mark',
  method: 'PUT',
  path: '/marks/{name}',
  summary: '',
  access: 'api',
  scope: 'portfolio:write',
  module: 'portfolio',
  cost: 'mutation',
  replayable: true,
  source: 'service',
  pathParameters: z.strictObject({ name: z.string() }),
  query: z.strictObject({ colour: text().optional(), size: text().optional(), fails: booleanParameter().optional() }),
  body: z.strictObject({}),
  answer: null,
  problems: ['NOT_FOUND'],
  async handle({ path, query, caller, records }) {
    const { id } = caller.organisation;
    await records((session) => session.run(putPortfolio(id, [row(path.name)])));
    // A late failure undoes what the operation has done before.
    if (query.fails === true) throw new Problem('NOT_FOUND', 'There is no such mark');
    return { body: { data: { name: path.name }, meta: {} } };
  },
});

const row = (mastrNumber: string) => {
  const at = new Date().toISOString();
  return {
    id: randomUUIDv7(),
    mastrNumber,
    relationType: 'OWNER' as const,
    externalRefs: {},
    createdAt: at,
    updatedAt: at,
    removedAt: null,
  };
};

const server = createServer();
let store: OrgStore;
let service: Service;
let url: string;
beforeAll(async () => {
  store = await openFresh(ANYWHERE);
  service = stubService({
    log: SILENT,
    store,
    apiKeys: apiKeyCache(store),
    authFailures: authFailureLimiter(1_000, SILENT),
    rateLimiter: openRateLimiter(store, SILENT),
    audit: auditRecorder(store, SILENT),
  });
  server.on('request', mount([mark], service));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await service.rateLimiter.close();
  await service.audit.close();
  await store.close();
});

let organisation: { readonly id: string };
let key: string;
beforeEach(async () => {
  organisation = await makeOrganisation(store);
  key = (await makeKey(store, organisation)).text;
});

async function put(address: string, idempotencyKey = 'k') {
  const response = await fetch(`${url}/marks/${address}`, {
    method: 'PUT',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: '{}',
  });
  return {
    status: response.status,
    replayed: response.headers.get('Idempotency-Replayed') === 'true',
    json: await response.json(),
  };
}

const isThere = (name: string): Promise<boolean> =>
  store.asOrganisation(
    organisation.id,
    async (session) => (await session.row(portfolioRow, portfolioOf(organisation.id, [name]))) !== null,
  );

describe('what makes a request the same', () => {
  test.each([
    ['caf%C3%A9?colour=red&size=big', 'the order of parameters', 'caf%C3%A9?size=big&colour=red'],
    ['caf%C3%A9?colour=red', 'how the query is encoded', 'caf%C3%A9?%63olour=%72ed'],
    ['caf%C3%A9', 'how the path is encoded', '%63af%c3%a9'],
    ['caf%C3%A9', 'dryRun=false', 'caf%C3%A9?dryRun=false'],
  ])('%s: not %s', async (address, _, again) => {
    const first = await put(address);
    expect(first).toEqual({ status: 200, replayed: false, json: { data: { name: 'café' }, meta: {} } });
    expect(await put(again)).toEqual({ ...first, replayed: true });
  });

  test.each([
    ['a?colour=red', 'another value', 'a?colour=blue'],
    ['a?colour=red', 'a parameter more', 'a?colour=red&size=big'],
    ['a?colour=red', 'none', 'a'],
    ['a?colour=red&size=big', 'values that change places', 'a?colour=big&size=red'],
    ['a', 'another path parameter', 'b'],
  ])('%s: %s makes another request', async (address, _, other) => {
    expect((await put(address)).status).toBe(200);
    expect(await put(other)).toMatchObject({ status: 409, json: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });
});

test('an operation that fails after it has written is rolled back, and its key is free', async () => {
  expect(await put('a?fails=true')).toMatchObject({ status: 404, replayed: false });
  expect(await isThere('a')).toBe(false);
  expect(await put('a')).toMatchObject({ status: 200, replayed: false });
  expect(await isThere('a')).toBe(true);
});

test('its dry run leaves nothing either', async () => {
  expect(await put('a?dryRun=true')).toMatchObject({ status: 200, replayed: false });
  expect(await isThere('a')).toBe(false);
});
