import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sql } from '../../sql/org/statement.ts';
import { type FailingStore, openFailingStore, STORE_UNREACHABLE } from '../support/failing-store.ts';
import { makeCaller } from '../support/organisation.ts';
import { portfolioOf } from '../support/portfolio.ts';
import { open, sendRaw } from '../support/raw-request.ts';
import { expectProblem, NO_KEY, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';

/** The edge of the service: browsers, other origins, slow and careless callers, and secrets that never leave it. */

const ALLOWED_ORIGIN = 'https://app.example.org';
const OTHER_ORIGIN = 'https://other.example.org';

const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) });

let store: FailingStore;
/** As it comes. */
let service: OwnSubject;
/** A service behind https, with CORS_ORIGINS. */
let shared: OwnSubject;

beforeAll(async () => {
  store = await openFailingStore();
  service = await serveOwnFixture({}, store, log);
  const behindProxy = { PORT: await freePort(), BASE_URL: 'https://api.example.org' };
  shared = await serveOwnFixture({ ...behindProxy, CORS_ORIGINS: `${ALLOWED_ORIGIN},http://localhost:5173` }, store);
});
afterAll(async () => {
  await service.stop();
  await shared.stop();
  await store.close();
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

describe('other origins', () => {
  const preflight = (to: OwnSubject, Origin: string, method = 'POST'): Promise<ServiceResponse> =>
    to.send('OPTIONS', '/v1/portfolio', {
      headers: {
        ...NO_KEY,
        Origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
      },
    });

  const aboutOrigins = ({ headers }: ServiceResponse) =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  const listed = ({ headers }: ServiceResponse, name: string) => (headers.get(name) ?? '').toLowerCase().split(/, ?/);

  test('off unless origins are configured', async () => {
    const answers = [
      await preflight(service, ALLOWED_ORIGIN),
      await service.get('/v1/me', { Origin: ALLOWED_ORIGIN, ...NO_KEY }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 401]);
    for (const response of answers) {
      expect(aboutOrigins(response)).toEqual([]);
      expect(response.headers.get('vary') ?? '').not.toContain('Origin');
    }
  });

  test('a preflight is answered without a key: every method, every header of ours, for ten minutes', async () => {
    const response = await preflight(shared, ALLOWED_ORIGIN);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect(listed(response, 'access-control-allow-methods')).toEqual(['get', 'head', 'post', 'put', 'patch', 'delete']);
    expect(listed(response, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining(['authorization', 'x-api-key', 'content-type', 'idempotency-key', 'if-none-match']),
    );
    expect(response.headers.get('access-control-max-age')).toBe('600');
    // Keys come in headers: a browser must not send cookies.
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    expect(listed(response, 'vary')).toContain('origin');
  });

  test('every answer, errors too, names the origin and the headers that its page may read', async () => {
    const poor = await makeCaller(store, { quota: 0 });
    const answers = await Promise.all([
      shared.get('/v1/units', { Origin: ALLOWED_ORIGIN, ...withKey(shared.key) }),
      shared.get('/v1/units?nonsense=1', { Origin: ALLOWED_ORIGIN, ...withKey(shared.key) }),
      shared.get('/v1/units', { Origin: ALLOWED_ORIGIN, ...NO_KEY }),
      shared.get('/v1/nowhere', { Origin: ALLOWED_ORIGIN, ...NO_KEY }),
      shared.send('PUT', '/v1/units', { headers: { Origin: ALLOWED_ORIGIN, ...NO_KEY } }),
      shared.get('/v1/units', { Origin: ALLOWED_ORIGIN, ...withKey(poor) }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 404, 405, 429]);
    for (const response of answers) {
      expect(response.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
      expect(listed(response, 'vary')).toContain('origin');
      const readable = listed(response, 'access-control-expose-headers');
      const ours = [...response.headers.keys()].filter((name) =>
        /^(x-request-id|ratelimit|retry-after|link|etag|allow$|www-authenticate|idempotency)/.test(name),
      );
      expect(readable).toEqual(expect.arrayContaining([...ours, 'x-request-id', 'link', 'idempotency-replayed']));
    }
  });

  test('another origin gets no CORS headers, and Vary names Origin', async () => {
    const answers = [
      await preflight(shared, OTHER_ORIGIN),
      await preflight(shared, `${ALLOWED_ORIGIN}.example.com`),
      await shared.get('/v1/units', { Origin: OTHER_ORIGIN, ...withKey(shared.key) }),
      await shared.get('/v1/units', { Origin: 'null', ...withKey(shared.key) }),
      await shared.get('/v1/units'),
    ];
    for (const response of answers) {
      expect(aboutOrigins(response)).toEqual([]);
      expect(listed(response, 'vary')).toContain('origin');
    }
  });
});

describe('browsers', () => {
  test('forbids sniffing, framing, scripts and referrers', async () => {
    for (const response of [
      await service.get('/v1/me'),
      await service.get('/v1/nowhere', NO_KEY),
      await service.get('/docs/errors', NO_KEY),
    ]) {
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(response.headers.get('content-security-policy')).not.toMatch(/script-src[^;]*'unsafe/);
      for (const name of ['server', 'x-powered-by', 'set-cookie']) expect(response.headers.has(name)).toBe(false);
    }
  });

  test('sends Strict-Transport-Security where the service is reached by https', async () => {
    expect((await service.get('/v1/me')).headers.has('strict-transport-security')).toBe(false);
    expect((await shared.get('/v1/me')).headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}$/);
  });

  test('links and problem types have the public address for any host of the request', async () => {
    const { json } = await shared.get('/v1/me');
    expect(json.data.links.usage).toBe('https://api.example.org/v1/usage');
    const nowhere = 'GET /v1/nowhere HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    const answer = await sendRaw(shared.url, nowhere);
    expect(answer.json.type).toBe('https://api.example.org/docs/errors#NOT_FOUND');
  });
});

describe('faults of ours', () => {
  /** Nothing of how the service is made: no stack, no path, no statement, no address of another machine. */
  const MADE_OF = /\bat .+:\d+:\d+|\.ts\b|\/(srv|sql)\/|SELECT|api_keys|ECONN|10\.1\.2\.3/;

  const withoutAddress = ({ text }: ServiceResponse) => text.replaceAll(service.url, '');

  test('a store that does not answer: 503, and again as before when it is back', async () => {
    const [read, write, page] = await store.failing(STORE_UNREACHABLE, () =>
      Promise.all([service.get('/v1/portfolio'), portfolioOf(service).remove([]), service.get('/docs/errors', NO_KEY)]),
    );
    for (const response of [read, write]) {
      expectProblem(response, 503, 'SERVICE_UNAVAILABLE');
      expect(withoutAddress(response)).not.toMatch(MADE_OF);
    }
    // A public operation needs no store.
    expect(page.status).toBe(200);
    expect((await service.get('/v1/portfolio')).status).toBe(200);
  });

  test('an unexpected fault: 500 without a word of it; the log has it under the request id', async () => {
    const fault = new Error('SELECT secret_hash FROM api_keys at /srv/sql/org/keys.ts:12:3');
    const response = await store.failing(fault, () => service.get('/v1/portfolio'));
    expectProblem(response, 500, 'INTERNAL_ERROR');
    expect(withoutAddress(response)).not.toMatch(MADE_OF);
    const lines = logged.filter((line) => line.includes(response.json.instance)).map((line) => JSON.parse(line));
    expect(lines.find(({ level }) => level >= 50)?.err.message).toContain('SELECT secret_hash');
  });
});

describe('callers that are slow, or leave', () => {
  const HALF_A_HEAD = 'GET /v1/units HTTP/1.1\r\nHost: x\r\n';
  const halfABody = () =>
    `POST /v1/portfolio HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\n` +
    'Content-Length: 100\r\n\r\n{"entries":';

  /** Finds the HTTP server of the service, when the next request arrives. */
  async function serverOf(subject: OwnSubject): Promise<Server> {
    const met = Promise.withResolvers<Server>();
    const meet = (message: unknown) => met.resolve((message as { server: Server }).server);
    subscribe('http.server.request.start', meet);
    await subject.get('/docs/errors');
    unsubscribe('http.server.request.start', meet);
    return met.promise;
  }

  test('half a request is refused when its time is over, and delays no other', async () => {
    const server = await serverOf(service);
    expect(server.headersTimeout).toBeLessThanOrEqual(15_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(30_000);
    expect(server.timeout).toBeGreaterThan(0);
    const { headersTimeout, requestTimeout } = server;
    Object.assign(server, { headersTimeout: 300, requestTimeout: 300 });
    logged.length = 0;

    const answers = Promise.all([HALF_A_HEAD, halfABody()].map((half) => sendRaw(service.url, half)));
    // Nor is a connection answered that a browser has opened ahead, and on which it has not asked anything yet.
    const silent = await open(service.url);
    const heard: Buffer[] = [];
    silent.on('data', (bytes: Buffer) => heard.push(bytes));
    const ended = once(silent, 'close');
    const others: number[] = [];
    for (let call = 0; call < 20; call++) others.push((await service.get('/v1/me')).status);
    expect(new Set(others)).toEqual(new Set([200]));
    for (const { status, json } of await answers) {
      expect([status, json.code]).toEqual([400, 'INVALID_PARAMETER']);
      expect(json.detail).toContain('in time');
    }
    await ended;
    expect(heard).toEqual([]);
    Object.assign(server, { headersTimeout, requestTimeout });
    await sleep(100);
    // A caller's fault is none of ours.
    expect(logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  });

  test('a caller that hangs up in the middle of its body is no fault of ours', async () => {
    logged.length = 0;
    const socket = await open(service.url);
    socket.write(halfABody());
    await sleep(100);
    socket.destroy();
    await sleep(100);
    expect(logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
    expect((await service.get('/v1/me')).status).toBe(200);
  });
});

describe('a key in the wrong place', () => {
  test('is never returned, and stored nowhere', async () => {
    const key = await makeCaller(store);
    const secret = key.split('_')[3]!;
    const escaped = key.replaceAll('_', '%5F');
    logged.length = 0;
    const places = [key, escaped].flatMap((text) => [
      `/v1/units/${text}`,
      `/v1/${text}`,
      `/${text}/units`,
      `/v1/units?api_key=${text}`,
      `/v1/units?${text}=1`,
      `/v1/units?${text}`,
      `/v1/units?einheitTyp=${text}`,
      `/v1/units?sort=${text}`,
      `/v1/units?cursor=${text}`,
      `/v1/units?ort=${text}&limit=x`,
      `/v1/audit-log?keyPrefix=${text}`,
      `/v1/units?gemeinde=${text}`,
    ]);
    const responses: ServiceResponse[] = [];
    for (const path of places) {
      responses.push(await service.get(path), await service.get(path, NO_KEY));
      responses.push(await service.send('PUT', path, { body: key }));
    }
    for (const name of ['X-Request-Id', 'Idempotency-Key', 'Accept', 'If-None-Match', 'Referer']) {
      responses.push(await service.get('/v1/units', { [name]: key }));
    }
    responses.push(
      await service.send('POST', '/v1/portfolio', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ entries: [{ mastrNummer: key, relationType: key, [key]: key }], [key]: key }),
      }),
    );
    for (const { text, headers } of responses) expect(text + JSON.stringify([...headers])).not.toContain(secret);
    expect(responses.map(({ status }) => status)).not.toContain(500);

    await sleep(300);
    expect(logged.length).toBeGreaterThanOrEqual(responses.length);
    expect(logged.join('')).not.toContain(secret);
    const rows = await store.autocommit(
      z.strictObject({ row: z.string() }),
      sql`SELECT audit_log::text AS row FROM audit_log`,
    );
    expect(rows.filter(({ row }) => row.includes('***')).length).toBeGreaterThan(places.length);
    expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
  });
});
