import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runJob } from '../../api/jobs/jobs.ts';
import { readSettings } from '../../runtime/settings.ts';
import { sql } from '../../sql/org/statement.ts';
import { type OrgStore, StoreUnavailable } from '../../sql/org/store.ts';
import { interceptSteps, type StepListener } from '../support/intercepted-store.ts';
import { makeCaller, makeKey, makeOrganisation } from '../support/organisation.ts';
import {
  allNumbers,
  entry,
  expectReplay,
  isReplay,
  listed,
  type Portfolio,
  portfolioOf,
  rowStatuses,
  unit,
} from '../support/portfolio.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';
import { ANYWHERE, openFresh } from '../support/store-engines.ts';

/** Idempotency-Key and dryRun: interface.md, States and transitions, Common parameters. */

/** Runs before each step of the store; a test may make it fail or wait. */
let onStep: StepListener = () => {};
afterEach(() => {
  onStep = () => {};
});

let store: OrgStore;
let service: OwnSubject;
beforeAll(async () => {
  store = await openFresh(ANYWHERE);
  service = await serveOwnFixture(
    {},
    interceptSteps(store, (step, driver) => onStep(step, driver)),
  );
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

let organisation: { readonly id: string };
let portfolio: Portfolio;
beforeEach(async () => {
  organisation = await makeOrganisation(store);
  portfolio = portfolioOf(service, (await makeKey(store, organisation)).text);
});

describe('a key', () => {
  test('the same request again gets the stored answer, and nothing is written', async () => {
    const first = await portfolio.put([entry(1), entry(99)], { once: 'k' });
    expect(isReplay(first)).toBe(false);
    expect(first.status).toBe(207);
    await portfolio.remove([unit(1)]);
    for (let times = 0; times < 3; times++) {
      expectReplay(await portfolio.put([entry(1), entry(99)], { once: 'k' }), first);
    }
    // The entry that the first call created was removed since, and is not created again.
    expect(listed(await portfolio.list())).toEqual([]);
  });

  test('a stored answer may be large, and compressed', async () => {
    const entries = Array.from({ length: 500 }, (_, index) => entry(index + 1));
    const first = await portfolio.put(entries, { once: 'k' });
    expect(first.headers.get('content-encoding')).not.toBeNull();
    expectReplay(await portfolio.put(entries, { once: 'k' }), first);
  });

  test('neither the order of members nor blanks nor how the path is encoded make another request', async () => {
    const send = (body: string, path = '/v1/portfolio', query = '') =>
      service.send('POST', path + query, {
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Idempotency-Key': 'k' },
        body,
      });
    const references = '{"b":"2","a":"1"}';
    const number = unit(1);
    const first = await send(
      `{"entries":[{"mastrNummer":"${number}","relationType":"OWNER","externalRefs":${references}}]}`,
    );
    expect(first.status).toBe(200);
    const turned = `{ "entries" : [ {"externalRefs":{"a":"1","b":"\\u0032"},
      "relationType":"OWNER", "mastrNummer":"${number}"} ] }`;
    for (const again of [
      await send(turned),
      await send(turned, '/v1/%70ortfolio'),
      await send(turned, '/v1/portfolio', '?'),
    ]) {
      expectReplay(again, first);
    }
    expectReplay(await send(turned, '/v1/portfolio', '?dryRun=false'), first);
  });

  test.each([
    ['another row', () => portfolio.put([entry(2)], { once: 'k' })],
    ['another member', () => portfolio.put([entry(1, { externalRefs: {} })], { once: 'k' })],
    ['one row more', () => portfolio.put([entry(1), entry(2)], { once: 'k' })],
    ['another method', () => portfolio.remove([unit(1)], { once: 'k' })],
    ['a dry run of another request', () => portfolio.put([entry(2)], { once: 'k', query: 'dryRun=true' })],
  ])('for another request (%s): 409, and nothing is written', async (_, sendOne) => {
    await portfolio.put([entry(1)], { once: 'k' });
    const seen = await sendOne();
    expectProblem(seen, 409, 'IDEMPOTENCY_KEY_REUSED');
    expect(isReplay(seen)).toBe(false);
    expect(await allNumbers(portfolio)).toEqual([1]);
  });

  test('the order of rows is part of the request', async () => {
    await portfolio.put([entry(1), entry(2)], { once: 'k' });
    expectProblem(await portfolio.put([entry(2), entry(1)], { once: 'k' }), 409, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('belongs to the organisation: another key of it replays, another organisation starts over', async () => {
    const first = await portfolio.put([entry(1)], { once: 'k' });
    const colleague = portfolioOf(service, (await makeKey(store, organisation)).text);
    expectReplay(await colleague.put([entry(1)], { once: 'k' }), first);
    const other = portfolioOf(service, await makeCaller(store));
    const theirs = await other.put([entry(2)], { once: 'k' });
    expect([theirs.status, isReplay(theirs), rowStatuses(theirs)]).toEqual([200, false, ['created']]);
  });

  test('without one, each call is executed', async () => {
    expect(rowStatuses(await portfolio.put([entry(1)]))).toEqual(['created']);
    const again = await portfolio.put([entry(1)]);
    expect([rowStatuses(again), isReplay(again)]).toEqual([['unchanged'], false]);
  });

  test('is ignored on a read', async () => {
    for (const query of ['', 'limit=1']) {
      const seen = await service.get(`/v1/portfolio?${query}`, { 'Idempotency-Key': '"' });
      expect([seen.status, isReplay(seen)]).toEqual([200, false]);
    }
  });
});

describe('the header', () => {
  test('bare and in quotes are the same key', async () => {
    const first = await portfolio.put([entry(1)], { once: 'a-1' });
    expectReplay(await portfolio.put([entry(1)], { once: '"a-1"' }), first);
    const quoted = await portfolio.put([entry(2)], { once: '"say \\"a\\\\b\\""' });
    expect(quoted.status).toBe(200);
    expectReplay(await portfolio.put([entry(2)], { once: '"say \\"a\\\\b\\""' }), quoted);
  });

  test.each([1, 2, 255])('%i characters are a key', async (length) => {
    const once = 'k'.repeat(length);
    const first = await portfolio.put([entry(1)], { once });
    expect(first.status).toBe(200);
    expectReplay(await portfolio.put([entry(1)], { once: `"${once}"` }), first);
  });

  test.each([
    ['none', ''],
    ['none in quotes', '""'],
    ['256 characters', 'k'.repeat(256)],
    ['256 in quotes', `"${'k'.repeat(256)}"`],
    ['a quote that is not closed', '"k'],
    ['a quote inside', 'a"b'],
    ['a backslash inside', 'a\\b'],
    ['no ASCII', 'schlüssel'],
    ['a tab', 'a\tb'],
  ])('%s is invalid: 400', async (_, once) => {
    const seen = await portfolio.put([entry(1)], { once });
    expectProblem(seen, 400, 'INVALID_PARAMETER');
    expect(seen.json.errors).toMatchObject([{ header: 'Idempotency-Key', code: 'INVALID_PARAMETER' }]);
    expect(await allNumbers(portfolio)).toEqual([]);
  });

  test('sent twice: 400', async () => {
    const body = JSON.stringify({ entries: [] });
    const status = await new Promise((resolve, reject) => {
      const headers = { ...withKey(service.key), 'Content-Type': 'application/json', 'Idempotency-Key': ['a', 'b'] };
      request(`${service.url}/v1/portfolio`, { method: 'POST', headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end(body);
    });
    expect(status).toBe(400);
  });

  test('reports it together with all other faults', async () => {
    const seen = await portfolio.put('x', { once: '""', query: 'dryRun=yes&x=1' });
    expect(seen.json.errors.map((fault: { code: string }) => fault.code)).toEqual([
      'INVALID_PARAMETER',
      'UNKNOWN_PARAMETER',
      'INVALID_PARAMETER',
      'INVALID_BODY',
    ]);
  });
});

describe('a first call that fails leaves the key free', () => {
  /** The key serves another request afterwards. */
  async function expectFree(key = portfolio): Promise<void> {
    let seen = await key.put([entry(2)], { once: 'k' });
    // A connection that was given up holds its locks until the server has noticed.
    for (let again = 0; seen.status === 409 && again < 50; again++) {
      await sleep(100);
      seen = await key.put([entry(2)], { once: 'k' });
    }
    expect(seen.status, seen.text).toBe(200);
    expect([isReplay(seen), rowStatuses(seen)]).toEqual([false, ['created']]);
    expect(await allNumbers(portfolio)).toEqual([2]);
  }

  test('400', async () => {
    expect((await portfolio.put('no array', { once: 'k' })).status).toBe(400);
    await expectFree();
  });

  test('403', async () => {
    const reader = await makeKey(store, organisation, { scopes: ['portfolio:read'] });
    expect((await portfolioOf(service, reader.text).put([entry(1)], { once: 'k' })).status).toBe(403);
    await expectFree();
  });

  test('429', async () => {
    const limited = await makeOrganisation(store, { limits: { standard: 100, mutation: 1 } });
    const [busy, fresh] = [await makeKey(store, limited), await makeKey(store, limited)];
    portfolio = portfolioOf(service, fresh.text);
    await portfolioOf(service, busy.text).remove([]);
    expect((await portfolioOf(service, busy.text).put([entry(1)], { once: 'k' })).status).toBe(429);
    await expectFree();
  });

  test.each([
    ['before the change', /pg_advisory_xact_lock/],
    ['in the change', /INSERT INTO portfolio_entries/],
    ['in the storing of the answer', /INSERT INTO idempotency_keys/],
    ['in the audit log', /INSERT INTO audit_log/],
    ['at the commit', /^commit$/],
  ])('500 and 503 %s', async (_, place) => {
    for (const [fault, status] of [
      [new Error('a fault of ours'), 500],
      [new StoreUnavailable('gone'), 503],
    ] as const) {
      let failed = false;
      onStep = (step, driver) => {
        if (failed || driver !== 'asOrganisation' || !place.test(step)) return;
        failed = true;
        throw fault;
      };
      expect((await portfolio.put([entry(1)], { once: 'k' })).status).toBe(status);
      expect(failed).toBe(true);
    }
    await expectFree();
  });
});

describe('24 hours', () => {
  const stored = z.strictObject({ n: z.int() });
  const storedKeys = async () =>
    (
      await store.autocommit(
        stored,
        sql`SELECT count(*) AS n FROM idempotency_keys WHERE organisation_id = ${organisation.id}::uuid`,
      )
    )[0]!.n;
  const age = (hours: number) =>
    store.asOperator((session) =>
      session.run(sql`UPDATE idempotency_keys SET created_at = created_at - make_interval(secs => ${hours * 3600})
        WHERE organisation_id = ${organisation.id}::uuid`),
    );

  test('until then the answer is replayed, afterwards the key is free', async () => {
    const first = await portfolio.put([entry(1)], { once: 'k' });
    await age(23.99);
    expectReplay(await portfolio.put([entry(1)], { once: 'k' }), first);
    await age(0.01);
    const second = await portfolio.put([entry(2)], { once: 'k' });
    expect([second.status, isReplay(second), rowStatuses(second)]).toEqual([200, false, ['created']]);
    expectReplay(await portfolio.put([entry(2)], { once: 'k' }), second);
    expect(await storedKeys()).toBe(1);
  });

  test('a job removes expired keys', async () => {
    await portfolio.put([entry(1)], { once: 'old' });
    await portfolio.put([entry(2)], { once: 'old too' });
    await age(24);
    await portfolio.put([entry(3)], { once: 'young' });
    expect(await runJob('sweep', store, readSettings({}))).toMatch(/^removed \d+ audit entries, 2 idempotency keys, /);
    expect(await storedKeys()).toBe(1);
  });
});

describe('a dry run', () => {
  test('answers as if it were done, and changes nothing', async () => {
    await portfolio.put([entry(1), entry(2)]);
    await portfolio.remove([unit(2)]);
    const before = (await portfolio.list('includeDeleted=true')).text;
    const rows = [entry(1), entry(2), entry(3), entry(99), entry(3)];
    const rehearsed = await portfolio.put(rows, { query: 'dryRun=true' });
    expect(rehearsed.status).toBe(207);
    expect(rowStatuses(rehearsed)).toEqual(['unchanged', 'updated', 'created', 'failed', 'failed']);
    expect(rehearsed.json.meta).toEqual({ total: 5, created: 1, updated: 1, unchanged: 1, failed: 2, dryRun: true });
    const removal = await portfolio.remove([unit(1), unit(2)], { query: 'dryRun=true' });
    expect([removal.status, rowStatuses(removal), removal.json.meta.dryRun]).toEqual([
      200,
      ['updated', 'unchanged'],
      true,
    ]);
    expect((await portfolio.list('includeDeleted=true')).text).toBe(before);
    const real = await portfolio.put(rows, { query: 'dryRun=false' });
    expect(rowStatuses(real)).toEqual(rowStatuses(rehearsed));
    expect(real.json.meta).toEqual({ ...rehearsed.json.meta, dryRun: false });
  });

  test('uses no key', async () => {
    for (let times = 0; times < 2; times++) {
      const rehearsed = await portfolio.put([entry(1)], { once: 'k', query: 'dryRun=true' });
      expect([rowStatuses(rehearsed), isReplay(rehearsed)]).toEqual([['created'], false]);
    }
    const other = await portfolio.put([entry(2)], { once: 'k' });
    expect([rowStatuses(other), isReplay(other)]).toEqual([['created'], false]);
  });

  test('is executed despite a stored answer for its key, and the answer stays', async () => {
    const first = await portfolio.put([entry(1)], { once: 'k' });
    const rehearsed = await portfolio.put([entry(1)], { once: 'k', query: 'dryRun=true' });
    expect([rowStatuses(rehearsed), rehearsed.json.meta.dryRun, isReplay(rehearsed)]).toEqual([
      ['unchanged'],
      true,
      false,
    ]);
    expectReplay(await portfolio.put([entry(1)], { once: 'k' }), first);
  });

  test('requires the same scopes, and is refused for the same faults', async () => {
    const reader = await makeKey(store, organisation, { scopes: ['portfolio:read'] });
    const query = 'dryRun=true';
    expectProblem(await portfolioOf(service, reader.text).put([entry(1)], { query }), 403, 'MISSING_SCOPE');
    expectProblem(await portfolio.put('x', { query }), 400, 'INVALID_BODY');
  });

  test.each(['TRUE', '1', 'yes', 'false,true', ' true', ''])(
    'dryRun=%s is neither true nor false: 400',
    async (value) => {
      const seen = await portfolio.put([entry(1)], { query: `dryRun=${encodeURIComponent(value)}` });
      expectProblem(seen, 400, 'INVALID_PARAMETER');
      expect(seen.json.errors).toMatchObject([{ parameter: 'dryRun' }]);
      expect((await portfolio.put([entry(1)], { query: 'dryRun=true&dryRun=true' })).status).toBe(400);
      expect(await allNumbers(portfolio)).toEqual([]);
    },
  );
});
