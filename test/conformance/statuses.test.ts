import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resourceOf } from '../../api/docs/openapi/resources.ts';
import type { Operation } from '../../api/operation/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import type { Code } from '../../api/problem/codes.ts';
import { DEFAULT_LIMITS, LIMITED_CLASSES, type LimitedClass } from '../../sql/org/callers.ts';
import type { KeyRow } from '../../sql/org/keys.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { MODULES, SCOPES } from '../../sql/org/rights.ts';
import { ENCRYPTION_KEY } from '../support/contacts.ts';
import { GIVEN_ANEW, giveExampleRecords, namesExampleRecords } from '../support/example-records.ts';
import { type FailingStore, openFailingStore, STORE_UNREACHABLE } from '../support/failing-store.ts';
import { makeCaller, makeKey, makeOrganisation } from '../support/organisation.ts';
import { sendRaw } from '../support/raw-request.ts';
import { callOperation, expectProblem, NO_KEY, pathOf, UUID_V7, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';

/** Each operation with each status it can have, asked by its example; each address with each method. */

let store: FailingStore;
let service: OwnSubject;
beforeAll(async () => {
  store = await openFailingStore();
  // Counted in the store, a call needs it even where the key is known.
  service = await serveOwnFixture({ ENCRYPTION_KEYS: ENCRYPTION_KEY }, { ...store, exclusive: false });
  await giveExampleRecords(store, service.organisation);
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

const needsKey = ({ access }: Operation): boolean => access !== 'public';

/** The class whose window an operation counts in; null = none. */
const limitedClass = ({ access, cost }: Operation): LimitedClass | null =>
  access === 'public' ? null : (LIMITED_CLASSES.find((name) => name === cost) ?? null);

/** RateLimit headers stand on every answer to a caller, and only where the cost class has a window. */
function expectLimitHeaders(operation: Operation, { headers }: ServiceResponse): void {
  const name = limitedClass(operation);
  const rateLimitHeaders = [headers.get('ratelimit-policy'), headers.get('ratelimit')];
  if (name === null) expect(rateLimitHeaders).toEqual([null, null]);
  else {
    expect(rateLimitHeaders[0]).toMatch(new RegExp(`^"${name}";q=[0-9]+;w=60$`));
    expect(rateLimitHeaders[1]).toMatch(new RegExp(`^"${name}";r=[0-9]+;t=([1-9]|[1-5][0-9]|60)$`));
  }
}

/** A refusal of what a known caller asked. */
function expectRefusal(operation: Operation, response: ServiceResponse, status: number, code: Code): void {
  expectProblem(response, status, code);
  expectLimitHeaders(operation, response);
}

/**
 * Makes an organisation for the calls of `work` with its key. It has the records which examples name, if the operation's
 * does; then the service's own has them again.
 */
async function asAnother(
  operation: Operation,
  organisation: Partial<OrganisationRow>,
  key: Partial<KeyRow>,
  work: (key: string) => Promise<void>,
): Promise<void> {
  const made = await makeOrganisation(store, organisation);
  const { text } = await makeKey(store, made, key);
  if (!namesExampleRecords(operation)) return work(text);
  await giveExampleRecords(store, made);
  await work(text);
  await giveExampleRecords(store, service.organisation);
}

/** Scopes that an example needs beside that of its operation: who shares a view must be able to see it. */
const OF_EXAMPLE: Readonly<Record<string, readonly string[]>> = { 'shares.create': ['region:read', 'reference:read'] };

const without = (all: object, name: string): string[] => Object.keys(all).filter((other) => other !== name);

describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const limited = limitedClass(operation);
  const { status: success = 200 } = operation;

  const giveAnew = GIVEN_ANEW[resourceOf(operation)];
  if (giveAnew !== undefined) beforeEach(() => giveAnew(store, service.organisation));

  test(`${success}: the declared media type and shape, and nothing else`, async () => {
    const response = await callOperation(service, operation);
    expect(response.status).toBe(success);
    if (!operation.media.includes('*')) expect(response.headers.get('content-type')).toMatch(operation.media);
    operation.answer?.parse(response.json);
    expectLimitHeaders(operation, response);
    const { source } = operation;
    expect(response.headers.has('etag')).toBe(source !== 'service');
    if (source === 'release' && operation.access === 'public') {
      expect(response.headers.get('cache-control')).toMatch(/^public, (no-cache|max-age=\d+)$/);
    } else if (source !== 'service') expect(response.headers.get('cache-control')).toBe('private, no-cache');
    else if (needsKey(operation)) expect(response.headers.get('cache-control')).toBe('no-store');
    else expect(response.headers.has('cache-control')).toBe(true);
  });

  test('the request id is a UUIDv7 of the service, whatever the caller sends', async () => {
    const [first, second] = await Promise.all(
      ['mine', '019a0f6e-7c1b-7d52-9f0e-3b6f1c2d4e5a'].map(async (id) => {
        const response = await callOperation(service, operation, { headers: { 'X-Request-Id': id } });
        return response.headers.get('x-request-id');
      }),
    );
    expect(first).toMatch(UUID_V7);
    expect(second).toMatch(UUID_V7);
    expect(new Set([first, second, '019a0f6e-7c1b-7d52-9f0e-3b6f1c2d4e5a']).size).toBe(3);
  });

  if (operation.method === 'GET') {
    test('HEAD: like GET, without a body', async () => {
      const [get, head] = [
        await callOperation(service, operation),
        await callOperation(service, operation, { method: 'HEAD' }),
      ];
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['content-type', 'etag', 'cache-control', 'ratelimit-policy', 'content-security-policy']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    });
  }

  test('400: a parameter that it does not know', async () => {
    const query = [operation.example?.query, 'nonsense=1'].filter((part) => part !== undefined).join('&');
    const response = await callOperation(service, operation, { query });
    expectRefusal(operation, response, 400, 'UNKNOWN_PARAMETER');
    expect(response.json.errors).toEqual([
      { parameter: 'nonsense', code: 'UNKNOWN_PARAMETER', detail: expect.stringContaining('nonsense') },
    ]);
  });

  test('406: an Accept that excludes the answer', async () => {
    if (!operation.media.includes('*')) {
      const response = await callOperation(service, operation, { headers: { Accept: 'image/x-other' } });
      expectRefusal(operation, response, 406, 'NOT_ACCEPTABLE');
    }
    const either = await callOperation(service, operation, {
      headers: { Accept: `image/x-other, ${operation.media};q=0.1` },
    });
    expect(either.status).toBe(success);
  });

  test('413: a body beyond 1 MiB is refused as soon as it is announced', async () => {
    const { status, json, head } = await sendRaw(
      service.url,
      `${operation.method} ${pathOf(operation)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${1024 * 1024 + 1}\r\n\r\n`,
    );
    expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(head).toMatch(/^connection: close$/im);
  });

  if (operation.body === undefined) {
    test('400: an unexpected body', async () => {
      const { status, json } = await sendRaw(
        service.url,
        `${operation.method} ${pathOf(operation)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\n` +
          'Content-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
      );
      expect([status, json.code]).toEqual([400, 'INVALID_BODY']);
    });
  } else {
    const bodies = ['{', 'null', '[]', '"x"', ...(operation.bodyOptional === true ? [] : [''])];
    test.each(bodies)('400: the body %s', async (body) => {
      expectRefusal(operation, await callOperation(service, operation, { body }), 400, 'INVALID_BODY');
    });

    test('400: a member that the body does not have is named', async () => {
      const response = await callOperation(service, operation, { body: '{"nonsense":1}' });
      expect(response.status).toBe(400);
      expect(response.json.errors).toContainEqual(
        expect.objectContaining({ pointer: '#/nonsense', code: 'UNKNOWN_PARAMETER' }),
      );
    });

    test.each([
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { 'Content-Type': 'application/json; charset=utf-16' },
      { 'Content-Encoding': 'gzip' },
    ])('415: %o', async (headers) => {
      expectRefusal(operation, await callOperation(service, operation, { headers }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
  }

  // Units without own values have none, whether the register knows them or not; a tile without units is empty.
  const hasNothing = ['custom-fields', 'tiles'].includes(resourceOf(operation));
  if (Object.keys(operation.pathParameters.shape).length > 0 && !hasNothing) {
    test('404: nothing has this identifier', async () => {
      // The identifier of the example with other digits at its end has its form, and names nothing.
      const values = Object.entries(operation.example?.path ?? {});
      const other = values.map(([name, value]) => [
        name,
        value.replace(/\w{1,6}$/, (end) => end.replaceAll(/\w/g, '9')),
      ]);
      const response = await callOperation(service, operation, { path: Object.fromEntries(other) });
      expectRefusal(operation, response, 404, 'NOT_FOUND');
    });
  }

  if (operation.replayable === true) {
    test('400: a malformed idempotency key', async () => {
      for (const key of ['"', '"open', 'x'.repeat(256), '""']) {
        const response = await callOperation(service, operation, { headers: { 'Idempotency-Key': key } });
        expectRefusal(operation, response, 400, 'INVALID_PARAMETER');
        expect(response.json.errors).toMatchObject([{ header: 'Idempotency-Key' }]);
      }
    });

    test('400: dryRun is true or false', async () => {
      expectRefusal(
        operation,
        await callOperation(service, operation, { query: 'dryRun=1' }),
        400,
        'INVALID_PARAMETER',
      );
    });

    test('409: an idempotency key that belongs to another request', async () => {
      const other = OPERATIONS.find(({ replayable, id }) => replayable === true && id !== operation.id)!;
      const headers = { 'Idempotency-Key': `taken before ${operation.id}` };
      expect((await callOperation(service, other, { headers })).status).toBe(200);
      expectRefusal(operation, await callOperation(service, operation, { headers }), 409, 'IDEMPOTENCY_KEY_REUSED');
    });
  }

  if (!needsKey(operation)) {
    test('needs no key, and ignores one', async () => {
      for (const headers of [NO_KEY, withKey('no key at all')]) {
        expect((await callOperation(service, operation, { headers })).status).toBe(200);
      }
    });
    return;
  }

  test('401: without a key, whatever else is wrong', async () => {
    for (const query of [operation.example?.query, 'nonsense=1']) {
      const response = await callOperation(service, operation, { query, headers: NO_KEY });
      expectProblem(response, 401, 'MISSING_API_KEY');
      expect(response.headers.has('ratelimit')).toBe(false);
    }
  });

  test('401: with a malformed key', async () => {
    const response = await callOperation(service, operation, { headers: withKey('no key at all') });
    expectProblem(response, 401, 'INVALID_API_KEY');
    expect(response.headers.has('ratelimit')).toBe(false);
  });

  const { scope, module } = operation;

  if (scope !== null) {
    test('403: without the scope', async () => {
      const key = await makeCaller(store, {}, { scopes: without(SCOPES, scope) });
      const response = await callOperation(service, operation, { headers: withKey(key) });
      expectRefusal(operation, response, 403, 'MISSING_SCOPE');
      expect(response.json.detail).toContain(scope);
    });
  }

  const modules = [...(operation.access === 'api' ? ['api'] : []), ...(module === null ? [] : [module])];

  test.each(modules)('403: without the module %s', async (name) => {
    const key = await makeCaller(store, { modules: without(MODULES, name) });
    const response = await callOperation(service, operation, { headers: withKey(key) });
    expectRefusal(operation, response, 403, 'MISSING_MODULE');
    expect(response.json.detail).toContain(`module ${name} `);
  });

  const allowed = `${success}: with this scope and these modules alone`;
  test(limited === null ? allowed : `${allowed}; 429 when the window of ${limited} is full`, async () => {
    const limits = limited === null ? {} : { [limited]: 1 };
    const scopes = [...(scope === null ? [] : [scope]), ...(OF_EXAMPLE[operation.id] ?? [])];
    await asAnother(operation, { modules, limits }, { scopes }, async (key) => {
      const ask = () => callOperation(service, operation, { headers: withKey(key) });
      expect((await ask()).status).toBe(success);
      if (limited !== null) expectRefusal(operation, await ask(), 429, 'RATE_LIMITED');
    });
  });

  if (limited !== null) {
    test(`${DEFAULT_LIMITS[limited]} calls a minute, unless agreed otherwise`, async () => {
      const key = await makeCaller(store, { limits: {} });
      const { headers } = await callOperation(service, operation, { headers: withKey(key) });
      const most = DEFAULT_LIMITS[limited];
      expect(headers.get('ratelimit-policy')).toBe(`"${limited}";q=${most};w=60`);
      expect(headers.get('ratelimit')).toBe(`"${limited}";r=${most - 1};t=60`);
    });
  }

  test(operation.metered === false ? '200: the quota does not matter' : '429: the quota is used up', async () => {
    const headers = withKey(await makeCaller(store, { quota: 0 }));
    const response = await callOperation(service, operation, { headers });
    if (operation.metered === false) expect(response.status).toBe(200);
    else expectRefusal(operation, response, 429, 'QUOTA_EXCEEDED');
  });
});

const ADDRESSES = [...Map.groupBy(OPERATIONS, ({ path }) => path)].map(([path, at]) => {
  const methods = at.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return { path, address: pathOf(at[0]!), methods: [...methods, 'OPTIONS'] };
});

describe.each(ADDRESSES)('$path', ({ address, methods }) => {
  const allowed = methods.join(', ');

  test('OPTIONS: lists the allowed methods, without a key', async () => {
    const response = await service.send('OPTIONS', address, { headers: NO_KEY });
    expect([response.status, response.headers.get('allow'), response.text]).toEqual([204, allowed, '']);
    expect(response.headers.get('x-request-id')).toMatch(UUID_V7);
  });

  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter((method) => !methods.includes(method));

  test.each(others)('405 with Allow, without a key: %s', async (method) => {
    const response = await service.send(method, address, { headers: NO_KEY });
    expectProblem(response, 405, 'METHOD_NOT_ALLOWED');
    expect(response.headers.get('allow')).toBe(allowed);
  });
});

test.each(['/v1/units/', '/v1/regions', '/v2/units', '/v1/units/SEE900000000001/x', '/V1/units'])(
  '404 for %s, without a key',
  async (path) => {
    expectProblem(await service.get(path, NO_KEY), 404, 'NOT_FOUND');
    expectProblem(await service.send('POST', path, { body: 'x', headers: NO_KEY }), 404, 'NOT_FOUND');
  },
);

// The last of the file: audit rows that the failing store refused make the health of the service degraded for seconds.
test.each(OPERATIONS.filter(needsKey).map((operation) => [operation.id, operation] as const))(
  '%s: 503 when the store of the organisations does not answer',
  async (_, operation) => {
    const response = await store.failing(STORE_UNREACHABLE, () => callOperation(service, operation));
    expectProblem(response, 503, 'SERVICE_UNAVAILABLE');
  },
);
