import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { connect } from '../support/connections.ts';
import {
  type Correspondent,
  type Correspondents,
  correspondent,
  idsOf,
  makeConversation,
  makeCorrespondents,
  textsOf,
} from '../support/correspondents.ts';
import { interceptSteps, type StepListener } from '../support/intercepted-store.ts';
import { makeOrganisation } from '../support/organisation.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';
import { type Engine, openFresh, POSTGRES, PREPARED } from '../support/store-engines.ts';

/** Messages that are written at the same time, and readers that keep their cursors meanwhile. */

/** Runs before each step of the store; a test may make it wait. */
let onStep: StepListener = () => {};
/** Lets go what is still held, so that a test that fails does not hold the rest. */
let letGo: () => void = () => {};
afterEach(() => {
  onStep = () => {};
  letGo();
});

/** In memory one service, on a server two that share it. */
const ENGINES: readonly (readonly [Engine, number])[] = [
  [PREPARED, 1],
  [POSTGRES, 2],
];

/** Holds the next transaction that comes to this step. */
function holdNext(step: RegExp): { readonly reached: Promise<void>; go(): void } {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let held = false;
  letGo = released.resolve;
  onStep = async (text, driver) => {
    if (held || driver !== 'asOrganisation' || !step.test(text)) return;
    held = true;
    reached.resolve();
    await released.promise;
  };
  return { reached: reached.promise, go: released.resolve };
}

