import { z } from 'zod';
import { all, type StoreStatement, sql } from './statement.ts';

/** One call in the audit log: interface.md, AuditEntry. */
export const auditRow = z.strictObject({
  id: z.uuid(),
  /** Time of the answer, RFC 3339. */
  answeredAt: z.iso.datetime(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  durationMs: z.int(),
  rowCount: z.int().nullable(),
  requestId: z.uuid(),
  keyId: z.uuid().nullable(),
  keyPrefix: z.string().nullable(),
  query: z.string().nullable(),
  queryHash: z.string().nullable(),
});

export type AuditRow = z.infer<typeof auditRow>;

/** A call on its way into the log. */
export type NewAuditRow = AuditRow & {
  /** Null = the caller is unknown. */
  readonly organisationId: string | null;
};

export const insertAuditRows = (rows: readonly NewAuditRow[]): StoreStatement => sql`
  INSERT INTO audit_log (id, organisation_id, answered_at, method, path, status, duration_ms, row_count, request_id,
    key_id, key_prefix, query, query_hash)
  SELECT r."id", o.id, r."answeredAt", r."method", r."path", r."status", r."durationMs", r."rowCount", r."requestId",
    r."keyId", r."keyPrefix", r."query", r."queryHash"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "organisationId" uuid,
    "answeredAt" timestamptz, "method" text, "path" text, "status" smallint, "durationMs" integer, "rowCount" integer,
    "requestId" uuid, "keyId" uuid, "keyPrefix" text, "query" text, "queryHash" text)
  -- An organisation may have been deleted since the call; the call stays.
  LEFT JOIN organisations o ON o.id = r."organisationId"
  ON CONFLICT (id) DO NOTHING`;

export interface AuditPageRequest {
  /** RFC 3339, inclusive. */
  readonly from: string | null;
  /** RFC 3339, exclusive. */
  readonly before: string | null;
  readonly status: number | null;
  readonly method: string | null;
  readonly keyPrefix: string | null;
  /** Time and id of the last entry delivered. */
  readonly after: readonly [answeredAt: string, id: string] | null;
  readonly limit: number;
}

/** Entries of one organisation, newest first. */
export function auditPage(organisationId: string, request: AuditPageRequest): StoreStatement {
  const { from, before, status, method, keyPrefix, after, limit } = request;
  const conditions = [sql`organisation_id = ${organisationId}::uuid`];
  if (from !== null) conditions.push(sql`answered_at >= ${from}::timestamptz`);
  if (before !== null) conditions.push(sql`answered_at < ${before}::timestamptz`);
  if (status !== null) conditions.push(sql`status = ${status}`);
  if (method !== null) conditions.push(sql`method = ${method}`);
  if (keyPrefix !== null) conditions.push(sql`key_prefix = ${keyPrefix}`);
  if (after !== null) conditions.push(sql`(answered_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  return sql`
    SELECT id, answered_at AS "answeredAt", method, path, status, duration_ms AS "durationMs",
      row_count AS "rowCount", request_id AS "requestId", key_id AS "keyId", key_prefix AS "keyPrefix", query,
      query_hash AS "queryHash"
    FROM audit_log WHERE ${all(conditions)}
    ORDER BY answered_at DESC, id DESC LIMIT ${limit}`;
}
