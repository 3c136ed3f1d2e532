import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { addressPolicy } from '../../../../api/webhooks/delivery/address.ts';
import { send } from '../../../../api/webhooks/delivery/send.ts';
import { readSettings } from '../../../../runtime/settings.ts';
import { sql } from '../../../../sql/org/statement.ts';
import type { OrgStore } from '../../../../sql/org/store.ts';
import { dispatchTo } from '../../../support/dispatcher.ts';
import { storeAlertEvent } from '../../../support/events.ts';
import { makeOrganisation } from '../../../support/organisation.ts';
import {
  answering,
  type Behaviour,
  closing,
  endless,
  hanging,
  hangingInBody,
  lyingBy,
  type Receiver,
  redirectingTo,
  startReceiver,
  trickling,
} from '../../../support/receiver.ts';
import { ANYWHERE, openFresh } from '../../../support/store-engines.ts';
import { makeEndpoint } from '../../../support/webhooks.ts';

/** A small soak: what `npm run bench -- webhooks` measures at length. Connections are real. */

const EVENTS = 15;

/** Receivers to which every message gets in the end, and others. */
const ARRIVING = ['/healthy', '/other', '/flaky', '/endless'];
const BROKEN: Readonly<Record<string, Behaviour>> = {
  '/failing': answering(500),
  '/hanging': hanging,
  '/hanging-in-body': hangingInBody,
  '/trickling': trickling,
  '/redirecting': redirectingTo('https://127.0.0.1:1/elsewhere'),
  '/closing': closing,
  '/lying': lyingBy(10),
};

let store: OrgStore;
let receiver: Receiver;
beforeAll(async () => {
  store = await openFresh(ANYWHERE);
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  await store?.close();
});

test('everything that can arrive arrives, whatever other receivers of the organisation do', async () => {
  const organisation = await makeOrganisation(store);
  for (const path of [...ARRIVING, ...Object.keys(BROKEN)]) {
    await makeEndpoint(store, organisation.id, { url: receiver.url + path });
  }
  for (const [path, behaviour] of Object.entries(BROKEN)) receiver.behave(path, behaviour);
  receiver.behave('/endless', endless);
  const seen = new Set<unknown>();
  receiver.behave('/flaky', (response, delivery, request) => {
    answering(seen.has(delivery.headers['webhook-id']) ? 200 : 503)(response, delivery, request);
    seen.add(delivery.headers['webhook-id']);
  });
  const addresses = addressPolicy(readSettings({ WEBHOOK_ALLOWED_HOSTS: receiver.host }));
  const dispatcher = dispatchTo((message, signal) => send(message, { addresses, signal, timeoutMs: 5_000 }), store, {
    schedule: Array(100).fill(50),
    places: 4,
    placeMs: 50,
  });
  const ids: string[] = [];
  for (let event = 0; event < EVENTS; event++) {
    ids.push((await storeAlertEvent(store, organisation)).id);
    dispatcher.wake();
  }
  const statesOf = (paths: readonly string[]) =>
    store.asOperator((session) =>
      session.rows(
        z.strictObject({ state: z.string(), deliveries: z.int() }),
        sql`SELECT d.state, count(*) AS deliveries FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
            WHERE e.url = ANY (${paths.map((path) => receiver.url + path)}::text[]) GROUP BY d.state`,
      ),
    );
  await expect
    .poll(() => statesOf(ARRIVING), { timeout: 120_000 })
    .toEqual([{ state: 'DELIVERED', deliveries: ARRIVING.length * EVENTS }]);
  await dispatcher.stop(0);
  for (const path of ARRIVING) {
    expect(new Set(receiver.to(path).map(({ headers }) => headers['webhook-id'])), path).toEqual(new Set(ids));
  }
  expect((await statesOf(Object.keys(BROKEN))).map(({ state }) => state)).not.toContain('DELIVERED');
});
