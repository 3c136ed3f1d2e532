import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import { DELIVERY_STATES } from '../webhooks/delivery-log.ts';

/** What an alert has found in each version, and what became of its messages. */

export const runRow = z.strictObject({
  version: z.string(),
  outcome: z.enum(['NO_MATCH', 'FIRED', 'FAULTY']),
  matches: z.int(),
  fault: z.string().nullable(),
  eventId: z.uuid().nullable(),
  /** False = it fired nothing, or the event is forgotten, and its deliveries with it. */
  eventIsKept: z.boolean(),
  evaluatedAt: z.iso.datetime(),
  deliveries: z.partialRecord(z.enum(DELIVERY_STATES), z.int()),
  emailsSent: z.int(),
  emailsFailed: z.int(),
  emailsWaiting: z.int(),
  /** The code of the last attempt that failed. */
  emailError: z.string().nullable(),
});

export type RunRow = z.infer<typeof runRow>;

/** Selects the last runs of an alert, newest first. */
export const runsOf = (organisationId: string, alertId: string, limit: number): StoreStatement => sql`
  SELECT r.version, r.outcome, r.matches, r.fault, r.event_id AS "eventId",
    EXISTS (SELECT FROM events v WHERE v.id = r.event_id) AS "eventIsKept", r.evaluated_at AS "evaluatedAt",
    coalesce((SELECT jsonb_object_agg(d.state, d.count) FROM (
      SELECT state, count(*) AS count FROM webhook_deliveries WHERE event_id = r.event_id GROUP BY state) d), '{}')
      AS deliveries,
    r.emails_sent AS "emailsSent", r.emails_failed AS "emailsFailed",
    (SELECT count(*) FROM alert_emails m WHERE m.organisation_id = r.organisation_id AND m.alert_id = r.alert_id
      AND r.event_id = ANY (m.pending_events)) AS "emailsWaiting",
    r.email_error AS "emailError"
  FROM (
    SELECT * FROM alert_evaluations
    WHERE organisation_id = ${organisationId}::uuid AND alert_id = ${alertId}::uuid
    ORDER BY evaluated_at DESC, version DESC LIMIT ${limit}) r
  ORDER BY r.evaluated_at DESC, r.version DESC`;

/** Seconds between two tests that are sent: they are no way to send many messages. */
export const SECONDS_BETWEEN_TESTS = 60;

/** Takes the turn to send a test; changes no row where the last one was a moment ago. */
export const takeTestTurn = (organisationId: string): StoreStatement => sql`
  UPDATE organisations SET alert_tested_at = now() WHERE id = ${organisationId}::uuid
    AND (alert_tested_at IS NULL OR alert_tested_at <= now() - make_interval(secs => ${SECONDS_BETWEEN_TESTS}))`;
