import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

/** The use of custom fields, which limits how they may change. */

export const fieldUseRow = z.strictObject({
  fieldId: z.uuid(),
  /** Units with a value of anybody. */
  units: z.int(),
  /** Units with several values of one writer. */
  unitsWithSeveral: z.int(),
});

/** The use of each field that has values. */
export const useOfFields = (organisationId: string, fieldIds: readonly string[]): StoreStatement => sql`
  SELECT field_id AS "fieldId", count(DISTINCT mastr_number) AS units,
    count(DISTINCT mastr_number) FILTER (WHERE position > 0) AS "unitsWithSeveral"
  FROM custom_field_values WHERE organisation_id = ${organisationId}::uuid AND field_id = ANY (${fieldIds}::uuid[])
  GROUP BY field_id`;

export const choiceUseRow = z.strictObject({ choice: z.string(), units: z.int() });

/** The choices of a field that values have, with the number of units. */
export const useOfChoices = (organisationId: string, fieldId: string): StoreStatement => sql`
  SELECT text AS choice, count(DISTINCT mastr_number) AS units FROM custom_field_values
  WHERE organisation_id = ${organisationId}::uuid AND field_id = ${fieldId}::uuid AND text IS NOT NULL GROUP BY text`;

export const sharingRow = z.strictObject({ releases: z.int(), activations: z.int() });

/**
 * Counts the releases of a field, for a connection or on a unit, and the connections on which it is active; one row.
 */
export const sharingOf = (fieldId: string): StoreStatement => sql`
  SELECT (SELECT count(*) FROM connection_releases WHERE field_id = ${fieldId}::uuid)
      + (SELECT count(*) FROM standing_releases WHERE field_id = ${fieldId}::uuid) AS releases,
    (SELECT count(*) FROM connection_fields WHERE field_id = ${fieldId}::uuid) AS activations`;

/** Moves the times of the connections on which these fields are active. */
export const touchConnectionsWith = (fieldIds: readonly string[]): StoreStatement => sql`
  SELECT touch_connection(c.id) FROM connections c
  WHERE c.id IN (SELECT connection_id FROM connection_fields WHERE field_id = ANY (${fieldIds}::uuid[]))`;

/** Withdraws these fields from every connection. */
export const withdrawFields = (fieldIds: readonly string[]): readonly StoreStatement[] => [
  sql`DELETE FROM connection_releases WHERE field_id = ANY (${fieldIds}::uuid[])`,
  sql`DELETE FROM standing_releases WHERE field_id = ANY (${fieldIds}::uuid[])`,
  sql`DELETE FROM connection_fields WHERE field_id = ANY (${fieldIds}::uuid[])`,
];
