import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * API keys: `mds_<live|test>_<prefix>_<secret>`. The secret is 32 random bytes in base62, 43 characters, and six more
 * that are the CRC-32 of everything before them: a mistyped key is told from a wrong one without a look-up, and secret
 * scanners recognise a real one.
 */
export interface ApiKeyText {
  readonly environment: 'live' | 'test';
  /** Eight characters that name the key wherever it is spoken of. */
  readonly prefix: string;
  readonly secret: string;
}

const FORM = /^mds_(live|test)_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** A key anywhere in a text, whole or cut off: for cleaning what is kept or logged. */
const MENTION = /mds_(live|test)_([0-9A-Za-z]{8})_[0-9A-Za-z]+/g;

const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** A new key; its text is shown once and stored nowhere. */
export function makeApiKey(environment: ApiKeyText['environment']): ApiKeyText & { readonly text: string } {
  const prefix = base62(randomBytes(6), 8);
  const secret = base62(randomBytes(SECRET_BYTES), SECRET_LENGTH);
  const body = `mds_${environment}_${prefix}_${secret}`;
  return { environment, prefix, secret, text: body + checksum(body) };
}

/** The parts of a key; null for a text that cannot be one: another form, or a checksum that is wrong. */
export function parseApiKey(text: string): ApiKeyText | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  const [, environment, prefix = '', secret = '', check] = match;
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== check) return null;
  return { environment: environment as ApiKeyText['environment'], prefix, secret };
}

/** What is stored of a secret: SHA-256, hexadecimal. It needs no salt: 32 random bytes cannot be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Whether the secret is the one of the stored hash, in a time that does not depend on the answer. */
export const isSecret = (secret: string, storedHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(storedHash, 'hex'));

/** The text with the secret of every key in it blotted out. */
export const withoutKeys = (text: string): string => text.replaceAll(MENTION, 'mds_$1_$2_***');

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The bytes as one number in base 62, cut or filled to a length; 43 digits hold 32 bytes. */
function base62(bytes: Uint8Array, length: number): string {
  let rest = bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  let text = '';
  for (let index = 0; index < length; index++) {
    text = ALPHABET[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}

const checksum = (text: string): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62(bytes, CHECKSUM_LENGTH);
};
