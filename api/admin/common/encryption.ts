import { refused } from '../../../runtime/command-line/exit.ts';
import type { Settings } from '../../../runtime/settings.ts';
import { type EncryptionKeys, holdKeys, type Keyring } from '../../../sql/org/encryption.ts';
import type { Session } from '../../../sql/org/store.ts';
import { openKeyring } from '../../secrets/encryption-keys.ts';
import { encryptedBy, missingKeys } from '../../secrets/missing-keys.ts';

/** @throws CommandFailed when the store has what other keys encrypt, as this process then has the wrong ones */
export async function refuseMissing(session: Session, keys: EncryptionKeys): Promise<void> {
  const missing = await missingKeys(session, keys);
  if (missing.length === 0) return;
  const lines = missing.map((key) => `  ${key.keyId}: ${encryptedBy(key)}`);
  throw refused(
    ['The store has what is encrypted with keys that are not here:', ...lines].join('\n') +
      '\nNothing was done. Bring the keys back, in STATE_DIR/encryption-key or ENCRYPTION_KEYS: with another key, ' +
      'something would be written that the service cannot read',
  );
}

/** Keys to write with, which stay valid until the transaction ends. @throws CommandFailed like refuseMissing */
export async function keysToWriteWith(
  session: Session,
  settings: Settings,
): Promise<{ readonly keyring: Keyring; readonly keys: EncryptionKeys }> {
  await session.run(holdKeys);
  const keyring = openKeyring(settings);
  const keys = keyring.keys();
  await refuseMissing(session, keys);
  return { keyring, keys };
}
