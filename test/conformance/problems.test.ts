import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { CODES } from '../../api/problem/codes.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { sendRaw } from '../support/raw-request.ts';
import { callOperation, expectProblem } from '../support/requests.ts';
import { type Subject, serve, serveFixture } from '../support/service.ts';

/** Every failure is a problem document (interface.md, Errors), also where no operation was reached. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

function expectBroken({ status, head, json }: Awaited<ReturnType<typeof sendRaw>>) {
  expect(status).toBe(400);
  expect(head).toMatch(/content-type: application\/problem\+json/i);
  expect(head).toContain(json.instance);
  return json;
}

describe('requests that are not HTTP', () => {
  test('malformed HTTP', async () => {
    const answer = await sendRaw(service.url, 'this is no http\r\n\r\n');
    expect(expectBroken(answer)).toMatchObject({ status: 400, code: 'INVALID_PARAMETER' });
  });

  test('headers beyond the limit', async () => {
    const long = `GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`;
    expect(expectBroken(await sendRaw(service.url, long)).detail).toContain('32 KiB');
  });

  test('400: an address with characters that are not encoded, and says how to write them', async () => {
    const raw = 'GET /v1/units?landkreis=München HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(expectBroken(await sendRaw(service.url, raw)).detail).toContain('M%C3%BCnchen');
  });

  test('HTTP/1.1 without a host', async () => {
    const answer = await sendRaw(service.url, 'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(expectBroken(answer).errors).toEqual([
      { header: 'Host', code: 'INVALID_PARAMETER', detail: 'Host is required' },
    ]);
  });

  const lines = (...all: string[]) => `${[...all, 'Connection: close'].join('\r\n')}\r\n\r\n`;

  test.each(['http://[', 'http://', 'https://a b', 'http://x:99999/v1/health', 'ftp://x/v1/health', 'x', 'http:x'])(
    'a target that is no address: %s',
    async (target) => {
      const answer = await sendRaw(service.url, lines(`GET ${target} HTTP/1.1`, 'Host: x'));
      expect(expectBroken(answer).code).toBe('INVALID_PARAMETER');
      expect(answer.head).toMatch(/x-content-type-options: nosniff/i);
    },
  );

  test.each(['http://x/v1/health', 'HTTPS://else.example:1/v1/health', `${'http'}://[::1]:80/v1/health?`])(
    'a target that is the whole address is answered as its path: %s',
    async (target) => {
      const answer = await sendRaw(service.url, lines(`GET ${target} HTTP/1.1`, 'Host: x'));
      expect([answer.status, answer.json.data.status]).toEqual([200, 'ok']);
    },
  );

  test('the query of a whole address counts, and without a path it is that of the root', async () => {
    const unknown = await sendRaw(service.url, lines('GET http://x/v1/health?y=1 HTTP/1.1', 'Host: x'));
    expect(unknown.json.errors).toMatchObject([{ parameter: 'y', code: 'UNKNOWN_PARAMETER' }]);
    const root = await sendRaw(service.url, lines('GET http://x?y=1 HTTP/1.1', 'Host: x'));
    expect(root.json.errors).toMatchObject([{ parameter: 'y', code: 'UNKNOWN_PARAMETER' }]);
  });

  test.each([
    ['twice', ['Host: x', 'Host: x'], 'once'],
    ['a list', ['Host: x, y'], 'name or an address'],
    ['no host', ['Host: http://x/'], 'name or an address'],
    ['nothing', ['Host:'], 'name or an address'],
  ])('a host that is %s', async (_, hosts, detail) => {
    const answer = await sendRaw(service.url, lines('GET /v1/health HTTP/1.1', ...hosts));
    expect(expectBroken(answer).errors).toMatchObject([{ header: 'Host', detail: expect.stringContaining(detail) }]);
  });

  test.each(['x', 'x:8080', '[::1]:8080', 'a_b.example', '127.0.0.1:1'])('a host that is one: %s', async (host) => {
    expect((await sendRaw(service.url, lines('GET /v1/health HTTP/1.1', `Host: ${host}`))).status).toBe(200);
  });

  test('CONNECT is answered with 405', async () => {
    const answer = await sendRaw(service.url, lines('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443'));
    expect([answer.status, answer.json.code, answer.json.status]).toEqual([405, 'METHOD_NOT_ALLOWED', 405]);
    expect(answer.head).toContain(answer.json.instance);
    expect(answer.head).toMatch(/^allow: GET/im);
  });

  test.each([
    ['Upgrade', 'Upgrade: websocket'],
    ['Upgrade', 'Upgrade: h2c'],
    ['Expect', 'Expect: 100-continue'],
    ['Expect', 'Expect: the-unexpected'],
  ])('%s is ignored: %s', async (_, header) => {
    const connection = header.startsWith('Upgrade') ? 'Connection: Upgrade, close' : 'Connection: close';
    const request = `GET /v1/health HTTP/1.1\r\nHost: x\r\n${header}\r\n${connection}\r\n\r\n`;
    const answer = await sendRaw(service.url, request);
    expect(answer.head + answer.body).toContain('HTTP/1.1 200 OK');
    expect(answer.head + answer.body).toMatch(/x-request-id: /i);
  });

  test.each(['/v1/units/%', '/v1/units/%ff', '/%E0%A4%A', '/v1/units?ort=%', '/v1/units?plz=%ff'])(
    'percent-encoding that is broken: %s',
    async (path) => {
      const answer = await sendRaw(service.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(expectBroken(answer).code).toBe('INVALID_PARAMETER');
    },
  );
});

describe('bodies', () => {
  test('an unexpected body is refused, as a filter in it would be ignored', async () => {
    expect((await getWithBody('{"einheitTyp":["wind"]}')).json).toMatchObject({ status: 400, code: 'INVALID_BODY' });
  });

  test('413 beyond 1 MiB', async () => {
    const { json } = await getWithBody('x'.repeat(1024 * 1024 + 1));
    expect(json).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  const getWithBody = (body: string) =>
    sendRaw(
      service.url,
      `GET /v1/units HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nConnection: close\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
});

test('a parameter of one value given twice, and one without a value, are faults', async () => {
  const response = await service.get('/v1/units?plz=1&plz=2&landkreis=&einheitTyp=wind&einheitTyp=&limit=0');
  expect(response.status).toBe(400);
  expect(response.json.errors.map((error: { parameter: string }) => error.parameter).sort()).toEqual([
    'einheitTyp',
    'landkreis',
    'limit',
    'plz',
  ]);
  const twice = await service.get('/v1/region/zeitreihe?ebene=bundesland&ebene=plz&region=Bayern');
  expect(twice.json.detail).toBe('ebene is given more than once: send it once, or ask once for each');
  const unknown = await service.get('/v1/units?einheitTyp[]=wind&einheitTyp[]=solar');
  expect(unknown.json.errors).toMatchObject([{ parameter: 'einheitTyp[]', code: 'UNKNOWN_PARAMETER' }]);
});

test.each([
  ['/v1/units?limit=250&einheitTyp=wind&einheitTyp=solar', '/v1/units?limit=250&einheitTyp=wind,solar'],
  ['/v1/units?fields=name&fields=plz&fields=name', '/v1/units?fields=name,plz'],
  [
    '/v1/units?hauptbrennstoff="Abfall, fest"&hauptbrennstoff=Erdgas',
    '/v1/units?hauptbrennstoff="Abfall, fest",Erdgas',
  ],
  ['/v1/region/zeitreihe?energietraeger=wind&energietraeger=solar', '/v1/region/zeitreihe?energietraeger=wind,solar'],
])('a list may come with its name repeated: %s', async (repeated, separated) => {
  const [one, other] = [await service.get(repeated), await service.get(separated)];
  expect([one.status, one.json.data]).toEqual([200, other.json.data]);
});

test('the first 50 faults are reported, and the number of the others', async () => {
  const names = Array.from({ length: 1234 }, (_, index) => `limit${index}`);
  const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, 0])));
  const responses = await Promise.all([
    service.send('POST', '/v1/units/search', { body, headers: { 'Content-Type': 'application/json' } }),
    service.get(`/v1/units?${names.map((name) => `${name}=0`).join('&')}`),
  ]);
  for (const response of responses) {
    expectProblem(response, 400, 'UNKNOWN_PARAMETER');
    expect(response.json).toMatchObject({
      detail: '1234 faults: errors has the first 50, and 1184 more are not listed',
      moreErrors: 1184,
    });
    expect(response.json.errors).toHaveLength(50);
    expect(response.json.errors[49].detail).toContain('did you mean limit?');
  }
});

test('a long name is quoted in part', async () => {
  const response = await service.get(`/v1/units?${'x'.repeat(5000)}=1`);
  expectProblem(response, 400, 'UNKNOWN_PARAMETER');
  expect(response.json).not.toHaveProperty('moreErrors');
  expect(response.text.length).toBeLessThan(1000);
});

test('a mistyped parameter is refused with the nearest name', async () => {
  const response = await service.get('/v1/units?bundesLand=Bayern');
  expect(response.json.errors[0].detail).toContain('did you mean bundesland?');
});

test.each([
  ['/v1/units?page=2', 'cursor'],
  ['/v1/portfolio?offset=100', 'cursor'],
  ['/v1/audit-log?per_page=10', 'limit'],
  ['/v1/units?order_by=name', 'sort=field:asc'],
  ['/v1/units?sort=-bruttoleistungKw', 'write bruttoleistungKw:desc'],
  ['/v1/units?sort=%2BbruttoleistungKw', 'write bruttoleistungKw:asc'],
  ['/v1/units?sort=bruttoleistungKw%20desc', 'write bruttoleistungKw:desc'],
  ['/v1/units?sort=bruttoleistungKw:DESC', 'write bruttoleistungKw:desc'],
])('%s, as other interfaces have it, is refused with how it is done here', async (path, advice) => {
  const response = await service.get(path);
  expect(response.status).toBe(400);
  expect(response.json.errors[0].detail).toContain(advice);
});

test.each([
  ['POST', '/v1/portfolio', '{"entries": […]}'],
  ['DELETE', '/v1/portfolio', '{"mastrNummern": […]}'],
  ['POST', '/v1/units/search', 'an object with members such as limit'],
  ['POST', '/v1/threads', 'an object with members such as connectionId'],
  ['POST', '/v1/webhooks/endpoints', 'an object with members such as url'],
])('%s %s says where an array belongs that is the whole body', async (method, path, detail) => {
  const response = await service.send(method, path, { body: '[]', headers: { 'Content-Type': 'application/json' } });
  expectProblem(response, 400, 'INVALID_BODY');
  expect(response.json.detail).toContain(detail);
});

test.each([
  ['/v1/threads', '{"body":"x"}', 'connectionId is required and must be the id of a connection'],
  ['/v1/threads', '{"connectionId":"x"}', 'body is required and must be a text'],
  ['/v1/threads', '{"connectionId":7,"body":"x"}', 'connectionId must be the id of a connection'],
  ['/v1/portfolio', '{}', 'entries is required and must be an array'],
])('POST %s %s says whether a member is missing', async (path, body, detail) => {
  const response = await service.send('POST', path, { body, headers: { 'Content-Type': 'application/json' } });
  expectProblem(response, 400, 'INVALID_BODY');
  expect(response.json.detail).toBe(detail);
});

test('a cursor of one list is refused in another, which says what it may be of', async () => {
  const { cursor } = (await service.get('/v1/units?limit=1')).json.meta.page;
  const response = await service.get(`/v1/units?limit=1&bundesland=Bayern&cursor=${cursor}`);
  expectProblem(response, 400, 'INVALID_CURSOR');
  expect(response.json.detail).toBe('cursor belongs to another list, other filters or another sort');
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is an unknown parameter', async (name) => {
  expect((await service.get(`/v1/units?${name}=1`)).json.code).toBe('UNKNOWN_PARAMETER');
});

test('the type of a problem leads to a page that explains every code', async () => {
  const { json } = await service.get('/v1/units/SEE999999999999');
  const page = await (await fetch(json.type)).text();
  for (const code of Object.keys(CODES)) expect(page).toMatch(new RegExp(`<section [^>]*id="${code}">`));
});

test('503 DATASET_NOT_READY while nothing is published, and the health probe agrees', async () => {
  const empty = temporaryFolder();
  const waiting = await serve(empty.path);
  const reading = OPERATIONS.filter(({ source, id }) => source === 'register' || id === 'units.search');
  for (const operation of reading) {
    expectProblem(await callOperation(waiting, operation), 503, 'DATASET_NOT_READY');
  }
  const health = await waiting.get('/v1/health');
  expect(health.status).toBe(503);
  expect(health.json.data).toMatchObject({ status: 'degraded', dependencies: { database: 'ok', search: 'degraded' } });
  // Operations that do not need the register answer.
  expect((await waiting.get('/v1/units/fields')).status).toBe(200);
  expect((await waiting.get('/v1/portfolio')).status).toBe(200);
  await waiting.stop();
  empty.remove();
});
