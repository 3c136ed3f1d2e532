import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CODES } from '../../api/problem/codes.ts';
import { temporaryFolder } from './fixture.ts';
import { type Subject, serve, serveFixture } from './service.ts';

/** Every failure is a problem document (interface.md, Errors), also where no operation was reached. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

/** Writes bytes as they are and returns the raw answer. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      answer += text;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

function rawProblem(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head).toMatch(/content-type: application\/problem\+json/i);
  const document = JSON.parse(body);
  expect(head).toContain(document.instance);
  return document;
}

describe('requests that are none', () => {
  test('malformed HTTP', async () => {
    expect(rawProblem(await raw('this is no http\r\n\r\n'))).toMatchObject({ status: 400, code: 'INVALID_PARAMETER' });
  });

  test('headers beyond the limit', async () => {
    const answer = await raw(`GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`);
    expect(rawProblem(answer).detail).toContain('32 KiB');
  });

  test('HTTP/1.1 without a host', async () => {
    const answer = await raw('GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(rawProblem(answer).errors).toEqual([
      { header: 'Host', code: 'INVALID_PARAMETER', detail: 'Host is required' },
    ]);
  });

  test.each(['/v1/units/%', '/v1/units/%ff', '/%E0%A4%A', '/v1/units?ort=%', '/v1/units?plz=%ff'])(
    'percent-encoding that is broken: %s',
    async (path) => {
      expect(rawProblem(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).code).toBe(
        'INVALID_PARAMETER',
      );
    },
  );
});

describe('bodies', () => {
  test('a body where none belongs is refused, as a filter in it would be lost', async () => {
    const seen = await getWithBody('{"einheitTyp":["wind"]}');
    expect(seen).toMatchObject({ status: 400, code: 'INVALID_BODY' });
  });

  test('413 beyond 1 MiB', async () => {
    expect(await getWithBody('x'.repeat(1024 * 1024 + 1))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  function getWithBody(body: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(`${service.url}/v1/units`, { method: 'GET', agent: false });
      request.setHeader('Content-Length', Buffer.byteLength(body));
      request.on('response', async (response) => {
        let text = '';
        for await (const part of response) text += part;
        resolve(JSON.parse(text));
      });
      request.on('error', reject);
      request.end(body);
    });
  }
});

test('a parameter given twice, and one without a value, are faults', async () => {
  const seen = await service.get('/v1/units?einheitTyp=wind&einheitTyp=solar&plz=&limit=0');
  expect(seen.status).toBe(400);
  expect(seen.json.errors.map((error: { parameter: string }) => error.parameter).sort()).toEqual([
    'einheitTyp',
    'limit',
    'plz',
  ]);
});

test('a mistyped parameter is answered with the name that was probably meant', async () => {
  const seen = await service.get('/v1/units?bundesLand=Bayern');
  expect(seen.json.errors[0].detail).toContain('did you mean bundesland?');
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is an unknown parameter', async (name) => {
  expect((await service.get(`/v1/units?${name}=1`)).json.code).toBe('UNKNOWN_PARAMETER');
});

test('the type of a problem leads to a page that explains every code', async () => {
  const { json } = await service.get('/v1/units/SEE999999999999');
  const page = await (await fetch(json.type)).text();
  for (const code of Object.keys(CODES)) expect(page).toContain(`<section id="${code}">`);
});

test('503 DATASET_NOT_READY while nothing is published, and the health probe agrees', async () => {
  const empty = temporaryFolder();
  const waiting = await serve(empty.path);
  const before = Date.now();
  const seen = await waiting.get('/v1/units');
  expect(seen.status).toBe(503);
  expect(seen.json).toMatchObject({ code: 'DATASET_NOT_READY', retryable: true });
  const seconds = Number(seen.headers.get('retry-after'));
  expect(seen.json.retryAfter).toBeGreaterThanOrEqual(before + seconds * 1000);
  const health = await waiting.get('/v1/health');
  expect(health.status).toBe(503);
  expect(health.json.data).toMatchObject({ status: 'degraded', dependencies: { database: 'degraded' } });
  expect((await waiting.get('/v1/units/fields')).status).toBe(200);
  await waiting.stop();
  empty.remove();
});
