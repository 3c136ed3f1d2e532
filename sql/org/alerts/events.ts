import { z } from 'zod';
import { DEFAULT_LIMITS } from '../limits.ts';
import { type StoreStatement, sql } from '../statement.ts';

/** Events of organisations: what their alerts have fired, numbered in the order in which it became visible. */

export const EVENT_TYPES = ['alert.triggered'] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Number and time of an event that is about to be stored. */
export const eventTurnRow = z.strictObject({ number: z.int(), at: z.iso.datetime() });

/**
 * Takes the next number and time of an organisation; one row. Whoever takes the one after it waits for the end of this
 * transaction, so both increase with every commit, also when the clock is set back.
 */
export const takeEventTurn = (organisationId: string): StoreStatement => sql`
  INSERT INTO event_counters AS c (organisation_id, last_number, last_at)
  VALUES (${organisationId}::uuid, 1, clock_timestamp())
  ON CONFLICT (organisation_id) DO UPDATE SET last_number = c.last_number + 1,
    last_at = greatest(clock_timestamp(), c.last_at + interval '1 millisecond')
  RETURNING last_number AS number, last_at AS at`;

/** An event as it is stored. */
export interface NewEvent {
  readonly id: string;
  readonly organisationId: string;
  readonly number: number;
  readonly type: EventType;
  /** RFC 3339. */
  readonly occurredAt: string;
  /** The JSON that is delivered. */
  readonly payload: string;
  /** The units of it, in order. */
  readonly mastrNumbers: readonly string[];
}

/**
 * Inserts an event with a delivery to each endpoint that subscribes to its type: one that is due, or none at all while
 * the endpoint is disabled or the organisation may not use webhooks. The endpoints cannot be deleted meanwhile.
 */
export const insertEvent = ({
  id,
  organisationId,
  number,
  type,
  occurredAt,
  ...event
}: NewEvent): StoreStatement => sql`
  WITH event AS (
    INSERT INTO events (id, organisation_id, number, type, occurred_at, payload, mastr_numbers)
    VALUES (${id}::uuid, ${organisationId}::uuid, ${number}, ${type}, ${occurredAt}::timestamptz, ${event.payload},
      ${event.mastrNumbers}::text[])),
  subscribed AS (
    SELECT e.id, e.disabled OR NOT coalesce((o.limits ->> 'webhooksEnabled')::boolean,
        ${DEFAULT_LIMITS.webhooksEnabled}) AS disabled
    FROM webhook_endpoints e JOIN organisations o ON o.id = e.organisation_id
    WHERE e.organisation_id = ${organisationId}::uuid AND (e.event_types IS NULL OR ${type} = ANY (e.event_types))
    FOR KEY SHARE OF e)
  INSERT INTO webhook_deliveries (id, organisation_id, endpoint_id, event_id, state, attempts, next_attempt_at, created_at,
    updated_at)
  SELECT gen_random_uuid(), ${organisationId}::uuid, id, ${id}::uuid, CASE WHEN disabled THEN 'SKIPPED' ELSE 'PENDING' END,
    0, CASE WHEN disabled THEN NULL ELSE ${occurredAt}::timestamptz END, ${occurredAt}::timestamptz,
    ${occurredAt}::timestamptz
  FROM subscribed`;
