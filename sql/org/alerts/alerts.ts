import { z } from 'zod';
import { ALERT_TEMPLATE_NAMES } from '../rights.ts';
import { type StoreStatement, sql } from '../statement.ts';

/** The members that say what an alert asks: its template, and the units that it is about. */
const rules = {
  template: z.enum(ALERT_TEMPLATE_NAMES),
  /** The signals that a SIGNAL_CHANGE watches, in the order of the catalogue; empty for other templates. */
  signals: z.array(z.string()),
  /** The fields that a FIELD_CHANGE watches, in the order of the catalogue; empty for other templates. */
  fields: z.array(z.string()),
  /** Unit filters in the notation of POST /v1/units/search; null where a saved filter has them. */
  criteria: z.record(z.string(), z.unknown()).nullable(),
  /** The saved filter that has the criteria; it may be gone. */
  savedFilterId: z.uuid().nullable(),
};

export const alertRow = z.strictObject({
  id: z.uuid(),
  /** Unique within the organisation. */
  name: z.string(),
  ...rules,
  enabled: z.boolean(),
  /** The alert is evaluated for versions that are published from then on. */
  enabledAt: z.iso.datetime(),
  /** The reason why the last evaluation was impossible; null = it was possible. */
  fault: z.string().nullable(),
  faultySince: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type AlertRow = z.infer<typeof alertRow>;

export type AlertRules = Pick<AlertRow, keyof typeof rules>;

const COLUMNS = sql`id, name, template, signals, fields, criteria, saved_filter_id AS "savedFilterId", enabled,
  enabled_at AS "enabledAt", fault, faulty_since AS "faultySince", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** All alerts of an organisation, sorted by name in German. */
export const alertsOf = (organisationId: string): StoreStatement => sql`
  SELECT ${COLUMNS} FROM alerts WHERE organisation_id = ${organisationId}::uuid ORDER BY name COLLATE german, id`;

/**
 * The same, locked until the transaction ends: what an evaluation finds out about an alert is noted before or after. Like
 * an evaluation this locks in the order of the ids, so that the two never wait for each other.
 */
export const alertsToChange = (organisationId: string): StoreStatement => sql`
  SELECT * FROM (
    SELECT ${COLUMNS} FROM alerts WHERE organisation_id = ${organisationId}::uuid ORDER BY id FOR NO KEY UPDATE) AS locked
  ORDER BY name COLLATE german, id`;

/** An alert with the organisation that it belongs to. */
export const ownedAlertRow = alertRow.extend({ organisationId: z.uuid() });

export type OwnedAlertRow = z.infer<typeof ownedAlertRow>;

/**
 * The alerts of all organisations that are to be evaluated for a version, in no order.
 * @param publishedAt time of its publication, RFC 3339
 */
export const alertsToEvaluate = (publishedAt: string): StoreStatement => sql`
  SELECT organisation_id AS "organisationId", ${COLUMNS} FROM alerts
  WHERE enabled AND enabled_at <= ${publishedAt}::timestamptz`;

/** Inserts or updates alerts; an update keeps the time of creation. */
export const putAlerts = (organisationId: string, rows: readonly AlertRow[]): StoreStatement => sql`
  INSERT INTO alerts (id, organisation_id, name, template, signals, fields, criteria, saved_filter_id, enabled, enabled_at, fault,
    faulty_since, created_at, updated_at)
  SELECT r."id", ${organisationId}::uuid, r."name", r."template",
    array(SELECT jsonb_array_elements_text(r."signals")), array(SELECT jsonb_array_elements_text(r."fields")), r."criteria", r."savedFilterId", r."enabled",
    r."enabledAt", r."fault", r."faultySince", r."createdAt", r."updatedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "name" text, "template" text,
    "signals" jsonb, "fields" jsonb, "criteria" jsonb, "savedFilterId" uuid, "enabled" boolean, "enabledAt" timestamptz, "fault" text,
    "faultySince" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, template = excluded.template, signals = excluded.signals, fields = excluded.fields,
    criteria = excluded.criteria, saved_filter_id = excluded.saved_filter_id, enabled = excluded.enabled,
    enabled_at = excluded.enabled_at, fault = excluded.fault, faulty_since = excluded.faulty_since,
    updated_at = excluded.updated_at`;

export const deleteAlert = (id: string): StoreStatement => sql`DELETE FROM alerts WHERE id = ${id}::uuid`;

/**
 * Notes what an evaluation found about alerts: the reason why one cannot be evaluated, or null where it could be. The time
 * of the first of several faults in a row stays.
 * @param at RFC 3339
 */
export const noteFaults = (
  faults: readonly { readonly id: string; readonly fault: string | null }[],
  at: string,
): StoreStatement => sql`
  UPDATE alerts SET fault = r."fault",
    faulty_since = CASE WHEN r."fault" IS NULL THEN NULL ELSE coalesce(alerts.faulty_since, ${at}::timestamptz) END
  FROM jsonb_to_recordset(${JSON.stringify(faults)}::text::jsonb) AS r ("id" uuid, "fault" text)
  WHERE alerts.id = r."id" AND alerts.fault IS DISTINCT FROM r."fault"`;
