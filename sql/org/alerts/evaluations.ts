import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import { alertsToEvaluate } from './alerts.ts';

/** The published versions that alerts were evaluated for, and the outcome of each alert. */

export const evaluationRow = z.strictObject({
  /** Id of the published version. */
  version: z.string(),
  publishedAt: z.iso.datetime(),
  /** The version that this one was compared with; null = there was none, and so nothing is news. */
  comparedWith: z.string().nullable(),
  claimedUntil: z.iso.datetime().nullable(),
  /** The number of claims; a process that was killed leaves one without an end. */
  attempts: z.int(),
  /** Attempts that ended with an error of the version. */
  failures: z.int(),
  /** The reason why the last attempt failed; null = it did not. */
  error: z.string().nullable(),
  /** Units whose content differs; null = nobody wanted to know. */
  changedUnits: z.int().nullable(),
  evaluatedAlerts: z.int().nullable(),
  events: z.int().nullable(),
  startedAt: z.iso.datetime(),
  /** Null = the evaluation is not done. */
  endedAt: z.iso.datetime().nullable(),
});

export type EvaluationRow = z.infer<typeof evaluationRow>;

/** Days for which evaluations and outcomes are kept: long after everything in them is news. */
export const EVALUATIONS_KEPT_DAYS = 90;

const COLUMNS = sql`version, published_at AS "publishedAt", compared_with AS "comparedWith", claimed_until AS "claimedUntil",
  attempts, failures, error, changed_units AS "changedUnits", evaluated_alerts AS "evaluatedAlerts", events,
  started_at AS "startedAt", ended_at AS "endedAt"`;

/** The evaluations that are kept, newest version first. */
export const evaluationsByAge = (limit: number): StoreStatement => sql`
  SELECT ${COLUMNS} FROM evaluations ORDER BY published_at DESC, version DESC LIMIT ${limit}`;

export const endedRow = z.strictObject({ version: z.string() });

/** Selects those of the versions whose evaluation has ended. */
export const endedAmong = (versions: readonly string[]): StoreStatement => sql`
  SELECT version FROM evaluations WHERE version = ANY (${versions}::text[]) AND ended_at IS NOT NULL`;

/** A version that is to be evaluated. */
export interface Claim {
  readonly version: string;
  /** RFC 3339. */
  readonly publishedAt: string;
  readonly comparedWith: string | null;
}

/** Seconds after which an instance that says nothing counts as gone. */
export const LEASE_SECONDS = 120;

const lease = sql`now() + make_interval(secs => ${LEASE_SECONDS})`;

export const claimRow = z.strictObject({ attempts: z.int(), failures: z.int() });

/**
 * Claims a version for as long as a lease lasts. No row: it is done, or somebody else is at it, or an attempt that failed
 * has to wait. The number of the attempt identifies the claim.
 */
export const claimEvaluation = ({ version, publishedAt, comparedWith }: Claim): StoreStatement => sql`
  INSERT INTO evaluations AS e (version, published_at, compared_with, claimed_until, attempts, started_at)
  VALUES (${version}, ${publishedAt}::timestamptz, ${comparedWith}, ${lease}, 1, now())
  ON CONFLICT (version) DO UPDATE SET compared_with = excluded.compared_with, claimed_until = excluded.claimed_until,
    attempts = e.attempts + 1
  WHERE e.ended_at IS NULL AND (e.claimed_until IS NULL OR e.claimed_until < now())
  RETURNING attempts, failures`;

const claimed = (version: string, attempt: number): StoreStatement =>
  sql`version = ${version} AND attempts = ${attempt} AND ended_at IS NULL`;

/** Prolongs a claim; changes no row when another instance has taken it over. */
export const renewClaim = (version: string, attempt: number): StoreStatement =>
  sql`UPDATE evaluations SET claimed_until = ${lease} WHERE ${claimed(version, attempt)}`;

/** Gives a claim back, so that the next start goes on at once. */
export const releaseClaim = (version: string, attempt: number): StoreStatement =>
  sql`UPDATE evaluations SET claimed_until = NULL WHERE ${claimed(version, attempt)}`;

/**
 * Notes why an attempt failed; the next one has to wait.
 * @param failures attempts that have failed by the version itself, with this one if it did
 */
export const postponeEvaluation = (
  version: string,
  attempt: number,
  { error, failures, seconds }: { readonly error: string; readonly failures: number; readonly seconds: number },
): StoreStatement => sql`
  UPDATE evaluations SET error = ${error}, failures = ${failures}, claimed_until = now() + make_interval(secs => ${seconds})
  WHERE ${claimed(version, attempt)}`;

/**
 * Ends an evaluation and counts the outcomes of the alerts, in this attempt and in earlier ones.
 * @param changedUnits null = nobody wanted to know
 * @param error the reason why it was given up; null = it was not
 */
export const endEvaluation = (
  version: string,
  attempt: number,
  changedUnits: number | null,
  error: string | null,
): StoreStatement => sql`
  UPDATE evaluations SET ended_at = now(), claimed_until = NULL, error = ${error}, changed_units = ${changedUnits}::int,
    evaluated_alerts = (SELECT count(*) FROM alert_evaluations a WHERE a.version = ${version}),
    events = (SELECT count(*) FROM alert_evaluations a WHERE a.version = ${version} AND a.outcome = 'FIRED')
  WHERE ${claimed(version, attempt)}`;

