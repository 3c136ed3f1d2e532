import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import { webhooksEnabled } from './enabled.ts';
import { ENDPOINT_COLUMNS, endpointRow, payloadFor } from './endpoints.ts';

/**
 * The outbox: deliveries that are due are claimed, attempted, and settled. The claim is a lease. When an instance crashes in
 * between, its lease runs out, and another instance attempts the delivery again.
 *
 * Statements take the time as a part of SQL, `sql`now()`` except in tests: so only the clock of the store counts, whatever
 * the clocks of the instances say. This part must not be volatile, or no index is used.
 */

const SENDING = sql`NOT webhook_endpoints.disabled AND ${webhooksEnabled(sql`organisations.limits`)}`;

const isDue = (now: StoreStatement): StoreStatement => sql`d.state = 'PENDING' AND d.next_attempt_at <= ${now}
  AND (d.claimed_until IS NULL OR d.claimed_until <= ${now})`;

/** An endpoint for which something is due. */
export const dueEndpointRow = z.strictObject({
  endpointId: z.uuid(),
  organisationId: z.uuid(),
  /** The last attempt failed. */
  failing: z.boolean(),
  /** The time for which the oldest delivery has been due. */
  waitedMs: z.number(),
});

export type DueEndpoint = z.infer<typeof dueEndpointRow>;

/** A UUID below all others. */
const LOWEST = '00000000-0000-0000-0000-000000000000';

/**
 * The endpoints for which something is due. It jumps through the index of pending deliveries from endpoint to endpoint, so
 * it costs as much as there are endpoints with pending deliveries, however many deliveries these are.
 */
export const dueEndpoints = (now: StoreStatement): StoreStatement => sql`
  WITH RECURSIVE waiting (endpoint_id) AS (
    (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.state = 'PENDING' AND d.endpoint_id > ${LOWEST}::uuid
      ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.state = 'PENDING' AND d.endpoint_id > waiting.endpoint_id
      ORDER BY d.endpoint_id LIMIT 1)
    FROM waiting WHERE waiting.endpoint_id IS NOT NULL)
  SELECT webhook_endpoints.id AS "endpointId", webhook_endpoints.organisation_id AS "organisationId",
    webhook_endpoints.failing_since IS NOT NULL AS failing,
    (extract(epoch FROM ${now} - oldest.next_attempt_at) * 1000)::double precision AS "waitedMs"
  FROM waiting
  JOIN webhook_endpoints ON webhook_endpoints.id = waiting.endpoint_id
  JOIN organisations ON organisations.id = webhook_endpoints.organisation_id
  CROSS JOIN LATERAL (
    SELECT d.next_attempt_at FROM webhook_deliveries d WHERE d.endpoint_id = waiting.endpoint_id AND ${isDue(now)}
    ORDER BY d.next_attempt_at LIMIT 1) oldest
  WHERE ${SENDING}`;

/** A delivery that was claimed, with all that its attempt needs. */
export const claimRow = endpointRow
  .extend({
    deliveryId: z.uuid(),
    eventId: z.uuid(),
    payload: z.string(),
    /** The end of the lease, which also proves who holds the claim. */
    claimedUntil: z.iso.datetime(),
  })
  .transform(({ deliveryId, eventId, payload, claimedUntil, ...endpoint }) => {
    return { deliveryId, eventId, payload, claimedUntil, endpoint };
  });

export type ClaimRow = z.output<typeof claimRow>;

/** Deliveries to one endpoint that can be started. */
export interface Wanted {
  readonly endpointId: string;
  readonly count: number;
}

