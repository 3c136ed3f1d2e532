import { describe, expect, test } from 'vitest';
import { sql } from '../../../../sql/org/statement.ts';
import { StoreUnavailable } from '../../../../sql/org/store.ts';
import { putEndpoint } from '../../../../sql/org/webhooks/endpoints.ts';
import { answering, attemptsOf, hanging } from '../../../support/dispatcher.ts';
import { storeAlertEvent } from '../../../support/events.ts';
import { interceptSteps } from '../../../support/intercepted-store.ts';
import { makeOrganisation } from '../../../support/organisation.ts';
import { POSTGRES, PREPARED } from '../../../support/store-engines.ts';
import { makeEndpoint } from '../../../support/webhooks.ts';
import { dispatching, eventually } from './dispatching.ts';

/** Deliveries while the dispatcher crashes or stops, and while a part of its work cannot be done. */

for (const engine of [PREPARED, POSTGRES]) {
  describe.skipIf(!engine.here)(`the dispatcher: ${engine.name}`, () => {
    const subject = dispatching(engine);
    const { clock, dispatch, add, happen, endpointNow, deliveries, states, attempted } = subject;

    test('takes over what an instance that crashed had claimed, once its lease has run out', async () => {
      await add();
      await happen();
      // It sees no time pass, and so claims nothing anew.
      const crashed = dispatch(hanging, { now: () => sql`now()` });
      await eventually(() => crashed.sent.length).toBe(1);
      const next = dispatch(() => answering(200));
      clock.forward(59);
      const other = await makeOrganisation(subject.store);
      await makeEndpoint(subject.store, other.id, { url: 'https://empfang.example/other' });
      await storeAlertEvent(subject.store, other);
      await eventually(() => crashed.sent.length + next.sent.length).toBe(2);
      expect(await deliveries()).toMatchObject([{ state: 'PENDING', claimed: true }]);
      clock.forward(2);
      await eventually(states).toEqual(['DELIVERED']);
    });

    test('an attempt that ends after its lease is noted, and changes nothing', async () => {
      await add();
      await happen();
      const late = Promise.withResolvers<void>();
      const receiver = async () => {
        await late.promise;
        return answering(500);
      };
      // It looks once: after its lease it could claim the delivery itself, before the other.
      const slow = dispatch(receiver, { pollMs: 3_600_000 });
      await eventually(() => slow.sent.length).toBe(1);
      clock.forward(61);
      const next = dispatch(() => answering(200));
      await eventually(states).toEqual(['DELIVERED']);
      late.resolve();
      await attempted(2);
      expect(next.sent.length + slow.sent.length).toBe(2);
      expect(await deliveries()).toMatchObject([{ state: 'DELIVERED', attempts: 1 }]);
      expect((await attemptsOf(subject.store, subject.organisation)).map(({ status }) => status)).toEqual([200, 500]);
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
        expect(await attemptsOf(subject.store, subject.organisation)).toEqual([]);
        dispatch(() => answering(200));
        await eventually(states).toEqual(['DELIVERED']);
      });
    });

    describe('goes on', () => {
      test('after an outage of the store, with what was answered meanwhile', async () => {
        await add();
        await happen();
        let down = false;
        const failing = interceptSteps(subject.store, () => {
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
        await subject.store.asOperator((session) =>
          session.run(sql`UPDATE webhook_endpoints SET secret = 'AAAA' WHERE url LIKE '%unreadable'`),
        );
        await happen();
        const { sent } = dispatch(() => answering(200));
        await eventually(async () => (await states()).toSorted()).toEqual(['DELIVERED', 'PENDING']);
        await attempted(2);
        expect(sent).toHaveLength(1);
        expect((await attemptsOf(subject.store, subject.organisation)).filter(({ error }) => error !== null)).toEqual([
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
        await subject.store.asOperator((session) => session.run(putEndpoint(unreadable)));
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
        await subject.store.asOperator(async (session) => {
          await session.run(sql`UPDATE webhook_endpoints SET event_types = '{}' WHERE id <> ${deleted.id}::uuid`);
        });
        await happen();
        await eventually(() => sent.length).toBe(2);
        await subject.store.asOperator(async (session) => {
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
