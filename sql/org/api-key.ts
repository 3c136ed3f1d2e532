import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * API keys: `mds_<live|test>_<prefix>_<secret>`. The secret is 32 random bytes in base62, 43 characters, and six more
 * that are the CRC-32 of everything before them: a mistyped key is recognised without a look-up, and secret scanners
 * recognise a real one.
 */
export interface ApiKeyText {
  readonly environment: 'live' | 'test';
  /** Eight characters that identify the key in lists and logs. */
  readonly prefix: string;
  readonly secret: string;
}

const FORM = /^mds_(live|test)_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** Matches a key anywhere in a text, whole or cut off, to redact what is stored or logged. */
const MENTION = /mds_(live|test)_([0-9A-Za-z]{8})_[0-9A-Za-z]+/g;

const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** Makes a key. Its text is shown once and never stored. */
export function makeApiKey(environment: ApiKeyText['environment']): ApiKeyText & { readonly text: string } {
  const prefix = base62(randomBytes(6), 8);
  const secret = base62(randomBytes(SECRET_BYTES), SECRET_LENGTH);
  const body = `mds_${environment}_${prefix}_${secret}`;
  return { environment, prefix, secret, text: body + checksum(body) };
}

/** Takes a key apart; null for a text of another form or with a wrong checksum. */
export function parseApiKey(text: string): ApiKeyText | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  const [, environment, prefix = '', secret = '', check] = match;
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== check) return null;
  return { environment: environment as ApiKeyText['environment'], prefix, secret };
}

/** Returns the SHA-256 of a secret, hexadecimal. It needs no salt, as 32 random bytes cannot be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares a secret with a stored hash in constant time. */
export const isSecret = (secret: string, storedHash: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(storedHash, 'hex'));

/** Replaces the secret of every key in a text with ***. */
const withoutKeys = (text: string): string => text.replaceAll(MENTION, 'mds_$1_$2_***');

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Writes bytes as one number in base 62, cut or padded to a length; 43 digits hold 32 bytes. */
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

/** A secret of a webhook endpoint, also in a URI or a JSON Pointer. */
const WEBHOOK_SECRET = /whsec_[\w+/=%~-]+/g;

/** The token of a link that opens without a key, to the delivery log, to a view, or to stop e-mails; also one that was altered or cut off. */
const LINK_TOKEN = /(\/(?:portal|share|unsubscribe)\/+)[^/?#&"'<>\s]{16,}/gi;

/** Replaces the secret of every key and webhook endpoint, and the token of every link, in a text with ***. */
export const withoutSecrets = (text: string): string =>
  withoutKeys(text).replaceAll(WEBHOOK_SECRET, 'whsec_***').replaceAll(LINK_TOKEN, '$1***');
