import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { freshDatabase, onServer } from '../../support/database.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { openFresh, openStore, POSTGRES, PREPARED } from '../../support/store-engines.ts';

interface RateLimitRequest {
  readonly organisation_id: string;
  readonly key_id: string;
  readonly cost_class: string;
  readonly most: number | null;
  readonly seconds: number;
  readonly quota: number | null;
  readonly amount: number;
}

const taken = z.strictObject({
  key_id: z.uuid(),
  cost_class: z.string(),
  in_window: z.int(),
  window_ends: z.iso.datetime().nullable(),
  window_used: z.int().nullable(),
  granted: z.int(),
  month_used: z.int().nullable(),
  month_ends: z.iso.datetime(),
});

const taking = (requests: readonly RateLimitRequest[]) =>
  sql`SELECT * FROM take_calls(${JSON.stringify(requests)}::text::jsonb)`;

const take = (store: OrgStore, ...requests: RateLimitRequest[]) => store.autocommit(taken, taking(requests));

/** One call of a new key, by default in a class without limit and not counted. */
const request = (organisation: string, choices: Partial<RateLimitRequest> = {}): RateLimitRequest => ({
  organisation_id: organisation,
  key_id: randomUUIDv7(),
  cost_class: 'standard',
  most: null,
  seconds: 60,
  quota: null,
  amount: 1,
  ...choices,
});

const row = z.strictObject({ used: z.int() });
const windowRows = (store: OrgStore, { key_id }: RateLimitRequest) =>
  store.autocommit(row, sql`SELECT used FROM limit_windows WHERE key_id = ${key_id}`);
const monthRows = (store: OrgStore, { organisation_id }: RateLimitRequest) =>
  store.autocommit(row, sql`SELECT used FROM usage_months WHERE organisation_id = ${organisation_id}`);

const total = (rows: readonly { granted: number }[]) => rows.reduce((sum, { granted }) => sum + granted, 0);

/** The running month in the calendar of Europe/Berlin. */
function endOfThisMonth(): string {
  const [year, month] = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format().split('-').map(Number);
  // German midnight is 22:00 or 23:00 UTC of the day before.
  const lastDay = new Date(Date.UTC(year!, month!, 0)).toISOString().slice(0, 10);
  const isMidnight = (hour: number) =>
    new Intl.DateTimeFormat('de-DE', { timeZone: 'Europe/Berlin', hour: '2-digit' })
      .format(new Date(`${lastDay}T${hour}:00:00Z`))
      .startsWith('00');
  return `${lastDay}T${isMidnight(22) ? 22 : 23}:00:00.000Z`;
}

