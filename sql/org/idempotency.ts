import { z } from 'zod';
import { type StoreStatement, sql } from './statement.ts';

/** The answer that was given under an idempotency key. */
export const storedAnswer = z.strictObject({
  /** SHA-256 over what was asked, hexadecimal. */
  fingerprint: z.string(),
  status: z.int(),
  body: z.string(),
});

export type StoredAnswer = z.infer<typeof storedAnswer>;

/** How long a key is kept, hours. */
export const KEPT_HOURS = 24;

/** Takes the key for the rest of the transaction, unless another transaction has it; one row, `free`. */
export const lockKey = (organisationId: string, key: string): StoreStatement => sql`
  SELECT pg_try_advisory_xact_lock(hashtextextended(${`${organisationId} ${key}`}, 0)) AS free`;

export const keyLockRow = z.strictObject({ free: z.boolean() });

/** What is stored under a key, in at most one row; what has been there longer than it is kept counts as gone. */
export const storedAnswerFor = (organisationId: string, key: string): StoreStatement => sql`
  SELECT fingerprint, status, body FROM idempotency_keys
  WHERE organisation_id = ${organisationId}::uuid AND key = ${key}
    AND created_at > now() - make_interval(hours => ${KEPT_HOURS})`;

/** Stores an answer; one that is there has had its time. */
export const storeAnswer = (
  organisationId: string,
  key: string,
  { fingerprint, status, body }: StoredAnswer,
): StoreStatement => sql`
  INSERT INTO idempotency_keys (organisation_id, key, fingerprint, status, body, created_at)
  VALUES (${organisationId}::uuid, ${key}, ${fingerprint}, ${status}, ${body}, now())
  ON CONFLICT (organisation_id, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, created_at = excluded.created_at`;
