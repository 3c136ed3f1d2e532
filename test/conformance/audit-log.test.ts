import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runJob } from '../../api/jobs/jobs.ts';
import { readSettings } from '../../runtime/settings.ts';
import { insertAuditRows, type NewAuditRow } from '../../sql/org/audit.ts';
import { sql } from '../../sql/org/statement.ts';
import { cases } from '../support/cases.ts';
import { interceptSteps } from '../support/intercepted-store.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem } from '../support/requests.ts';
import type { ServiceResponse } from '../support/service.ts';
import { type Entry, serveAudited } from './audited-service.ts';

/** GET /v1/audit-log, and how long its entries are kept. */

const audit = serveAudited();
const { log } = audit;

/** Calls made past the API. */
async function insert(rows: readonly Partial<NewAuditRow>[]): Promise<void> {
  const complete = rows.map(
    (row): NewAuditRow => ({
      id: randomUUIDv7(),
      organisationId: audit.organisation.id,
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
  await audit.store.asOperator((session) => session.run(insertAuditRows(complete)));
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
          audit.organisation = await makeOrganisation(audit.store);
          audit.key = await makeKey(audit.store, audit.organisation);
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
      `<${audit.service.url}/v1/audit-log?status=298&limit=1&cursor=${cursor}>; rel="next"`,
    );
    const other = await makeKey(audit.store, await makeOrganisation(audit.store));
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
    const plain = await makeOrganisation(audit.store, { modules: ['api'] });
    expect((await log('', (await makeKey(audit.store, plain, { scopes: ['audit:read'] })).text)).status).toBe(200);
    const blind = await makeKey(audit.store, plain, { scopes: ['units:read'] });
    expectProblem(await log('', blind.text), 403, 'MISSING_SCOPE');
  });
});

describe('retention', () => {
  const settings = readSettings({ AUDIT_RETENTION_DAYS: '30' });
  const run = z.strictObject({ outcome: z.string().nullable(), error: z.string().nullable(), recent: z.boolean() });
  const lastRun = async () =>
    (
      await audit.store.autocommit(
        run,
        sql`SELECT outcome, error, now() - ran_at < interval '1 minute' AS recent FROM job_runs WHERE job = 'sweep'`,
      )
    )[0];

  test('a job removes older calls, and records its outcome', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await runJob('sweep', audit.store, settings);
    await insert([31, 30.01, 29.99, 1].map((days) => ({ answeredAt: ago(days), path: `/${days}`, status: 298 })));
    const outcome = await runJob('sweep', audit.store, settings);
    expect(outcome).toMatch(
      /^removed 2 audit entries, 0 idempotency keys, \d+ windows, \d+ outcomes of alerts, \d+ evaluations of alerts, \d+ events$/,
    );
    expect((await log('status=298')).json.data.map(({ pfad }: Entry) => pfad)).toEqual(['/1', '/29.99']);
    expect(await lastRun()).toEqual({ outcome, error: null, recent: true });
  });

  test('more than it removes at a time', async () => {
    const rows = Array.from({ length: 10_001 }, () => ({ answeredAt: '2020-01-01T00:00:00.000Z' }));
    await insert(rows);
    expect(await runJob('sweep', audit.store, settings)).toMatch(/^removed 10001 audit entries/);
  });

  test('its failure is recorded, too', async () => {
    const failing = interceptSteps(audit.store, (step) => {
      if (step.includes('DELETE FROM audit_log')) throw new Error('no room on the device');
    });
    await expect(runJob('sweep', failing, settings)).rejects.toThrow('no room on the device');
    expect(await lastRun()).toEqual({ outcome: null, error: 'no room on the device', recent: true });
  });
});
