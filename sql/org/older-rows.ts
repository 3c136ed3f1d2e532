import { z } from 'zod';
import { type StoreStatement, sql } from './statement.ts';

/** Units read by the older variant: migrations/0006_older_rows.sql. */

export const olderRowsRow = z.strictObject({
  /** Units read in the running month. */
  used: z.int(),
  /** RFC 3339: first moment of the next month. */
  end: z.iso.datetime(),
});

/** Selects the count of an organisation in the running month, in one row. */
export const olderRowsStatement = (organisationId: string): StoreStatement => sql`
  SELECT coalesce(o.rows, 0) AS used, end_of_month(m.month) AS "end"
  FROM (SELECT month_of(now()) AS month) m
  LEFT JOIN older_rows o ON o.organisation_id = ${organisationId}::uuid AND o.month = m.month`;

/** Counts units in the running month. */
export const addOlderRows = (organisationId: string, rows: number): StoreStatement => sql`
  INSERT INTO older_rows AS o (organisation_id, month, rows)
  VALUES (${organisationId}::uuid, month_of(now()), ${rows}::bigint)
  ON CONFLICT (organisation_id, month) DO UPDATE SET rows = o.rows + excluded.rows`;
