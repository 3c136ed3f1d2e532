import { join } from 'node:path';
import { writeDurably } from '../../runtime/durable-files.ts';
import { ENCRYPTION_KEY } from '../../runtime/setting-schemas.ts';
import type { Settings } from '../../runtime/settings.ts';
import { type EncryptionKeys, encryptionKey, type Keyring, newEncryptionKey } from '../../sql/org/encryption.ts';
import { readOrMakeSecret, SecretFileRefused } from './secret-file.ts';

/**
 * Opens the keys that encrypt personal fields and secrets in the store: ENCRYPTION_KEYS, or those of
 * STATE_DIR/encryption-key, one in a line, of which the first is made once. The file is read each time, since
 * `encryption rekey` changes it while services run, perhaps in another process.
 */
export function openKeyring(settings: Settings): Keyring {
  const { ENCRYPTION_KEYS: given } = settings;
  if (given === null) return { keys: () => readKeyFile(keyFile(settings)) };
  const keys = given.map(encryptionKey);
  return { keys: () => keys };
}

export const keyFile = ({ STATE_DIR }: Pick<Settings, 'STATE_DIR'>): string => join(STATE_DIR, 'encryption-key');

/** @throws SecretFileRefused when the file cannot be read, or holds something else than keys */
const readKeyFile = (path: string): EncryptionKeys => keysIn(path).map(encryptionKey);

/** Puts a new key before those of the file, so that it encrypts from now on. */
export function addKey(path: string): void {
  writeKeys(path, [newEncryptionKey(), ...keysIn(path)]);
}

/** Drops all keys of the file but the first. */
export function dropOlderKeys(path: string): void {
  writeKeys(path, keysIn(path).slice(0, 1));
}

function keysIn(path: string): string[] {
  const lines = readOrMakeSecret(path, 'The encryption key', newEncryptionKey).split(/\s*\n\s*/);
  if (lines.every((line) => ENCRYPTION_KEY.test(line))) return lines;
  throw new SecretFileRefused(
    `${path} must hold keys of 32 bytes in base64, one in a line. Bring the file back: what the store keeps encrypted ` +
      'can be read with its keys only',
  );
}

const OWNER_ONLY = 0o600;

const writeKeys = (path: string, keys: readonly string[]): void =>
  writeDurably(path, `${keys.join('\n')}\n`, OWNER_ONLY);
