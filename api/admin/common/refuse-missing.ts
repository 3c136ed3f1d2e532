import { refused } from '../../../runtime/command-line/exit.ts';
import { encryptedBy, type MissingKey } from '../../secrets/missing-keys.ts';

/** @throws CommandFailed unless there is none */
export function refuseMissing(missing: readonly MissingKey[]): void {
  if (missing.length === 0) return;
  const lines = missing.map((key) => `  ${key.keyId}: ${encryptedBy(key)}`);
  throw refused(
    ['The store has what is encrypted with keys that are not here:', ...lines].join('\n') +
      '\nNothing was done. Bring the keys back, in STATE_DIR/encryption-key or ENCRYPTION_KEYS: with another key, ' +
      'something would be written that the service cannot read',
  );
}
