import { z } from 'zod';
import { fold } from '../../query/fold.ts';
import { type StoreStatement, sql } from '../statement.ts';

/** What organisations wrote into their own fields of units, and partners into fields that they were asked to fill. */

/** One value; exactly one of `text`, `number` and `day` is set. */
export interface FieldValue {
  /** TEXT, LONG_TEXT, DROPDOWN, URL. */
  readonly text: string | null;
  /** NUMBER. */
  readonly number: number | null;
  /** DATE, `YYYY-MM-DD`; with month precision the first of the month. */
  readonly day: string | null;
  readonly dayPrecision: DayPrecision | null;
}

export const DAY_PRECISIONS = ['DAY', 'MONTH'] as const;

type DayPrecision = (typeof DAY_PRECISIONS)[number];

/** Values of one field on a unit, by one writer. */
export const MAX_VALUES = 100;

export const valueColumns = {
  text: z.string().nullable(),
  number: z.number().nullable(),
  day: z.string().nullable(),
  dayPrecision: z.enum(DAY_PRECISIONS).nullable(),
};

/** The values of one field on one unit by one writer, in their order. */
export interface FieldValues {
  readonly fieldId: string;
  readonly mastrNumber: string;
  readonly values: readonly FieldValue[];
}

export const fieldValueRow = z.strictObject({
  ...valueColumns,
  fieldId: z.uuid(),
  mastrNumber: z.string(),
  /** The organisation itself, or the partner that answered. */
  writerId: z.uuid(),
  /** Place among the values of one writer in one field, from 0. */
  position: z.int(),
  updatedAt: z.iso.datetime(),
});

export type FieldValueRow = z.infer<typeof fieldValueRow>;

const COLUMNS = sql`text, number::float8 AS number, day, day_precision AS "dayPrecision", field_id AS "fieldId",
  mastr_number AS "mastrNumber", writer_id AS "writerId", position, updated_at AS "updatedAt"`;

/** The values of every writer in these fields of one unit, in order of field, writer and place; no more than `limit`. */
export const valuesOfUnit = (
  organisationId: string,
  mastrNumber: string,
  fieldIds: readonly string[],
  limit: number,
): StoreStatement => sql`
  SELECT ${COLUMNS} FROM custom_field_values
  WHERE organisation_id = ${organisationId}::uuid AND mastr_number = ${mastrNumber}
    AND field_id = ANY (${fieldIds}::uuid[])
  ORDER BY mastr_number, field_id, writer_id, position LIMIT ${limit}`;

/** Locks these units' values in the fields of an organisation against other changes until the transaction ends. */
export const lockValues = (organisationId: string, mastrNumbers: readonly string[]): StoreStatement => sql`
  SELECT pg_advisory_xact_lock(hashtextextended(${`values ${organisationId} `} || number, 0))
  FROM (SELECT DISTINCT number FROM unnest(${mastrNumbers}::text[]) AS number ORDER BY number) AS numbers`;

const keysOf = (changes: readonly FieldValues[]): StoreStatement => sql`
  (SELECT k."mastrNumber", k."fieldId" FROM jsonb_to_recordset(
    ${JSON.stringify(changes.map(({ mastrNumber, fieldId }) => ({ mastrNumber, fieldId })))}::text::jsonb)
    AS k ("mastrNumber" text, "fieldId" uuid))`;

/** The present values of one writer in the fields and units of a change, in their order. */
export const presentValues = (
  organisationId: string,
  writerId: string,
  changes: readonly FieldValues[],
): StoreStatement => sql`
  SELECT ${COLUMNS} FROM custom_field_values
  WHERE organisation_id = ${organisationId}::uuid AND writer_id = ${writerId}::uuid
    AND (mastr_number, field_id) IN ${keysOf(changes)}
  ORDER BY mastr_number, field_id, position`;

/** Removes all values of one writer in the fields and units of a change. */
export const removeValues = (
  organisationId: string,
  writerId: string,
  changes: readonly FieldValues[],
): StoreStatement => sql`
  DELETE FROM custom_field_values
  WHERE organisation_id = ${organisationId}::uuid AND writer_id = ${writerId}::uuid
    AND (mastr_number, field_id) IN ${keysOf(changes)}`;

/** Inserts values, where there are none of the writer. */
export function insertValues(
  organisationId: string,
  writerId: string,
  changes: readonly FieldValues[],
  at: string,
): StoreStatement {
  const rows = changes.flatMap(({ fieldId, mastrNumber, values }) =>
    values.map((value, position) => ({
      ...value,
      foldedText: value.text === null ? null : fold(value.text),
      fieldId,
      mastrNumber,
      position,
    })),
  );
  return sql`
    INSERT INTO custom_field_values (organisation_id, field_id, mastr_number, position, text, folded_text, number, day,
      day_precision, writer_id, updated_at)
    SELECT ${organisationId}::uuid, r."fieldId", r."mastrNumber", r."position", r."text", r."foldedText", r."number",
      r."day", r."dayPrecision", ${writerId}::uuid, ${at}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("fieldId" uuid, "mastrNumber" text,
      "position" integer, "text" text, "foldedText" text, "number" numeric, "day" date, "dayPrecision" text)`;
}
