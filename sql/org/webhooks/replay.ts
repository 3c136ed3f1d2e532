import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import type { Session } from '../store.ts';
import { webhooksEnabled } from './enabled.ts';

/** Deliveries that are attempted once more, from the beginning of their schedule. Their attempts so far are kept. */

/** The most deliveries that one call replays. */
export const MAX_REPLAYED = 10_000;

const SENDING = sql`NOT e.disabled AND ${webhooksEnabled(sql`o.limits`)}`;

const sendingRow = z.strictObject({ sending: z.boolean() });

const ownDelivery = (organisationId: string, deliveryId: string): StoreStatement => sql`
  SELECT ${SENDING} AS sending FROM webhook_deliveries d
  JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN organisations o ON o.id = d.organisation_id
  WHERE d.organisation_id = ${organisationId}::uuid AND d.id = ${deliveryId}::uuid`;

const ownEndpoint = (organisationId: string, endpointId: string): StoreStatement => sql`
  SELECT ${SENDING} AS sending FROM webhook_endpoints e JOIN organisations o ON o.id = e.organisation_id
  WHERE e.organisation_id = ${organisationId}::uuid AND e.id = ${endpointId}::uuid`;

/** Begins the schedule of deliveries anew. An attempt under way keeps its claim, and counts as the first if it fails. */
const beginAgain = (deliveries: StoreStatement): StoreStatement => sql`
  UPDATE webhook_deliveries SET state = 'PENDING', attempts = 0, next_attempt_at = now(), updated_at = now()
  WHERE id = ANY (ARRAY(${deliveries}))`;

const oneDelivery = (organisationId: string, deliveryId: string): StoreStatement =>
  beginAgain(sql`
  SELECT id FROM webhook_deliveries WHERE organisation_id = ${organisationId}::uuid AND id = ${deliveryId}::uuid`);

/** The deliveries that never arrived and are not going to by themselves. */
export interface Undelivered {
  /** Default: all endpoints that are not disabled. */
  readonly endpointId?: string;
  /** RFC 3339: only deliveries of events that occurred then or later. */
  readonly since: string;
}

const undelivered = (
  organisationId: string,
  { endpointId = null, since }: { readonly endpointId?: string | null; readonly since: string },
): StoreStatement =>
  beginAgain(sql`
  SELECT d.id FROM webhook_deliveries d
  JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN organisations o ON o.id = d.organisation_id
  WHERE d.organisation_id = ${organisationId}::uuid AND d.state IN ('FAILED', 'SKIPPED')
    AND d.created_at >= ${since}::timestamptz AND (${endpointId}::uuid IS NULL OR d.endpoint_id = ${endpointId}::uuid)
    AND ${SENDING}
  ORDER BY d.created_at, d.id LIMIT ${MAX_REPLAYED} FOR NO KEY UPDATE OF d`);

/** NOT_FOUND: the organisation has no such delivery or endpoint; DISABLED: nothing is sent to the endpoint now. */
type Refusal = 'NOT_FOUND' | 'DISABLED';

const refusalOf = (row: z.infer<typeof sendingRow> | null): Refusal | null => {
  if (row === null) return 'NOT_FOUND';
  return row.sending ? null : 'DISABLED';
};

/**
 * Makes a delivery due now, whatever became of it; whoever has committed wakes the dispatcher.
 * @returns how many were replayed, or why none was
 */
export async function replayDelivery(
  session: Session,
  organisationId: string,
  deliveryId: string,
): Promise<number | Refusal> {
  const refusal = refusalOf(await session.row(sendingRow, ownDelivery(organisationId, deliveryId)));
  return refusal ?? session.run(oneDelivery(organisationId, deliveryId));
}

/**
 * Makes the deliveries due now that failed or were skipped, the oldest MAX_REPLAYED of them.
 * @returns how many were replayed, or why none was
 */
export async function replayUndelivered(
  session: Session,
  organisationId: string,
  which: Undelivered,
): Promise<number | Refusal> {
  const refusal =
    which.endpointId === undefined
      ? null
      : refusalOf(await session.row(sendingRow, ownEndpoint(organisationId, which.endpointId)));
  return refusal ?? session.run(undelivered(organisationId, which));
}
