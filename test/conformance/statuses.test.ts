import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { type Subject, serveFixture } from './service.ts';

/** Each operation with each status it can have, and the shape of each answer. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const concrete = (path: string): string => path.replace('{id}', 'SEE900000000001');

describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const path = concrete(operation.path);

  test('200: the answer has the declared shape and nothing else', async () => {
    const seen = await service.get(path);
    expect(seen.status).toBe(200);
    expect(seen.headers.get('content-type')).toMatch(operation.media);
    if (operation.answer !== null) operation.answer.parse(seen.json);
  });

  test('every answer carries a request id that is a UUIDv7, and is not to be sniffed', async () => {
    const seen = await service.get(path, { 'X-Request-Id': 'mine' });
    expect(seen.headers.get('x-request-id')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(seen.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('HEAD: like GET, without a body', async () => {
    const [get, head] = [await service.get(path), await service.send('HEAD', path)];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['content-type', 'etag', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  test('OPTIONS: says what is allowed', async () => {
    const seen = await service.send('OPTIONS', path);
    expect(seen.status).toBe(204);
    expect(seen.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('400 UNKNOWN_PARAMETER', async () => {
    const seen = await service.get(`${path}?nonsense=1`);
    expectProblem(seen, 400, 'UNKNOWN_PARAMETER');
    expect(seen.json.errors).toEqual([
      { parameter: 'nonsense', code: 'UNKNOWN_PARAMETER', detail: expect.stringContaining('nonsense') },
    ]);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('405 with Allow: %s', async (method) => {
    const seen = await service.send(method, path);
    expectProblem(seen, 405, 'METHOD_NOT_ALLOWED');
    expect(seen.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('406: an Accept that excludes the answer', async () => {
    expectProblem(await service.get(path, { Accept: 'image/png' }), 406, 'NOT_ACCEPTABLE');
    expect((await service.get(path, { Accept: `image/png, ${operation.media};q=0.1` })).status).toBe(200);
  });
});

test.each(['/', '/v1', '/v1/', '/v1/units/', '/v1/regions', '/v2/units', '/v1/units/SEE900000000001/x', '/V1/units'])(
  '404 for %s',
  async (path) => {
    expectProblem(await service.get(path), 404, 'NOT_FOUND');
    expectProblem(await service.send('POST', path, { body: 'x' }), 404, 'NOT_FOUND');
  },
);

function expectProblem(seen: Awaited<ReturnType<Subject['get']>>, status: number, code: string): void {
  expect(seen.headers.get('content-type')).toBe('application/problem+json');
  expect(seen.json).toMatchObject({
    type: `${service.url}/docs/errors#${code}`,
    title: expect.any(String),
    status,
    code,
    detail: expect.any(String),
    instance: seen.headers.get('x-request-id'),
    retryable: false,
  });
  expect(seen.status).toBe(status);
}
