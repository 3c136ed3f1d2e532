import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Pace } from '../../../../api/webhooks/delivery/dispatcher.ts';
import { SCHEDULE } from '../../../../api/webhooks/delivery/schedule.ts';
import type { OrganisationRow } from '../../../../sql/org/organisations.ts';
import { sql } from '../../../../sql/org/statement.ts';
import { type OrgStore, StoreUnavailable } from '../../../../sql/org/store.ts';
import {
  type EndpointRow,
  enabledEndpoint,
  endpointOf,
  endpointRow,
  putEndpoint,
} from '../../../../sql/org/webhooks/endpoints.ts';
import {
  answering,
  attemptsOf,
  deliveriesOf,
  dispatchTo,
  hanging,
  type Receiver,
  type SetClock,
  setClock,
  type TestDispatcher,
} from '../../../support/dispatcher.ts';
import { storeAlertEvent } from '../../../support/events.ts';
import { interceptSteps } from '../../../support/intercepted-store.ts';
import { makeOrganisation } from '../../../support/organisation.ts';
import { openFresh, POSTGRES, PREPARED } from '../../../support/store-engines.ts';
import { makeEndpoint, TEST_SECRET } from '../../../support/webhooks.ts';

/** What becomes of deliveries: the dispatcher over a real store, with receivers that are functions. */

const DAY = 86_400;

/** Waits for what comes about, on a busy machine too. */
const eventually = <Seen>(look: () => Seen | Promise<Seen>) => expect.poll(look, { timeout: 60_000 });

const payloadRow = z.strictObject({ payload: z.string() });

