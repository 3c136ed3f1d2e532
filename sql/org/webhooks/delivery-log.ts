import { z } from 'zod';
import { all, type StoreStatement, sql } from '../statement.ts';
import { DISABLED_REASONS, payloadFor } from './endpoints.ts';

/**
 * Reads the delivery log of an organisation: endpoints, messages by endpoint and state, and the attempts of one message.
 * Every statement reads a bounded number of rows of one index, however many deliveries there are.
 */

export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Deliveries are counted up to this number; a higher count is given as this number and one. */
export const MAX_COUNT = 1_000;

const count = z.int().min(0);

export const loggedEndpointRow = z.strictObject({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  disabled: z.boolean(),
  disabledReason: z.enum(DISABLED_REASONS).nullable(),
  disabledAt: z.iso.datetime().nullable(),
  failingSince: z.iso.datetime().nullable(),
  /** The last time that a message arrived. */
  deliveredAt: z.iso.datetime().nullable(),
  nextAttemptAt: z.iso.datetime().nullable(),
  pending: count,
  failed: count,
  skipped: count,
});

export type LoggedEndpoint = z.infer<typeof loggedEndpointRow>;

/** Counts the deliveries of an endpoint `w` in a state, up to MAX_COUNT + 1; in their order, so that the index is read no further. */
const counted = (state: DeliveryState): StoreStatement => sql`(
    SELECT count(*) FROM (
      SELECT FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.state = ${state}
      ORDER BY d.created_at DESC, d.id DESC LIMIT ${MAX_COUNT + 1}) newest)`;

/** All endpoints of an organisation with counts of their deliveries by state, the oldest endpoint first. */
export const loggedEndpoints = (organisationId: string): StoreStatement => sql`
  SELECT w.id, w.url, w.description, w.disabled, w.disabled_reason AS "disabledReason", w.disabled_at AS "disabledAt",
    w.failing_since AS "failingSince",
    (SELECT d.delivered_at FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.delivered_at IS NOT NULL
     ORDER BY d.delivered_at DESC LIMIT 1) AS "deliveredAt",
    (SELECT d.next_attempt_at FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.state = 'PENDING'
     ORDER BY d.next_attempt_at LIMIT 1) AS "nextAttemptAt",
    ${counted('PENDING')} AS pending, ${counted('FAILED')} AS failed, ${counted('SKIPPED')} AS skipped
  FROM webhook_endpoints w WHERE w.organisation_id = ${organisationId}::uuid ORDER BY w.created_at, w.id`;

export const namedEndpointRow = loggedEndpointRow.pick({ id: true, url: true, description: true });

export type NamedEndpoint = z.infer<typeof namedEndpointRow>;

/** The addresses and descriptions of an organisation's endpoints, in the same order. */
export const namedEndpoints = (organisationId: string): StoreStatement => sql`
  SELECT id, url, description FROM webhook_endpoints WHERE organisation_id = ${organisationId}::uuid
  ORDER BY created_at, id`;

export const loggedDeliveryRow = z.strictObject({
  id: z.uuid(),
  endpointId: z.uuid(),
  url: z.string(),
  /** The description of the endpoint. */
  description: z.string(),
  endpointDisabled: z.boolean(),
  eventId: z.uuid(),
  type: z.string(),
  /** The name of the alert that has fired; null for other events. */
  alertName: z.string().nullable(),
  matchCount: z.int().nullable(),
  state: z.enum(DELIVERY_STATES),
  /** Attempts since the delivery was created or replayed. */
  attempts: count,
  nextAttemptAt: z.iso.datetime().nullable(),
  /** True while an attempt is under way. */
  underWay: z.boolean(),
  /** The time when the event occurred. */
  createdAt: z.iso.datetime(),
  deliveredAt: z.iso.datetime().nullable(),
  /** The beginning of the last attempt, replays included; null = there was none yet. */
  lastBeganAt: z.iso.datetime().nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
});

export type LoggedDelivery = z.infer<typeof loggedDeliveryRow>;

const DELIVERY = sql`d.id, d.endpoint_id AS "endpointId", w.url, w.description, w.disabled AS "endpointDisabled", d.event_id AS "eventId",
    e.type, e.payload::jsonb #>> '{data,alert,name}' AS "alertName",
    (e.payload::jsonb #>> '{data,matchCount}')::int AS "matchCount", d.state, d.attempts,
    d.next_attempt_at AS "nextAttemptAt", coalesce(d.claimed_until > now(), false) AS "underWay",
    d.created_at AS "createdAt", d.delivered_at AS "deliveredAt", last.began_at AS "lastBeganAt",
    last.status AS "lastStatus", last.error AS "lastError"`;

