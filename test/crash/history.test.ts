import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sql } from '../../sql/org/statement.ts';
import { entry, type Portfolio, portfolioOf, rowStatuses, unit } from '../support/portfolio.ts';
import { type ServiceResponse, subject } from '../support/service.ts';
import { end, MAIN, type ServiceProcess } from '../support/service-process.ts';
import { type Installation, makeInstallation, PERSISTENT_STORES } from './installation.ts';

/**
 * Clients write all the time, each repeating a call with its key until it is answered, while the service is killed at
 * random moments and started again. In the end every answered write is there, and each key had one effect.
 */

const WRITERS = 4;
const KILLS = 2;
const SEED = 20_261_121;

/** Numbers from 0 to 1 that look random, and are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe.each(PERSISTENT_STORES)('$name', ({ here, engine }) => {
  let place: Installation;
  let service: ServiceProcess;
  beforeAll(async () => {
    if (here) place = await makeInstallation(engine);
  });
  afterAll(async () => {
    if (service !== undefined) await end(service, 'SIGKILL');
    place?.remove();
  });

  async function start(): Promise<Portfolio> {
    service = await place.start(MAIN);
    return portfolioOf(subject(service.url, place.key));
  }

  test.skipIf(!here)('no answered write is lost, none is done twice', async () => {
    let portfolio = await start();
    let writing = true;
    let answered = 0;

    /** Repeats the call until it is answered. The server may still be busy with the previous call, whose client is gone. */
    async function insist(writer: number, round: number): Promise<ServiceResponse> {
      for (;;) {
        const row = entry(writer, { externalRefs: { round: String(round) } });
        const response = await portfolio.put([row], { once: `writer ${writer}, round ${round}` }).catch(() => null);
        if (response !== null && response.json.code !== 'IDEMPOTENCY_IN_PROGRESS') return response;
        await sleep(20);
      }
    }

    async function write(writer: number): Promise<ServiceResponse[]> {
      const answers: ServiceResponse[] = [];
      while (writing) {
        answers.push(await insist(writer, answers.length));
        answered += 1;
      }
      return answers;
    }

    const writers = Promise.all(Array.from({ length: WRITERS }, (_, index) => write(index + 1)));
    const random = seeded(SEED);
    for (let kill = 0; kill < KILLS; kill++) {
      // Answers are counted, not seconds, so that slow and fast machines do the same.
      const enough = answered + 1 + random() * 20;
      while (answered < enough) await sleep(1);
      await sleep(random() * 20);
      await end(service, 'SIGKILL');
      portfolio = await start();
    }
    writing = false;
    const answers = await writers;

    // A write that was done twice would have found nothing to change.
    for (const own of answers) {
      expect(own.map((response) => [response.status, ...rowStatuses(response)])).toEqual(
        own.map((_, round) => [200, round === 0 ? 'created' : 'updated']),
      );
    }
    const { data } = (await portfolio.list()).json;
    const last = answers.map((own, index) => [unit(index + 1), { round: String(own.length - 1) }]);
    expect(
      data
        .map(({ mastrNummer, externalRefs }: { mastrNummer: string; externalRefs: object }) => [
          mastrNummer,
          externalRefs,
        ])
        .sort(),
    ).toEqual(last);
    await end(service, 'SIGKILL');

    const store = await place.openStore();
    const requests = answers.flat().map(({ headers }) => headers.get('x-request-id')!);
    const [records] = await store.autocommit(
      z.strictObject({ keys: z.int(), recorded: z.int() }),
      sql`SELECT (SELECT count(*) FROM idempotency_keys) AS keys,
            (SELECT count(*) FROM audit_log WHERE request_id = ANY (${requests}::uuid[])) AS recorded`,
    );
    await store.close();
    expect(records).toEqual({ keys: requests.length, recorded: requests.length });
  });
});
