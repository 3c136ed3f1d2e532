import { z } from 'zod';
import { currentKey, type EncryptionKeys } from '../encryption.ts';
import { type StoreStatement, sql } from '../statement.ts';
import { ENDPOINT_COLUMNS, type EndpointRow } from './endpoints.ts';
import { currentSecret, previousSecretOf, sealedPreviousSecret, sealedSecret } from './secrets.ts';

/** Encrypts the secrets of endpoints with another key. */

/**
 * Selects the keys that encrypt secrets of endpoints, but for the given ones, with the number of endpoints of each. It
 * steps from key to key in the indexes, so endpoints of the given keys cost nothing.
 */
export const otherKeysOfSecrets = (keyIds: readonly string[]): StoreStatement => sql`
  WITH RECURSIVE current AS (
    SELECT min(secret_key_id) AS id FROM webhook_endpoints
    UNION ALL SELECT (SELECT min(secret_key_id) FROM webhook_endpoints WHERE secret_key_id > current.id)
    FROM current WHERE current.id IS NOT NULL),
  previous AS (
    SELECT min(previous_secret_key_id) AS id FROM webhook_endpoints
    UNION ALL SELECT (SELECT min(previous_secret_key_id) FROM webhook_endpoints WHERE previous_secret_key_id > previous.id)
    FROM previous WHERE previous.id IS NOT NULL)
  SELECT id AS "keyId", (SELECT count(*) FROM webhook_endpoints
    WHERE secret_key_id = used.id OR previous_secret_key_id = used.id) AS "endpoints"
  FROM (SELECT id FROM current UNION SELECT id FROM previous) AS used WHERE id <> ALL (${keyIds}::text[])
  ORDER BY id`;

export const keyOfSecretsRow = z.strictObject({ keyId: z.string(), endpoints: z.int() });

/** Selects some endpoints, of any organisation, with a secret that these keys encrypt, and locks them. */
export const endpointsOfKeys = (keyIds: readonly string[], limit: number): StoreStatement => sql`
  SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints
  WHERE secret_key_id = ANY (${keyIds}::text[]) OR previous_secret_key_id = ANY (${keyIds}::text[])
  LIMIT ${limit} FOR NO KEY UPDATE`;

/** Encrypts the secrets of an endpoint with the first key, whatever keys encrypt them now. @throws KeyMissing, CiphertextDamaged */
export function endpointEncryptedAnew(row: EndpointRow, keys: EncryptionKeys): EndpointRow {
  const previous = previousSecretOf(row, keys);
  return {
    ...row,
    ...sealedSecret(row, currentSecret(row, keys), keys),
    ...(previous === null
      ? {}
      : { previousSecret: sealedPreviousSecret(row, previous, keys), previousSecretKeyId: currentKey(keys).id }),
  };
}

/** Replaces ciphertexts. The endpoints are the same as before, so their time of change stays. */
export const replaceSecrets = (rows: readonly EndpointRow[]): StoreStatement => sql`
  UPDATE webhook_endpoints SET secret = r."secret", secret_key_id = r."secretKeyId", previous_secret = r."previousSecret",
    previous_secret_key_id = r."previousSecretKeyId"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "secret" text, "secretKeyId" text,
    "previousSecret" text, "previousSecretKeyId" text)
  WHERE webhook_endpoints.id = r."id"`;

/** Forgets former secrets that no longer sign. */
export const forgetFormerSecrets = sql`
  UPDATE webhook_endpoints SET previous_secret = NULL, previous_secret_key_id = NULL, previous_secret_until = NULL
  WHERE previous_secret_key_id IS NOT NULL AND previous_secret_until <= now()`;