/**
 * Forgets evaluations that nobody will end, once a version that was published later is done: of versions that were removed
 * before, whose news were told with it, and of withdrawn ones, which begin anew if they are served again.
 * @param publishedAt time of the publication of the later version, RFC 3339
 */
export const forgetAbandoned = (publishedAt: string): StoreStatement =>
  sql`DELETE FROM evaluations WHERE ended_at IS NULL AND published_at < ${publishedAt}::timestamptz`;

/** The place of an alert in the order in which alerts are evaluated. */
export interface AlertPlace {
  readonly organisationId: string;
  readonly id: string;
}

/** The next alerts that are to be evaluated for a version and were not yet, as rows of ownedAlertRow. */
export const alertsLeft = (
  { version, publishedAt }: Pick<Claim, 'version' | 'publishedAt'>,
  after: AlertPlace | null,
  limit: number,
): StoreStatement => sql`
  SELECT * FROM (${alertsToEvaluate(publishedAt)}) AS a
  WHERE NOT EXISTS (SELECT 1 FROM alert_evaluations e WHERE e.alert_id = a.id AND e.version = ${version})
    AND ${after === null ? sql`true` : sql`("organisationId", id) > (${after.organisationId}::uuid, ${after.id}::uuid)`}
  ORDER BY "organisationId", id LIMIT ${limit}`;

/** The outcome of an alert for a version; it counts only as long as the alert is as it was read. */
export interface AlertOutcome extends AlertPlace {
  /** The time from which the alert holds; it moves whenever the rules of the alert change. */
  readonly enabledAt: string;
  readonly outcome: 'NO_MATCH' | 'FIRED' | 'FAULTY';
  readonly matches: number;
  readonly fault: string | null;
}

export const recordedRow = z.strictObject({ id: z.uuid() });

/**
 * Records outcomes of alerts of an organisation, once for each alert and version, and returns the ones that it recorded:
 * not those that were recorded before, nor those of alerts that were changed, disabled or deleted meanwhile. Until the
 * transaction ends, others that record the same wait, and so do commands that change these alerts.
 */
export const recordOutcomes = (
  organisationId: string,
  version: string,
  outcomes: readonly AlertOutcome[],
): StoreStatement => sql`
  INSERT INTO alert_evaluations (organisation_id, alert_id, version, outcome, matches, fault, evaluated_at)
  SELECT a.organisation_id, a.id, ${version}, r."outcome", r."matches", r."fault", now()
  FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::text::jsonb) AS r ("id" uuid, "enabledAt" timestamptz,
    "outcome" text, "matches" int, "fault" text)
  JOIN alerts a ON a.id = r."id"
  WHERE a.organisation_id = ${organisationId}::uuid AND a.enabled AND a.enabled_at = r."enabledAt"
  ORDER BY a.id FOR NO KEY UPDATE OF a
  ON CONFLICT (alert_id, version) DO NOTHING
  RETURNING alert_id AS id`;

/** Notes which event an alert has fired. */
export const recordEvent = (alertId: string, version: string, eventId: string): StoreStatement => sql`
  UPDATE alert_evaluations SET event_id = ${eventId}::uuid
  WHERE alert_id = ${alertId}::uuid AND version = ${version}`;

/** The outcome of an alert for a version, as administration shows it. */
export const alertOutcomeRow = z.strictObject({
  alert: z.strictObject({ id: z.uuid(), name: z.string() }),
  version: z.string(),
  outcome: z.enum(['NO_MATCH', 'FIRED', 'FAULTY']),
  /** Units that matched. */
  matches: z.int(),
  fault: z.string().nullable(),
  /** Id of the event that the alert fired; the event may have been forgotten since. */
  eventId: z.uuid().nullable(),
  evaluatedAt: z.iso.datetime(),
});

/**
 * Selects the outcomes of the alerts of an organisation, newest first.
 * @param alertId null = all of them
 */
export const outcomesByAge = (organisationId: string, alertId: string | null, limit: number): StoreStatement => sql`
  SELECT jsonb_build_object('id', a.id, 'name', a.name) AS alert, e.version, e.outcome, e.matches, e.fault,
    e.event_id AS "eventId", e.evaluated_at AS "evaluatedAt"
  FROM alerts a JOIN alert_evaluations e ON e.alert_id = a.id
  WHERE a.organisation_id = ${organisationId}::uuid
    AND ${alertId === null ? sql`true` : sql`a.id = ${alertId}::uuid`}
  ORDER BY e.evaluated_at DESC, e.version DESC, a.name COLLATE german, a.id LIMIT ${limit}`;

export const toldRow = z.strictObject({ version: z.string(), mastrNumber: z.string() });

/** Selects the units that events of an alert named when these versions were published, between two numbers. */
export const toldUnits = (
  alertId: string,
  versions: readonly string[],
  { first, last }: { readonly first: string; readonly last: string },
): StoreStatement => sql`
  SELECT a.version, n AS "mastrNumber"
  FROM alert_evaluations a JOIN events e ON e.id = a.event_id CROSS JOIN unnest(e.mastr_numbers) AS n
  WHERE a.alert_id = ${alertId}::uuid AND a.version = ANY (${versions}::text[])
    AND n COLLATE "C" BETWEEN ${first} AND ${last}`;
