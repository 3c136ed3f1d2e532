import { deliveryOf, settleDelivery } from '../support/deliveries.ts';
import { storeAlertEvent } from '../support/events.ts';
import type { OwnSubject } from '../support/service.ts';
import { makeEndpoint } from '../support/webhooks.ts';

const NAMES = ['Windräder <b>Cuxhaven</b>', 'Speicher', 'Förderende'] as const;
const ANSWER = '<script>alert("x")</script> & mehr';

/** Ids of two endpoints that three events were delivered to. */
export interface DeliveryLog {
  readonly good: string;
  readonly failing: string;
  /** Deliveries of the three events to the failing endpoint. */
  readonly deliveries: string[];
}

/** Stores events of the organisation, and how their deliveries went. */
export async function fillDeliveryLog({ store, organisation }: OwnSubject): Promise<DeliveryLog> {
  const good = (await makeEndpoint(store, organisation.id, { description: 'Leitstand' })).id;
  const since = '2026-03-10T08:00:00.000Z';
  const failing = (
    await makeEndpoint(store, organisation.id, { failingSince: since, url: 'https://kaputt.example/hook' })
  ).id;
  const deliveries: string[] = [];
  for (const name of NAMES) {
    const alert = { id: '019a0f6e-7c1b-7d52-9f0e-00000000a001', name, template: 'NEW_UNIT' as const };
    const event = await storeAlertEvent(store, organisation, { alert, matchCount: 1200 });
    const at = '2026-03-14T23:30:00.000Z';
    const attempts = [{ at, ms: 80, status: 204 }];
    await settleDelivery(store, await deliveryOf(store, event.id, good), { state: 'DELIVERED', attempts });
    deliveries.push(await deliveryOf(store, event.id, failing));
  }
  await settleDelivery(store, deliveries[0]!, {
    state: 'FAILED',
    createdAt: '2026-03-14T23:30:00.000Z',
    attempts: [
      { at: '2026-03-14T23:30:00.000Z', ms: 15_000, error: 'no answer within 15 seconds' },
      { at: '2026-03-14T23:30:05.000Z', ms: 1_250, status: 503, answer: ANSWER },
    ],
  });
  await settleDelivery(store, deliveries[1]!, { state: 'SKIPPED', createdAt: '2026-03-14T22:30:00.000Z' });
  const due = new Date(Date.now() + 3_600_000).toISOString();
  await settleDelivery(store, deliveries[2]!, { state: 'PENDING', nextAttemptAt: due });
  return { good, failing, deliveries };
}

/** The text that people read on a page. */
export const words = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
