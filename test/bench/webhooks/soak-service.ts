import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startService } from '../../../api/server.ts';
import { openLog } from '../../../runtime/log.ts';
import { itemAt } from '../../../runtime/present.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { encryptionKey } from '../../../sql/org/encryption.ts';
import { sql } from '../../../sql/org/statement.ts';
import { openOrgStore } from '../../../sql/org/store.ts';
import { storeAlertEvent } from '../../support/events.ts';
import { makeCaller, makeOrganisation } from '../../support/organisation.ts';
import { makeEndpoint } from '../../support/webhooks.ts';
import { CROWD_ENDPOINTS, crowdPath, ENDPOINTS } from './kinds.ts';

/**
 * The service of the soak in a process of its own: it also makes organisations, endpoints and events, since an embedded
 * store belongs to it alone. Prints its address and a key.
 */

export type Order =
  | { readonly order: 'arrange'; readonly receivers: string; readonly organisations: number; readonly crowd: number }
  | { readonly order: 'store'; readonly events: number; readonly perSecond: number }
  | { readonly order: 'count' };

/** Deliveries and attempts, by url of the endpoint. */
const countRow = z.strictObject({
  url: z.string(),
  deliveries: z.int(),
  delivered: z.int(),
  failed: z.int(),
  attempts: z.int(),
  disabled: z.boolean(),
});

export type Count = z.infer<typeof countRow>;

/** The schedule of the service, shortened from days to minutes. */
const SCHEDULE = [0, 1_000, 10_000, 60_000, 300_000, 300_000, 300_000, 300_000, 300_000, 300_000];

const UNLIMITED = 1_000_000_000;
const settings = readSettings();
const log = await openLog(settings.LOG_LEVEL);
const store = await openOrgStore(settings, log);
await store.migrate('apply');
const key = await makeCaller(store, {
  limits: { standard: UNLIMITED, mutation: UNLIMITED, expensive: UNLIMITED },
  quota: UNLIMITED,
});
const service = await startService(settings, log, store, { pace: { schedule: SCHEDULE } });
process.stdout.write(`${JSON.stringify({ url: service.url, key })}\n`);

const organisations: { readonly id: string }[] = [];

/** Messages to each endpoint of the crowd. */
const CROWD_EVENTS = 10;

async function arrange(receivers: string, count: number, crowd: number): Promise<void> {
  const keys = (settings.ENCRYPTION_KEYS ?? []).map(encryptionKey);
  for (let made = 0; made < count; made++) organisations.push(await makeOrganisation(store));
  for (const [index, { path }] of ENDPOINTS.entries()) {
    await makeEndpoint(store, itemAt(organisations, index % count).id, { url: receivers + path }, keys);
  }
  for (let organisation = 0; organisation < crowd; organisation++) {
    const hanging = await makeOrganisation(store);
    for (let endpoint = 0; endpoint < CROWD_ENDPOINTS; endpoint++) {
      await makeEndpoint(store, hanging.id, { url: receivers + crowdPath(organisation, endpoint) }, keys);
    }
    for (let events = 0; events < CROWD_EVENTS; events++) await storeAlertEvent(store, hanging);
  }
}

/** Stores events at a pace that does not depend on how long each takes. */
async function storeEvents(events: number, perSecond: number): Promise<void> {
  const began = performance.now();
  for (let stored = 0; stored < events; stored++) {
    const early = began + (stored * 1000) / perSecond - performance.now();
    if (early > 0) await sleep(early);
    await storeAlertEvent(store, itemAt(organisations, stored % organisations.length), {
      mastrNumbers: Array.from({ length: 100 }, (_, index) => `SEE9${String(index).padStart(11, '0')}`),
    });
    service.webhooks.wake();
  }
}

const count = (): Promise<Count[]> =>
  store.asOperator((session) =>
    session.rows(
      countRow,
      sql`SELECT e.url, count(*) AS deliveries, count(*) FILTER (WHERE d.state = 'DELIVERED') AS delivered,
            count(*) FILTER (WHERE d.state = 'FAILED') AS failed, e.disabled,
            (SELECT count(*) FROM webhook_attempts a JOIN webhook_deliveries o ON o.id = a.delivery_id
              WHERE o.endpoint_id = e.id) AS attempts
          FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
          WHERE d.organisation_id = ANY (${organisations.map(({ id }) => id)}::uuid[]) GROUP BY e.id`,
    ),
  );

async function obey(order: Order): Promise<unknown> {
  if (order.order === 'arrange') return arrange(order.receivers, order.organisations, order.crowd);
  if (order.order === 'store') return storeEvents(order.events, order.perSecond);
  return count();
}

process.on('message', (order: Order) => {
  obey(order).then(
    (answer) => process.send?.({ answer: answer ?? null }),
    (error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`);
      process.exit(1);
    },
  );
});

const end = async (): Promise<void> => {
  await service.close();
  await store.close();
  process.exit(0);
};
process.once('SIGTERM', end);
process.once('disconnect', end);
