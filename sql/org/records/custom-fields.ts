import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

/** Definitions of the fields that an organisation adds to the units of the register. */

/** Types whose values the service keeps. */
export const VALUE_TYPES = ['TEXT', 'LONG_TEXT', 'DROPDOWN', 'URL', 'NUMBER', 'DATE'] as const;

/** All types. Fields of files and of contacts have no values here, and the interface does not show them. */
export const FIELD_TYPES = [...VALUE_TYPES, 'FILE', 'CONTACT'] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

/** Fields of one organisation, retired ones included. */
export const MAX_FIELDS = 500;

export const customFieldRow = z.strictObject({
  id: z.uuid(),
  /** Unique within the organisation, among retired fields too. */
  name: z.string(),
  type: z.enum(FIELD_TYPES),
  multiple: z.boolean(),
  /** In their order; empty unless the type is DROPDOWN. */
  choices: z.array(z.string()),
  filledByPartner: z.boolean(),
  shared: z.boolean(),
  retiredAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type CustomFieldRow = z.infer<typeof customFieldRow>;

const COLUMNS = sql`id, name, type, multiple, choices, filled_by_partner AS "filledByPartner", shared,
  retired_at AS "retiredAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Every field of an organisation, retired ones included. */
export const customFieldsOf = (organisationId: string): StoreStatement => sql`
  SELECT ${COLUMNS} FROM custom_fields WHERE organisation_id = ${organisationId}::uuid`;

/** The fields that the interface shows: neither retired nor of a type without values. */
export const customFieldsInUse = (organisationId: string): StoreStatement => sql`
  ${customFieldsOf(organisationId)} AND retired_at IS NULL AND type = ANY (${VALUE_TYPES}::text[])`;

/** The fields with these ids: own ones, and those of partners that cross a connection. */
export const customFieldsAmong = (ids: readonly string[]): StoreStatement => sql`
  SELECT ${COLUMNS} FROM custom_fields WHERE id = ANY (${ids}::uuid[])`;

/** Inserts or updates fields; an update keeps the id and the time of creation. */
export const putCustomFields = (organisationId: string, rows: readonly CustomFieldRow[]): StoreStatement => sql`
  INSERT INTO custom_fields (id, organisation_id, name, type, multiple, choices, filled_by_partner, shared, retired_at,
    created_at, updated_at)
  SELECT r."id", ${organisationId}::uuid, r."name", r."type", r."multiple", r."choices", r."filledByPartner", r."shared",
    r."retiredAt", r."createdAt", r."updatedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "name" text, "type" text,
    "multiple" boolean, "choices" text[], "filledByPartner" boolean, "shared" boolean, "retiredAt" timestamptz,
    "createdAt" timestamptz, "updatedAt" timestamptz)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, type = excluded.type, multiple = excluded.multiple,
    choices = excluded.choices, filled_by_partner = excluded.filled_by_partner, shared = excluded.shared,
    retired_at = excluded.retired_at, updated_at = excluded.updated_at`;

const lockName = (organisationId: string): string => `custom fields ${organisationId}`;

/** Waits for whoever changes the fields of an organisation, and keeps them as they are until the transaction ends. */
export const keepCustomFields = (organisationId: string): StoreStatement => sql`
  SELECT pg_advisory_xact_lock_shared(hashtextextended(${lockName(organisationId)}, 0))`;

/**
 * Waits for whoever writes values of an organisation or changes its fields, and keeps them out until the transaction
 * ends.
 */
export const lockCustomFields = (organisationId: string): StoreStatement => sql`
  SELECT pg_advisory_xact_lock(hashtextextended(${lockName(organisationId)}, 0))`;