for (const engine of [PREPARED, POSTGRES]) {
  describe.skipIf(!engine.here)(`places for calls: ${engine.name}`, () => {
    let store: OrgStore;
    let organisation: string;
    beforeAll(async () => {
      store = await openFresh(engine);
      organisation = (await makeOrganisation(store)).id;
    });
    afterAll(() => store?.close());

    const newOrganisation = async () => (await makeOrganisation(store)).id;

    it('are granted up to the limit of the window', async () => {
      const requested = request(organisation, { most: 3, amount: 2 });
      const began = Date.now();
      const [first] = await take(store, requested);
      expect(first).toMatchObject({ in_window: 2, granted: 2, window_used: 2, month_used: null });
      const ends = Date.parse(first!.window_ends!);
      expect(ends).toBeGreaterThanOrEqual(began + 59_900);
      expect(ends).toBeLessThanOrEqual(Date.now() + 60_100);

      expect(await take(store, requested)).toMatchObject([
        { in_window: 1, granted: 1, window_used: 4, window_ends: first!.window_ends },
      ]);
      expect(await take(store, requested)).toMatchObject([{ in_window: 0, granted: 0, window_used: 6 }]);
    });

    it('are granted again when the window has ended', async () => {
      const requested = request(organisation, { most: 1, seconds: 2 });
      const [first] = await take(store, requested);
      expect(first).toMatchObject({ granted: 1 });
      expect(await take(store, requested)).toMatchObject([{ granted: 0, window_ends: first!.window_ends }]);
      await sleep(Date.parse(first!.window_ends!) - Date.now() + 20);
      const [second] = await take(store, requested);
      expect(second).toMatchObject({ granted: 1, window_used: 1 });
      expect(Date.parse(second!.window_ends!)).toBeGreaterThan(Date.parse(first!.window_ends!));
    });

    it('are granted again after the clock was set back, and not before', async () => {
      const requested = request(organisation, { most: 1 });
      await take(store, requested);
      const later = (interval: string) =>
        store.autocommit(
          z.unknown(),
          sql`
          UPDATE limit_windows SET began = began + ${interval}::interval WHERE key_id = ${requested.key_id}`,
        );
      // A statement may have waited this long for another one.
      await later('10 seconds');
      expect(await take(store, requested)).toMatchObject([{ granted: 0, window_used: 2 }]);
      await later('1 hour');
      expect(await take(store, { ...requested, amount: 0 })).toMatchObject([{ window_used: 0 }]);
      const [anew] = await take(store, requested);
      expect(anew).toMatchObject({ granted: 1, window_used: 1 });
      expect(Math.abs(Date.parse(anew!.window_ends!) - Date.now() - 60_000)).toBeLessThan(5000);
      expect(await take(store, requested)).toMatchObject([{ granted: 0, window_used: 2 }]);
    });

    it('are counted separately for each key and class', async () => {
      const one = request(organisation, { most: 1 });
      const others = [one, { ...one, cost_class: 'mutation' }, request(organisation, { most: 1 })];
      expect(total(await take(store, ...others))).toBe(3);
      expect(total(await take(store, ...others))).toBe(0);
    });

    it('are exact under concurrent calls', async () => {
      const requested = request(organisation, { most: 60 });
      const answers = await Promise.all(Array.from({ length: 200 }, () => take(store, requested)));
      expect(total(answers.flat())).toBe(60);
      expect(
        answers
          .flat()
          .map(({ window_used }) => window_used)
          .toSorted((a, b) => a! - b!),
      ).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    });

    it('are granted up to the quota of the month, and no more are counted', async () => {
      const id = await newOrganisation();
      const requested = request(id, { quota: 5, amount: 3 });
      expect(await take(store, requested)).toMatchObject([
        { granted: 3, in_window: 3, month_used: 3, window_used: null, window_ends: null, month_ends: endOfThisMonth() },
      ]);
      expect(await take(store, requested)).toMatchObject([{ granted: 2, in_window: 3, month_used: 5 }]);
      expect(await take(store, requested)).toMatchObject([{ granted: 0, month_used: 5 }]);
      // Lowering the quota takes no granted call back.
      expect(await take(store, { ...requested, quota: 2 })).toMatchObject([{ granted: 0, month_used: 5 }]);
      expect(await monthRows(store, requested)).toEqual([{ used: 5 }]);
    });

    it('count against the month only when the window granted them', async () => {
      const requested = request(await newOrganisation(), { most: 2, quota: 100, amount: 5 });
      expect(await take(store, requested)).toMatchObject([{ in_window: 2, granted: 2, month_used: 2 }]);
      expect(await take(store, requested)).toMatchObject([{ in_window: 0, granted: 0, month_used: 2 }]);
    });

    it('are exact for several keys and organisations in one statement, many at a time', async () => {
      const ids = await Promise.all(Array.from({ length: 4 }, newOrganisation));
      const requests = ids.flatMap((id) => [
        request(id, { most: 50, quota: 80 }),
        request(id, { most: 50, quota: 80 }),
        request(id, { most: 10, quota: 80, cost_class: 'expensive' }),
        // These do not count against the month.
        request(id, { most: 20 }),
      ]);
      // Every order occurs, because statements in different orders could deadlock.
      const turned = (by: number) => [
        ...requests.slice(by % requests.length),
        ...requests.slice(0, by % requests.length),
      ];
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          index % 3 === 0 ? take(store, ...turned(index)) : take(store, requests[(index * 7) % requests.length]!),
        ),
      );
      const granted = (key: string) => total(answers.flat().filter(({ key_id }) => key_id === key));
      for (const [index, id] of ids.entries()) {
        const [one, two, dear, free] = requests.slice(4 * index, 4 * index + 4);
        const counted = granted(one!.key_id) + granted(two!.key_id) + granted(dear!.key_id);
        expect(counted).toBe(80);
        expect(granted(dear!.key_id)).toBeLessThanOrEqual(10);
        expect(granted(free!.key_id)).toBe(20);
        expect(await monthRows(store, request(id))).toEqual([{ used: 80 }]);
      }
    });

    it('are exact for statements that wait for another', async () => {
      const id = await newOrganisation();
      const requested = () => request(id, { quota: 6, amount: 4 });
      await take(store, { ...requested(), amount: 1 });
      const holdsRows = Promise.withResolvers<void>();
      const slow = store.asOperator(async (session) => {
        const rows = await session.rows(taken, taking([requested()]));
        holdsRows.resolve();
        await session.run(sql`SELECT pg_sleep(0.3)`);
        return rows;
      });
      await holdsRows.promise;
      const waiting = await Promise.all([take(store, requested()), take(store, requested()), take(store, requested())]);
      expect(total(await slow)).toBe(4);
      expect(total(waiting.flat())).toBe(1);
      expect(await monthRows(store, request(id))).toEqual([{ used: 6 }]);
    });

    it('are shared by two requests of one key in one statement', async () => {
      const requested = request(await newOrganisation(), { most: 3, quota: 100, amount: 2 });
      expect(await take(store, requested, requested)).toMatchObject([
        { granted: 2, window_used: 2, month_used: 2 },
        { granted: 1, window_used: 4, month_used: 3 },
      ]);
    });

    it('are not granted to a deleted organisation, and the others in the statement get theirs', async () => {
      const gone = request(randomUUIDv7(), { most: 5, quota: 5 });
      const here = request(await newOrganisation(), { most: 5, quota: 5 });
      const answers = await take(store, gone, here);
      expect(answers.find(({ key_id }) => key_id === gone.key_id)).toMatchObject({ granted: 0, month_used: 0 });
      expect(answers.find(({ key_id }) => key_id === here.key_id)).toMatchObject({ granted: 1, month_used: 1 });
    });

    it('are none for no request', async () => {
      expect(await take(store)).toEqual([]);
    });

    describe('read without taking any', () => {
      const peek = { most: 5, quota: 10, amount: 0 };

      it('return the counters of a key that never called, and write nothing', async () => {
        const requested = request(await newOrganisation(), peek);
        const [answer] = await take(store, requested);
        expect(answer).toMatchObject({ in_window: 0, granted: 0, window_used: 0, month_used: 0 });
        // A window that began now would end then.
        expect(Math.abs(Date.parse(answer!.window_ends!) - Date.now() - 60_000)).toBeLessThan(5000);
        expect(await windowRows(store, requested)).toEqual([]);
        expect(await monthRows(store, requested)).toEqual([]);
      });

      it('return the counters of a window, and change nothing', async () => {
        const requested = request(await newOrganisation(), { ...peek, amount: 3 });
        const [before] = await take(store, requested);
        expect(await take(store, { ...requested, amount: 0 })).toMatchObject([
          { granted: 0, window_used: 3, window_ends: before!.window_ends, month_used: 3 },
        ]);
        expect([await windowRows(store, requested), await monthRows(store, requested)]).toEqual([
          [{ used: 3 }],
          [{ used: 3 }],
        ]);
      });

      it('ignore a window that has ended, and keep it', async () => {
        const requested = request(await newOrganisation(), { ...peek, amount: 3, seconds: 1 });
        const [before] = await take(store, requested);
        await sleep(Date.parse(before!.window_ends!) - Date.now() + 20);
        expect(await take(store, { ...requested, amount: 0 })).toMatchObject([{ window_used: 0, month_used: 3 }]);
        expect(await windowRows(store, requested)).toEqual([{ used: 3 }]);
      });
    });

    it.each([
      ['2026-10-31T22:59:59.999Z', '2026-10-01', '2026-10-31T23:00:00.000Z'],
      ['2026-10-31T23:00:00.000Z', '2026-11-01', '2026-11-30T23:00:00.000Z'],
      ['2026-12-31T23:00:00.000Z', '2027-01-01', '2027-01-31T23:00:00.000Z'],
      ['2027-02-28T22:59:59.999Z', '2027-02-01', '2027-02-28T23:00:00.000Z'],
      ['2027-03-15T12:00:00.000Z', '2027-03-01', '2027-03-31T22:00:00.000Z'],
      ['2027-06-30T21:59:59.999Z', '2027-06-01', '2027-06-30T22:00:00.000Z'],
    ])('the month of %s is the German one', async (moment, month, end) => {
      const answer = z.strictObject({ month: z.string(), end: z.string() });
      const question = sql`SELECT m AS month, end_of_month(m) AS end FROM month_of(${moment}::timestamptz) AS m`;
      expect(await store.autocommit(answer, question)).toEqual([{ month, end }]);
    });
  });
}

