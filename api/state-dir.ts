import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { hasFileModes, isOpenToOthers, restrictToOwner } from '../runtime/file-permissions.ts';
import type { Logger } from '../runtime/log.ts';
import type { Settings } from '../runtime/settings.ts';

/** STATE_DIR cannot be closed to other users. */
export class StateDirRefused extends Error {}

/** A STATE_DIR that the service has used holds at least one of these. */
const OURS = [
  'store.json',
  'org',
  'signing-key',
  'encryption-key',
  'demo-key',
  'warehouse',
  'nightly.json',
  'versions',
];

const STICKY = 0o1000;

/**
 * Makes STATE_DIR a folder that only its owner can enter: it holds hashes of keys, the secret of the cursors and
 * whatever organisations wrote. One that is open to others is closed, and the log says so, when it is recognised as
 * ours.
 * @throws StateDirRefused when it is not, or belongs to another user
 */
export function closeStateDir({ STATE_DIR: folder }: Settings, log: Logger): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!hasFileModes()) {
    log.warn(
      { folder },
      'on Windows the service cannot close STATE_DIR to other users: keep it inside a folder of your own',
    );
  }
  if (!isOpenToOthers(folder)) return;
  const mode = lstatSync(folder).mode & 0o7777;
  const before = mode.toString(8).padStart(4, '0');
  const names = readdirSync(folder);
  const ours = names.length === 0 || names.some((name) => OURS.includes(name));
  if ((mode & STICKY) !== 0 || !ours) {
    throw new StateDirRefused(
      `STATE_DIR=${folder} is open to other users (mode ${before}) and holds things that are none of the service. ` +
        'Name a folder of its own in STATE_DIR',
    );
  }
  try {
    restrictToOwner(folder);
  } catch (error) {
    throw new StateDirRefused(
      `STATE_DIR=${folder} is open to other users (mode ${before}) and cannot be closed (${(error as Error).message}). ` +
        'Give it to the user that the service runs as, with mode 0700',
    );
  }
  log.warn({ folder, before }, 'STATE_DIR was open to other users of this machine; now it is for its owner only');
}
