import { z } from 'zod';
import { type StoreStatement, sql } from './statement.ts';

/** A key as the store has it; of its secret there is only the hash. */
export const keyRow = z.strictObject({
  id: z.uuid(),
  prefix: z.string(),
  environment: z.enum(['live', 'test']),
  /** SHA-256 of the secret, hexadecimal (hashSecret). */
  secretHash: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  /** External id of the user who created it; null = the operator. */
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
});

export type KeyRow = z.infer<typeof keyRow>;

/** Keys of an organisation, oldest first. */
export const keysOf = (organisationId: string): StoreStatement => sql`
  SELECT k.id, k.prefix, k.environment, k.secret_hash AS "secretHash", k.name, k.scopes, u.external_id AS "createdBy",
    k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt"
  FROM api_keys k LEFT JOIN users u ON u.id = k.created_by
  WHERE k.organisation_id = ${organisationId}::uuid ORDER BY k.created_at, k.id`;

/**
 * Inserts or updates keys by their ids; an update keeps the prefix, the secret and the time of creation. A prefix that
 * another key has is an error. Users that `createdBy` names have to be written before.
 */
export const putKeys = (organisationId: string, rows: readonly KeyRow[]): StoreStatement => sql`
  INSERT INTO api_keys (id, organisation_id, prefix, environment, secret_hash, name, scopes, created_by, created_at,
    expires_at, revoked_at)
  SELECT r."id", ${organisationId}::uuid, r."prefix", r."environment", r."secretHash", r."name", r."scopes", u.id,
    r."createdAt", r."expiresAt", r."revokedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "prefix" text, "environment" text,
    "secretHash" text, "name" text, "scopes" text[], "createdBy" text, "createdAt" timestamptz, "expiresAt" timestamptz,
    "revokedAt" timestamptz)
  LEFT JOIN users u ON u.organisation_id = ${organisationId}::uuid AND u.external_id = r."createdBy"
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, scopes = excluded.scopes, created_by = excluded.created_by,
    expires_at = excluded.expires_at, revoked_at = excluded.revoked_at
  WHERE api_keys.organisation_id = excluded.organisation_id`;

export const keyOwnerRow = z.strictObject({ prefix: z.string(), organisation: z.string() });

/** Selects the organisations, by external id, that have the keys of these prefixes. */
export const ownersOfKeys = (prefixes: readonly string[]): StoreStatement => sql`
  SELECT k.prefix, o.external_id AS organisation FROM api_keys k JOIN organisations o ON o.id = k.organisation_id
  WHERE k.prefix = ANY (${prefixes}::text[])`;

export const revocationRow = z.strictObject({
  prefix: z.string(),
  name: z.string(),
  /** External id. */
  organisation: z.string(),
  revokedAt: z.iso.datetime(),
  /** False = it had been revoked before. */
  now: z.boolean(),
  /** Public links that it made, which are of the organisation and hold on. */
  liveShares: z.int(),
});

/** Revokes a key now, in at most one row; a key that was revoked before keeps its time. */
export const revokeKey = (prefix: string): StoreStatement => sql`
  UPDATE api_keys k SET revoked_at = coalesce(before.revoked_at, now())
  FROM api_keys before JOIN organisations o ON o.id = before.organisation_id
  WHERE k.prefix = ${prefix} AND before.id = k.id
  RETURNING k.prefix, k.name, o.external_id AS organisation, k.revoked_at AS "revokedAt",
    before.revoked_at IS NULL AS now,
    (SELECT count(*)::int FROM shares s WHERE s.organisation_id = o.id AND s.key_prefix = k.prefix
      AND s.revoked_at IS NULL AND s.ends_on >= (now() AT TIME ZONE 'Europe/Berlin')::date) AS "liveShares"`;

export const lastUseRow = z.strictObject({ keyId: z.uuid(), lastUsedAt: z.iso.datetime() });

/** Selects the last use of each key of an organisation, as far back as the audit log goes. */
export const lastUses = (organisationId: string): StoreStatement => sql`
  SELECT key_id AS "keyId", max(answered_at) AS "lastUsedAt" FROM audit_log
  WHERE organisation_id = ${organisationId}::uuid AND key_id IS NOT NULL GROUP BY key_id`;