describe.skipIf(!POSTGRES.here)(`places for calls of several instances: ${POSTGRES.name}`, () => {
  it('are exact over all instances', async () => {
    const url = await freshDatabase();
    const stores = await Promise.all([openStore(url), openStore(url), openStore(url)]);
    await stores[0]!.migrate('apply');
    const ids = [(await makeOrganisation(stores[0]!)).id, (await makeOrganisation(stores[0]!)).id];
    const requests = ids.flatMap((id) => [request(id, { most: 60, quota: 90 }), request(id, { most: 60, quota: 90 })]);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        take(stores[index % 3]!, ...(index % 2 === 0 ? requests : requests.toReversed())),
      ),
    );
    for (const requested of requests) {
      const own = answers.flat().filter(({ key_id }) => key_id === requested.key_id);
      expect(own.reduce((sum, { in_window }) => sum + in_window, 0)).toBe(60);
    }
    expect(total(answers.flat())).toBe(180);
    for (const id of ids) expect(await monthRows(stores[0]!, request(id))).toEqual([{ used: 90 }]);
    await Promise.all(stores.map((store) => store.close()));
    // A deadlock would be detected and repeated, but a second late.
    const [met] = await onServer(url, 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    expect(met).toEqual({ deadlocks: '0' });
  });
});
