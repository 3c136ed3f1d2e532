import { randomBytes } from 'node:crypto';
import { currentKey, decrypt, type EncryptionKeys, encrypt, type Place } from '../encryption.ts';
import type { EndpointRow } from './endpoints.ts';

/** Secrets that sign deliveries, as Standard Webhooks writes them: `whsec_` and 24 to 64 bytes in base64. */

const SECRET_PREFIX = 'whsec_';

const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** The length of secrets that are made here. */
const MADE_BYTES = 32;

/** How long the secret before the last rotation signs as well. */
export const PREVIOUS_SECRET_SECONDS = 24 * 60 * 60;

export const makeSecret = (): string => SECRET_PREFIX + randomBytes(MADE_BYTES).toString('base64');

/** Returns true for a secret whose base64 every decoder reads as the same bytes. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(SECRET_PREFIX)) return false;
  const base64 = text.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && bytes.toString('base64') === base64;
}

type Owned = Pick<EndpointRow, 'id' | 'organisationId'>;

const placeOf = ({ id, organisationId }: Owned, column: 'secret' | 'previous_secret'): Place => ({
  organisationId,
  rowId: id,
  column,
});

/** Encrypts the current secret of an endpoint. */
export const sealedSecret = (
  endpoint: Owned,
  secret: string,
  keys: EncryptionKeys,
): Pick<EndpointRow, 'secret' | 'secretKeyId'> => ({
  secret: encrypt(keys, secret, placeOf(endpoint, 'secret')),
  secretKeyId: currentKey(keys).id,
});

/** Decrypts the current secret of an endpoint. @throws KeyMissing, CiphertextDamaged */
export const currentSecret = (row: EndpointRow, keys: EncryptionKeys): string =>
  decrypt(keys, row.secretKeyId, row.secret, placeOf(row, 'secret'));

/** Encrypts the secret that an endpoint had before. */
export const sealedPreviousSecret = (endpoint: Owned, secret: string, keys: EncryptionKeys): string =>
  encrypt(keys, secret, placeOf(endpoint, 'previous_secret'));

/**
 * Decrypts the secret that an endpoint had before, whether or not it still signs; null when there is none.
 * @throws KeyMissing, CiphertextDamaged
 */
export function previousSecretOf(row: EndpointRow, keys: EncryptionKeys): string | null {
  const { previousSecret, previousSecretKeyId } = row;
  if (previousSecret === null || previousSecretKeyId === null) return null;
  return decrypt(keys, previousSecretKeyId, previousSecret, placeOf(row, 'previous_secret'));
}

/**
 * Replaces the secret of an endpoint. The one that it had signs as well for PREVIOUS_SECRET_SECONDS; an earlier one
 * that still did no longer does.
 * @throws KeyMissing, CiphertextDamaged
 */
export const rotated = (row: EndpointRow, secret: string, keys: EncryptionKeys, now: Date): EndpointRow => ({
  ...row,
  ...sealedSecret(row, secret, keys),
  previousSecret: sealedPreviousSecret(row, currentSecret(row, keys), keys),
  previousSecretKeyId: currentKey(keys).id,
  previousSecretUntil: new Date(now.getTime() + PREVIOUS_SECRET_SECONDS * 1000).toISOString(),
  updatedAt: now.toISOString(),
});

/**
 * Decrypts the secrets that sign a delivery at a moment, the current one first.
 * @param keys those from before the row was read, and those of now where these do not fit (withKeyring)
 * @throws KeyMissing, CiphertextDamaged
 */
export function signingSecrets(row: EndpointRow, keys: EncryptionKeys, now: Date): readonly string[] {
  const { previousSecretUntil: until } = row;
  const previous = until === null || Date.parse(until) <= now.getTime() ? null : previousSecretOf(row, keys);
  return [currentSecret(row, keys), ...(previous === null ? [] : [previous])];
}
