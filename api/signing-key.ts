import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../sql/settings.ts';

/**
 * The secret that signs cursors: SIGNING_KEY, or a random one that is made once and kept in STATE_DIR/signing-key,
 * readable by its owner only. Processes that start at the same time agree on one key: the file gets its name by a hard
 * link, which the second process is refused.
 */
export function signingKey(settings: Settings): string {
  if (settings.SIGNING_KEY !== null) return settings.SIGNING_KEY;
  const path = join(settings.STATE_DIR, 'signing-key');
  if (!existsSync(path)) makeKey(settings.STATE_DIR, path);
  return readFileSync(path, 'utf8').trim();
}

function makeKey(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true });
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
