import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { auditRecorder } from '../../api/audit/recorder.ts';
import { queryHash, redactPath, redactQuery } from '../../api/audit/redact.ts';
import { runJob } from '../../api/jobs/jobs.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { readSettings } from '../../runtime/settings.ts';
import { hashSecret, makeApiKey } from '../../sql/org/api-key.ts';
import { auditRow, insertAuditRows, type NewAuditRow } from '../../sql/org/audit.ts';
import { sql } from '../../sql/org/statement.ts';
import { type OrgStore, StoreUnavailable } from '../../sql/org/store.ts';
import { cases } from '../support/cases.ts';
import { interceptSteps, type StepListener } from '../support/intercepted-store.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { entry, listed, portfolioOf, unit } from '../support/portfolio.ts';
import { callOperation, expectProblem, UUID_V7, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { openFresh, PREPARED, SILENT } from '../support/store-engines.ts';

/** The audit log: interface.md, AuditEntry and GET /v1/audit-log. */

let onStep: StepListener = () => {};
afterEach(() => {
  onStep = () => {};
});

let store: OrgStore;
let service: OwnSubject;
beforeAll(async () => {
  store = await openFresh(PREPARED);
  service = await serveOwnFixture(
    // The service sweeps by itself, too: what the tests make up is not old enough for it.
    { AUDIT_RETENTION_DAYS: '3650', TRUSTED_PROXIES: '127.0.0.1' },
    interceptSteps(store, (step, driver) => onStep(step, driver)),
  );
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

let organisation: { readonly id: string };
let key: Awaited<ReturnType<typeof makeKey>>;
beforeEach(async () => {
  organisation = await makeOrganisation(store);
  key = await makeKey(store, organisation);
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
type Entry = any;

const log = (query = '', text = key.text) => service.get(`/v1/audit-log${query && `?${query}`}`, withKey(text));

/** Reads the log of the calls so far, oldest first. Reads come into it soon after their answer. */
async function entries(text = key.text): Promise<Entry[]> {
  await sleep(200);
  const { data } = (await log('limit=250', text)).json;
  return data.filter(({ pfad }: Entry) => pfad !== '/v1/audit-log').reverse();
}

const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  service.send(method, path, {
    headers: { ...withKey(key.text), ...headers },
    ...(body === undefined ? {} : { body }),
  });

const JSON_BODY = { 'Content-Type': 'application/json' };

/** Rows of no organisation that concern these requests. */
const unattributedRows = (requestIds: readonly (string | null)[]) =>
  store.asOperator((session) =>
    session.rows(
      auditRow,
      sql`SELECT id, answered_at AS "answeredAt", method, path, status, duration_ms AS "durationMs",
            row_count AS "rowCount", request_id AS "requestId", key_id AS "keyId", key_prefix AS "keyPrefix", query,
            query_hash AS "queryHash"
          FROM audit_log WHERE organisation_id IS NULL AND request_id = ANY (${requestIds as string[]}::uuid[])
          ORDER BY answered_at, id`,
    ),
  );

const requestId = ({ headers }: ServiceResponse) => headers.get('x-request-id');

describe('an entry', () => {
  test('lists a call', async () => {
    const response = await send('GET', '/v1/units?limit=3&einheitTyp=wind');
    const [row] = await entries();
    expect(row).toEqual({
      id: expect.stringMatching(UUID_V7),
      zeitpunkt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      methode: 'GET',
      pfad: '/v1/units',
      status: 200,
      dauerMs: expect.any(Number),
      zeilen: 3,
      requestId: requestId(response),
      schluesselId: key.row.id,
      schluesselPraefix: key.row.prefix,
      abfrage: null,
      abfrageHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Date.parse(row.zeitpunkt)).toBeGreaterThanOrEqual(response.sentAt);
    expect(Date.parse(row.zeitpunkt)).toBeLessThanOrEqual(response.receivedAt);
    expect(row.dauerMs).toBeLessThanOrEqual(response.receivedAt - response.sentAt + 1);
  });

  test('zeilen: rows of a list, also of a write and of its replay; null for any other call, or a failed one', async () => {
    const portfolio = portfolioOf(service, key.text);
    await portfolio.put([entry(1), entry(99)], { once: 'k' });
    await portfolio.put([entry(1), entry(99)], { once: 'k' });
    await portfolio.remove([]);
    await portfolio.list();
    await send('GET', `/v1/units/${unit(1)}`);
    await send('GET', '/v1/portfolio?limit=x');
    expect((await entries()).map(({ status, zeilen }) => [status, zeilen])).toEqual([
      [207, 2],
      [207, 2],
      [200, 0],
      [200, 1],
      [200, null],
      [400, null],
    ]);
  });
});

describe('recorded calls', () => {
  test.each(
    OPERATIONS.filter(({ access }) => access !== 'public').map((operation) => [operation.id, operation] as const),
  )('a call of %s', async (_, operation) => {
    const response = await callOperation(service, operation, { headers: withKey(key.text) });
    await sleep(200);
    const { data } = (await log()).json;
    const row = data.find((candidate: Entry) => candidate.requestId === requestId(response));
    expect(row).toMatchObject({ methode: operation.method, status: response.status, schluesselId: key.row.id });
  });

  test('public operations are not recorded', async () => {
    const publicOperations = OPERATIONS.filter(({ access }) => access === 'public');
    for (const operation of publicOperations) await callOperation(service, operation, { headers: withKey(key.text) });
    expect(await entries()).toEqual([]);
  });

  test('HEAD, 304 and refused calls, with their status', async () => {
    const reader = await makeKey(store, organisation, { scopes: ['units:read', 'audit:read'] });
    const etag = (await send('GET', '/v1/units')).headers.get('etag') ?? '';
    await send('HEAD', '/v1/units');
    await send('GET', '/v1/units', { 'If-None-Match': etag });
    await send('GET', '/v1/units', { 'If-None-Match': '*' });
    await send('GET', '/v1/units?limit=0');
    await send('GET', '/v1/portfolio', withKey(reader.text));
    await send('GET', `/v1/units/${unit(99)}`);
    await send('GET', '/v1/nowhere');
    await send('PATCH', '/v1/units');
    await send('GET', '/v1/units', { Accept: 'image/png' });
    await send('POST', '/v1/portfolio', JSON_BODY, `{"entries":["${'x'.repeat(1024 * 1024)}"]}`);
    await send('POST', '/v1/portfolio', { 'Content-Type': 'text/plain' }, '{}');
    await send('GET', '/v1/units/%ff');
    await send('OPTIONS', '/v1/units');
    const seen = (await entries()).map(({ methode, pfad, status, zeilen }) => [methode, pfad, status, zeilen]);
    expect(seen).toEqual([
      ['GET', '/v1/units', 200, 36],
      ['HEAD', '/v1/units', 200, 36],
      ['GET', '/v1/units', 304, null],
      ['GET', '/v1/units', 304, null],
      ['GET', '/v1/units', 400, null],
      ['GET', '/v1/portfolio', 403, null],
      ['GET', `/v1/units/${unit(99)}`, 404, null],
      ['GET', '/v1/nowhere', 404, null],
      ['PATCH', '/v1/units', 405, null],
      ['GET', '/v1/units', 406, null],
      ['POST', '/v1/portfolio', 413, null],
      ['POST', '/v1/portfolio', 415, null],
      ['GET', '/v1/units/%ff', 400, null],
    ]);
  });

  test('429', async () => {
    const limited = await makeOrganisation(store, { limits: { standard: 2, mutation: 1 } });
    key = await makeKey(store, limited);
    const auditor = await makeKey(store, limited);
    for (let call = 0; call < 3; call++) await send('GET', '/v1/units');
    for (let call = 0; call < 2; call++) await send('DELETE', '/v1/portfolio', JSON_BODY, '{"mastrNummern":[]}');
    expect((await entries(auditor.text)).map(({ status }) => status)).toEqual([200, 200, 429, 200, 429]);
  });

  test('500', async () => {
    onStep = (step) => {
      if (step.includes('FROM portfolio_entries')) throw new Error('a fault of ours');
    };
    await portfolioOf(service, key.text).list();
    await portfolioOf(service, key.text).put([entry(1)]);
    expect((await entries()).map(({ methode, status }) => [methode, status])).toEqual([
      ['GET', 500],
      ['POST', 500],
    ]);
  });

  test('dry runs and replays are calls of their own', async () => {
    const portfolio = portfolioOf(service, key.text);
    const calls = [
      await portfolio.put([entry(1)], { query: 'dryRun=true', once: 'k' }),
      await portfolio.put([entry(1)], { once: 'k' }),
      await portfolio.put([entry(1)], { once: 'k' }),
      await portfolio.put([entry(2)], { once: 'k' }),
    ];
    const { data } = (await log()).json;
    expect(data.map(({ status, requestId: id }: Entry) => [status, id]).reverse()).toEqual(
      calls.map((response) => [response.status, requestId(response)]),
    );
  });
});

describe('invalid keys', () => {
  test('revoked and expired: in the log of the organisation, with the key', async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    for (const end of [{ revokedAt: past }, { expiresAt: past }]) {
      const ended = await makeKey(store, organisation, end);
      const response = await send('GET', '/v1/units?limit=1', withKey(ended.text));
      expectProblem(response, 401, 'INVALID_API_KEY');
      expect((await entries()).at(-1)).toMatchObject({
        status: 401,
        requestId: requestId(response),
        schluesselId: ended.row.id,
        schluesselPraefix: ended.row.prefix,
        abfrage: 'limit=1',
      });
    }
  });

  test('a wrong secret after a known prefix is in the log of the organisation, without the key', async () => {
    const other = await makeKey(store, organisation, { secretHash: hashSecret('another secret') });
    const response = await send('GET', '/v1/units', withKey(other.text));
    expectProblem(response, 401, 'INVALID_API_KEY');
    expect(await entries()).toMatchObject([
      { status: 401, requestId: requestId(response), schluesselId: null, schluesselPraefix: other.row.prefix },
    ]);
  });

  test('an unknown prefix, no key, or a malformed one is in no organisation’s log', async () => {
    const unknown = makeApiKey('test');
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const responses = [
      await send('GET', '/v1/units', { ...from('192.0.2.1'), ...withKey(unknown.text) }),
      await send('GET', '/v1/units', { ...from('192.0.2.2'), Authorization: '' }),
      await send('GET', '/v1/units', { ...from('192.0.2.3'), ...withKey('nonsense') }),
      await send(
        'DELETE',
        '/v1/portfolio',
        { ...JSON_BODY, ...from('192.0.2.4'), ...withKey(unknown.text) },
        '{"mastrNummern":[]}',
      ),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    await sleep(200);
    const rows = await unattributedRows(responses.map(requestId));
    expect(rows.map(({ requestId: id, status, keyId, keyPrefix }) => [id, status, keyId, keyPrefix]).sort()).toEqual(
      responses
        .map((call, index) => [requestId(call), 401, null, [0, 3].includes(index) ? unknown.prefix : null])
        .sort(),
    );
    expect(await entries()).toEqual([]);
  });
});

describe('many calls with invalid keys', () => {
  const times = (count: number, call: () => Promise<ServiceResponse>) =>
    Promise.all(Array.from({ length: count }, call));

  test('a wrong secret after a known prefix: one entry a minute, from however many addresses', async () => {
    const other = await makeKey(store, organisation, { secretHash: hashSecret('another secret') });
    let address = 0;
    const responses = await times(30, () =>
      send('GET', '/v1/units', { 'X-Forwarded-For': `198.51.100.${address++}`, ...withKey(other.text) }),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await entries()).toMatchObject([{ status: 401, schluesselPraefix: other.row.prefix }]);
  });

  test('from one address, with many prefixes or none: one row a minute, in no organisation’s log', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.9' };
    const responses = [
      ...(await times(15, () => send('GET', '/v1/units', { ...from, ...withKey(makeApiKey('test').text) }))),
      ...(await times(15, () => send('GET', '/v1/units', { ...from, Authorization: '' }))),
    ];
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    await sleep(200);
    expect(await unattributedRows(responses.map(requestId))).toHaveLength(1);
    expect(await entries()).toEqual([]);
  });
});

describe('when it is recorded', () => {
  test('a mutation before its answer, also one that failed', async () => {
    const portfolio = portfolioOf(service, key.text);
    for (const call of [
      () => portfolio.put([entry(1)]),
      () => portfolio.put('x'),
      () => portfolio.put([entry(1)], { query: 'dryRun=true' }),
      () => portfolio.remove([unit(1)]),
    ]) {
      const response = await call();
      expect((await log('limit=1')).json.data[0].requestId).toBe(requestId(response));
    }
  });

  test('a read within 200 ms after its answer', async () => {
    const response = await send('GET', '/v1/units');
    await sleep(Math.max(0, response.receivedAt + 200 - Date.now()));
    expect((await log('limit=1')).json.data[0].requestId).toBe(requestId(response));
  });

  test('a write is rolled back when its entry cannot be written; the entry comes later', async () => {
    const portfolio = portfolioOf(service, key.text);
    onStep = (step, driver) => {
      if (step.includes('INSERT INTO audit_log') && driver !== 'autocommit') throw new StoreUnavailable('gone');
    };
    const response = await portfolio.put([entry(1)]);
    expectProblem(response, 503, 'SERVICE_UNAVAILABLE');
    onStep = () => {};
    expect(listed(await portfolio.list('includeDeleted=true'))).toEqual([]);
    expect((await entries())[0]).toMatchObject({ status: 503, requestId: requestId(response) });
  });
});

describe('keys are never recorded', () => {
  const { text, prefix, secret } = makeApiKey('live');
  const shown = `mds_live_${prefix}_***`;

  test.each([
    [`suche=${text}`, `suche=${shown}`],
    [`suche=Bearer%20${text}&x=1`, `suche=Bearer%20${shown}&x=1`],
    [`${text}=1`, `${shown}=1`],
    [text, shown],
    [`suche=${text.replaceAll('_', '%5F')}`, `suche=${shown}`],
    [`suche=${text.replaceAll('_', '%255f')}`, `suche=${shown}`],
    [`suche=%6Dds${text.slice(3)}`, `suche=${shown}`],
    [`suche=${text.slice(0, -10)}`, `suche=${shown}`],
    [`a=1=${text}`, `a=${encodeURIComponent('1=')}${shown}`],
    [`apiKey=${secret}`, 'apiKey=***'],
    [`api%4Bey=${secret}`, 'api%4Bey=***'],
    [`x-api-key=${secret}&PASSWORD=x`, 'x-api-key=***&PASSWORD=***'],
    [`access_token=${secret}&clientSecret=`, 'access_token=***&clientSecret=***'],
    ['keyPrefix=abcdefgh&syncToken=xyz', 'keyPrefix=abcdefgh&syncToken=xyz'],
    ['ort=K%C3%B6ln&%zz=%ff&a+b', 'ort=K%C3%B6ln&%zz=%ff&a+b'],
  ])('?%s is kept as %s', (query, kept) => {
    expect(redactQuery(query)).toBe(kept);
  });

  test('nor by a path', () => {
    expect(redactPath(`/v1/units/${text}`)).toBe(`/v1/units/${shown}`);
    expect(redactPath(`/v1/units/${text.replaceAll('_', '%5f')}/x`)).toBe(`/v1/units/${shown}/x`);
    expect(redactPath('/v1/units/K%C3%B6ln%2F%ff')).toBe('/v1/units/K%C3%B6ln%2F%ff');
  });

  test('recorded texts are short, and printable for any input', () => {
    expect(redactQuery('')).toBeNull();
    expect(redactQuery(`a=${'%25'.repeat(20_000)}`)).toHaveLength(2_000);
    expect(redactPath(`/${'a'.repeat(5_000)}`)).toHaveLength(1_000);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
        const query = `${encodeURIComponent(name)}=${text}${encodeURIComponent(value)}`;
        expect(redactQuery(query)).toMatch(/^[\x21-\x7e]*$/);
        expect(redactQuery(query)).not.toContain(secret);
        expect(redactPath(`/${query}`)).toMatch(/^[\x21-\x7e]*$/);
        expect(redactPath(`/${query}`)).not.toContain(secret);
      }),
    );
  });

  test('over HTTP: neither in the query nor in the path of an entry', async () => {
    const encoded = text.replaceAll('_', '%5F');
    await send('GET', `/v1/units?suche=${encoded}&${encoded}&apiKey=${secret}`);
    await send('GET', `/v1/units/${encoded}`);
    await send('GET', `/v1/${encoded}/x?token=${secret}`);
    await send('POST', `/v1/portfolio?a=${text}`, JSON_BODY, '{"entries":[]}');
    const kept = await entries();
    expect(kept.map(({ pfad, abfrage }) => [pfad, abfrage])).toEqual([
      ['/v1/units', `suche=${shown}&${shown}&apiKey=***`],
      [`/v1/units/${shown}`, null],
      [`/v1/${shown}/x`, 'token=***'],
      ['/v1/portfolio', `a=${shown}`],
    ]);
    expect(JSON.stringify(kept)).not.toContain(secret);
  });
});

describe('abfrage and abfrageHash', () => {
  test('the query is recorded only for failed calls', async () => {
    await send('GET', '/v1/units?limit=3&sort=bruttoleistungKw:asc');
    await send('GET', '/v1/units?limit=3&sort=bruttoleistungKw:up');
    await send('GET', '/v1/me');
    expect((await entries()).map(({ abfrage }) => abfrage)).toEqual([null, 'limit=3&sort=bruttoleistungKw:up', null]);
  });

  test('equal queries have equal hashes in any order and encoding', async () => {
    for (const query of [
      'limit=3&ort=Bad%20K%C3%B6nig',
      'ort=Bad+K%c3%b6nig&limit=3',
      '%6Fr%74=Bad%20%4B%C3%B6nig&&limit=%33',
      'limit=4&ort=Bad%20K%C3%B6nig',
      'limit=3&ort=Bad%20K%C3%B6nig&x=',
      '',
    ]) {
      await send('GET', `/v1/units?${query}`);
    }
    const hashes = (await entries()).map(({ abfrageHash }) => abfrageHash);
    expect(hashes.slice(1, 3)).toEqual([hashes[0], hashes[0]]);
    expect(new Set(hashes).size).toBe(4);
    expect(hashes[5]).toBeNull();
  });

  test('names and values do not run into each other', () => {
    const hashes = ['a=b&c=d', 'a=b%26c=d', 'a=d&c=b', 'a&b=c%3Dd', 'a=b&a=b', 'a=b'].map(queryHash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

/** Calls made past the API. */
async function insert(rows: readonly Partial<NewAuditRow>[]): Promise<void> {
  const complete = rows.map(
    (row): NewAuditRow => ({
      id: randomUUIDv7(),
      organisationId: organisation.id,
      answeredAt: '2026-03-01T12:00:00.000Z',
      method: 'GET',
      path: '/v1/units',
      status: 200,
      durationMs: 1,
      rowCount: null,
      requestId: randomUUIDv7(),
      keyId: null,
      keyPrefix: null,
      query: null,
      queryHash: null,
      ...row,
    }),
  );
  await store.asOperator((session) => session.run(insertAuditRows(complete)));
}

describe('GET /v1/audit-log', () => {
  test('newest first, with the retention, and reading it is a call, too', async () => {
    await insert([
      { answeredAt: '2026-03-01T12:00:00.000Z', path: '/b' },
      { answeredAt: '2026-03-01T12:00:00.001Z', path: '/c' },
      { answeredAt: '2026-02-01T12:00:00.000Z', path: '/a' },
    ]);
    const first = await log();
    expect(first.json.data.map(({ pfad }: Entry) => pfad)).toEqual(['/c', '/b', '/a']);
    expect(first.json.meta).toEqual({
      count: 3,
      hasMore: false,
      cursor: null,
      truncated: false,
      aufbewahrungTage: 3650,
    });
    await sleep(200);
    expect((await log()).json.data[0]).toMatchObject({ pfad: '/v1/audit-log', zeilen: 3, status: 200 });
  });

  const TIMES = [
    '2026-02-27T22:59:59.999Z',
    '2026-02-27T23:00:00.000Z',
    '2026-02-28T22:59:59.999Z',
    '2026-02-28T23:00:00.000Z',
  ];

  test.each([
    ['von=2026-02-28', [1, 2, 3]],
    ['bis=2026-02-27', [0]],
    ['von=2026-02-28&bis=2026-02-28', [1, 2]],
    ['von=2026-02-27T23:00:00Z', [1, 2, 3]],
    ['von=2026-02-28T00:00:00.001%2B01:00', [2, 3]],
    ['bis=2026-02-28T22:59:59.999Z', [0, 1, 2]],
    ['bis=2026-02-28T22:59:59.998Z', [0, 1]],
    ['von=2026-02-28T23:00:00Z&bis=2026-02-28T23:00:00Z', [3]],
    ['von=0000-01-01&bis=9999-12-31', [0, 1, 2, 3]],
    ['von=9999-12-31T23:59:59-23:59', []],
    ['bis=0000-01-01T00:00:00%2B23:59', []],
    ['bis=0001-01-01', []],
  ] as const)('?%s: days are those of Berlin, and both ends belong to the range', async (query, expected) => {
    await insert(TIMES.map((answeredAt, index) => ({ answeredAt, path: `/${index}`, status: 299 })));
    const { data } = (await log(`${query}&status=299`)).json;
    expect(data.map(({ pfad }: Entry) => Number(pfad.slice(1))).reverse()).toEqual(expected);
  });

  test('all filters together select what each of them would', async () => {
    const some = <Value>(...values: Value[]) => fc.constantFrom(...values);
    const prefixes = ['aaaaaaaa', 'bbbbbbbb'];
    const call = fc.record({
      answeredAt: fc.integer({ min: 0, max: 9 }).map((day) => `2026-03-0${day || 1}T12:00:00.000Z`),
      method: some('GET', 'POST', 'HEAD'),
      status: some(200, 207, 404),
      keyPrefix: some(null, ...prefixes),
    });
    const question = fc.record(
      {
        von: some('2026-03-02', '2026-03-05T12:00:00Z'),
        bis: some('2026-03-05', '2026-03-07T12:00:00Z'),
        status: some(200, 404),
        method: some('GET', 'POST', 'DELETE'),
        keyPrefix: some(...prefixes, 'cccccccc'),
      },
      { requiredKeys: [] },
    );
    // The prefix of the reading key stays out of the way by its own filter.
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 30 }),
        fc.array(question, { minLength: 3, maxLength: 3 }),
        async (calls, filters) => {
          organisation = await makeOrganisation(store);
          key = await makeKey(store, organisation);
          await insert(calls.map((row, index) => ({ ...row, path: `/${index}` })));
          for (const filter of filters) {
            const query = new URLSearchParams(
              Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
            );
            const { data } = (await log(`limit=250&${query}`)).json;
            const got = data.flatMap(({ pfad }: Entry) => (pfad === '/v1/audit-log' ? [] : [Number(pfad.slice(1))]));
            const wanted = calls.flatMap((row, index) => (meets(row, filter) ? [index] : []));
            expect(got.toSorted((a: number, b: number) => a - b)).toEqual(wanted);
            const times = data.map(({ zeitpunkt }: Entry) => zeitpunkt);
            expect(times).toEqual(times.toSorted().reverse());
          }
        },
      ),
      { numRuns: cases(25) },
    );
  });

  interface Filter {
    readonly von?: string;
    readonly bis?: string;
    readonly status?: number;
    readonly method?: string;
    readonly keyPrefix?: string;
  }

  function meets(row: Pick<NewAuditRow, 'answeredAt' | 'method' | 'status' | 'keyPrefix'>, filter: Filter): boolean {
    const { von, bis, status, method, keyPrefix } = filter;
    const at = Date.parse(row.answeredAt);
    return (
      (von === undefined || at >= Date.parse(von)) &&
      // Every call was made at noon: that of a day is over when its evening comes.
      (bis === undefined || at <= Date.parse(bis.length === 10 ? `${bis}T20:00:00Z` : bis)) &&
      (status === undefined || row.status === status) &&
      (method === undefined || row.method === method) &&
      (keyPrefix === undefined || row.keyPrefix === keyPrefix)
    );
  }

  test('any page size, and any number of calls in one millisecond: each comes once', async () => {
    await insert(
      Array.from({ length: 37 }, (_, index) => ({
        status: 298,
        path: `/${index}`,
        answeredAt: `2026-03-01T12:00:00.00${index % 3}Z`,
      })),
    );
    for (const limit of [1, 2, 5, 36, 37, 250]) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: ServiceResponse = await log(`status=298&limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.json.data.map(({ pfad }: Entry) => pfad));
        cursor = page.json.meta.cursor;
      }
      expect([seen.length, new Set(seen).size]).toEqual([37, 37]);
    }
  });

  test('a cursor belongs to its organisation and its filters; Link leads on', async () => {
    await insert([{ status: 298 }, { status: 298 }]);
    const first = await log('status=298&limit=1');
    const { cursor } = first.json.meta;
    expect(first.headers.get('link')).toBe(
      `<${service.url}/v1/audit-log?status=298&limit=1&cursor=${cursor}>; rel="next"`,
    );
    const other = await makeKey(store, await makeOrganisation(store));
    expectProblem(await log(`status=298&limit=1&cursor=${cursor}`, other.text), 400, 'INVALID_CURSOR');
    expectProblem(await log(`status=200&limit=1&cursor=${cursor}`), 400, 'INVALID_CURSOR');
    expectProblem(await log(`status=298&limit=1&method=GET&cursor=${cursor}`), 400, 'INVALID_CURSOR');
    expect((await log(`status=298&limit=1&cursor=${cursor}`)).json.data).toHaveLength(1);
  });

  test.each([
    ['von=2026-02-30', 'von', 'INVALID_PARAMETER'],
    ['von=2026-03-01T00:00:00', 'von', 'INVALID_PARAMETER'],
    ['bis=gestern', 'bis', 'INVALID_PARAMETER'],
    ['von=abcdefghij&bis=2026-03-01', 'von', 'INVALID_PARAMETER'],
    ['von=2026-03-01&bis=2026-99-99', 'bis', 'INVALID_PARAMETER'],
    ['von=2026-03-02&bis=2026-03-01', 'von', 'FILTER_CONFLICT'],
    ['von=2026-03-01T00:00:00.001Z&bis=2026-03-01T00:00:00Z', 'von', 'FILTER_CONFLICT'],
    ['status=99', 'status', 'INVALID_PARAMETER'],
    ['status=600', 'status', 'INVALID_PARAMETER'],
    ['status=4xx', 'status', 'INVALID_PARAMETER'],
    ['method=get', 'method', 'INVALID_PARAMETER'],
    ['keyPrefix=abc', 'keyPrefix', 'INVALID_PARAMETER'],
    ['limit=251', 'limit', 'INVALID_PARAMETER'],
    ['prefix=abcdefgh', 'prefix', 'UNKNOWN_PARAMETER'],
  ])('?%s: 400', async (query, parameter, code) => {
    const response = await log(query);
    expect(response.json).toMatchObject({ status: 400, code, errors: [{ parameter, code }] });
  });

  test('is for keys with audit:read, and needs no module but api', async () => {
    const plain = await makeOrganisation(store, { modules: ['api'] });
    expect((await log('', (await makeKey(store, plain, { scopes: ['audit:read'] })).text)).status).toBe(200);
    const blind = await makeKey(store, plain, { scopes: ['units:read'] });
    expectProblem(await log('', blind.text), 403, 'MISSING_SCOPE');
  });
});

describe('retention', () => {
  const settings = readSettings({ AUDIT_RETENTION_DAYS: '30' });
  const run = z.strictObject({ outcome: z.string().nullable(), error: z.string().nullable(), recent: z.boolean() });
  const lastRun = async () =>
    (
      await store.autocommit(
        run,
        sql`SELECT outcome, error, now() - ran_at < interval '1 minute' AS recent FROM job_runs WHERE job = 'sweep'`,
      )
    )[0];

  test('a job removes older calls, and records its outcome', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await runJob('sweep', store, settings);
    await insert([31, 30.01, 29.99, 1].map((days) => ({ answeredAt: ago(days), path: `/${days}`, status: 298 })));
    const outcome = await runJob('sweep', store, settings);
    expect(outcome).toMatch(/^removed 2 audit entries, 0 idempotency keys, \d+ windows$/);
    expect((await log('status=298')).json.data.map(({ pfad }: Entry) => pfad)).toEqual(['/1', '/29.99']);
    expect(await lastRun()).toEqual({ outcome, error: null, recent: true });
  });

  test('more than it removes at a time', async () => {
    const rows = Array.from({ length: 10_001 }, () => ({ answeredAt: '2020-01-01T00:00:00.000Z' }));
    await insert(rows);
    expect(await runJob('sweep', store, settings)).toMatch(/^removed 10001 audit entries/);
  });

  test('its failure is recorded, too', async () => {
    const failing = interceptSteps(store, (step) => {
      if (step.includes('DELETE FROM audit_log')) throw new Error('no room on the device');
    });
    await expect(runJob('sweep', failing, settings)).rejects.toThrow('no room on the device');
    expect(await lastRun()).toEqual({ outcome: null, error: 'no room on the device', recent: true });
  });
});

describe('while the store is away', () => {
  const row = (index: number): NewAuditRow => ({
    id: randomUUIDv7(),
    organisationId: organisation.id,
    answeredAt: new Date(Date.UTC(2026, 2, 1) + index).toISOString(),
    method: 'GET',
    path: `/${index}`,
    status: 298,
    durationMs: 1,
    rowCount: null,
    requestId: randomUUIDv7(),
    keyId: null,
    keyPrefix: null,
    query: null,
    queryHash: null,
  });

  const kept = async () => (await log('status=298&limit=250')).json.data.map(({ pfad }: Entry) => pfad).reverse();

  test('rows are kept, and written when it is back; each once', async () => {
    let away = true;
    const recorder = auditRecorder(
      interceptSteps(store, () => {
        if (away) throw new StoreUnavailable('gone');
      }),
      SILENT,
    );
    recorder.soon(row(0));
    await recorder.now(row(1));
    await sleep(250);
    recorder.soon(row(2));
    expect(await kept()).toEqual([]);
    away = false;
    await sleep(250);
    expect(await kept()).toEqual(['/0', '/1', '/2']);
    await recorder.close();
    expect(await kept()).toEqual(['/0', '/1', '/2']);
  });

  test('rows that were written without an answer are not written twice', async () => {
    let answers = false;
    const recorder = auditRecorder(
      {
        ...store,
        async autocommit(shape, statement) {
          const rows = await store.autocommit(shape, statement);
          if (!answers) throw new StoreUnavailable('connection lost');
          return rows;
        },
      },
      SILENT,
    );
    recorder.soon(row(0));
    await sleep(250);
    answers = true;
    await recorder.close();
    expect(await kept()).toEqual(['/0']);
  });

  test('close writes all remaining rows, however many', async () => {
    const recorder = auditRecorder(store, SILENT);
    for (let index = 0; index < 1_234; index++) recorder.soon(row(index));
    await recorder.close();
    const count = z.strictObject({ n: z.int() });
    const own = sql`SELECT count(*) AS n FROM audit_log WHERE organisation_id = ${organisation.id}::uuid`;
    expect(await store.autocommit(count, own)).toEqual([{ n: 1_234 }]);
  });

  test('an organisation that is gone by then does not hold up the others', async () => {
    const recorder = auditRecorder(store, SILENT);
    const lost = { ...row(0), organisationId: randomUUIDv7() };
    recorder.soon(lost);
    recorder.soon(row(1));
    await recorder.close();
    expect(await kept()).toEqual(['/1']);
    expect(await unattributedRows([lost.requestId])).toHaveLength(1);
  });
});
