import { z } from 'zod';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** Writes attempts and states of deliveries into the store itself, for tests of what follows from them. */

/** One attempt, as tests choose it. */
interface AttemptChoices {
  /** RFC 3339. */
  readonly at: string;
  readonly ms?: number;
  readonly status?: number;
  readonly error?: string;
  readonly answer?: string;
}

interface DeliveryChoices {
  readonly state: 'PENDING' | 'DELIVERED' | 'FAILED' | 'SKIPPED';
  /** RFC 3339. Default: the time when the event was stored. */
  readonly createdAt?: string;
  /** The next attempt of a delivery that is pending, RFC 3339. Default: now. */
  readonly nextAttemptAt?: string;
  /** The attempts in their order. Default: none. */
  readonly attempts?: readonly AttemptChoices[];
}

/** @returns the id of the delivery of an event to an endpoint */
export async function deliveryOf(store: OrgStore, eventId: string, endpointId: string): Promise<string> {
  const found = await store.asOperator((session) =>
    session.row(
      z.strictObject({ id: z.uuid() }),
      sql`SELECT id FROM webhook_deliveries WHERE event_id = ${eventId}::uuid AND endpoint_id = ${endpointId}::uuid`,
    ),
  );
  if (found === null) throw new Error(`Event ${eventId} is not delivered to ${endpointId}`);
  return found.id;
}

/** Gives a delivery a state and attempts, as if the dispatcher had written them. */
export async function settleDelivery(
  store: OrgStore,
  id: string,
  { state, createdAt, nextAttemptAt, attempts = [] }: DeliveryChoices,
): Promise<void> {
  const due = state === 'PENDING' ? (nextAttemptAt ?? new Date().toISOString()) : null;
  const arrived = state === 'DELIVERED' ? (attempts.at(-1)?.at ?? new Date().toISOString()) : null;
  await store.asOperator(async (session) => {
    await session.run(sql`
      UPDATE webhook_deliveries SET state = ${state}, attempts = ${attempts.length}, next_attempt_at = ${due}::timestamptz,
        delivered_at = ${arrived}::timestamptz, created_at = coalesce(${createdAt ?? null}::timestamptz, created_at)
      WHERE id = ${id}::uuid`);
    for (const [index, { at, ms = 40, status, error, answer }] of attempts.entries())
      await session.run(sql`
        INSERT INTO webhook_attempts (organisation_id, delivery_id, number, began_at, took_ms, status, error, answer)
        SELECT organisation_id, id, ${index + 1}, ${at}::timestamptz, ${ms}, ${status ?? null}::int, ${error ?? null},
          ${answer ?? null} FROM webhook_deliveries WHERE id = ${id}::uuid`);
  });
}