/** The rest of a delivery `d`: its endpoint, its event and its last attempt. */
const REST = sql`
  JOIN webhook_endpoints w ON w.id = d.endpoint_id
  JOIN events e ON e.id = d.event_id
  LEFT JOIN LATERAL (
    SELECT a.began_at, a.status, a.error FROM webhook_attempts a WHERE a.delivery_id = d.id
    ORDER BY a.number DESC LIMIT 1) last ON true`;

/** The filters of the listed deliveries, and the page. */
export interface LogPageRequest {
  /** Null = the deliveries of all endpoints. */
  readonly endpointId: string | null;
  readonly states: readonly DeliveryState[];
  /** RFC 3339: created at `from` or later, and before `until`; null = no bound. */
  readonly from: string | null;
  readonly until: string | null;
  /** `createdAt` and `id` of the last row before; null = from the newest. */
  readonly after: readonly [string, string] | null;
  readonly limit: number;
}

/**
 * Deliveries, the newest first. Of each endpoint and state the first rows are read from the index, and the newest of these are the
 * page.
 */
export const logPage = (organisationId: string, request: LogPageRequest): StoreStatement => {
  const { endpointId, states, from, until, after, limit } = request;
  const within = all([
    ...(from === null ? [] : [sql`d.created_at >= ${from}::timestamptz`]),
    ...(until === null ? [] : [sql`d.created_at < ${until}::timestamptz`]),
    ...(after === null ? [] : [sql`(d.created_at, d.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`]),
  ]);
  const ofEndpoint = endpointId === null ? sql`true` : sql`w.id = ${endpointId}::uuid`;
  return sql`
    SELECT ${DELIVERY}
    FROM (
      SELECT found.id, found.created_at
      FROM webhook_endpoints w CROSS JOIN unnest(${states}::text[]) AS chosen (state) CROSS JOIN LATERAL (
        SELECT d.id, d.created_at FROM webhook_deliveries d
        WHERE d.endpoint_id = w.id AND d.state = chosen.state AND ${within}
        ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}) found
      WHERE w.organisation_id = ${organisationId}::uuid AND ${ofEndpoint}
      ORDER BY found.created_at DESC, found.id DESC LIMIT ${limit}) page
    JOIN webhook_deliveries d ON d.id = page.id ${REST}
    ORDER BY d.created_at DESC, d.id DESC`;
};

/** The deliveries of an organisation that are due next, of endpoints that are not disabled. */
export const dueNext = (organisationId: string, limit: number): StoreStatement => sql`
  SELECT ${DELIVERY}
  FROM (
    SELECT found.id, found.next_attempt_at
    FROM webhook_endpoints w CROSS JOIN LATERAL (
      SELECT d.id, d.next_attempt_at FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.state = 'PENDING'
      ORDER BY d.next_attempt_at LIMIT ${limit}) found
    WHERE w.organisation_id = ${organisationId}::uuid AND NOT w.disabled
    ORDER BY found.next_attempt_at LIMIT ${limit}) page
  JOIN webhook_deliveries d ON d.id = page.id ${REST}
  ORDER BY d.next_attempt_at, d.id`;

export const wholeDeliveryRow = loggedDeliveryRow.extend({ payload: z.string() });

/** The delivery of this id with what it delivers, in at most one row. */
export const wholeDelivery = (organisationId: string, id: string): StoreStatement => sql`
  SELECT ${DELIVERY}, ${payloadFor(sql`w`, sql`e`)} AS payload FROM webhook_deliveries d ${REST}
  WHERE d.organisation_id = ${organisationId}::uuid AND d.id = ${id}::uuid`;

export const attemptRow = z.strictObject({
  number: z.int(),
  beganAt: z.iso.datetime(),
  tookMs: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
});

export type Attempt = z.infer<typeof attemptRow>;

/** The last attempts of a delivery, the last one first. */
export const lastAttempts = (organisationId: string, deliveryId: string, limit: number): StoreStatement => sql`
  SELECT number, began_at AS "beganAt", took_ms AS "tookMs", status, error, answer FROM webhook_attempts
  WHERE organisation_id = ${organisationId}::uuid AND delivery_id = ${deliveryId}::uuid
  ORDER BY number DESC LIMIT ${limit}`;
