import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SIGNING_KEY_LENGTH } from '../../runtime/setting-schemas.ts';
import type { Settings } from '../../runtime/settings.ts';
import { readOrMakeSecret, SecretFileRefused } from './secret-file.ts';

/**
 * Returns the secret that signs cursors and sync tokens: SIGNING_KEY, or a random one that is made once and kept in
 * STATE_DIR/signing-key.
 * @throws SecretFileRefused when the file cannot be read, or what is in it is too short to be a secret
 */
export function signingKey(settings: Settings): string {
  if (settings.SIGNING_KEY !== null) return settings.SIGNING_KEY;
  const path = join(settings.STATE_DIR, 'signing-key');
  const key = readOrMakeSecret(path, 'The signing key', () => randomBytes(32).toString('base64url'));
  if (key.length >= SIGNING_KEY_LENGTH) return key;
  throw new SecretFileRefused(
    `${path} holds ${key.length === 0 ? 'nothing' : `${key.length} characters`} where a secret of at least ` +
      `${SIGNING_KEY_LENGTH} belongs. Bring the file back, or remove it: another one is made, and cursors and ` +
      'sync tokens handed out before are then refused',
  );
}
