import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { sql } from '../../sql/org/statement.ts';
import { type FailingStore, openFailingStore } from '../support/failing-store.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { portfolioOf } from '../support/portfolio.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';

/** Limits (interface.md, Limits): windows of the cost classes, and the quota of the month. */

/** The place where calls are counted, and a way to let time pass there. */
const PLACES = {
  'in memory, as the store belongs to the process': {
    exclusive: true,
    letPass: async (_: FailingStore, _key: string, seconds: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    },
  },
  'in the store, for all instances together': {
    exclusive: false,
    letPass: (store: FailingStore, key: string, seconds: number) =>
      store.asOperator((session) =>
        session.run(sql`
          UPDATE limit_windows SET began = began - make_interval(secs => ${seconds}) WHERE key_id = ${key}::uuid`),
      ),
  },
};

describe.each(Object.entries(PLACES))('counted %s', (_, { exclusive, letPass }) => {
  let store: FailingStore;
  let service: OwnSubject;
  beforeAll(async () => {
    store = { ...(await openFailingStore()), exclusive };
    service = await serveOwnFixture({}, store);
  });
  afterAll(async () => {
    await service.stop();
    await store.close();
  });

  /** Addresses of each cost class. */
  const STANDARD = '/v1/portfolio';
  const EXPENSIVE = '/v1/region/momentaufnahme';
  const CHEAP = '/v1/units/fields';

  /** An organisation, and so many keys of it. */
  async function makeKeys(choices: Partial<OrganisationRow>, count = 1) {
    const organisation = await makeOrganisation(store, choices);
    return Promise.all(Array.from({ length: count }, () => makeKey(store, organisation)));
  }

  const get = (path: string, { text }: { text: string }) => service.get(path, withKey(text));

  const mutate = ({ text }: { text: string }) => portfolioOf(service, text).remove([]);

  const times = <Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  const countOf = (responses: readonly ServiceResponse[], status: number) =>
    responses.filter((answer) => answer.status === status).length;

  const limitHeaders = ({ headers }: ServiceResponse) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

  describe('windows', () => {
    test('the headers have limit, remaining calls and time', async () => {
      const [key] = await makeKeys({ limits: {} });
      expect(limitHeaders(await get(STANDARD, key!))).toEqual(['"standard";q=60;w=60', '"standard";r=59;t=60']);
      expect((await get(STANDARD, key!)).headers.get('ratelimit')).toMatch(/^"standard";r=58;t=(60|59)$/);
      expect(limitHeaders(await get(EXPENSIVE, key!))).toEqual(['"expensive";q=12;w=60', '"expensive";r=11;t=60']);
      expect(limitHeaders(await mutate(key!))).toEqual(['"mutation";q=30;w=60', '"mutation";r=29;t=60']);
      expect(limitHeaders(await get(CHEAP, key!))).toEqual([null, null]);
    });

    test('exact under parallel load: of 60 calls at once 20 pass, each with its own rest', async () => {
      const [key] = await makeKeys({ limits: { standard: 20 } });
      const responses = await times(60, () => get(STANDARD, key!));
      expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([20, 40]);
      const rest = (answer: ServiceResponse) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
      const rests = responses.filter(({ status }) => status === 200).map(rest);
      expect(rests.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
      for (const refused of responses.filter(({ status }) => status === 429)) {
        expectProblem(refused, 429, 'RATE_LIMITED');
        expect(rest(refused)).toBe(0);
        const seconds = Number(/t=(\d+)/.exec(refused.headers.get('ratelimit') ?? '')?.[1]);
        expect(Math.abs(seconds - Number(refused.headers.get('retry-after')))).toBeLessThanOrEqual(1);
      }
    });

    test('classes and keys have windows of their own; the defaults apply where nothing was agreed', async () => {
      const [key, other] = await makeKeys({ limits: { standard: 1 } }, 2);
      expect([(await get(STANDARD, key!)).status, (await get(STANDARD, key!)).status]).toEqual([200, 429]);
      expect((await get(EXPENSIVE, key!)).headers.get('ratelimit')).toBe('"expensive";r=11;t=60');
      expect((await mutate(key!)).status).toBe(200);
      expect((await get(CHEAP, key!)).status).toBe(200);
      expect((await get(STANDARD, other!)).status).toBe(200);
    });

    test('a new window starts when its minute is over, and not before', async () => {
      onTestFinished(() => void vi.useRealTimers());
      const [key] = await makeKeys({ limits: { standard: 2 } });
      const full = async () => countOf([await get(STANDARD, key!), await get(STANDARD, key!)], 429) > 0;
      expect([await full(), await full()]).toEqual([false, true]);
      await letPass(store, key!.row.id, 30);
      const refused = await get(STANDARD, key!);
      expectProblem(refused, 429, 'RATE_LIMITED');
      expect(refused.headers.get('ratelimit')).toMatch(/^"standard";r=0;t=(30|29|28)$/);
      await letPass(store, key!.row.id, 30);
      expect((await get(STANDARD, key!)).headers.get('ratelimit')).toBe('"standard";r=1;t=60');
    });

    test('a call refused for another reason has the headers of its window, and does not count', async () => {
      const organisation = await makeOrganisation(store, { limits: { standard: 5 } });
      const [key, narrow] = [await makeKey(store, organisation), await makeKey(store, organisation, { scopes: [] })];
      for (let call = 1; call <= 3; call++) {
        const refused = await get(STANDARD, narrow);
        expectProblem(refused, 403, 'MISSING_SCOPE');
        expect(limitHeaders(refused)).toEqual(['"standard";q=5;w=60', '"standard";r=5;t=60']);
      }
      // A fault of the question counts: it was looked at.
      const wrong = await get(`${STANDARD}?nonsense=1`, key);
      expectProblem(wrong, 400, 'UNKNOWN_PARAMETER');
      expect(limitHeaders(wrong)[1]).toBe('"standard";r=4;t=60');
    });
  });

  describe('quota', () => {
    /** The quota in /v1/me and in /v1/usage, which must be the same. */
    async function quotaOf(key: { text: string }) {
      const [{ quota }, { requests, period }] = [await dataOf('/v1/me', key), await dataOf('/v1/usage', key)];
      expect({ ...requests, periodStart: period.start, periodEnd: period.end }).toEqual(quota);
      return quota;
    }

    const dataOf = async (path: string, key: { text: string }) => (await get(path, key)).json.data;

    test('the call after the last is refused until the period ends', async () => {
      const [key] = await makeKeys({ quota: 5 });
      const responses: ServiceResponse[] = [];
      for (let call = 1; call <= 6; call++) responses.push(await get(STANDARD, key!));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
      const refused = responses[5]!;
      expectProblem(refused, 429, 'QUOTA_EXCEEDED');
      const { periodEnd } = await quotaOf(key!);
      expect(refused.json.retryAfter).toBe(Date.parse(periodEnd));
      expectProblem(await get(CHEAP, key!), 429, 'QUOTA_EXCEEDED');
    });

    test('states: ok, warning from 80 % on, exceeded', async () => {
      const [key] = await makeKeys({ quota: 10 });
      const states: [number, number, string][] = [];
      for (let used = 0; used <= 11; used++) {
        const { used: told, remaining, state, limit } = await quotaOf(key!);
        expect(limit).toBe(10);
        states.push([told, remaining, state]);
        await get(STANDARD, key!);
      }
      expect(states).toEqual([
        ...[0, 1, 2, 3, 4, 5, 6, 7].map((used) => [used, 10 - used, 'ok']),
        [8, 2, 'warning'],
        [9, 1, 'warning'],
        [10, 0, 'exceeded'],
        [10, 0, 'exceeded'],
      ]);
    });

    test('every class and every invalid query counts; self-information and refused calls do not', async () => {
      const organisation = await makeOrganisation(store, { quota: 100, limits: { expensive: 1 } });
      const [key, narrow] = [await makeKey(store, organisation), await makeKey(store, organisation, { scopes: [] })];
      const costs = async (call: () => Promise<ServiceResponse>, status: number) => {
        const before = await quotaOf(key);
        expect((await call()).status).toBe(status);
        return (await quotaOf(key)).used - before.used;
      };
      expect(await costs(() => get(STANDARD, key), 200)).toBe(1);
      expect(await costs(() => get(CHEAP, key), 200)).toBe(1);
      expect(await costs(() => mutate(key), 200)).toBe(1);
      expect(await costs(() => get(EXPENSIVE, key), 200)).toBe(1);
      expect(await costs(() => get(`${STANDARD}?limit=x`, key), 400)).toBe(1);
      expect(await costs(() => get('/v1/units/SEE999999999999', key), 404)).toBe(1);

      expect(await costs(() => get(EXPENSIVE, key), 429)).toBe(0);
      expect(await costs(() => get(STANDARD, narrow), 403)).toBe(0);
      expect(await costs(() => get('/v1/nowhere', key), 404)).toBe(0);
      expect(await costs(() => get('/v1/me', key), 200)).toBe(0);
      expect(await costs(() => get('/v1/usage', key), 200)).toBe(0);
      expect(await costs(() => get('/v1/health', key), 200)).toBe(0);
    });

    test('self-information stays free when the quota is used up, within its window', async () => {
      const [key] = await makeKeys({ quota: 0, limits: { standard: 3 } });
      const responses = [await get('/v1/me', key!), await get('/v1/usage', key!), await get(STANDARD, key!)];
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(responses[2]!.json.code).toBe('QUOTA_EXCEEDED');
      expectProblem(await get('/v1/me', key!), 429, 'RATE_LIMITED');
      expect((await get('/v1/health', key!)).status).toBe(200);
    });

    test('all keys of an organisation share it, exactly, also at its end and at once', async () => {
      const keys = await makeKeys({ quota: 25 }, 3);
      const responses = await times(60, (index) => get(index % 2 === 0 ? STANDARD : CHEAP, keys[index % 3]!));
      expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([25, 35]);
      expect(new Set(responses.filter(({ status }) => status === 429).map(({ json }) => json.code))).toEqual(
        new Set(['QUOTA_EXCEEDED']),
      );
      expect(await quotaOf(keys[0]!)).toMatchObject({ used: 25, remaining: 0, state: 'exceeded' });
    });

    test('another organisation has its own', async () => {
      const [[full], [other]] = [await makeKeys({ quota: 1 }), await makeKeys({ quota: 1 })];
      expect([(await get(STANDARD, full!)).status, (await get(STANDARD, full!)).status]).toEqual([200, 429]);
      expect((await get(STANDARD, other!)).status).toBe(200);
    });
  });
});
