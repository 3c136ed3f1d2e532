import { pino } from 'pino';
import { z } from 'zod';
import { type Dispatcher, type Pace, startDispatcher } from '../../api/webhooks/delivery/dispatcher.ts';
import type { Message, SendResult } from '../../api/webhooks/delivery/send.ts';
import type { Logger } from '../../runtime/log.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { TEST_KEYS } from './contacts.ts';

/** A dispatcher whose messages go to functions of the test, and whose clock the test sets. */

/** Receives a message and answers, at the latest when the signal comes. */
export type Receiver = (message: Message, signal: AbortSignal) => SendResult | Promise<SendResult>;

export const answering = (status: number, more: { retryAfterMs?: number; answer?: string } = {}): SendResult => ({
  ms: 7,
  status,
  retryAfterMs: null,
  answer: '',
  ...more,
});

/** Answers nothing until it is broken off. */
export const hanging: Receiver = (_, signal) => {
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  signal.addEventListener('abort', () => resolve({ ms: 9, error: 'broken off' }));
  return promise;
};

/** The clock of the store, set forward. */
export interface SetClock {
  forward(seconds: number): void;
  readonly now: Pace['now'];
}

export function setClock(): SetClock {
  let ahead = 0;
  return {
    forward(seconds) {
      ahead += seconds;
    },
    now: () => sql`(now() + make_interval(secs => ${ahead}))`,
  };
}

export interface TestDispatcher extends Dispatcher {
  /** Every message, as often as it was sent. */
  readonly sent: readonly Message[];
}

/** A dispatcher that looks often, and waits exactly as long as the schedule says. */
export function dispatchTo(
  receiver: Receiver,
  store: OrgStore,
  pace: Partial<Pace> = {},
  log: Logger = pino({ level: process.env.TEST_LOG ?? 'silent' }),
): TestDispatcher {
  const sent: Message[] = [];
  const dispatcher = startDispatcher(
    {
      store,
      log,
      keyring: { keys: () => TEST_KEYS },
      metrics: { deliveryAttempted() {} },
      async send(message, { signal }) {
        sent.push(message);
        return receiver(message, signal);
      },
    },
    { pollMs: 20, random: () => 0, ...pace },
  );
  return { ...dispatcher, sent };
}

const deliveryRow = z.strictObject({
  id: z.uuid(),
  endpointId: z.uuid(),
  eventId: z.uuid(),
  state: z.string(),
  attempts: z.int(),
  nextAttemptAt: z.iso.datetime().nullable(),
  /** True while an attempt is under way. */
  claimed: z.boolean(),
});

/** The deliveries of an organisation, in the order of their events. */
export const deliveriesOf = (store: OrgStore, { id }: { readonly id: string }) =>
  store.asOperator((session) =>
    session.rows(
      deliveryRow,
      sql`SELECT d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.state, d.attempts,
            d.next_attempt_at AS "nextAttemptAt", d.claimed_until IS NOT NULL AS claimed
          FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
          WHERE d.organisation_id = ${id}::uuid ORDER BY e.number, d.endpoint_id`,
    ),
  );

/** The attempts of an organisation, by delivery in the order of their events. */
export const attemptsOf = (store: OrgStore, { id }: { readonly id: string }) =>
  store.asOperator((session) =>
    session.rows(
      z.strictObject({
        number: z.int(),
        status: z.int().nullable(),
        error: z.string().nullable(),
        answer: z.string().nullable(),
        ms: z.int(),
      }),
      sql`SELECT a.number, a.status, a.error, a.answer, a.took_ms AS ms FROM webhook_attempts a
          JOIN webhook_deliveries d ON d.id = a.delivery_id JOIN events e ON e.id = d.event_id
          WHERE a.organisation_id = ${id}::uuid ORDER BY e.number, d.endpoint_id, a.number`,
    ),
  );
