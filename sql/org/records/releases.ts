import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import { DIRECTIONS, type Direction } from './shared-fields.ts';

/** Activations of fields on connections, and their releases; their owner arranges both. */

/** A field of one side. */
interface OwnField {
  readonly id: string;
  readonly ownerId: string;
}

/** Activates a field on a connection; one that is active stays as it is. */
export const activateField = (
  connectionId: string,
  { id, ownerId }: OwnField,
  direction: Direction,
  at: string,
): StoreStatement => sql`
  INSERT INTO connection_fields (connection_id, field_id, owner_id, direction, activated_at)
  VALUES (${connectionId}::uuid, ${id}::uuid, ${ownerId}::uuid, ${direction}, ${at}::timestamptz) ON CONFLICT DO NOTHING`;

export const deactivateField = (connectionId: string, fieldId: string): StoreStatement => sql`
  DELETE FROM connection_fields WHERE connection_id = ${connectionId}::uuid AND field_id = ${fieldId}::uuid`;

/** Releases a field for one connection, on every unit in its scope; one that is released stays as it is. */
export const releaseOver = (connectionId: string, { id, ownerId }: OwnField, at: string): StoreStatement => sql`
  INSERT INTO connection_releases (connection_id, field_id, owner_id, released_at)
  VALUES (${connectionId}::uuid, ${id}::uuid, ${ownerId}::uuid, ${at}::timestamptz) ON CONFLICT DO NOTHING`;

export const withdrawOver = (connectionId: string, fieldId: string): StoreStatement => sql`
  DELETE FROM connection_releases WHERE connection_id = ${connectionId}::uuid AND field_id = ${fieldId}::uuid`;

export const standingReleaseRow = z.strictObject({
  fieldId: z.uuid(),
  mastrNumber: z.string(),
  releasedAt: z.iso.datetime(),
});

export type StandingReleaseRow = z.infer<typeof standingReleaseRow>;

/**
 * Releases fields of one owner on units, for whichever connection has them in its scope; what is released stays as it
 * is.
 */
export const releaseOn = (ownerId: string, rows: readonly StandingReleaseRow[]): StoreStatement => sql`
  INSERT INTO standing_releases (owner_id, field_id, mastr_number, released_at)
  SELECT ${ownerId}::uuid, r."fieldId", r."mastrNumber", r."releasedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("fieldId" uuid, "mastrNumber" text,
    "releasedAt" timestamptz)
  ON CONFLICT DO NOTHING`;

export const withdrawOn = (fieldId: string, mastrNumbers: readonly string[]): StoreStatement => sql`
  DELETE FROM standing_releases WHERE field_id = ${fieldId}::uuid AND mastr_number = ANY (${mastrNumbers}::text[])`;

/** All standing releases of an owner, by unit. */
export const standingReleasesOf = (ownerId: string): StoreStatement => sql`
  SELECT field_id AS "fieldId", mastr_number AS "mastrNumber", released_at AS "releasedAt" FROM standing_releases
  WHERE owner_id = ${ownerId}::uuid ORDER BY mastr_number COLLATE "C", field_id`;

export const countRow = z.strictObject({ count: z.int() });

export const countStandingReleases = (ownerId: string): StoreStatement => sql`
  SELECT count(*) AS count FROM standing_releases WHERE owner_id = ${ownerId}::uuid`;

/** A release of a field: for a connection, or on a unit. */
export const releaseRow = z.strictObject({
  fieldId: z.uuid(),
  field: z.string(),
  /** Null for a standing release. */
  connection: z.uuid().nullable(),
  /** The other side of the connection; null while nobody has answered an invitation to an address. */
  counterpart: z.string().nullable(),
  /** Null for a release over a connection. */
  asset: z.string().nullable(),
  releasedAt: z.iso.datetime(),
});

export type ReleaseRow = z.infer<typeof releaseRow>;

/** The place of a release in their order: unit, field, connection; an empty text where it has none. */
export const placeOfRelease = ({ asset, fieldId, connection }: ReleaseRow): [string, string, string] => [
  asset ?? '',
  fieldId,
  connection ?? '',
];

const releases = (ownerId: string): StoreStatement => sql`
  SELECT d.id AS "fieldId", d.name AS field, r.connection, r.counterpart, r.asset, r.released_at AS "releasedAt"
  FROM (
    SELECT r.field_id, c.id AS connection, NULL AS asset, r.released_at,
      CASE r.owner_id WHEN c.initiator_id THEN c.invited_name ELSE c.initiator_name END AS counterpart
    FROM connection_releases r JOIN connections c ON c.id = r.connection_id
    WHERE r.owner_id = ${ownerId}::uuid
    UNION ALL
    SELECT field_id, NULL, mastr_number, released_at, NULL FROM standing_releases WHERE owner_id = ${ownerId}::uuid) AS r
  JOIN custom_fields d ON d.id = r.field_id`;

/** All releases of an owner: by field, those over connections first. */
export const releasesOf = (ownerId: string): StoreStatement =>
  sql`${releases(ownerId)} ORDER BY d.name COLLATE german, d.id, r.asset NULLS FIRST, r.connection`;

/** Releases of an owner: those over connections, then by unit. */
export function releasePage(ownerId: string, after: readonly string[] | null, limit: number): StoreStatement {
  const place = sql`(coalesce(r.asset, '') COLLATE "C", d.id::text COLLATE "C", coalesce(r.connection::text, '') COLLATE "C")`;
  const rest =
    after === null
      ? sql``
      : sql` WHERE ${place} > (${after[0] ?? ''}::text, ${after[1] ?? ''}::text, ${after[2] ?? ''}::text)`;
  return sql`${releases(ownerId)}${rest} ORDER BY ${place} LIMIT ${limit}`;
}

/** A field that is active on a connection. */
export const activeFieldRow = z.strictObject({
  fieldId: z.uuid(),
  name: z.string(),
  ownerId: z.uuid(),
  direction: z.enum(DIRECTIONS),
  activatedAt: z.iso.datetime(),
  /** Released for this connection. */
  released: z.boolean(),
  /** Units in the scope of the connection on which the field has a standing release. */
  standing: z.int(),
});

/** Fields of both sides that are active on a connection, by name. */
export const activeFieldsOf = (connectionId: string): StoreStatement => sql`
  SELECT d.id AS "fieldId", d.name, f.owner_id AS "ownerId", f.direction, f.activated_at AS "activatedAt",
    r.field_id IS NOT NULL AS released,
    (SELECT count(*) FROM standing_releases s JOIN connection_assets a ON a.mastr_number = s.mastr_number
      WHERE s.field_id = f.field_id AND a.connection_id = f.connection_id) AS standing
  FROM connection_fields f JOIN custom_fields d ON d.id = f.field_id
  LEFT JOIN connection_releases r ON r.connection_id = f.connection_id AND r.field_id = f.field_id
  WHERE f.connection_id = ${connectionId}::uuid
  ORDER BY d.name COLLATE german, d.id`;
