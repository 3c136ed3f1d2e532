import { z } from 'zod';
import { type StoreStatement, sql } from './statement.ts';

/** The answer that was given under an idempotency key. */
export const storedAnswer = z.strictObject({
  /** SHA-256 over the request, hexadecimal. */
  fingerprint: z.string(),
  status: z.int(),
  body: z.string(),
});

export type StoredAnswer = z.infer<typeof storedAnswer>;

/** Hours for which a key is kept. */
export const KEPT_HOURS = 24;

/** Locks the key for the rest of the transaction, unless another transaction has it; one row, `free`. */
export const lockKey = (organisationId: string, key: string): StoreStatement => sql`
  SELECT pg_try_advisory_xact_lock(hashtextextended(${`${organisationId} ${key}`}, 0)) AS free`;

export const keyLockRow = z.strictObject({ free: z.boolean() });

/** Selects the answer under a key, in at most one row; expired answers do not count. */
export const storedAnswerFor = (organisationId: string, key: string): StoreStatement => sql`
  SELECT fingerprint, status, body FROM idempotency_keys
  WHERE organisation_id = ${organisationId}::uuid AND key = ${key}
    AND created_at > now() - make_interval(hours => ${KEPT_HOURS})`;

/** Stores an answer in place of one that has expired. */
export const storeAnswer = (
  organisationId: string,
  key: string,
  { fingerprint, status, body }: StoredAnswer,
): StoreStatement => sql`
  INSERT INTO idempotency_keys (organisation_id, key, fingerprint, status, body, created_at)
  VALUES (${organisationId}::uuid, ${key}, ${fingerprint}, ${status}, ${body}, now())
  ON CONFLICT (organisation_id, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, created_at = excluded.created_at`;
