import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AlertRow, putAlerts } from '../../sql/org/alerts/alerts.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildChain, type Chain } from '../api/delta/chain.ts';
import { cases, drawn } from '../support/cases.ts';
import { ENCRYPTION_KEY } from '../support/contacts.ts';
import { answering, type Receiver, startReceiver } from '../support/receiver.ts';
import { type ServiceResponse, subject } from '../support/service.ts';
import { end, type ServiceProcess } from '../support/service-process.ts';
import { makeEndpoint, TEST_SECRET } from '../support/webhooks.ts';
import { drawnStores, type Installation, makeInstallation } from './installation.ts';

/**
 * The service is killed before steps between a published version and the last attempt to deliver what it means, once
 * before each, and while a receiver has a message but has not answered. Every event is stored once, and every delivery
 * arrives at least once, with the same id and the bytes of GET /v1/events.
 */

const SELF_KILLING = new URL('self-killing-alerts.ts', import.meta.url);

/** The engines take the same steps, so a run tries a fifth of them, on one. CASES=2 tries all on both. */
const SHARE = cases(1) === 1 ? `${drawn([0, 1, 2, 3, 4], 1)[0]}/5` : '0/1';

/** Moments that must be among those drawn from, however the statements are named. */
const MOMENTS = [
  /^INSERT INTO evaluations/,
  /^INSERT INTO alert_evaluations/,
  /INSERT INTO events/,
  /^commit: .*(alert_evaluations|webhook_deliveries|alerts)/,
  /^committed: /,
  /^INSERT INTO webhook_attempts/,
];

let chain: Chain;
const seen: string[] = [];
beforeAll(async () => {
  chain = await buildChain();
}, 240_000);
afterAll(() => chain.remove());

describe.each(drawnStores(0))('$name', ({ engine }) => {
  let place: Installation;
  let service: ServiceProcess | undefined;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    place = await makeInstallation(engine, (warehouse) => chain.into(warehouse));
  });
  afterAll(async () => {
    if (service !== undefined) await end(service, 'SIGKILL');
    place?.remove();
    await receiver.stop();
  });

  /** Alerts, endpoints, and a version that was served before the one that is news. */
  async function arrange(): Promise<void> {
    const [first = '', second = ''] = chain.versions;
    publish(place.warehouse, first, 'build', new Date(Date.now() - 60_000));
    const store = await place.openStore();
    const at = new Date(Date.now() - 30_000).toISOString();
    const alerts = [
      alertOf(at, { name: 'Alles Neue' }),
      alertOf(at, { name: 'Neue Solaranlagen', criteria: { einheitTyp: ['solar'] } }),
      alertOf(at, { name: 'Gemeldet', template: 'SIGNAL_CHANGE', signals: ['neu_registriert'] }),
    ];
    await store.asOperator((session) => session.run(putAlerts(place.organisation.id, alerts)));
    for (const path of ['/held', '/failing']) {
      await makeEndpoint(store, place.organisation.id, { url: receiver.url + path });
    }
    await store.close();
    publish(place.warehouse, second, 'build', new Date());
  }

  const start = () =>
    place.start(SELF_KILLING, {
      ENCRYPTION_KEYS: ENCRYPTION_KEY,
      WEBHOOK_ALLOWED_HOSTS: receiver.host,
      NODE_EXTRA_CA_CERTS: receiver.authorityFile,
      SURVIVED: survived(),
      SEEN: join(place.warehouse, 'seen'),
      SHARE,
    });
  const survived = () => join(place.warehouse, 'survived');

  /** Waits until the process has nothing to do or is dead. @returns the signal that ended it, or null */
  async function hasDoneAll({ child, ended }: ServiceProcess): Promise<NodeJS.Signals | null> {
    for (;;) {
      child.send('progress', () => {});
      const answered = once(child, 'message').then(([{ open }]) => open as number);
      const seen = await Promise.race([answered, ended]);
      if (typeof seen !== 'number') return seen;
      if (seen === 0) return null;
      await sleep(20);
    }
  }

  test('every event once, every delivery at least once, wherever it is killed', { timeout: 600_000 }, async () => {
    await arrange();
    writeFileSync(survived(), '');
    receiver.next('/held', () => service?.child.kill('SIGKILL'));
    receiver.next('/failing', answering(500), answering(503, { 'retry-after': '1' }));
    let kills = 0;
    let told: ServiceResponse | undefined;
    while (told === undefined) {
      service = await start().catch(() => undefined);
      // Steps behind the last delivery may end it while it answers.
      if (service !== undefined && (await hasDoneAll(service)) === null) {
        const events = subject(service.url, place.key).get('/v1/events');
        told = await events.catch((error: unknown) => {
          if (!(error instanceof TypeError)) throw error;
          return undefined;
        });
      }
      // A process that died before it listened has added its step, too.
      if (told === undefined) kills += 1;
    }
    if (service !== undefined) await end(service, 'SIGTERM');
    if ((await service?.ended) === 'SIGKILL') kills += 1;
    expect(kills).toBe(linesOf(survived()).length + 1);
    seen.push(...linesOf(join(place.warehouse, 'seen')));

    const { text, json } = told;
    const events: { eventId: string; data: { alert: { name: string }; matchCount: number } }[] = json.data;
    expect(events.map(({ data }) => data.alert.name).sort()).toEqual(['Alles Neue', 'Gemeldet', 'Neue Solaranlagen']);
    expect(events.every(({ data }) => data.matchCount > 0)).toBe(true);

    for (const path of ['/held', '/failing']) {
      const bodies = new Map<unknown, string>();
      for (const { headers, body } of receiver.to(path)) {
        new Webhook(TEST_SECRET).verify(body, headers as Record<string, string>);
        expect(bodies.get(headers['webhook-id']) ?? body).toBe(body);
        bodies.set(headers['webhook-id'], body);
      }
      expect(`{"data":[${events.map(({ eventId }) => bodies.get(eventId)).join(',')}],`).toBe(
        text.slice(0, text.indexOf('"meta"')),
      );
      expect(bodies.size).toBe(events.length);
    }
    const store = await place.openStore();
    expect(await recorded(store)).toEqual({ ended: 2, evaluated: 3, events: 3, delivered: 6, deliveries: 6 });
    await store.close();
  });
});

test('the moments that matter are among those at which the service may be killed', () => {
  expect(MOMENTS.filter((moment) => !seen.some((step) => moment.test(step)))).toEqual([]);
});

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** An alert that every unit matches, unless chosen otherwise. */
const alertOf = (enabledAt: string, choices: Partial<AlertRow>): AlertRow => ({
  ...{
    id: randomUUIDv7(),
    name: '',
    template: 'NEW_UNIT',
    signals: [],
    fields: [],
    criteria: {},
    savedFilterId: null,
    enabled: true,
  },
  ...{ enabledAt, fault: null, faultySince: null, createdAt: enabledAt, updatedAt: enabledAt },
  ...choices,
});

const recorded = (store: OrgStore) =>
  store.asOperator((session) =>
    session.row(
      z.strictObject({ ended: z.int(), evaluated: z.int(), events: z.int(), delivered: z.int(), deliveries: z.int() }),
      sql`SELECT (SELECT count(*) FROM evaluations WHERE ended_at IS NOT NULL AND error IS NULL) AS ended,
            (SELECT count(*) FROM alert_evaluations WHERE outcome = 'FIRED') AS evaluated,
            (SELECT count(*) FROM events) AS events,
            (SELECT count(*) FROM webhook_deliveries WHERE state = 'DELIVERED') AS delivered,
            (SELECT count(*) FROM webhook_deliveries) AS deliveries`,
    ),
  );
