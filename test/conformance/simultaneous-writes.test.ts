import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrgStore } from '../../sql/org/store.ts';
import { interceptSteps, type StepListener } from '../support/intercepted-store.ts';
import { makeCaller } from '../support/organisation.ts';
import {
  allNumbers,
  entry,
  expectReplay,
  isReplay,
  type Portfolio,
  portfolioOf,
  rowStatuses,
  unit,
} from '../support/portfolio.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { type Engine, openFresh, POSTGRES, PREPARED } from '../support/store-engines.ts';

/** Writes of one organisation that arrive together, with and without an Idempotency-Key. */

/** Runs before each step of the store; a test may make it wait. */
let onStep: StepListener = () => {};
afterEach(() => {
  onStep = () => {};
});

const watched = (store: OrgStore) => interceptSteps(store, (step, driver) => onStep(step, driver));

const CALLS = 20;

/** In memory one service, on a server two that share it. */
const ENGINES: readonly (readonly [Engine, number])[] = [
  [PREPARED, 1],
  [POSTGRES, 2],
];

describe.each(ENGINES.map(([engine, services]) => ({ name: engine.name, engine, services })))(
  'at the same time: $name',
  ({ engine, services }) => {
    describe.skipIf(!engine.here)(`${services} service${services === 1 ? '' : 's'}`, () => {
      let shared: OrgStore;
      let instances: OwnSubject[];
      let key: string;
      beforeAll(async () => {
        shared = await openFresh(engine);
        instances = await Promise.all(Array.from({ length: services }, () => serveOwnFixture({}, watched(shared))));
      });
      afterAll(async () => {
        await Promise.all((instances ?? []).map((instance) => instance.stop()));
        await shared?.close();
      });
      beforeEach(async () => {
        key = await makeCaller(shared);
      });

      /** The caller's portfolio through one instance after the other. */
      const through = (call: number) => portfolioOf(instances[call % services]!, key);

      const atOnce = (sendOne: (of: Portfolio, call: number) => Promise<ServiceResponse>) =>
        Promise.all(Array.from({ length: CALLS }, (_, call) => sendOne(through(call), call)));

      test('calls with one key: one write; the others get its answer, or 409', async () => {
        for (let round = 1; round <= 5; round++) {
          const sendOne = (of: Portfolio) => of.put([entry(round), entry(99)], { once: `key ${round}` });
          const answers = await atOnce(sendOne);
          const waiting = answers.filter(({ status }) => status === 409);
          const answered = answers.filter(({ status }) => status !== 409);
          for (const seen of waiting) expectProblem(seen, 409, 'IDEMPOTENCY_IN_PROGRESS');
          const firsts = answered.filter((seen) => !isReplay(seen));
          expect(firsts).toHaveLength(1);
          expect(rowStatuses(firsts[0]!)).toEqual(['created', 'failed']);
          for (const seen of answered.filter(isReplay)) expectReplay(seen, firsts[0]!);
          for (let call = 0; call < services; call++) expectReplay(await sendOne(through(call)), firsts[0]!);
        }
        expect(await allNumbers(through(0))).toEqual([1, 2, 3, 4, 5]);
      });

      test('calls with one key for different requests: one is executed, all others are refused', async () => {
        const answers = await atOnce((of, call) => of.put([entry(call + 1)], { once: 'k' }));
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        for (const seen of answers.filter(({ status }) => status !== 200)) {
          expect(seen.status).toBe(409);
          expect(['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']).toContain(seen.json.code);
        }
        expect(await allNumbers(through(0))).toHaveLength(1);
      });

      test('calls without a key for the same units: each is executed, one entry for each unit', async () => {
        const entries = Array.from({ length: 30 }, (_, index) => entry(index + 1));
        const answers = await atOnce((of, call) => of.put(call % 2 === 0 ? entries : entries.toReversed()));
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        const count = (of: 'created' | 'unchanged') => answers.reduce((sum, { json }) => sum + json.meta[of], 0);
        expect([count('created'), count('unchanged')]).toEqual([30, (CALLS - 1) * 30]);
        expect(await allNumbers(through(0))).toHaveLength(30);
      });

      test('removals and puts of the same units: no failure, one entry for each unit', async () => {
        const numbers = [1, 2, 3, 4, 5];
        const answers = await atOnce((of, call) =>
          call % 2 === 0 ? of.put(numbers.map((number) => entry(number))) : of.remove(numbers.map(unit)),
        );
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        expect(await allNumbers(through(0))).toEqual(numbers);
      });

      test.runIf(services > 1)(
        'while the first call runs, a second one is refused; a dry run does not wait',
        async () => {
          const begun = Promise.withResolvers<void>();
          const go = Promise.withResolvers<void>();
          let waited = false;
          onStep = async (step) => {
            if (waited || !step.includes('pg_advisory_xact_lock')) return;
            waited = true;
            begun.resolve();
            await go.promise;
          };
          const first = through(0).put([entry(1)], { once: 'k' });
          await begun.promise;
          for (const row of [entry(1), entry(2)]) {
            expectProblem(await through(1).put([row], { once: 'k' }), 409, 'IDEMPOTENCY_IN_PROGRESS');
          }
          const rehearsed = await through(1).put([entry(1)], { once: 'k', query: 'dryRun=true' });
          expect(rowStatuses(rehearsed)).toEqual(['created']);
          const other = await through(1).put([entry(3)], { once: 'another' });
          expect(other.status).toBe(200);
          go.resolve();
          const answered = await first;
          expectReplay(await through(1).put([entry(1)], { once: 'k' }), answered);
        },
      );
    });
  },
);