for (const engine of [PREPARED, POSTGRES]) {
  describe.skipIf(!engine.here)(`the dispatcher: ${engine.name}`, () => {
    let store: OrgStore;
    let organisation: OrganisationRow;
    let clock: SetClock;
    const running: TestDispatcher[] = [];

    beforeAll(async () => {
      store = await openFresh(engine);
    });
    afterAll(() => store?.close());
    beforeEach(async () => {
      organisation = await makeOrganisation(store);
      clock = setClock();
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((dispatcher) => dispatcher.stop(0)));
      await store.asOperator((session) => session.run(sql`DELETE FROM organisations`));
    });

    const dispatch = (receiver: Receiver, pace: Partial<Pace> = {}, over = store): TestDispatcher => {
      const dispatcher = dispatchTo(receiver, over, { now: clock.now, ...pace });
      running.push(dispatcher);
      return dispatcher;
    };
    const add = (choices: Parameters<typeof makeEndpoint>[2] = {}) => makeEndpoint(store, organisation.id, choices);
    const happen = () => storeAlertEvent(store, organisation);
    const endpointNow = (row: EndpointRow) =>
      store.asOperator((session) => session.row(endpointRow, endpointOf(row.organisationId, row.id)));
    const deliveries = () => deliveriesOf(store, organisation);
    const states = async () => (await deliveries()).map(({ state }) => state);
    /** Waits until the attempts so far have been written. */
    const attempted = (count: number) =>
      eventually(async () => (await attemptsOf(store, organisation)).length).toBe(count);

    test('sends what the event says, under its id and with the secrets of the endpoint', async () => {
      const endpoint = await add();
      const event = await happen();
      const { sent } = dispatch(() => answering(204));
      await eventually(states).toEqual(['DELIVERED']);
      const stored = await store.asOperator((session) =>
        session.rows(payloadRow, sql`SELECT payload FROM events WHERE id = ${event.id}::uuid`),
      );
      expect(sent).toEqual([{ id: event.id, body: stored[0]!.payload, url: endpoint.url, secrets: [TEST_SECRET] }]);
      expect(await attemptsOf(store, organisation)).toEqual([
        { number: 1, status: 204, error: null, answer: '', ms: 7 },
      ]);
      expect(await deliveries()).toMatchObject([{ attempts: 1, nextAttemptAt: null, claimed: false }]);
    });

    test('begins at once when it is woken', async () => {
      await add();
      const dispatcher = dispatch(() => answering(200), { pollMs: 3_600_000 });
      await happen();
      dispatcher.wake();
      await eventually(states).toEqual(['DELIVERED']);
    });

    test('attempts ten times, each after the wait of the schedule, and gives up', async () => {
      await add();
      await happen();
      dispatch(() => ({ ms: 3, error: 'refused' }));
      for (const [index, wait] of [...SCHEDULE.slice(1), null].entries()) {
        await attempted(index + 1);
        const [delivery] = await deliveries();
        expect(delivery).toMatchObject(
          wait === null ? { state: 'FAILED', nextAttemptAt: null } : { state: 'PENDING', attempts: index + 1 },
        );
        clock.forward((wait ?? 0) / 1000);
      }
      expect((await attemptsOf(store, organisation)).map(({ number }) => number)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
      ]);
    });

    test('does not attempt again before the wait is over', async () => {
      await add();
      await happen();
      const { sent } = dispatch((_message) =>
        sent.length === 1 ? answering(503, { retryAfterMs: 3_600_000 }) : answering(200),
      );
      await attempted(1);
      clock.forward(3_590);
      // Another endpoint's message passes through the same loop in between.
      const other = await makeOrganisation(store);
      await makeEndpoint(store, other.id);
      await storeAlertEvent(store, other);
      await eventually(async () => (await deliveriesOf(store, other))[0]?.state).toBe('DELIVERED');
      expect(await states()).toEqual(['PENDING']);
      clock.forward(10);
      await eventually(states).toEqual(['DELIVERED']);
    });

    test('keeps what the receiver answered', async () => {
      await add();
      await happen();
      dispatch(() => answering(500, { answer: 'Fehler "ä"\n\u2028' }));
      await attempted(1);
      expect(await attemptsOf(store, organisation)).toMatchObject([{ status: 500, answer: 'Fehler "ä"\n\u2028' }]);
    });

    test('disables an endpoint whose receiver answers 410; what else was due waits until it is enabled', async () => {
      const endpoint = await add();
      await happen();
      await happen();
      const { sent } = dispatch(() => answering(sent.length === 1 ? 410 : 200), { places: 1 });
      await eventually(async () => (await endpointNow(endpoint))?.disabledReason).toBe('GONE');
      expect((await states()).toSorted()).toEqual(['FAILED', 'PENDING']);
      await happen();
      expect((await states()).toSorted()).toEqual(['FAILED', 'PENDING', 'SKIPPED']);
      const now = await endpointNow(endpoint);
      await store.asOperator((session) => session.run(putEndpoint(enabledEndpoint(now!, new Date().toISOString()))));
      await eventually(async () => (await states()).toSorted()).toEqual(['DELIVERED', 'FAILED', 'SKIPPED']);
    });

    test('disables an endpoint to which nothing arrived for five days', async () => {
      const endpoint = await add();
      await happen();
      dispatch(() => answering(500));
      await attempted(1);
      expect(await endpointNow(endpoint)).toMatchObject({ disabled: false });
      clock.forward(5 * DAY - 60);
      await attempted(2);
      expect(await endpointNow(endpoint)).toMatchObject({ disabled: false });
      clock.forward(DAY);
      await attempted(3);
      await eventually(async () => (await endpointNow(endpoint))?.disabledReason).toBe('FAILING');
      clock.forward(30 * DAY);
      expect(await deliveries()).toMatchObject([{ state: 'PENDING', attempts: 3, claimed: false }]);
    });

    test('counts the days anew after each success', async () => {
      const endpoint = await add();
      await happen();
      let status = 500;
      dispatch(() => answering(status));
      await attempted(1);
      expect((await endpointNow(endpoint))?.failingSince).not.toBeNull();
      status = 200;
      clock.forward(4 * DAY);
      await eventually(states).toEqual(['DELIVERED']);
      expect((await endpointNow(endpoint))?.failingSince).toBeNull();
      status = 500;
      clock.forward(4 * DAY);
      await happen();
      await attempted(3);
      expect(await endpointNow(endpoint)).toMatchObject({ disabled: false });
    });

    test('sends nothing while an endpoint is disabled, or its organisation may not use webhooks', async () => {
      const endpoint = await add();
      await happen();
      await store.asOperator((session) =>
        session.run(sql`UPDATE webhook_endpoints SET disabled = true, disabled_reason = 'MANUAL', disabled_at = now()`),
      );
      const barred = await makeOrganisation(store);
      await makeEndpoint(store, barred.id);
      await storeAlertEvent(store, barred);
      await store.asOperator((session) =>
        session.run(sql`UPDATE organisations SET limits = '{"webhooksEnabled": false}' WHERE id = ${barred.id}::uuid`),
      );
      const { sent } = dispatch(() => answering(200));
      const other = await makeOrganisation(store);
      await makeEndpoint(store, other.id);
      await storeAlertEvent(store, other);
      await eventually(async () => (await deliveriesOf(store, other))[0]?.state).toBe('DELIVERED');
      expect(sent).toHaveLength(1);
      await store.asOperator((session) =>
        session.run(putEndpoint(enabledEndpoint(endpoint, new Date().toISOString()))),
      );
      await eventually(states).toEqual(['DELIVERED']);
    });

    test('sends up to four messages at once to an endpoint, and one while it fails', async () => {
      await add();
      for (let events = 0; events < 10; events++) await happen();
      let [now, most] = [0, 0];
      const gate = Promise.withResolvers<void>();
      const dispatcher = dispatch(async () => {
        most = Math.max(most, ++now);
        await gate.promise;
        now -= 1;
        return answering(500);
      });
      await eventually(() => now).toBe(4);
      gate.resolve();
      await eventually(() => dispatcher.sent.length).toBeGreaterThanOrEqual(4);
      await attempted(10);
      expect(most).toBe(4);
      [now, most] = [0, 0];
      clock.forward(5);
      await attempted(20);
      expect(most).toBe(1);
    });

    test('delivers at once, however many endpoints of others hang', async () => {
      const pace = { places: 8, placeMs: 30 };
      const hangers = await Promise.all(Array.from({ length: 6 }, () => makeOrganisation(store)));
      for (const { id } of hangers) {
        for (let endpoints = 0; endpoints < 5; endpoints++) await makeEndpoint(store, id, { description: 'hangs' });
      }
      for (const each of hangers) for (let events = 0; events < 4; events++) await storeAlertEvent(store, each);
      const healthy = await add();
      const dispatcher = dispatch(
        (message, signal) => (message.url === healthy.url ? answering(200) : hanging(message, signal)),
        pace,
      );
      // More hang than there are places.
      await eventually(() => dispatcher.sent.length).toBeGreaterThan(2 * pace.places);
      const before = dispatcher.sent.length;
      await happen();
      await eventually(states).toEqual(['DELIVERED']);
      const begunBefore = dispatcher.sent.slice(before).findIndex(({ url }) => url === healthy.url);
      expect(begunBefore).toBeLessThanOrEqual(3 * pace.places);
    });

    test('takes over what an instance that crashed had claimed, once its lease has run out', async () => {
      await add();
      await happen();
      // It sees no time pass, and so claims nothing anew.
      const crashed = dispatch(hanging, { now: () => sql`now()` });
      await eventually(() => crashed.sent.length).toBe(1);
      const next = dispatch(() => answering(200));
      clock.forward(59);
      const other = await makeOrganisation(store);
      await makeEndpoint(store, other.id, { url: 'https://empfang.example/other' });
      await storeAlertEvent(store, other);
      await eventually(() => crashed.sent.length + next.sent.length).toBe(2);
      expect(await deliveries()).toMatchObject([{ state: 'PENDING', claimed: true }]);
      clock.forward(2);
      await eventually(states).toEqual(['DELIVERED']);
    });

    test('an attempt that ends after its lease is noted, and changes nothing', async () => {
      await add();
      await happen();
      const late = Promise.withResolvers<void>();
      const slow = dispatch(async () => {
        await late.promise;
        return answering(500);
      });
      await eventually(() => slow.sent.length).toBe(1);
      clock.forward(61);
      const next = dispatch(() => answering(200));
      await eventually(states).toEqual(['DELIVERED']);
      late.resolve();
      await attempted(2);
      expect(next.sent.length + slow.sent.length).toBe(2);
      expect(await deliveries()).toMatchObject([{ state: 'DELIVERED', attempts: 1 }]);
      expect((await attemptsOf(store, organisation)).map(({ status }) => status)).toEqual([200, 500]);
    });

    test('two instances deliver each message once', async () => {
      for (let endpoints = 0; endpoints < 3; endpoints++) await add();
      const both = [dispatch(() => answering(200)), dispatch(() => answering(200))];
      for (let events = 0; events < 40; events++) {
        await happen();
        both[events % 2]!.wake();
      }
      await eventually(async () => (await states()).every((state) => state === 'DELIVERED')).toBe(true);
      const sent = both.flatMap((dispatcher) => dispatcher.sent.map(({ id, url }) => `${id} ${url}`));
      expect(sent).toHaveLength(120);
      expect(new Set(sent).size).toBe(120);
    });

    describe('when it stops', () => {
      test('lets attempts end that are under way, and begins none', async () => {
        await add();
        for (let events = 0; events < 6; events++) await happen();
        const gate = Promise.withResolvers<void>();
        const dispatcher = dispatch(async () => {
          await gate.promise;
          return answering(200);
        });
        await eventually(() => dispatcher.sent.length).toBe(4);
        const stopped = dispatcher.stop(60_000);
        gate.resolve();
        await stopped;
        expect(dispatcher.sent).toHaveLength(4);
        expect((await states()).toSorted()).toEqual([
          'DELIVERED',
          'DELIVERED',
          'DELIVERED',
          'DELIVERED',
          'PENDING',
          'PENDING',
        ]);
      });

      test('breaks off what takes longer, and leaves it due for the next start', async () => {
        await add();
        await happen();
        const dispatcher = dispatch(hanging);
        await eventually(() => dispatcher.sent.length).toBe(1);
        await dispatcher.stop(10);
        expect(await deliveries()).toMatchObject([{ state: 'PENDING', attempts: 0, claimed: false }]);
        expect(await attemptsOf(store, organisation)).toEqual([]);
        dispatch(() => answering(200));
        await eventually(states).toEqual(['DELIVERED']);
      });
    });

    describe('goes on', () => {
      test('after an outage of the store, with what was answered meanwhile', async () => {
        await add();
        await happen();
        let down = false;
        const failing = interceptSteps(store, () => {
          if (down) throw new StoreUnavailable('The organisation store does not answer');
        });
        const dispatcher = dispatch(
          () => {
            down = true;
            return answering(200);
          },
          {},
          failing,
        );
        await eventually(() => down).toBe(true);
        expect(await states()).toEqual(['PENDING']);
        down = false;
        await eventually(states).toEqual(['DELIVERED']);
        expect(dispatcher.sent).toHaveLength(1);
      });

      test('past an endpoint whose secret cannot be read: its attempts fail, and the receiver is not blamed', async () => {
        const unreadable = await add({ url: 'https://empfang.example/unreadable' });
        await add();
        await store.asOperator((session) =>
          session.run(sql`UPDATE webhook_endpoints SET secret = 'AAAA' WHERE url LIKE '%unreadable'`),
        );
        await happen();
        const { sent } = dispatch(() => answering(200));
        await eventually(async () => (await states()).toSorted()).toEqual(['DELIVERED', 'PENDING']);
        await attempted(2);
        expect(sent).toHaveLength(1);
        expect((await attemptsOf(store, organisation)).filter(({ error }) => error !== null)).toEqual([
          {
            number: 1,
            status: null,
            error: 'The service could not sign the message: its operator has to bring back a key',
            answer: null,
            ms: 0,
          },
        ]);
        const refused = (await deliveries()).find(({ endpointId }) => endpointId === unreadable.id);
        expect(refused).toMatchObject({ state: 'PENDING', attempts: 1, claimed: false });
        expect(await endpointNow(unreadable)).toMatchObject({ failingSince: null, disabled: false });
        await store.asOperator((session) => session.run(putEndpoint(unreadable)));
        clock.forward(5);
        await eventually(states).toEqual(['DELIVERED', 'DELIVERED']);
      });

      test('past an attempt whose delivery, or whose endpoint, is gone when it ends', async () => {
        const gate = Promise.withResolvers<void>();
        const { sent } = dispatch(async () => {
          if (sent.length <= 2) await gate.promise;
          return answering(500);
        });
        await add({ url: 'https://empfang.example/swept' });
        const swept = await happen();
        await eventually(() => sent.length).toBe(1);
        const deleted = await add({ url: 'https://empfang.example/deleted' });
        await store.asOperator(async (session) => {
          await session.run(sql`UPDATE webhook_endpoints SET event_types = '{}' WHERE id <> ${deleted.id}::uuid`);
        });
        await happen();
        await eventually(() => sent.length).toBe(2);
        await store.asOperator(async (session) => {
          await session.run(sql`DELETE FROM events WHERE id = ${swept.id}::uuid`);
          await session.run(sql`DELETE FROM webhook_endpoints WHERE id = ${deleted.id}::uuid`);
        });
        gate.resolve();
        const kept = await add({ url: 'https://empfang.example/kept' });
        await happen();
        await attempted(1);
        expect(await deliveries()).toMatchObject([{ endpointId: kept.id, state: 'PENDING', attempts: 1 }]);
      });

      test('past an attempt that the store does not take', async () => {
        const poisoned = await add();
        await add();
        await happen();
        // Postgres has no place for a zero in a text.
        dispatch(({ url }) => answering(200, { answer: url === poisoned.url ? 'a\0b' : 'fine' }));
        await eventually(async () => (await states()).toSorted()).toEqual(['DELIVERED', 'PENDING']);
      });
    });
  });
}
