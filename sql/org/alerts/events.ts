import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import type { Session } from '../store.ts';
import { webhooksEnabled } from '../webhooks/enabled.ts';

/** Events of organisations, which their alerts have fired, numbered in the order in which they became visible. */

export const EVENT_TYPES = ['alert.triggered'] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const isEventType = (name: string): name is EventType => (EVENT_TYPES as readonly string[]).includes(name);

/** The number of days for which events can be read. */
export const EVENT_RETENTION_DAYS = 30;

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
  /** The same for endpoints of schema version 2; null = there is none. */
  readonly payload2: string | null;
  /** MaStR numbers of the event's units, in order. */
  readonly mastrNumbers: readonly string[];
}

/**
 * Inserts an event with a delivery to each endpoint that subscribes to its type: one that is due now, also when the time of
 * the event is ahead of a clock that was set back; or one that is skipped, while the endpoint is disabled or the
 * organisation may not use webhooks. The endpoints cannot be deleted meanwhile.
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
    INSERT INTO events (id, organisation_id, number, type, occurred_at, payload, payload_2, mastr_numbers)
    VALUES (${id}::uuid, ${organisationId}::uuid, ${number}, ${type}, ${occurredAt}::timestamptz, ${event.payload},
      ${event.payload2}, ${event.mastrNumbers}::text[])),
  subscribed AS (
    SELECT e.id, e.disabled OR NOT ${webhooksEnabled(sql`o.limits`)} AS disabled
    FROM webhook_endpoints e JOIN organisations o ON o.id = e.organisation_id
    WHERE e.organisation_id = ${organisationId}::uuid AND (e.event_types IS NULL OR ${type} = ANY (e.event_types))
    FOR KEY SHARE OF e)
  INSERT INTO webhook_deliveries (id, organisation_id, endpoint_id, event_id, state, attempts, next_attempt_at, created_at,
    updated_at)
  SELECT gen_random_uuid(), ${organisationId}::uuid, id, ${id}::uuid, CASE WHEN disabled THEN 'SKIPPED' ELSE 'PENDING' END,
    0, CASE WHEN disabled THEN NULL ELSE least(${occurredAt}::timestamptz, clock_timestamp()) END,
    ${occurredAt}::timestamptz, ${occurredAt}::timestamptz
  FROM subscribed`;

/** An event of a page, with the state of all events of the organisation when it was read. */
const eventPageRow = z.strictObject({
  /** Number of the last event; a higher one has not been stored yet. */
  last: z.int(),
  /** Events up to this number were removed when their time was over. */
  forgotten: z.int(),
  /** Null = no event is on the page; the row then says only the rest. */
  number: z.int().nullable(),
  payload: z.string().nullable(),
});

interface EventPageRequest {
  readonly type: EventType | null;
  /** Number of the last event that was read; 0 = from the oldest. */
  readonly after: number;
  /** RFC 3339: only events from then on; null = all. */
  readonly since: string | null;
  readonly limit: number;
}

/**
 * A page of events, oldest first, as rows of eventPageRow: at least one, unless the organisation has never had an event.
 * One statement reads events and their state, so that nothing can be stored or removed between the two.
 */
const eventsPage = (organisationId: string, { type, after, since, limit }: EventPageRequest): StoreStatement => sql`
  SELECT c.last_number AS last, c.forgotten_number AS forgotten, e.number, e.payload
  FROM event_counters c LEFT JOIN LATERAL (
    SELECT number, payload FROM events
    WHERE organisation_id = ${organisationId}::uuid AND number > ${after}::bigint
      ${since === null ? sql`` : sql`AND number >= ${firstSince(organisationId, since)}`}
      ${type === null ? sql`` : sql`AND type = ${type}`}
    ORDER BY number LIMIT ${limit}) e ON true
  WHERE c.organisation_id = ${organisationId}::uuid ORDER BY e.number`;

/** The number of the first event of a moment or later: times increase with numbers. Null = there is none. */
const firstSince = (organisationId: string, since: string): StoreStatement => sql`(
  SELECT number FROM events WHERE organisation_id = ${organisationId}::uuid AND occurred_at >= ${since}::timestamptz
  ORDER BY occurred_at LIMIT 1)`;

interface EventPage {
  readonly last: number;
  readonly forgotten: number;
  readonly events: readonly { readonly number: number; readonly payload: string }[];
}

/** Reads a page of events. */
export async function readEvents(
  session: Session,
  organisationId: string,
  request: EventPageRequest,
): Promise<EventPage> {
  const rows = await session.rows(eventPageRow, eventsPage(organisationId, request));
  const { last = 0, forgotten = 0 } = rows[0] ?? {};
  const events = rows.flatMap(({ number, payload }) =>
    number === null || payload === null ? [] : [{ number, payload }],
  );
  return { last, forgotten, events };
}

/**
 * Removes the oldest events whose time is over, with their deliveries, and notes up to which number they are gone; a
 * reader that has not read them learns it from there.
 * @param most events that one statement removes
 */
export const forgetEvents = (most: number): StoreStatement => sql`
  WITH old AS (
    SELECT id, organisation_id, number FROM events
    WHERE occurred_at < now() - make_interval(days => ${EVENT_RETENTION_DAYS}) ORDER BY occurred_at LIMIT ${most}),
  noted AS (
    UPDATE event_counters c SET forgotten_number = greatest(c.forgotten_number, o.last)
    FROM (SELECT organisation_id, max(number) AS last FROM old GROUP BY organisation_id) o
    WHERE c.organisation_id = o.organisation_id)
  DELETE FROM events WHERE id IN (SELECT id FROM old)`;

const unitsRow = z.strictObject({ mastrNumbers: z.array(z.string()) });

/** Reads the units of an event, in order; null = the organisation has no such event. */
export async function unitsOfEvent(session: Session, organisationId: string, id: string): Promise<string[] | null> {
  const found = await session.row(
    unitsRow,
    sql`SELECT mastr_numbers AS "mastrNumbers" FROM events
      WHERE organisation_id = ${organisationId}::uuid AND id = ${id}::uuid`,
  );
  return found?.mastrNumbers ?? null;
}