describe.each(ENGINES.map(([engine, services]) => ({ name: engine.name, engine, services })))(
  'at the same time: $name',
  ({ engine, services }) => {
    describe.skipIf(!engine.here)(`${services} service${services === 1 ? '' : 's'}`, () => {
      let store: OrgStore;
      let instances: OwnSubject[];
      let pair: Correspondents;
      let ada: Correspondent;
      let ben: Correspondent;
      beforeAll(async () => {
        store = await openFresh(engine);
        const watched = interceptSteps(store, (step, driver) => onStep(step, driver));
        instances = await Promise.all(Array.from({ length: services }, () => serveOwnFixture({}, watched)));
      });
      afterAll(async () => {
        await Promise.all((instances ?? []).map((instance) => instance.stop()));
        await store?.close();
      });
      beforeEach(async () => {
        pair = await makeCorrespondents(instances[0]!, store);
        ({ ada, ben } = pair);
      });

      const instance = (call: number) => instances[call % services]!;

      /** Reads a thread with a kept cursor until it has seen so many messages. */
      async function follow(reader: Correspondent, thread: string, until: number, limit: number): Promise<string[]> {
        const texts: string[] = [];
        for (let cursor = ''; texts.length < until; ) {
          const page = await reader.messages(thread, `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
          expect(page.status).toBe(200);
          texts.push(...textsOf(page));
          ({ cursor } = page.json.meta);
        }
        return texts;
      }

      test('writers of both sides to one thread: no message is lost, and each reader sees each once, in one order', async () => {
        const thread = await makeConversation(ada, 1);
        const write = (call: number) =>
          (call % 2 === 0 ? ada : ben).write(thread, { body: `Nachricht ${call}` }, { at: instance(call) });
        const [answers, ...seen] = await Promise.all([
          Promise.all(Array.from({ length: 30 }, (_, call) => write(call))),
          follow(ada, thread, 31, 1),
          follow(ben, thread, 31, 3),
          follow(ben, thread, 31, 250),
        ]);
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        const { data } = (await ada.messages(thread)).json;
        const all = data.map(({ text }: { text: string }) => text);
        expect(new Set(all).size).toBe(31);
        expect(seen).toEqual([all, all, all]);
        const times = data.map(({ geschriebenAm }: { geschriebenAm: string }) => geschriebenAm);
        expect(times).toEqual([...new Set(times)].sort());
        const { json } = await ben.thread(thread);
        expect([json.data.nachrichtenAnzahl, json.data.letzteAktivitaetAm]).toEqual([31, times.at(-1)]);
      });

      test('writers to many threads while the list is read page by page: no thread is skipped, none comes twice', async () => {
        const threads: string[] = [];
        for (let count = 0; count < 8; count++) threads.push(await makeConversation(ada, 1));
        const write = async (call: number) => {
          const by = call % 2 === 0 ? ada : ben;
          if (call % 5 === 0) await by.create({}, { at: instance(call) });
          else await by.write(threads[call % 8]!, { body: 'x' }, { at: instance(call) });
        };
        let writing = true;
        const writers = Promise.all(
          [0, 1].map(async (of) => {
            for (let call = of; writing; call += 2) await write(call);
          }),
        );
        for (let list = 0; list < 4; list++) {
          const ids: string[] = [];
          let cursor: string | null = '';
          while (cursor !== null) {
            const page: ServiceResponse = await ben.threads(`limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
            ids.push(...idsOf(page));
            ({ cursor } = page.json.meta);
          }
          expect(ids).toHaveLength(new Set(ids).size);
          expect(ids).toEqual(expect.arrayContaining(threads));
        }
        writing = false;
        await writers;
      });

      test('calls with one idempotency key write one message', async () => {
        const thread = await makeConversation(ada, 1);
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, call) =>
            ben.write(thread, { body: 'Einmal' }, { once: 'k', at: instance(call) }),
          ),
        );
        for (const { status } of answers) expect([200, 409]).toContain(status);
        expect(textsOf(await ada.messages(thread))).toEqual(['1', 'Einmal']);
      });

      describe.runIf(services > 1)('transactions that overlap', () => {
        /** Returns once a transaction waits for another one. @throws when `work` is done instead */
        async function mustWait(work: Promise<unknown>): Promise<void> {
          let done = false;
          work.then(() => {
            done = true;
          });
          const waiting = sql`SELECT 1 AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
          while ((await store.autocommit(z.strictObject({ n: z.int() }), waiting)).length === 0) {
            if (done) throw new Error('It did not wait');
          }
        }

        test('one that commits late: whoever writes after it waits, and a reader that went on meanwhile misses none', async () => {
          const thread = await makeConversation(ada, 1);
          const { cursor } = (await ben.messages(thread)).json.meta;
          const late = holdNext(/^commit$/);
          const first = ada.write(thread, { body: 'spät' }, { at: instance(0) });
          await late.reached;
          const second = ben.write(thread, { body: 'danach' }, { at: instance(1) });
          await mustWait(second);
          const meanwhile = await ben.messages(thread, `cursor=${cursor}`);
          expect(textsOf(meanwhile)).toEqual([]);
          late.go();
          expect([(await first).status, (await second).status]).toEqual([200, 200]);
          const news = await ben.messages(thread, `cursor=${meanwhile.json.meta.cursor}`);
          expect(textsOf(news)).toEqual(['spät', 'danach']);
        });

        test('one that began early and takes its turn late: its message is the later one', async () => {
          const thread = await makeConversation(ada, 1);
          const early = holdNext(/begin_message/);
          const first = ada.write(thread, { body: 'früh begonnen' }, { at: instance(0) });
          await early.reached;
          await ben.write(thread, { body: 'schneller' }, { at: instance(1) });
          const page = await ben.messages(thread);
          expect(textsOf(page)).toEqual(['1', 'schneller']);
          early.go();
          await first;
          expect(textsOf(await ben.messages(thread, `cursor=${page.json.meta.cursor}`))).toEqual(['früh begonnen']);
        });

        test('one that commits late between two pages of the list: its thread keeps its place', async () => {
          const [oldest, middle] = [await makeConversation(ada, 1), await makeConversation(ada, 1)];
          await makeConversation(ada, 1);
          const late = holdNext(/^commit$/);
          const first = ada.write(oldest, { body: 'spät' }, { at: instance(0) });
          await late.reached;
          // In another thread, with another time: it becomes visible after the one that was first.
          const second = ben.create({}, { at: instance(1) });
          await mustWait(second);
          const page = await ben.threads('limit=1');
          late.go();
          const [, created] = await Promise.all([first, second]);
          const next = await ben.threads(`limit=5&cursor=${page.json.meta.cursor}`);
          expect(idsOf(next)).toEqual([middle, oldest]);
          expect(idsOf(await ben.threads()).slice(0, 2)).toEqual([created.json.data[0].id, oldest]);
        });

        test('one that commits late to one partner: what another partner writes to the same organisation waits', async () => {
          // The turn is that of each organisation: Ben, who was made between the two, has the greater id of one pair and
          // the smaller one of the other.
          const carla = await makeOrganisation(store, { name: 'Netz Carla' });
          const connection = await connect(store, ben.organisation, carla);
          const third = await correspondent(instances[0]!, store, carla, connection);
          const thread = await makeConversation(ada, 1);
          const late = holdNext(/^commit$/);
          const first = ada.write(thread, { body: 'spät' }, { at: instance(0) });
          await late.reached;
          const second = third.create({}, { at: instance(1) });
          await mustWait(second);
          late.go();
          const [{ status }, created] = await Promise.all([first, second]);
          expect([status, created.status]).toEqual([200, 200]);
          expect(idsOf(await ben.threads())).toEqual([created.json.data[0].id, thread]);
        });

        test('a connection cannot end while a message is written, and nothing is written after its end', async () => {
          const thread = await makeConversation(ada, 1);
          const late = holdNext(/^commit$/);
          const written = ada.write(thread, { body: 'gerade noch' }, { at: instance(0) });
          await late.reached;
          const ended = endConnection(store, pair.connection);
          await mustWait(ended);
          const tooLate = ended.then(() => ben.write(thread, { body: 'zu spät' }, { at: instance(1) }));
          late.go();
          expect((await written).status).toBe(200);
          expect((await tooLate).status).toBe(422);
          const begun = await makeCorrespondents(instances[0]!, store);
          const other = await makeConversation(begun.ada, 1);
          const early = holdNext(/begin_message/);
          const overtaken = begun.ada.write(other, { body: 'überholt' }, { at: instance(0) });
          await early.reached;
          await endConnection(store, begun.connection);
          early.go();
          expect((await overtaken).status).toBe(422);
          expect(textsOf(await begun.ben.messages(other))).toEqual(['1']);
        });
      });
    });
  },
);

const endConnection = (store: OrgStore, id: string) =>
  store.asOperator((session) => session.run(sql`UPDATE connections SET status = 'REVOKED' WHERE id = ${id}::uuid`));