/** Claims deliveries that are due: of each endpoint those that have waited longest, and none that others hold. */
export const claimDeliveries = (
  now: StoreStatement,
  wanted: readonly Wanted[],
  leaseSeconds: number,
): StoreStatement => sql`
  WITH wanted AS (
    SELECT * FROM unnest(${wanted.map(({ endpointId }) => endpointId)}::uuid[], ${wanted.map(({ count }) => count)}::int[])
      AS wanted (endpoint_id, count)),
  picked AS (
    SELECT due.id FROM wanted
    JOIN webhook_endpoints ON webhook_endpoints.id = wanted.endpoint_id
    JOIN organisations ON organisations.id = webhook_endpoints.organisation_id
    CROSS JOIN LATERAL (
      SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = wanted.endpoint_id AND ${isDue(now)}
      ORDER BY d.next_attempt_at LIMIT wanted.count FOR NO KEY UPDATE SKIP LOCKED) due
    WHERE ${SENDING})
  UPDATE webhook_deliveries SET claimed_until = ${now} + make_interval(secs => ${leaseSeconds})
  FROM picked, webhook_endpoints, events
  WHERE webhook_deliveries.id = picked.id AND webhook_endpoints.id = webhook_deliveries.endpoint_id
    AND events.id = webhook_deliveries.event_id
  RETURNING webhook_deliveries.id AS "deliveryId", webhook_deliveries.event_id AS "eventId", ${payloadFor(sql`webhook_endpoints`, sql`events`)} AS payload,
    webhook_deliveries.claimed_until AS "claimedUntil",
    ${ENDPOINT_COLUMNS}`;

/** A claim, with the end of the lease that proves who holds it. */
export interface Claim {
  readonly deliveryId: string;
  readonly claimedUntil: string;
}

/** Gives claims back; their deliveries are due as before. One that ran out and was taken over stays with its holder. */
export const releaseClaims = (claims: readonly Claim[]): StoreStatement => sql`
  UPDATE webhook_deliveries SET claimed_until = NULL
  FROM jsonb_to_recordset(${JSON.stringify(claims)}::text::jsonb) AS c ("deliveryId" uuid, "claimedUntil" timestamptz)
  WHERE webhook_deliveries.id = c."deliveryId" AND webhook_deliveries.claimed_until = c."claimedUntil"`;

/** A delivery whose attempt has ended, locked until its outcome is written. */
export const attemptedRow = z.strictObject({
  deliveryId: z.uuid(),
  /** Attempts since it was created or replayed, without this one. */
  attempts: z.int(),
  claimedUntil: z.iso.datetime().nullable(),
});

/** Selects and locks the deliveries that still exist, in the order of their ids: so instances do not lock each other out. */
export const attemptedDeliveries = (ids: readonly string[]): StoreStatement => sql`
  SELECT id AS "deliveryId", attempts, claimed_until AS "claimedUntil" FROM webhook_deliveries
  WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;

/** The result of an attempt. */
export interface AttemptRow {
  readonly deliveryId: string;
  readonly beganAt: string;
  readonly tookMs: number;
  /** The status of the answer; null = there was none. */
  readonly status: number | null;
  /** Null = an answer came. */
  readonly error: string | null;
  /** The first kilobyte of the answer. */
  readonly answer: string | null;
}

/** Adds attempts to those of deliveries that are locked. */
export const insertAttempts = (rows: readonly AttemptRow[]): StoreStatement => sql`
  INSERT INTO webhook_attempts (organisation_id, delivery_id, number, began_at, took_ms, status, error, answer)
  SELECT d.organisation_id, d.id,
    coalesce((SELECT max(a.number) FROM webhook_attempts a WHERE a.delivery_id = d.id), 0)
      + row_number() OVER (PARTITION BY d.id ORDER BY r."beganAt"),
    r."beganAt", r."tookMs", r.status, r.error, r.answer
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("deliveryId" uuid, "beganAt" timestamptz,
    "tookMs" int, status int, error text, answer text)
  JOIN webhook_deliveries d ON d.id = r."deliveryId"`;

/** The state of a delivery after an attempt. */
export interface OutcomeRow {
  readonly deliveryId: string;
  readonly state: 'DELIVERED' | 'PENDING' | 'FAILED';
  /** The wait until the next attempt; null when there is none. */
  readonly delayMs: number | null;
}

/** Writes outcomes of deliveries that are locked, and ends their claims. */
export const writeOutcomes = (now: StoreStatement, rows: readonly OutcomeRow[]): StoreStatement => sql`
  UPDATE webhook_deliveries SET state = r.state, attempts = attempts + 1,
    next_attempt_at = ${now} + r."delayMs" * interval '1 millisecond', claimed_until = NULL, updated_at = ${now},
    delivered_at = CASE WHEN r.state = 'DELIVERED' THEN ${now} ELSE webhook_deliveries.delivered_at END
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("deliveryId" uuid, state text, "delayMs" int)
  WHERE webhook_deliveries.id = r."deliveryId"`;
