import { z } from 'zod';
import { all, type StoreStatement, sql } from '../statement.ts';
import { valueColumns } from './custom-field-values.ts';
import { VALUE_TYPES } from './custom-fields.ts';

/** Fields that cross a connection, unit by unit: rows of the view shared_fields, where all four conditions hold. */

/** SHARE: the owner's values are shown to the other side. REQUEST: the other side is asked for them. */
export const DIRECTIONS = ['SHARE', 'REQUEST'] as const;

export type Direction = (typeof DIRECTIONS)[number];

/**
 * `explizit`: released for this connection. `broadcast`: released on the unit, for whichever connection has it in
 * scope.
 */
export const RELEASE_ORIGINS = ['explizit', 'broadcast'] as const;

export const sharedFieldRow = z.strictObject({
  mastrNumber: z.string(),
  fieldId: z.uuid(),
  ownerId: z.uuid(),
  /** The organisation whose values cross: the owner (SHARE), or the side that is asked (REQUEST). */
  writerId: z.uuid(),
  direction: z.enum(DIRECTIONS),
  origin: z.enum(RELEASE_ORIGINS),
  /** Place of the field in the order of the request. */
  place: z.int(),
});

export type SharedFieldRow = z.infer<typeof sharedFieldRow>;

/** A field that is active on a connection and crosses it somewhere; the bytes of its choices as JSON. */
export const crossingFieldRow = z.strictObject({ id: z.uuid(), name: z.string(), choiceBytes: z.int() });

/** Fields that are active on a connection, as far as the organisation reads their definitions. */
export const fieldsOver = (connectionId: string): StoreStatement => sql`
  SELECT d.id, d.name, octet_length(to_jsonb(d.choices)::text) AS "choiceBytes"
  FROM connection_fields f JOIN custom_fields d ON d.organisation_id = f.owner_id AND d.id = f.field_id
  WHERE f.connection_id = ${connectionId}::uuid AND d.type = ANY (${VALUE_TYPES}::text[])`;

interface SharedFieldRequest {
  readonly connectionId: string;
  /** Fields in the order in which they follow each other on a unit. */
  readonly fieldIds: readonly string[];
  /** Null = every unit in scope. */
  readonly mastrNumber: string | null;
  /** Null = both. */
  readonly direction: Direction | null;
  /** The last row before the wanted ones; null = from the beginning. */
  readonly after: Pick<SharedFieldRow, 'mastrNumber' | 'place'> | null;
  readonly limit: number;
}

/** Rows of a connection by unit, bytewise, then by place of the field. */
export function sharedFieldPage(request: SharedFieldRequest): StoreStatement {
  const { connectionId, fieldIds, mastrNumber, direction, after, limit } = request;
  const conditions = [sql`s.connection_id = ${connectionId}::uuid`];
  if (mastrNumber !== null) conditions.push(sql`s.mastr_number = ${mastrNumber}`);
  if (direction !== null) conditions.push(sql`s.direction = ${direction}`);
  if (after !== null) {
    conditions.push(
      sql`s.mastr_number COLLATE "C" >= ${after.mastrNumber}`,
      sql`(s.mastr_number COLLATE "C", d.place) > (${after.mastrNumber}, ${after.place})`,
    );
  }
  return sql`
    SELECT s.mastr_number AS "mastrNumber", s.field_id AS "fieldId", s.owner_id AS "ownerId", s.writer_id AS "writerId",
      s.direction, s.origin, d.place
    FROM shared_fields s JOIN unnest(${fieldIds}::uuid[]) WITH ORDINALITY AS d (id, place) ON d.id = s.field_id
    WHERE ${all(conditions)}
    ORDER BY s.mastr_number COLLATE "C", d.place LIMIT ${limit}`;
}

/**
 * Keeps a connection of the organisation, its scope, and the fields active and released on it until the transaction ends.
 * Standing releases are kept with the fields of their owner (keepCustomFields).
 */
export const keepConnection = (connectionId: string): StoreStatement =>
  sql`SELECT keep_connection(${connectionId}::uuid)`;

/** The row of each of these fields on each of these units of a connection, where it crosses. */
export const sharedFieldsAmong = (
  connectionId: string,
  mastrNumbers: readonly string[],
  fieldIds: readonly string[],
): StoreStatement => sql`
  SELECT s.mastr_number AS "mastrNumber", s.field_id AS "fieldId", s.owner_id AS "ownerId", s.writer_id AS "writerId",
    s.direction, s.origin, 0 AS place
  FROM shared_fields s
  WHERE s.connection_id = ${connectionId}::uuid AND s.mastr_number = ANY (${mastrNumbers}::text[])
    AND s.field_id = ANY (${fieldIds}::uuid[])`;

/** Bytes that a value takes in an answer beside its text. */
const VALUE_OVERHEAD = 130;

export const sharedValueRow = z.strictObject({
  /** Index of the row that the value belongs to. */
  row: z.int(),
  ...valueColumns,
  updatedAt: z.iso.datetime(),
  bytes: z.int(),
});

export type SharedValueRow = z.infer<typeof sharedValueRow>;

/**
 * The values that cross in these rows, in their order. It ends with the row that exceeds a number of bytes, so that
 * answers and memory are bounded whatever the values are.
 */
export const sharedValues = (rows: readonly SharedFieldRow[], mostBytes: number): StoreStatement => sql`
  SELECT "row", text, number, day, "dayPrecision", "updatedAt", bytes
  FROM (
    SELECT k."row", v.position, v.text, v.number::float8 AS number, v.day, v.day_precision AS "dayPrecision",
      v.updated_at AS "updatedAt", size.bytes,
      sum(size.bytes) OVER (ORDER BY k."row") - sum(size.bytes) OVER (PARTITION BY k."row") AS before
    FROM jsonb_to_recordset(${JSON.stringify(rows.map(keyOf))}::text::jsonb)
      AS k ("row" integer, "owner" uuid, "unit" text, "field" uuid, "writer" uuid)
    JOIN custom_field_values v ON v.organisation_id = k."owner" AND v.mastr_number = k."unit" AND v.field_id = k."field"
      AND v.writer_id = k."writer"
    CROSS JOIN LATERAL (SELECT coalesce(octet_length(v.text), 0) + ${VALUE_OVERHEAD}::integer AS bytes) AS size
  ) AS sized
  WHERE before <= ${mostBytes}
  ORDER BY "row", position`;

const keyOf = ({ ownerId, mastrNumber, fieldId, writerId }: SharedFieldRow, row: number) => ({
  row,
  owner: ownerId,
  unit: mastrNumber,
  field: fieldId,
  writer: writerId,
});
