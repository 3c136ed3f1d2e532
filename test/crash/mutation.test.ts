import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { itemAt } from '../../runtime/present.ts';
import { sql } from '../../sql/org/statement.ts';
import { cases, drawn } from '../support/cases.ts';
import { entry, type Portfolio, portfolioOf, rowStatuses, unit } from '../support/portfolio.ts';
import { type ServiceResponse, subject } from '../support/service.ts';
import { end, type ServiceProcess } from '../support/service-process.ts';
import { type Installation, makeInstallation, PERSISTENT_STORES } from './installation.ts';

/**
 * The service is killed between two steps of a write: before an early step in the store, before a later one, and so on,
 * until the write succeeds. After each crash the service starts again, the call is repeated with the same key,
 * and there is exactly one effect.
 */

/** A run tries every fourth step, on each engine from a first one drawn anew, and the last. CASES=2 tries all on both. */
const STRIDE = cases(1) === 1 ? 4 : 1;
const firstStep = (engine: number): number => (STRIDE === 1 ? 0 : itemAt(drawn([0, 1, 2, 3], 1, engine), 0));

const SELF_KILLING = new URL('self-killing-service.ts', import.meta.url);

describe.each(PERSISTENT_STORES.map((each, index) => ({ ...each, index })))('$name', ({ here, engine, index }) => {
  let place: Installation;
  let service: ServiceProcess;
  beforeAll(async () => {
    if (here) place = await makeInstallation(engine);
  });
  afterAll(async () => {
    if (service !== undefined) await end(service, 'SIGKILL');
    place?.remove();
  });

  let portfolio: Portfolio;
  async function start(): Promise<void> {
    service = await place.start(SELF_KILLING);
    portfolio = portfolioOf(subject(service.url, place.key));
  }

  /** Each call writes another entry, with another key. */
  const call = (number: number): Promise<ServiceResponse> => portfolio.put([entry(number)], { once: `call ${number}` });

  /** Lets the process take so many steps more. */
  async function allow(steps: number): Promise<void> {
    service.child.send({ steps });
    const gone = service.ended.then((signal) => Promise.reject(new Error(`The service is gone: ${signal}.`)));
    await Promise.race([once(service.child, 'message'), gone]);
  }

  // A process is started for each step: seconds each on a machine that has other things to do.
  test.skipIf(!here)('exactly one effect, wherever it is killed', { timeout: 600_000 }, async () => {
    await start();
    /** True for each crash after which the repeated call was a replay, as the write had been committed. */
    const replayed: boolean[] = [];
    let answers = 0;
    let keys = 0;

    /** Makes a call for a number of steps and repeats it. @returns false when the write succeeded within them */
    async function isKilledAfter(steps: number): Promise<boolean> {
      keys += 1;
      await allow(steps);
      const first = await call(keys).catch(() => null);
      if (first === null) {
        expect(await service.ended).toBe('SIGKILL');
        await start();
      }
      // Other work of the process takes steps, too, and may have taken the last one after the answer.
      await allow(1_000_000).catch(async () => {
        await start();
        await allow(1_000_000);
      });
      const responses = [...(first === null ? [] : [first]), await call(keys), await call(keys)];
      answers += responses.length;
      // The entry was not there before, so whoever is answered hears that it was created; and every answer is the same.
      for (const answer of responses) {
        expect([answer.status, rowStatuses(answer), answer.text]).toEqual([200, ['created'], responses[0]!.text]);
      }
      expect(responses.slice(1).map(isReplay)).toEqual(responses.slice(1).map(() => true));
      await expectOneEntry(keys, responses[0]!);
      if (first === null) replayed.push(isReplay(responses[0]!));
      return first === null;
    }

    let steps = firstStep(index);
    while (await isKilledAfter(steps)) steps += STRIDE;
    expect(steps).toBeGreaterThan(10);
    // The moment behind the commit is tried on every engine. It moves, as what else the process does takes steps, too.
    for (let tries = 0; replayed.at(-1) !== true; tries++) {
      expect(tries).toBeLessThan(30);
      steps += (await isKilledAfter(steps)) ? 1 : -1;
    }
    // Only the last crash comes after the commit, so only the call after it is a replay.
    expect(replayed).toEqual(replayed.map((_, index) => index === replayed.length - 1));
    await end(service, 'SIGKILL');
    // The audit log has all calls that were answered, and the one whose answer the last crash cut off.
    await expectRecords({ keys, calls: answers + 1 });
  });

  async function expectOneEntry(number: number, response: ServiceResponse): Promise<void> {
    const { data } = (await portfolio.list('includeDeleted=true&limit=250')).json;
    const entries = data.filter(({ mastrNummer }: { mastrNummer: string }) => mastrNummer === unit(number));
    expect(entries).toMatchObject([{ id: response.json.data[0].id, geaendertAm: entries[0].angelegtAm }]);
  }

  async function expectRecords(expected: { keys: number; calls: number }): Promise<void> {
    const store = await place.openStore();
    const counted = await store.autocommit(
      z.strictObject({ keys: z.int(), calls: z.int() }),
      sql`SELECT (SELECT count(*) FROM idempotency_keys) AS keys,
            (SELECT count(*) FROM audit_log WHERE method = 'POST' AND status = 200) AS calls`,
    );
    await store.close();
    expect(counted).toEqual([expected]);
  }
});

const isReplay = ({ headers }: ServiceResponse): boolean => headers.get('idempotency-replayed') === 'true';
