import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

/**
 * Messages to the addresses of alerts. An address whose message is due is claimed, told, and settled. The claim is a lease:
 * when an instance crashes in between, another one sends once it has run out.
 */

/** At least this long lies between two messages to an address: one a night, also where a night publishes twice. */
const HOURS_BETWEEN = 20;

/** Has the addresses of an alert told of an event, in the transaction that stores it. */
export const queueMails = (alertId: string, eventId: string): StoreStatement => sql`
  UPDATE alert_emails SET pending_events = pending_events || ${eventId}::uuid,
    next_attempt_at = coalesce(next_attempt_at,
      greatest(now(), last_sent_at + make_interval(hours => ${HOURS_BETWEEN})))
  WHERE alert_id = ${alertId}::uuid`;

/** A message that was claimed. */
export const dueMailRow = z.strictObject({
  id: z.uuid(),
  organisationId: z.uuid(),
  /** Encrypted. */
  address: z.string(),
  keyId: z.string(),
  attempts: z.int(),
  /** The end of the lease, which also proves who holds the claim. */
  claimedUntil: z.iso.datetime(),
  pendingEvents: z.array(z.uuid()),
  alert: z.strictObject({ name: z.string(), template: z.string() }),
  /** Payloads of the events that are still there, oldest first. */
  payloads: z.array(z.string()),
});

export type DueMail = z.infer<typeof dueMailRow>;

/** Claims the message that has been due longest; no row = none is due. */
export const claimMail = (leaseSeconds: number): StoreStatement => sql`
  WITH due AS (
    SELECT id FROM alert_emails WHERE next_attempt_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())
    ORDER BY next_attempt_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE alert_emails e SET claimed_until = now() + make_interval(secs => ${leaseSeconds})
  FROM due, alerts a WHERE e.id = due.id AND a.id = e.alert_id
  RETURNING e.id, e.organisation_id AS "organisationId", e.address, e.key_id AS "keyId", e.attempts,
    e.claimed_until AS "claimedUntil", e.pending_events AS "pendingEvents",
    jsonb_build_object('name', a.name, 'template', a.template) AS alert,
    array(SELECT v.payload FROM events v WHERE v.organisation_id = e.organisation_id AND v.id = ANY (e.pending_events)
      ORDER BY v.number) AS payloads`;

const claimed = ({ id, claimedUntil }: DueMail): StoreStatement =>
  sql`id = ${id}::uuid AND claimed_until = ${claimedUntil}::timestamptz`;

/**
 * Ends a claim whose events need no other message, and counts it beside the outcomes that fired them. What was found meanwhile
 * is told the next night.
 * @param outcome NOTHING = the events are forgotten already
 */
export const endMail = (
  mail: DueMail,
  outcome: 'SENT' | 'GIVEN_UP' | 'NOTHING',
  code: string | null,
): StoreStatement => sql`
  WITH ended AS (
    UPDATE alert_emails SET pending_events = rest.events, attempts = 0, claimed_until = NULL,
      last_sent_at = CASE WHEN ${outcome === 'SENT'} THEN now() ELSE last_sent_at END,
      next_attempt_at = CASE WHEN cardinality(rest.events) > 0 THEN now() + make_interval(hours => ${HOURS_BETWEEN}) END
    FROM (SELECT array(SELECT p FROM alert_emails, unnest(pending_events) AS p
      WHERE id = ${mail.id}::uuid AND p <> ALL (${mail.pendingEvents}::uuid[])) AS events) AS rest
    WHERE ${claimed(mail)} RETURNING alert_id)
  UPDATE alert_evaluations v SET emails_sent = v.emails_sent + ${outcome === 'SENT' ? 1 : 0}::int,
    emails_failed = v.emails_failed + ${outcome === 'GIVEN_UP' ? 1 : 0}::int, email_error = coalesce(${code}, v.email_error)
  FROM ended WHERE v.alert_id = ended.alert_id AND v.event_id = ANY (${mail.pendingEvents}::uuid[])`;

/** Ends a claim; the message is due again after so many seconds. */
export const postponeMail = (mail: DueMail, seconds: number, code: string): StoreStatement => sql`
  WITH postponed AS (
    UPDATE alert_emails SET attempts = attempts + 1, claimed_until = NULL,
      next_attempt_at = now() + ${seconds} * interval '1 second'
    WHERE ${claimed(mail)} RETURNING alert_id)
  UPDATE alert_evaluations v SET email_error = ${code}
  FROM postponed WHERE v.alert_id = postponed.alert_id AND v.event_id = ANY (${mail.pendingEvents}::uuid[])`;
