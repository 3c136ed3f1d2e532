import { z } from 'zod';
import { all, type StoreStatement, sql } from '../statement.ts';
import { RELATION_TYPES } from './portfolio.ts';

/** Units in the scope of a connection. */

/** A connection has at most this many: as many as a list delivers, so that its pages have all of them. */
export const MAX_ASSETS = 10_000;

export const assetRow = z.strictObject({
  mastrNumber: z.string(),
  /** The initiator's role to the unit when it was added. */
  relationType: z.enum(RELATION_TYPES),
  addedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type AssetRow = z.infer<typeof assetRow>;

const COLUMNS = sql`mastr_number AS "mastrNumber", relation_type AS "relationType", added_at AS "addedAt",
  updated_at AS "updatedAt"`;

/** Assets of a connection by number, bytewise. @param after the last number of the page before */
export function assetPage(connectionId: string, after: string | null, limit: number): StoreStatement {
  const conditions = [sql`connection_id = ${connectionId}::uuid`];
  if (after !== null) conditions.push(sql`mastr_number COLLATE "C" > ${after}`);
  return sql`SELECT ${COLUMNS} FROM connection_assets WHERE ${all(conditions)}
    ORDER BY mastr_number COLLATE "C" LIMIT ${limit}`;
}

/**
 * Puts units into the scope of a connection, as far as they are in the portfolio of the side that invited. Whoever adds or
 * removes assets calls touchConnection, which counts them.
 */
export const extendConnection = (connectionId: string, numbers: readonly string[]): StoreStatement =>
  sql`SELECT extend_connection(${connectionId}::uuid, ${numbers}::text[])`;

export const removeAssets = (connectionId: string, numbers: readonly string[]): StoreStatement => sql`
  DELETE FROM connection_assets
  WHERE connection_id = ${connectionId}::uuid AND mastr_number = ANY (${numbers}::text[])`;

export const mayExtendRow = z.strictObject({ may: z.boolean() });

/** Whether the session may put units into the scope of a connection. */
export const mayExtend = (connectionId: string): StoreStatement => sql`SELECT may_extend(${connectionId}::uuid) AS may`;

export const assetOfRow = assetRow.extend({ connectionId: z.uuid() });

/** The assets of these connections, by number within each. */
export const assetsOf = (connectionIds: readonly string[]): StoreStatement => sql`
  SELECT connection_id AS "connectionId", ${COLUMNS} FROM connection_assets
  WHERE connection_id = ANY (${connectionIds}::uuid[]) ORDER BY connection_id, mastr_number COLLATE "C"`;

/**
 * Adds assets to several connections; those that are in their scope stay as they are. The numbers of assets are counted
 * by recountAssets.
 */
export const putAssets = (rows: readonly z.infer<typeof assetOfRow>[]): StoreStatement => sql`
  INSERT INTO connection_assets (connection_id, mastr_number, relation_type, added_at, updated_at)
  SELECT r."connectionId", r."mastrNumber", r."relationType", r."addedAt", r."updatedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("connectionId" uuid, "mastrNumber" text,
    "relationType" text, "addedAt" timestamptz, "updatedAt" timestamptz)
  ON CONFLICT DO NOTHING`;

export const recountAssets = (connectionIds: readonly string[]): StoreStatement => sql`
  UPDATE connections c SET asset_count = (SELECT count(*) FROM connection_assets a WHERE a.connection_id = c.id)
  WHERE c.id = ANY (${connectionIds}::uuid[])`;
