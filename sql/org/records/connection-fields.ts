import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

/** Active and released fields of one side, on all of its connections at once. */

/** A field of the owner on a connection, and since when. */
export const fieldOfConnectionRow = z.strictObject({
  connectionId: z.uuid(),
  /** Its name. */
  field: z.string(),
  at: z.iso.datetime(),
});

export type FieldOfConnection = z.infer<typeof fieldOfConnectionRow>;

/** The owner's fields that are active on its connections. */
export const activeFieldsBy = (ownerId: string): StoreStatement => sql`
  SELECT f.connection_id AS "connectionId", d.name AS field, f.activated_at AS at
  FROM connection_fields f JOIN custom_fields d ON d.organisation_id = f.owner_id AND d.id = f.field_id
  WHERE f.owner_id = ${ownerId}::uuid`;

/** The owner's fields that it has released for its connections. */
export const releasedFieldsBy = (ownerId: string): StoreStatement => sql`
  SELECT r.connection_id AS "connectionId", d.name AS field, r.released_at AS at
  FROM connection_releases r JOIN custom_fields d ON d.organisation_id = r.owner_id AND d.id = r.field_id
  WHERE r.owner_id = ${ownerId}::uuid`;

const given = (rows: readonly FieldOfConnection[]): StoreStatement => sql`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("connectionId" uuid, "field" text, "at" timestamptz)`;

/** Activates fields of an owner, by name; those that are active stay as they are. */
export const putActiveFields = (ownerId: string, rows: readonly FieldOfConnection[]): StoreStatement => sql`
  INSERT INTO connection_fields (connection_id, field_id, owner_id, direction, activated_at)
  SELECT r."connectionId", d.id, d.organisation_id, CASE WHEN d.filled_by_partner THEN 'REQUEST' ELSE 'SHARE' END, r."at"
  FROM ${given(rows)} JOIN custom_fields d ON d.organisation_id = ${ownerId}::uuid AND d.name = r."field"
  ON CONFLICT DO NOTHING`;

/** Releases fields of an owner, by name; those that are released stay as they are. */
export const putReleasedFields = (ownerId: string, rows: readonly FieldOfConnection[]): StoreStatement => sql`
  INSERT INTO connection_releases (connection_id, field_id, owner_id, released_at)
  SELECT r."connectionId", d.id, d.organisation_id, r."at"
  FROM ${given(rows)} JOIN custom_fields d ON d.organisation_id = ${ownerId}::uuid AND d.name = r."field"
  ON CONFLICT DO NOTHING`;
