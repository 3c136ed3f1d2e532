import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { itemAt } from '../../runtime/present.ts';
import { sql } from './statement.ts';

/**
 * Encryption of single values of the store, with keys that are not in it: AES-256-GCM. A ciphertext is bound to its
 * place: copied into another row or column, it cannot be decrypted.
 */

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface EncryptionKey {
  /** The beginning of the key's SHA-256, which tells keys apart and says nothing about them. */
  readonly id: string;
  readonly secret: KeyObject;
}

/** All of them decrypt, and the first one encrypts. */
export type EncryptionKeys = readonly EncryptionKey[];

/** The keys of this service. */
export interface Keyring {
  /**
   * Returns the keys as they are now: another process may have added one meanwhile, or dropped one that no row names.
   */
  keys(): EncryptionKeys;
}

/** The place of a value in the store. */
export interface Place {
  readonly organisationId: string;
  readonly rowId: string;
  readonly column: string;
}

/** A value is encrypted with a key that is not among those given. */
export class KeyMissing extends Error {
  readonly keyId: string;

  constructor(keyId: string) {
    super(`The encryption key ${keyId} is missing: bring it back, in STATE_DIR/encryption-key or ENCRYPTION_KEYS`);
    this.keyId = keyId;
  }
}

/** A value was not encrypted at its place with the key that its row names, or it was changed since. */
export class CiphertextDamaged extends Error {}

/** Makes a key from 32 bytes in base64. */
export function encryptionKey(base64: string): EncryptionKey {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== KEY_BYTES) throw new Error(`An encryption key has ${KEY_BYTES} bytes, not ${bytes.length}`);
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { id, secret: createSecretKey(bytes) };
}

/** A new key, in base64. */
export const newEncryptionKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/** The key that encrypts. */
export const currentKey = (keys: EncryptionKeys): EncryptionKey => itemAt(keys, 0);

/** Encrypts a text with the first of the keys. @returns nonce, tag and ciphertext in base64 */
export function encrypt(keys: EncryptionKeys, text: string, place: Place): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, currentKey(keys).secret, nonce).setAAD(bytesOf(place));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64');
}

/** @throws KeyMissing, CiphertextDamaged */
export function decrypt(keys: EncryptionKeys, keyId: string, encrypted: string, place: Place): string {
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) throw new KeyMissing(keyId);
  const bytes = Buffer.from(encrypted, 'base64');
  const [nonce, tag, ciphertext] = [
    bytes.subarray(0, NONCE_BYTES),
    bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    bytes.subarray(NONCE_BYTES + TAG_BYTES),
  ];
  try {
    const decipher = createDecipheriv(ALGORITHM, key.secret, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(bytesOf(place)).setAuthTag(tag);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch {
    const { column, rowId } = place;
    throw new CiphertextDamaged(
      `${column} of ${rowId} was not encrypted there with the key ${keyId}, or is damaged; bring it back from a backup, or delete it`,
    );
  }
}

/**
 * Decrypts what was read. A key is dropped only when no row names it, so those from before the rows were read fit all of
 * them but rows that were encrypted with a new key meanwhile; these need the keys of now.
 * @param before the keys of the keyring from before the rows were read
 * @throws KeyMissing, CiphertextDamaged
 */
export function withKeyring<Result>(
  keyring: Keyring,
  before: EncryptionKeys,
  work: (keys: EncryptionKeys) => Result,
): Result {
  try {
    return work(before);
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error;
    return work([...before, ...keyring.keys()]);
  }
}

const bytesOf = ({ organisationId, rowId, column }: Place): Buffer =>
  Buffer.from(JSON.stringify([organisationId, rowId, column]));

/**
 * A transaction that writes encrypted values runs this before it reads the keys. Dropping a key waits for it, so no
 * value is left behind that only the dropped key decrypts.
 */
export const holdKeys = sql`SELECT pg_advisory_xact_lock_shared(hashtextextended('encryption keys', 0))`;

/** Waits for every transaction that holds the keys as they were before. */
export const awaitKeyHolders = sql`SELECT pg_advisory_xact_lock(hashtextextended('encryption keys', 0))`;
