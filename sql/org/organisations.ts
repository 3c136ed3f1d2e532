import { z } from 'zod';
import { limitsShape } from './callers.ts';
import { type StoreStatement, sql } from './statement.ts';

/** An organisation as the store has it. */
export const organisationRow = z.strictObject({
  id: z.uuid(),
  /** The name under which the operator of the service knows it. */
  externalId: z.string(),
  name: z.string(),
  /** Booked modules; a trial that has ended takes all of them away (modulesNow). */
  modules: z.array(z.string()),
  signals: z.array(z.string()),
  alertTemplates: z.array(z.string()),
  /** The limits that differ from the defaults. */
  limits: limitsShape,
  /** Calls per calendar month. */
  quota: z.int(),
  /** RFC 3339; null = no trial. */
  trialEndsAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type OrganisationRow = z.infer<typeof organisationRow>;

const COLUMNS = sql`id, external_id AS "externalId", name, modules, signals, alert_templates AS "alertTemplates", limits,
  quota, trial_ends_at AS "trialEndsAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

export const allOrganisations = (): StoreStatement =>
  sql`SELECT ${COLUMNS} FROM organisations ORDER BY external_id COLLATE "C"`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** No external id of an organisation has the form of a UUID, which distinguishes the two. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Writes an id as the store does, in lower case; any other text stays as it is. */
export const canonicalId = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);

/** The organisation of an external id or a UUID, in at most one row. */
export const organisationOf = (reference: string): StoreStatement =>
  isUuid(reference)
    ? sql`SELECT ${COLUMNS} FROM organisations WHERE id = ${reference.toLowerCase()}::uuid`
    : sql`SELECT ${COLUMNS} FROM organisations WHERE external_id = ${reference}`;

/** The same, locked against other changes until the transaction ends. Rows that refer to it can be written meanwhile. */
export const organisationToChange = (reference: string): StoreStatement =>
  sql`${organisationOf(reference)} FOR NO KEY UPDATE`;

/** The same, locked against rows that refer to it, too. */
export const organisationToDelete = (reference: string): StoreStatement => sql`${organisationOf(reference)} FOR UPDATE`;

/** The organisations that have a user of this e-mail address, in whatever case it is written. */
export const organisationsWithUser = (email: string): StoreStatement => sql`
  SELECT ${COLUMNS} FROM organisations
  WHERE id IN (SELECT organisation_id FROM users WHERE lower(users.email) = lower(${email})) ORDER BY external_id COLLATE "C"`;

/** Inserts or updates an organisation; an update keeps its external id and the time of its creation. */
export const putOrganisation = (row: OrganisationRow): StoreStatement => sql`
  INSERT INTO organisations (id, external_id, name, modules, signals, alert_templates, limits, quota, trial_ends_at,
    created_at, updated_at)
  VALUES (${row.id}::uuid, ${row.externalId}, ${row.name}, ${row.modules}::text[], ${row.signals}::text[],
    ${row.alertTemplates}::text[], ${JSON.stringify(row.limits)}::text::jsonb, ${row.quota}::bigint,
    ${row.trialEndsAt}::timestamptz, ${row.createdAt}::timestamptz, ${row.updatedAt}::timestamptz)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, modules = excluded.modules, signals = excluded.signals,
    alert_templates = excluded.alert_templates, limits = excluded.limits, quota = excluded.quota,
    trial_ends_at = excluded.trial_ends_at, updated_at = excluded.updated_at`;

/** Removes an organisation with all that belongs to it: every table but that of the windows refers to it. */
export const deleteOrganisation = (id: string): StoreStatement => sql`
  WITH windows AS (DELETE FROM limit_windows WHERE organisation_id = ${id}::uuid)
  DELETE FROM organisations WHERE id = ${id}::uuid`;

/** Returns the modules that count as booked at a moment: none once a trial has ended. */
export const modulesNow = ({ modules, trialEndsAt }: OrganisationRow, now: Date): readonly string[] =>
  trialEndsAt !== null && Date.parse(trialEndsAt) <= now.getTime() ? [] : modules;
