import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../api/docs/openapi/document.ts';
import { DUMP_OPERATIONS } from '../../api/dumps/operations.ts';
import { manifestOf } from '../../ingest/export/manifest.ts';
import { sql } from '../../sql/org/statement.ts';
import { publishedPath } from '../../sql/warehouse/dumps.ts';
import { answerValidator } from '../support/answer-validator.ts';
import { FIXTURE_VERSION, temporaryFolder } from '../support/fixture.ts';
import { makeCaller } from '../support/organisation.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture, serveSharedFixture } from '../support/service.ts';

/** The dumps that the service hands out under /dumps. */

const OLD = '20260313-0001';
const NEW = '20260314-0002';
const CONTENT = Buffer.from(Array.from({ length: 1000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join(''));
const TAG = `"${createHash('sha256').update(CONTENT).digest('hex')}"`;
const FILE = `/dumps/${NEW}/units.parquet`;
const MANIFEST = `${FILE}/manifest.json`;

const auditedRow = z.strictObject({ path: z.string(), status: z.int() });

const folder = temporaryFolder();
let service: OwnSubject;
let mustBeDescribed: ReturnType<typeof answerValidator>;
/** A key of an organisation that may read dumps. */
let key: string;

beforeAll(async () => {
  service = await serveOwnFixture({ DUMPS_DIR: folder.path });
  mustBeDescribed = answerValidator(openApiDocument(DUMP_OPERATIONS, service.url));
  key = await makeCaller(service.store, { limits: { dumps: true } });
  putDump(OLD, 'units.csv');
  putDump(NEW, 'units.parquet');
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

/** Lays a dump where `ingest -- export --publish` does. */
function putDump(version: string, file: string, bytes = CONTENT.length): void {
  const path = publishedPath(folder.path, version, file);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, CONTENT);
  if (bytes > CONTENT.length) truncateSync(path, bytes);
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  const asOf = '2026-03-14';
  const format = file.endsWith('csv') ? 'csv' : 'parquet';
  const manifest = manifestOf({
    name: 'mastr_einheiten',
    version,
    asOf,
    today: asOf,
    rows: 36,
    format,
    files: [{ name: file, bytes, sha256 }],
  });
  writeFileSync(join(path, '..', 'manifest.json'), manifest);
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
const jsonOf = (text: string): any => JSON.parse(text);

/** Asks with a key; each answer is checked against the description. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sentAt = Date.now();
  const response = await fetch(service.url + path, { method, headers: { 'X-API-Key': key, ...headers } });
  const text = await response.text();
  const seen = { status: response.status, headers: response.headers, text, sentAt, receivedAt: Date.now() };
  mustBeDescribed(method, path, seen);
  return { ...seen, json: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined };
}

describe('who may read', () => {
  test('nobody where the operator has set no folder, and the answer says so', async () => {
    const without = await serveSharedFixture();
    const other = await makeCaller(without.store, { limits: { dumps: true } });
    for (const path of ['/dumps', FILE, MANIFEST]) {
      const response = await fetch(without.url + path, { headers: { 'X-API-Key': other } });
      expect([response.status, jsonOf(await response.text()).detail]).toEqual([
        404,
        'This service hands out no dumps; its operator has not set DUMPS_DIR',
      ]);
    }
  });

  test.each(['/dumps', FILE, MANIFEST])('%s: not without key, scope, module and limit', async (path) => {
    expectProblem(await ask(path, { 'X-API-Key': '' }), 401, 'MISSING_API_KEY');
    const scopeless = await makeCaller(service.store, { limits: { dumps: true } }, { scopes: ['region:read'] });
    expectProblem(await ask(path, { 'X-API-Key': scopeless }), 403, 'MISSING_SCOPE');
    const moduleless = await makeCaller(service.store, { limits: { dumps: true }, modules: ['analysis'] });
    expectProblem(await ask(path, { 'X-API-Key': moduleless }), 403, 'MISSING_MODULE');
    for (const limits of [{}, { dumps: false }]) {
      const other = await makeCaller(service.store, { limits });
      expectProblem(await ask(path, { 'X-API-Key': other }), 403, 'DUMPS_NOT_ALLOWED');
    }
  });

  test('a call is audited, and counts to the quota', async () => {
    const reader = await makeCaller(service.store, { limits: { dumps: true }, quota: 2 });
    const headers = { 'X-API-Key': reader };
    const seen = await ask(FILE, { ...headers, Range: 'bytes=0-3' });
    expect(seen.status).toBe(206);
    expect((await ask('/dumps', headers)).status).toBe(200);
    expectProblem(await ask(FILE, headers), 429, 'QUOTA_EXCEEDED');
    const usage = await fetch(`${service.url}/v1/usage`, { headers });
    expect(jsonOf(await usage.text()).data.requests.used).toBe(2);
    const id = seen.headers.get('x-request-id');
    await expect
      .poll(() =>
        service.store.asOperator((session) =>
          session.rows(auditedRow, sql`SELECT path, status FROM audit_log WHERE request_id = ${id}::uuid`),
        ),
      )
      .toEqual([{ path: FILE, status: 206 }]);
  });
});

describe('open to everybody', () => {
  let open: OwnSubject;
  beforeAll(async () => {
    open = await serveOwnFixture({ DUMPS_DIR: folder.path, DUMPS_ACCESS: 'public', SHARED_CALLS_PER_MINUTE: '40' });
  });
  afterAll(() => open.stop());

  const visit = (path: string, headers: Record<string, string> = {}) => fetch(open.url + path, { headers });

  test('a dump is listed, described and read without a key, and proxies may keep it', async () => {
    const { data } = jsonOf(await (await visit('/dumps')).text());
    expect(data.map(({ file }: { file: string }) => file)).toEqual(['units.parquet', 'units.csv']);
    const [whole, part, manifest] = await Promise.all([
      visit(FILE),
      visit('/dumps/latest/units.parquet', { Range: 'bytes=0-3' }),
      visit(MANIFEST),
    ]);
    expect([whole.status, part.status, manifest.status]).toEqual([200, 206, 200]);
    expect(await whole.text()).toBe(CONTENT.toString());
    expect(whole.headers.get('cache-control')).toBe('public, no-cache');
    expect((await visit(FILE, { 'If-None-Match': TAG })).status).toBe(304);
  });

  test('an organisation without the limit reads it, too, and a wrong key is no key', async () => {
    const other = await makeCaller(open.store, { quota: 1 });
    const seen = await visit(FILE, { 'X-API-Key': other });
    expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    expect((await visit(FILE, { 'X-API-Key': other })).status).toBe(429);
    expect((await visit(FILE, { 'X-API-Key': 'wrong' })).status).toBe(401);
  });

  test('nothing else is', async () => {
    for (const path of ['/v1/units?limit=1', '/v1/me']) expect((await visit(path)).status).toBe(401);
  });

  test('an address has so many calls a minute, which are none of an organisation', async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 45; call++) {
      const response = await visit(FILE, { Range: 'bytes=0-3' });
      statuses.push(response.status);
      await response.arrayBuffer();
    }
    expect(statuses.at(-1)).toBe(429);
    const refused = await visit(FILE);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const reader = await makeCaller(open.store, { limits: { dumps: true } });
    expect((await visit(FILE, { 'X-API-Key': reader })).status).toBe(200);
  });
});

describe('the list', () => {
  test('has the complete dumps, those of the newest version first', async () => {
    const { json } = await ask('/dumps');
    const about = { bytes: 1000, rows: 36, syncToken: null, sha256: TAG.slice(1, -1), asOf: '2026-03-14' };
    const quellenvermerk = expect.stringMatching(/^Quelle: Bundesnetzagentur.* Stand 14\.03\.2026;/);
    const placed = (path: string) => ({
      url: service.url + path,
      latest: `${service.url}/dumps/latest/${path.split('/').at(-1)}`,
      manifest: `${service.url}${path}/manifest.json`,
    });
    expect(json).toEqual({
      data: [
        { name: 'mastr_einheiten', version: NEW, file: 'units.parquet', ...placed(FILE), ...about, quellenvermerk },
        {
          name: 'mastr_einheiten',
          version: OLD,
          file: 'units.csv',
          ...placed(`/dumps/${OLD}/units.csv`),
          ...about,
          quellenvermerk,
        },
      ],
      meta: { count: 2 },
    });
  });

  test('leads to the manifest of each, which says what its columns mean', async () => {
    const [{ manifest }] = (await ask('/dumps')).json.data;
    expect(manifest).toBe(service.url + MANIFEST);
    const { status, json } = await ask(MANIFEST);
    expect([status, json.version, json.rows]).toEqual([200, NEW, 36]);
    expect(json.columns.find(({ name }: { name: string }) => name === 'bruttoleistungKw')).toMatchObject({
      kind: 'decimal',
      unit: 'kW',
    });
    for (const path of [`/dumps/${NEW}/units.csv/manifest.json`, `/dumps/..%2F${NEW}/units.parquet/manifest.json`]) {
      expectProblem(await ask(path), 404, 'NOT_FOUND');
    }
  });

  test('has the token of the delta that leads on from a dump of a version that was served', async () => {
    putDump(FIXTURE_VERSION, 'units.ndjson');
    const { data } = (await ask('/dumps')).json;
    rmSync(join(folder.path, FIXTURE_VERSION), { recursive: true });
    const { syncToken } = data.find(({ version }: { version: string }) => version === FIXTURE_VERSION);
    const { status, json } = await service.get(`/v1/units?syncToken=${syncToken}`);
    expect([status, json.meta.page.total]).toEqual([200, 0]);
    expect((await service.get(`/v1/units?syncToken=${syncToken}&einheitTyp=wind`)).json.code).toBe(
      'SYNC_TOKEN_INVALID',
    );
  });

  test('has no dump that is not sealed, and nothing else that lies in the folder', async () => {
    putDump(NEW, 'units-double.parquet');
    rmSync(join(folder.path, NEW, 'units-double.parquet', 'manifest.json'));
    writeFileSync(join(folder.path, 'notes.txt'), 'mine');
    mkdirSync(join(folder.path, 'mine'), { recursive: true });
    expect((await ask('/dumps')).json.meta.count).toBe(2);
    expectProblem(await ask(`/dumps/${NEW}/units-double.parquet`), 404, 'NOT_FOUND');
  });
});

describe('a file', () => {
  test('comes whole, with its digest as a strong tag', async () => {
    const { status, headers, text } = await ask(FILE);
    expect([status, text]).toEqual([200, CONTENT.toString()]);
    expect(Object.fromEntries(headers)).toMatchObject({
      etag: TAG,
      'content-type': 'application/vnd.apache.parquet',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-disposition': `attachment; filename="${NEW}-units.parquet"`,
    });
    expect(headers.has('content-encoding')).toBe(false);
    const csv = await ask(`/dumps/${OLD}/units.csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  });

  test('has addresses that stay: the newest version that has it, of all or of a day', async () => {
    const day = (version: string) => `${version.slice(0, 4)}-${version.slice(4, 6)}-${version.slice(6, 8)}`;
    for (const [named, file, version] of [
      ['latest', 'units.parquet', NEW],
      ['latest', 'units.csv', OLD],
      [day(NEW), 'units.parquet', NEW],
      [day(OLD), 'units.csv', OLD],
    ]) {
      const { status, headers } = await ask(`/dumps/${named}/${file}`, { Range: 'bytes=0-3' });
      expect([status, headers.get('content-disposition'), headers.get('etag')]).toEqual([
        206,
        `attachment; filename="${version}-${file}"`,
        TAG,
      ]);
      expect((await ask(`/dumps/${named}/${file}/manifest.json`)).json.version).toBe(version);
    }
    for (const path of [
      'latest/units.ndjson',
      `${day(OLD)}/units.parquet`,
      '2026-99-99/units.csv',
      'newest/units.csv',
    ]) {
      expectProblem(await ask(`/dumps/${path}`), 404, 'NOT_FOUND');
    }
  });

  test('HEAD: the same headers, and Range does not matter', async () => {
    const [get, head] = [await ask(FILE), await ask(FILE, { Range: 'bytes=0-3' }, 'HEAD')];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type', 'accept-ranges', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  test.each([TAG, `W/${TAG}`, `"other", ${TAG}`, '*'])('304 for If-None-Match %s, also of a range', async (tag) => {
    for (const headers of [{}, { Range: 'bytes=0-3' }]) {
      const { status, text, headers: seen } = await ask(FILE, { ...headers, 'If-None-Match': tag });
      expect([status, text, seen.get('etag')]).toEqual([304, '', TAG]);
    }
  });

  test.each([
    ['bytes=0-3', 'bytes 0-3/1000', CONTENT.subarray(0, 4)],
    ['bytes=990-', 'bytes 990-999/1000', CONTENT.subarray(990)],
    ['bytes=-8', 'bytes 992-999/1000', CONTENT.subarray(992)],
    ['bytes=0-3,2-9', 'bytes 0-9/1000', CONTENT.subarray(0, 10)],
  ])('206: %s', async (range, expected, content) => {
    const { status, headers, text } = await ask(FILE, { Range: range });
    expect([status, headers.get('content-range'), text]).toEqual([206, expected, content.toString()]);
    expect([headers.get('content-length'), headers.get('etag')]).toEqual([String(content.length), TAG]);
  });

  test('206: several ranges are parts', async () => {
    const { status, headers, text } = await ask(FILE, { Range: 'bytes=0-3,100-103,-4' });
    const [, boundary] = /^multipart\/byteranges; boundary=(\S+)$/.exec(headers.get('content-type') ?? '')!;
    expect([status, headers.get('content-length'), headers.has('content-range')]).toEqual([
      206,
      String(text.length),
      false,
    ]);
    const [before, ...parts] = text.split(`\r\n--${boundary}`);
    expect([before, parts.pop()]).toEqual(['', '--\r\n']);
    expect(parts).toEqual(
      [
        ['0-3', CONTENT.subarray(0, 4)],
        ['100-103', CONTENT.subarray(100, 104)],
        ['996-999', CONTENT.subarray(996)],
      ].map(
        ([range, content]) =>
          `\r\nContent-Type: application/vnd.apache.parquet\r\nContent-Range: bytes ${range}/1000\r\n\r\n${content}`,
      ),
    );
  });

  test.each([
    'bytes=1000-',
    'bytes=5000-6000',
    `bytes=${Array.from({ length: 17 }, (_, at) => `${9 * at}-${9 * at}`)}`,
  ])('416: %s', async (range) => {
    const refused = await ask(FILE, { Range: range });
    expectProblem(refused, 416, 'RANGE_NOT_SATISFIABLE');
    expect(refused.headers.get('content-range')).toBe('bytes */1000');
  });

  test.each(['lines=0-3', 'bytes=a-b', 'bytes'])('200: the header Range %s means nothing', async (range) => {
    expect((await ask(FILE, { Range: range })).status).toBe(200);
  });

  test.each([
    [TAG, 206],
    [`W/${TAG}`, 200],
    ['"other"', 200],
    ['Sat, 14 Mar 2026 03:00:00 GMT', 200],
  ])('If-Range %s: %i', async (tag, status) => {
    expect((await ask(FILE, { Range: 'bytes=0-3', 'If-Range': tag })).status).toBe(status);
  });

  test('is read as DuckDB reads Parquet: the length, the end, then several parts at a time', async () => {
    const length = Number((await ask(FILE, {}, 'HEAD')).headers.get('content-length'));
    const end = await ask(FILE, { Range: `bytes=${length - 8}-${length - 1}` });
    expect(end.text).toBe(CONTENT.subarray(-8).toString());
    const parts = await Promise.all(
      Array.from({ length: 20 }, (_, at) => ask(FILE, { Range: `bytes=${at * 50}-${at * 50 + 49}` })),
    );
    expect(parts.map(({ text }) => text).join('')).toBe(CONTENT.toString());
  });

  test.each([
    `/dumps/${NEW}/manifest.json`,
    `/dumps/${NEW}/units.csv`,
    '/dumps/20250101-0001/units.parquet',
    `/dumps/${NEW}/..%2Funits.parquet`,
    `/dumps/..%2F${NEW}/units.parquet`,
    '/dumps/..%2f..%2f..%2fetc/passwd',
    `/dumps/${NEW}/units.parquet%00`,
    `/dumps/${NEW}/%2Fetc%2Fpasswd`,
  ])('404: %s', async (path) => {
    const { status, json } = await ask(path);
    expect([status, json.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('503 while it is being replaced', async () => {
    putDump(OLD, 'units.parquet');
    writeFileSync(publishedPath(folder.path, OLD, 'units.parquet'), 'another');
    expectProblem(await ask(`/dumps/${OLD}/units.parquet`), 503, 'SERVICE_UNAVAILABLE');
    rmSync(join(folder.path, OLD, 'units.parquet'), { recursive: true });
  });
});

describe('slow readers', () => {
  const LARGE = `/dumps/${OLD}/units-double.parquet`;
  const RUNNING = 8;

  /** Begins a download and reads nothing of it. */
  const begin = (reader: string) =>
    new Promise<{ hangUp(): void }>((resolve, reject) => {
      const request = get(service.url + LARGE, { headers: { 'X-API-Key': reader }, agent: false }, (response) => {
        response.pause();
        response.on('error', () => {});
        resolve({ hangUp: () => request.destroy() });
      });
      request.on('error', reject);
    });

  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith('units-double.parquet');
      } catch {
        return false;
      }
    }).length;

  test('hold up only their own organisation, and free their files when they hang up', async () => {
    putDump(OLD, 'units-double.parquet', 256 * 1024 * 1024);
    const [slow, other] = [
      await makeCaller(service.store, { limits: { dumps: true } }),
      await makeCaller(service.store, { limits: { dumps: true } }),
    ];
    const begun = await Promise.all(Array.from({ length: RUNNING }, () => begin(slow)));
    expect(openFiles()).toBe(RUNNING);
    let ninth = 'waits';
    const waiting = ask(FILE, { 'X-API-Key': slow }).then(({ status }) => {
      ninth = String(status);
    });
    expect((await ask(FILE, { 'X-API-Key': other })).status).toBe(200);
    expect(ninth).toBe('waits');
    begun[0]!.hangUp();
    await waiting;
    expect(ninth).toBe('200');
    for (const { hangUp } of begun) hangUp();
    await expect.poll(openFiles).toBe(0);
  });

  test('429 when too many of an organisation wait', async () => {
    const slow = await makeCaller(service.store, { limits: { dumps: true } });
    const begun = await Promise.all(Array.from({ length: RUNNING }, () => begin(slow)));
    const stop = new AbortController();
    const refused = await Promise.any(
      Array.from({ length: 33 }, async () => {
        const response = await fetch(service.url + FILE, { headers: { 'X-API-Key': slow }, signal: stop.signal });
        return { status: response.status, code: jsonOf(await response.text()).code };
      }),
    );
    expect(refused).toEqual({ status: 429, code: 'RATE_LIMITED' });
    stop.abort();
    for (const { hangUp } of begun) hangUp();
    await expect.poll(openFiles).toBe(0);
    expect((await ask(FILE, { 'X-API-Key': slow })).status).toBe(200);
  });
});
