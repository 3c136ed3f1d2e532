import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../../runtime/durable-files.ts';

/** Files in STATE_DIR that hold a secret, which is made once. Only their owner can read them. */

/** The file of a secret cannot be read, or holds none that can be used. */
export class SecretFileRefused extends Error {}

/**
 * Reads a secret, and makes it if there is none. Processes that start at the same time agree on one: the file gets its
 * name by a hard link, which the second process is refused.
 * @param what completes "cannot be read": "The signing key"
 * @throws SecretFileRefused when the file cannot be read
 */
export function readOrMakeSecret(path: string, what: string, make: () => string): string {
  const present = readSecret(path, what);
  if (present !== null) return present;
  makeSecret(path, make());
  return readSecret(path, what) ?? '';
}

/** Null when there is no such file. */
function readSecret(path: string, what: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new SecretFileRefused(
      `${what} cannot be read (${(error as Error).message}). Let the user that the service runs as read it`,
    );
  }
}

function makeSecret(path: string, secret: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  syncFolder(dirname(path));
}
