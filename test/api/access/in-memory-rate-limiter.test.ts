import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inMemoryRateLimiter } from '../../../api/access/in-memory-rate-limiter.ts';
import type { RateLimiter, RateLimitRequest } from '../../../api/access/rate-limiter.ts';
import { storeRateLimiter } from '../../../api/access/store-rate-limiter.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { StoreUnavailable } from '../../../sql/org/store.ts';
import { cases } from '../../support/cases.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { openFresh, PREPARED, SILENT } from '../../support/store-engines.ts';

/** Counting in memory, for a store that belongs to the process (api/access/in-memory-rate-limiter.ts). */

let store: OrgStore;
beforeAll(async () => {
  store = await openFresh(PREPARED);
});
afterAll(() => store.close());

const requestOf = (organisationId: string, choices: Partial<RateLimitRequest> = {}): RateLimitRequest => ({
  organisationId,
  keyId: organisationId,
  costClass: 'standard',
  most: null,
  quota: 1_000,
  amount: 1,
  ...choices,
});

const usedIn = async (counter: RateLimiter, { id }: { id: string }) => (await counter.month(id)).used;

describe('the in-memory rate limiter', () => {
  it('decides like the one in the store, for any requests in any order', async () => {
    const request = fc.record({
      key: fc.nat(1),
      costClass: fc.constantFrom('standard', 'expensive'),
      most: fc.option(fc.integer({ min: 1, max: 4 })),
      quota: fc.option(fc.nat(6)),
      amount: fc.constantFrom(0, 1, 1, 1),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 20 }), async (requests) => {
        const counters = { own: inMemoryRateLimiter(store, SILENT), shared: storeRateLimiter(store) };
        const answers: unknown[][] = [];
        for (const counter of Object.values(counters)) {
          const { id } = await makeOrganisation(store);
          const keys = [randomUUIDv7(), randomUUIDv7()];
          const answered: unknown[] = [];
          for (const { key, ...choices } of requests) {
            const { granted, window } = await counter.take(requestOf(id, { keyId: keys[key]!, ...choices }));
            answered.push([granted, window && [window.limit, window.remaining, window.hadRoom]]);
          }
          answered.push(await usedIn(counter, { id }));
          answers.push(answered);
        }
        expect(answers[0]).toEqual(answers[1]);
        await counters.own.close();
      }),
      { numRuns: cases(50) },
    );
  });

  it('leaves the counts of the month to the next process', async () => {
    const organisation = await makeOrganisation(store);
    const counter = inMemoryRateLimiter(store, SILENT);
    await Promise.all(Array.from({ length: 5 }, () => counter.take(requestOf(organisation.id))));
    await counter.close();
    expect(await usedIn(storeRateLimiter(store), organisation)).toBe(5);
    const next = inMemoryRateLimiter(store, SILENT);
    await next.take(requestOf(organisation.id));
    expect(await usedIn(next, organisation)).toBe(6);
    await next.close();
  });

  it('keeps counts while the store does not answer, and writes them later', async () => {
    const organisation = await makeOrganisation(store);
    let isThere = true;
    const flaky: OrgStore = {
      ...store,
      async autocommit(shape, statement) {
        if (!isThere) throw new StoreUnavailable('no room left');
        return store.autocommit(shape, statement);
      },
    };
    const counter = inMemoryRateLimiter(flaky, SILENT);
    await counter.take(requestOf(organisation.id));
    isThere = false;
    expect((await counter.take(requestOf(organisation.id))).granted).toBe(true);
    await counter.close();
    isThere = true;
    expect(await usedIn(counter, organisation)).toBe(2);
    await counter.close();
    expect(await usedIn(storeRateLimiter(store), organisation)).toBe(2);
  });

  it('writes what was granted once the store answers again, without another call', async () => {
    const organisation = await makeOrganisation(store);
    let failures = 1;
    const flaky: OrgStore = {
      ...store,
      async autocommit(shape, statement) {
        if (statement.text.includes('take_calls') && failures-- > 0) throw new StoreUnavailable('no room left');
        return store.autocommit(shape, statement);
      },
    };
    const counter = inMemoryRateLimiter(flaky, SILENT);
    await counter.take(requestOf(organisation.id));
    await expect.poll(() => failures).toBe(0);
    expect(counter.waiting()).toBe(1);
    await expect.poll(() => counter.waiting()).toBe(0);
    expect(await usedIn(storeRateLimiter(store), organisation)).toBe(1);
    await counter.close();
  });

  it('begins a new window when the clock is set back, so that no caller waits for the old time', async () => {
    const organisation = await makeOrganisation(store);
    const counter = inMemoryRateLimiter(store, SILENT);
    const requested = requestOf(organisation.id, { most: 1, quota: null });
    const hour = 3_600_000;
    const clock = vi.spyOn(Date, 'now');
    try {
      clock.mockReturnValue(10 * hour);
      expect((await counter.take(requested)).granted).toBe(true);
      clock.mockReturnValue(9 * hour);
      const { granted, window } = await counter.take(requested);
      expect([granted, window?.endsAt]).toEqual([true, 9 * hour + 60_000]);
      expect((await counter.take(requested)).granted).toBe(false);
    } finally {
      clock.mockRestore();
      await counter.close();
    }
  });

  it('does not count for a deleted organisation', async () => {
    const counter = inMemoryRateLimiter(store, SILENT);
    const gone = randomUUIDv7();
    expect((await counter.take(requestOf(gone))).granted).toBe(true);
    await counter.close();
    expect(await usedIn(storeRateLimiter(store), { id: gone })).toBe(0);
  });
});
