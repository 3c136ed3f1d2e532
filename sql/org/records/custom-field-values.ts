import { z } from 'zod';
import { fold } from '../../query/fold.ts';
import { type StoreStatement, sql } from '../statement.ts';

/** Values of units: those that organisations wrote into their own fields, and answers of partners. */

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
  /** The organisation whose field it is, or the partner that answers. */
  readonly writerId: string;
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

/**
 * The values of every writer in these fields of one unit, in order of field, writer and place; no more than `limit`.
 */
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

/** The same of several units: the values of one unit follow each other, in the order of their numbers. */
export const valuesOfUnits = (
  organisationId: string,
  mastrNumbers: readonly string[],
  fieldIds: readonly string[],
  limit: number,
): StoreStatement => sql`
  SELECT ${COLUMNS} FROM custom_field_values
  WHERE organisation_id = ${organisationId}::uuid AND mastr_number = ANY (${mastrNumbers}::text[])
    AND field_id = ANY (${fieldIds}::uuid[])
  ORDER BY mastr_number COLLATE "C", field_id, writer_id, position LIMIT ${limit}`;

/** Locks these units' values in the fields of an organisation against other changes until the transaction ends. */
export const lockValues = (organisationId: string, mastrNumbers: readonly string[]): StoreStatement => sql`
  SELECT pg_advisory_xact_lock(hashtextextended(${`values ${organisationId} `} || number, 0))
  FROM (SELECT DISTINCT number FROM unnest(${mastrNumbers}::text[]) AS number ORDER BY number) AS numbers`;

/** The values of one writer in one field of a unit, by their place in the store. */
export type ValuesKey = Omit<FieldValues, 'values'>;

/** The condition that a row belongs to one of these. */
const belongsTo = (organisationId: string, keys: readonly ValuesKey[]): StoreStatement => sql`
  organisation_id = ${organisationId}::uuid AND (mastr_number, field_id, writer_id) IN (
    SELECT k."mastrNumber", k."fieldId", k."writerId" FROM jsonb_to_recordset(
      ${JSON.stringify(keys.map(({ mastrNumber, fieldId, writerId }) => ({ mastrNumber, fieldId, writerId })))}::text::jsonb)
      AS k ("mastrNumber" text, "fieldId" uuid, "writerId" uuid))`;

/** The present values of these, in their order. */
export const presentValues = (organisationId: string, keys: readonly ValuesKey[]): StoreStatement => sql`
  SELECT ${COLUMNS} FROM custom_field_values WHERE ${belongsTo(organisationId, keys)}
  ORDER BY mastr_number, field_id, writer_id, position`;

export const removeValues = (organisationId: string, keys: readonly ValuesKey[]): StoreStatement => sql`
  DELETE FROM custom_field_values WHERE ${belongsTo(organisationId, keys)}`;

/** Inserts values, where there are none. */
export function insertValues(
  organisationId: string,
  fields: readonly (FieldValues & { readonly updatedAt: string })[],
): StoreStatement {
  const rows = fields.flatMap(({ values, ...field }) =>
    values.map((value, position) => ({
      ...field,
      ...value,
      foldedText: value.text === null ? null : fold(value.text),
      position,
    })),
  );
  return sql`
    INSERT INTO custom_field_values (organisation_id, field_id, mastr_number, position, text, folded_text, number, day,
      day_precision, writer_id, updated_at)
    SELECT ${organisationId}::uuid, r."fieldId", r."mastrNumber", r."position", r."text", r."foldedText", r."number",
      r."day", r."dayPrecision", r."writerId", r."updatedAt"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("fieldId" uuid, "mastrNumber" text,
      "writerId" uuid, "position" integer, "text" text, "foldedText" text, "number" numeric, "day" date,
      "dayPrecision" text, "updatedAt" timestamptz)`;
}

/** All values of one writer in one field of a unit, as they move to another store. */
export const movedValuesRow = z.strictObject({
  fieldId: z.uuid(),
  mastrNumber: z.string(),
  writerId: z.uuid(),
  values: z.array(z.strictObject(valueColumns)),
  updatedAt: z.iso.datetime(),
});

export const allValuesOf = (organisationId: string): StoreStatement => sql`
  SELECT field_id AS "fieldId", mastr_number AS "mastrNumber", writer_id AS "writerId",
    jsonb_agg(jsonb_build_object('text', text, 'number', number::float8, 'day', day, 'dayPrecision', day_precision)
      ORDER BY position) AS values,
    max(updated_at) AS "updatedAt"
  FROM custom_field_values WHERE organisation_id = ${organisationId}::uuid
  GROUP BY mastr_number, field_id, writer_id ORDER BY mastr_number COLLATE "C", field_id, writer_id`;
