import { randomBytes } from 'node:crypto';
import { currentKey, decrypt, type EncryptionKeys, encrypt, type Place } from '../encryption.ts';
import type { EndpointRow } from './endpoints.ts';

/** Secrets that sign deliveries, as Standard Webhooks writes them: `whsec_` and 24 to 64 bytes in base64. */

const PREFIX = 'whsec_';

/** The number of bytes in secrets that are made here. */
const MADE_BYTES = 32;

/**
 * 24 to 64 bytes as every decoder of base64 reads them: with padding, and without bits that stand for nothing. 8 to 20
 * groups of three bytes, and what may follow.
 */
export const SECRET_PATTERN =
  `^${PREFIX}(?:[A-Za-z0-9+/]{4}){8,20}` +
  '(?:[A-Za-z0-9+/]{4}(?:[A-Za-z0-9+/][AQgw]==)?|[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$';

const FORM = new RegExp(SECRET_PATTERN);

/** The key in a secret. @throws Error for a text of another form: an empty key would sign like no key at all */
export function signingKeyOf(secret: string): Buffer {
  if (!isSecret(secret)) throw new Error(`A webhook secret is not ${PREFIX} and 24 to 64 bytes in base64`);
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

export const isSecret = (text: string): boolean => FORM.test(text);

/** The time for which the secret before the last rotation signs as well. */
export const PREVIOUS_SECRET_SECONDS = 24 * 60 * 60;

export const makeSecret = (): string => PREFIX + randomBytes(MADE_BYTES).toString('base64');

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
