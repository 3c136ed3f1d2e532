import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrganisationRow } from '../../../../sql/org/organisations.ts';
import { sql } from '../../../../sql/org/statement.ts';
import type { OrgStore } from '../../../../sql/org/store.ts';
import type { EndpointRow } from '../../../../sql/org/webhooks/endpoints.ts';
import { replayDelivery, replayUndelivered } from '../../../../sql/org/webhooks/replay.ts';
import { deliveryOf, settleDelivery } from '../../../support/deliveries.ts';
import { answering, attemptsOf, deliveriesOf, dispatchTo } from '../../../support/dispatcher.ts';
import { storeAlertEvent } from '../../../support/events.ts';
import { makeOrganisation } from '../../../support/organisation.ts';
import { ANYWHERE, openFresh } from '../../../support/store-engines.ts';
import { makeEndpoint } from '../../../support/webhooks.ts';

/** Replaying deliveries, one or all that never arrived. */

let store: OrgStore;
let organisation: OrganisationRow;
let endpoint: EndpointRow;
beforeAll(async () => {
  store = await openFresh(ANYWHERE);
});
afterAll(() => store?.close());
beforeEach(async () => {
  organisation = await makeOrganisation(store);
  endpoint = await makeEndpoint(store, organisation.id);
});

/** Makes a delivery that is in the given state. */
async function delivery(
  state: 'PENDING' | 'DELIVERED' | 'FAILED' | 'SKIPPED',
  createdAt = '2026-11-20T12:00:00.000Z',
  to = endpoint,
) {
  const event = await storeAlertEvent(store, organisation);
  const id = await deliveryOf(store, event.id, to.id);
  const attempts = state === 'SKIPPED' ? [] : [{ at: createdAt, status: state === 'DELIVERED' ? 200 : 500 }];
  await settleDelivery(store, id, { state, createdAt, attempts, nextAttemptAt: '2126-01-01T00:00:00.000Z' });
  return id;
}
const replay = (id: string) =>
  store.asOrganisation(organisation.id, (session) => replayDelivery(session, organisation.id, id));
const replayAll = (which: Parameters<typeof replayUndelivered>[2]) =>
  store.asOrganisation(organisation.id, (session) => replayUndelivered(session, organisation.id, which));
const disable = () =>
  store.asOperator((session) =>
    session.run(sql`UPDATE webhook_endpoints SET disabled = true, disabled_reason = 'MANUAL', disabled_at = now()
      WHERE id = ${endpoint.id}::uuid`),
  );
const pending = async () =>
  (await deliveriesOf(store, organisation)).filter(({ state }) => state === 'PENDING').map(({ id }) => id);

describe('one delivery', () => {
  test.each(['DELIVERED', 'FAILED', 'SKIPPED', 'PENDING'] as const)(
    'that is %s is due at once, from the beginning of the schedule',
    async (state) => {
      const id = await delivery(state);
      expect(await replay(id)).toBe(1);
      const [now] = await deliveriesOf(store, organisation);
      expect(now).toMatchObject({ state: 'PENDING', attempts: 0 });
      expect(Date.parse(now!.nextAttemptAt!)).toBeLessThanOrEqual(Date.now() + 1_000);
    },
  );

  test('keeps its attempts, and counts on', async () => {
    await replay(await delivery('FAILED'));
    const dispatcher = dispatchTo(() => answering(200), store);
    await expect.poll(async () => (await deliveriesOf(store, organisation))[0]?.state).toBe('DELIVERED');
    await dispatcher.stop(0);
    expect((await attemptsOf(store, organisation)).map(({ number, status }) => [number, status])).toEqual([
      [1, 500],
      [2, 200],
    ]);
    expect(await deliveriesOf(store, organisation)).toMatchObject([{ attempts: 1 }]);
  });

  test('is refused while its endpoint is disabled, or the organisation may not use webhooks', async () => {
    const id = await delivery('FAILED');
    await disable();
    expect(await replay(id)).toBe('DISABLED');
    await store.asOperator((session) =>
      session.run(sql`UPDATE webhook_endpoints SET disabled = false, disabled_reason = NULL, disabled_at = NULL`),
    );
    await store.asOperator((session) =>
      session.run(
        sql`UPDATE organisations SET limits = '{"webhooksEnabled": false}' WHERE id = ${organisation.id}::uuid`,
      ),
    );
    expect(await replay(id)).toBe('DISABLED');
    expect(await pending()).toEqual([]);
  });

  test('of another organisation is not found', async () => {
    const id = await delivery('FAILED');
    organisation = await makeOrganisation(store);
    expect(await replay(id)).toBe('NOT_FOUND');
    expect(await replay(crypto.randomUUID())).toBe('NOT_FOUND');
  });
});

describe('all that never arrived', () => {
  test('since a moment, are due: failed and skipped ones, and no others', async () => {
    await delivery('FAILED', '2026-11-20T11:59:59.999Z');
    const wanted = [await delivery('FAILED'), await delivery('SKIPPED', '2026-11-21T00:00:00.000Z')];
    await delivery('DELIVERED');
    expect(await replayAll({ since: '2026-11-20T12:00:00.000Z' })).toBe(2);
    expect((await pending()).toSorted()).toEqual(wanted.toSorted());
    expect(await replayAll({ since: '2026-11-20T12:00:00.000Z' })).toBe(0);
  });

  test('of one endpoint, or of all that are not disabled', async () => {
    const other = await makeEndpoint(store, organisation.id);
    const [mine, others] = [await delivery('FAILED'), await delivery('FAILED', undefined, other)];
    // Each event has a delivery to both endpoints; the one that is not looked at has arrived.
    await store.asOperator((session) =>
      session.run(sql`UPDATE webhook_deliveries SET state = 'DELIVERED', next_attempt_at = NULL
        WHERE organisation_id = ${organisation.id}::uuid AND NOT id = ANY (${[mine, others]}::uuid[])`),
    );
    await disable();
    expect(await replayAll({ since: '2026-01-01T00:00:00Z', endpointId: endpoint.id })).toBe('DISABLED');
    expect(await replayAll({ since: '2026-01-01T00:00:00Z', endpointId: crypto.randomUUID() })).toBe('NOT_FOUND');
    expect(await replayAll({ since: '2026-01-01T00:00:00Z' })).toBe(1);
    expect(await pending()).toEqual([others]);
    expect(await replayAll({ since: '2026-01-01T00:00:00Z', endpointId: other.id })).toBe(0);
  });
});
