import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { auditRecorder } from '../../api/audit/recorder.ts';
import { queryHash } from '../../api/audit/redact.ts';
import { OPERATIONS } from '../../api/operations.ts';
import type { NewAuditRow } from '../../sql/org/audit.ts';
import { sql } from '../../sql/org/statement.ts';
import { StoreUnavailable } from '../../sql/org/store.ts';
import { interceptSteps } from '../support/intercepted-store.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { entry, listed, portfolioOf, unit } from '../support/portfolio.ts';
import { callOperation, expectProblem, UUID_V7, withKey } from '../support/requests.ts';
import { SILENT } from '../support/store-engines.ts';
import { type Entry, JSON_BODY, requestId, serveAudited } from './audited-service.ts';

/** Calls come into the audit log at their time: interface.md, AuditEntry. */

const audit = serveAudited();
const { entries, log, send, unattributedRows } = audit;

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
      schluesselId: audit.key.row.id,
      schluesselPraefix: audit.key.row.prefix,
      abfrage: null,
      abfrageHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Date.parse(row.zeitpunkt)).toBeGreaterThanOrEqual(response.sentAt);
    expect(Date.parse(row.zeitpunkt)).toBeLessThanOrEqual(response.receivedAt);
    expect(row.dauerMs).toBeLessThanOrEqual(response.receivedAt - response.sentAt + 1);
  });

  test('zeilen: rows of a list, also of a write and of its replay; null for any other call, or a failed one', async () => {
    const portfolio = portfolioOf(audit.service, audit.key.text);
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
    const response = await callOperation(audit.service, operation, { headers: withKey(audit.key.text) });
    const recorded = async (): Promise<Entry | undefined> =>
      (await log()).json.data.find((candidate: Entry) => candidate.requestId === requestId(response));
    await expect
      .poll(recorded, { interval: 100, timeout: 5000 })
      .toMatchObject({ methode: operation.method, status: response.status, schluesselId: audit.key.row.id });
  });

  test('public operations are not recorded', async () => {
    const publicOperations = OPERATIONS.filter(({ access }) => access === 'public');
    for (const operation of publicOperations)
      await callOperation(audit.service, operation, { headers: withKey(audit.key.text) });
    expect(await entries()).toEqual([]);
  });

  test('HEAD, 304 and refused calls, with their status', async () => {
    const reader = await makeKey(audit.store, audit.organisation, { scopes: ['units:read', 'audit:read'] });
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
    const limited = await makeOrganisation(audit.store, { limits: { standard: 2, mutation: 1 } });
    audit.key = await makeKey(audit.store, limited);
    const auditor = await makeKey(audit.store, limited);
    for (let call = 0; call < 3; call++) await send('GET', '/v1/units');
    for (let call = 0; call < 2; call++) await send('DELETE', '/v1/portfolio', JSON_BODY, '{"mastrNummern":[]}');
    expect((await entries(auditor.text)).map(({ status }) => status)).toEqual([200, 200, 429, 200, 429]);
  });

  test('500', async () => {
    audit.onStep((step) => {
      if (step.includes('FROM portfolio_entries')) throw new Error('a fault of ours');
    });
    await portfolioOf(audit.service, audit.key.text).list();
    await portfolioOf(audit.service, audit.key.text).put([entry(1)]);
    expect((await entries()).map(({ methode, status }) => [methode, status])).toEqual([
      ['GET', 500],
      ['POST', 500],
    ]);
  });

  test('dry runs and replays are calls of their own', async () => {
    const portfolio = portfolioOf(audit.service, audit.key.text);
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

describe('when it is recorded', () => {
  test('a mutation before its answer, also one that failed', async () => {
    const portfolio = portfolioOf(audit.service, audit.key.text);
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
    const portfolio = portfolioOf(audit.service, audit.key.text);
    audit.onStep((step, driver) => {
      if (step.includes('INSERT INTO audit_log') && driver !== 'autocommit') throw new StoreUnavailable('gone');
    });
    const response = await portfolio.put([entry(1)]);
    expectProblem(response, 503, 'SERVICE_UNAVAILABLE');
    audit.onStep(() => {});
    expect(listed(await portfolio.list('includeDeleted=true'))).toEqual([]);
    expect((await entries())[0]).toMatchObject({ status: 503, requestId: requestId(response) });
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

describe('while the store is away', () => {
  const row = (index: number): NewAuditRow => ({
    id: randomUUIDv7(),
    organisationId: audit.organisation.id,
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
      interceptSteps(audit.store, () => {
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
        ...audit.store,
        async autocommit(shape, statement) {
          const rows = await audit.store.autocommit(shape, statement);
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
    const recorder = auditRecorder(audit.store, SILENT);
    for (let index = 0; index < 1_234; index++) recorder.soon(row(index));
    await recorder.close();
    const count = z.strictObject({ n: z.int() });
    const own = sql`SELECT count(*) AS n FROM audit_log WHERE organisation_id = ${audit.organisation.id}::uuid`;
    expect(await audit.store.autocommit(count, own)).toEqual([{ n: 1_234 }]);
  });

  test('an organisation that is gone by then does not hold up the others', async () => {
    const recorder = auditRecorder(audit.store, SILENT);
    const lost = { ...row(0), organisationId: randomUUIDv7() };
    recorder.soon(lost);
    recorder.soon(row(1));
    await recorder.close();
    expect(await kept()).toEqual(['/1']);
    expect(await unattributedRows([lost.requestId])).toHaveLength(1);
  });
});
