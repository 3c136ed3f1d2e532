import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { mount } from '../../../api/chain/router.ts';
import { type Operation, publicOperation } from '../../../api/operation/operation.ts';
import { Problem } from '../../../api/problem/problem.ts';
import { stubService } from './stub-service.ts';

/** The chain around operations made for the test: bodies, crashes, routing. */

const PLAIN = {
  summary: '',
  cost: 'standard',
  source: 'service',
  answer: null,
} as const;

const operations: Operation[] = [
  publicOperation({
    ...PLAIN,
    id: 'echo',
    method: 'POST',
    path: '/echo/fixed',
    body: z.strictObject({ name: z.string(), list: z.array(z.strictObject({ 'a/b': z.number() })).optional() }),
    async handle({ body }) {
      return { body: { data: body, meta: {} } };
    },
  }),
  publicOperation({
    ...PLAIN,
    id: 'show',
    method: 'GET',
    path: '/echo/{id}',
    pathParameters: z.strictObject({ id: z.string() }),
    async handle({ path }) {
      return { body: { data: path.id, meta: {} } };
    },
  }),
  publicOperation({
    ...PLAIN,
    id: 'crash',
    method: 'GET',
    path: '/crash',
    async handle() {
      throw new Error('a secret of the implementation');
    },
  }),
  publicOperation({
    ...PLAIN,
    id: 'restricted',
    method: 'GET',
    path: '/restricted',
    async handle() {
      throw new Problem('SERVICE_UNAVAILABLE', 'later', { retryAt: Date.now() + 7_000 });
    },
  }),
];

const logged: string[] = [];
const server = createServer();
let url: string;

beforeAll(async () => {
  const service = stubService({ log: pino({ level: 'info' }, { write: (line: string) => logged.push(line) }) });
  server.on('request', mount(operations, service));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const post = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json', headers = {}) =>
  fetch(`${url}/echo/fixed`, { method: 'POST', body, headers: { 'Content-Type': type, ...headers } });

test('a JSON body is read and checked', async () => {
  const answer = await post('{"name":"Süd"}', 'application/json; charset=UTF-8');
  expect([answer.status, await answer.json()]).toEqual([200, { data: { name: 'Süd' }, meta: {} }]);
});

test('every fault of a body, with its pointer', async () => {
  const answer = await post('{"list":[{"a/b":"x"}],"nmae":1}');
  const { status, code, errors } = (await answer.json()) as { status: number; code: string; errors: object[] };
  expect([status, code]).toEqual([400, 'INVALID_BODY']);
  expect(errors).toMatchObject([
    { pointer: '#/name', code: 'INVALID_BODY' },
    { pointer: '#/list/0/a~1b', code: 'INVALID_BODY' },
    { pointer: '#/nmae', code: 'UNKNOWN_PARAMETER' },
  ]);
});

test.each([
  ['{"name":', 'application/json', 400, 'INVALID_BODY'],
  ['', 'application/json', 400, 'INVALID_BODY'],
  ['null', 'application/json', 400, 'INVALID_BODY'],
  ['name=x', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['{}', 'application/json; charset=latin1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [`{"name":"${'x'.repeat(1024 * 1024)}"}`, 'application/json', 413, 'PAYLOAD_TOO_LARGE'],
])('%.20s as %s: %i %s', async (body, type, status, code) => {
  const answer = await post(body, type);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toMatchObject({ status, code });
});

test('a body that is not UTF-8, and a compressed one, are refused', async () => {
  expect((await post(new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400);
  expect((await post('{}', 'application/json', { 'Content-Encoding': 'gzip' })).status).toBe(415);
});

test('a crash answers 500 without the cause, which is logged under the request id', async () => {
  const answer = await fetch(`${url}/crash`);
  const text = await answer.text();
  const document = JSON.parse(text);
  expect([answer.status, document.code, document.retryable]).toEqual([500, 'INTERNAL_ERROR', true]);
  expect(text).not.toMatch(/secret|chain\.test/);
  const line = logged.find((entry) => entry.includes('a secret of the implementation'));
  expect(JSON.parse(line ?? '{}').requestId).toBe(document.instance);
});

test('Retry-After and retryAfter agree', async () => {
  const before = Date.now();
  const answer = await fetch(`${url}/restricted`);
  const { retryAfter } = (await answer.json()) as { retryAfter: number };
  expect(answer.headers.get('retry-after')).toBe('7');
  expect(retryAfter - before).toBeGreaterThanOrEqual(7000);
  expect(retryAfter - before).toBeLessThan(9000);
});

test('a fixed path wins over a parameter, also where only the method differs', async () => {
  const answer = await fetch(`${url}/echo/fixed`);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  expect(await (await fetch(`${url}/echo/a%2Fb%20%C3%BC`)).json()).toMatchObject({ data: 'a/b ü' });
});

test('each request leaves one line in the log', async () => {
  logged.length = 0;
  // The query is not logged, whether it was good or not.
  const answer = await fetch(`${url}/echo/x?name=private`, {
    headers: { 'X-Request-Id': 'theirs', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  });
  const lines = logged.map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    {
      requestId: answer.headers.get('x-request-id'),
      method: 'GET',
      path: '/echo/x',
      status: 400,
      operation: 'show',
      foreignId: 'theirs',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentId: 'b7ad6b7169203331',
      ms: expect.any(Number),
    },
  ]);
  expect(logged.join()).not.toContain('private');
});
