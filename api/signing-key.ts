import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGNING_KEY_LENGTH } from '../runtime/setting-schemas.ts';
import type { Settings } from '../runtime/settings.ts';

/** The file of the signing key cannot be read, or holds none that can be used. */
export class SigningKeyRefused extends Error {}

/**
 * Returns the secret that signs cursors and sync tokens: SIGNING_KEY, or a random one that is made once and kept in STATE_DIR/signing-key,
 * readable by its owner only. Processes that start at the same time agree on one key: the file gets its name by a hard
 * link, which the second process is refused.
 * @throws SigningKeyRefused when the file cannot be read, or what is in it is too short to be a secret
 */
export function signingKey(settings: Settings): string {
  if (settings.SIGNING_KEY !== null) return settings.SIGNING_KEY;
  const path = join(settings.STATE_DIR, 'signing-key');
  if (!existsSync(path)) makeKey(settings.STATE_DIR, path);
  const key = readKey(path);
  if (key.length >= SIGNING_KEY_LENGTH) return key;
  throw new SigningKeyRefused(
    `${path} holds ${key.length === 0 ? 'nothing' : `${key.length} characters`} where a secret of at least ` +
      `${SIGNING_KEY_LENGTH} belongs. Bring the file back, or remove it: another one is made, and cursors and ` +
      'sync tokens handed out before are then refused',
  );
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SigningKeyRefused(
      `The signing key cannot be read (${(error as Error).message}). Let the user that the service runs as read it`,
    );
  }
}

function makeKey(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}
