import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SCHEDULE } from '../../../../api/webhooks/delivery/schedule.ts';
import { sql } from '../../../../sql/org/statement.ts';
import { enabledEndpoint, putEndpoint } from '../../../../sql/org/webhooks/endpoints.ts';
import { answering, attemptsOf, deliveriesOf, hanging } from '../../../support/dispatcher.ts';
import { storeAlertEvent } from '../../../support/events.ts';
import { makeOrganisation } from '../../../support/organisation.ts';
import { POSTGRES, PREPARED } from '../../../support/store-engines.ts';
import { makeEndpoint, TEST_SECRET } from '../../../support/webhooks.ts';
import { dispatching, eventually } from './dispatching.ts';

/** Deliveries and their outcomes: the dispatcher over a real store, with receivers that are functions. */

const DAY = 86_400;

const payloadRow = z.strictObject({ payload: z.string() });

for (const engine of [PREPARED, POSTGRES]) {
  describe.skipIf(!engine.here)(`the dispatcher: ${engine.name}`, () => {
    const subject = dispatching(engine);
    const { clock, dispatch, add, happen, endpointNow, deliveries, states, attempted } = subject;

    test('sends what the event says, under its id and with the secrets of the endpoint', async () => {
      const endpoint = await add();
      const event = await happen();
      const { sent } = dispatch(() => answering(204));
      await eventually(states).toEqual(['DELIVERED']);
      const stored = await subject.store.asOperator((session) =>
        session.rows(payloadRow, sql`SELECT payload FROM events WHERE id = ${event.id}::uuid`),
      );
      expect(sent).toEqual([{ id: event.id, body: stored[0]!.payload, url: endpoint.url, secrets: [TEST_SECRET] }]);
      expect(await attemptsOf(subject.store, subject.organisation)).toEqual([
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
      expect((await attemptsOf(subject.store, subject.organisation)).map(({ number }) => number)).toEqual([
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
      const other = await makeOrganisation(subject.store);
      await makeEndpoint(subject.store, other.id);
      await storeAlertEvent(subject.store, other);
      await eventually(async () => (await deliveriesOf(subject.store, other))[0]?.state).toBe('DELIVERED');
      expect(await states()).toEqual(['PENDING']);
      clock.forward(10);
      await eventually(states).toEqual(['DELIVERED']);
    });

    test('keeps what the receiver answered', async () => {
      await add();
      await happen();
      dispatch(() => answering(500, { answer: 'Fehler "ä"\n\u2028' }));
      await attempted(1);
      expect(await attemptsOf(subject.store, subject.organisation)).toMatchObject([
        { status: 500, answer: 'Fehler "ä"\n\u2028' },
      ]);
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
      await subject.store.asOperator((session) =>
        session.run(putEndpoint(enabledEndpoint(now!, new Date().toISOString()))),
      );
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
      await subject.store.asOperator((session) =>
        session.run(sql`UPDATE webhook_endpoints SET disabled = true, disabled_reason = 'MANUAL', disabled_at = now()`),
      );
      const barred = await makeOrganisation(subject.store);
      await makeEndpoint(subject.store, barred.id);
      await storeAlertEvent(subject.store, barred);
      await subject.store.asOperator((session) =>
        session.run(sql`UPDATE organisations SET limits = '{"webhooksEnabled": false}' WHERE id = ${barred.id}::uuid`),
      );
      const { sent } = dispatch(() => answering(200));
      const other = await makeOrganisation(subject.store);
      await makeEndpoint(subject.store, other.id);
      await storeAlertEvent(subject.store, other);
      await eventually(async () => (await deliveriesOf(subject.store, other))[0]?.state).toBe('DELIVERED');
      expect(sent).toHaveLength(1);
      await subject.store.asOperator((session) =>
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
      const hangers = await Promise.all(Array.from({ length: 6 }, () => makeOrganisation(subject.store)));
      for (const { id } of hangers) {
        for (let endpoints = 0; endpoints < 5; endpoints++)
          await makeEndpoint(subject.store, id, { description: 'hangs' });
      }
      for (const each of hangers) for (let events = 0; events < 4; events++) await storeAlertEvent(subject.store, each);
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
  });
}
