import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files of the service are accessible to their owner only, the user that its processes run as. */

const OTHERS = 0o077;

/** Windows has no modes of files: what other users may do there is inherited from the folder. */
export const hasFileModes = (platform: NodeJS.Platform = process.platform): boolean => platform !== 'win32';

/** Makes everything that this process creates private. It comes first in each process. */
export const setPrivateUmask = (): void => void process.umask(OTHERS);

/** Returns true when another user may open the file or the folder. */
export const isOpenToOthers = (path: string): boolean => hasFileModes() && (lstatSync(path).mode & OTHERS) !== 0;

/** Withdraws the permissions of all other users from a folder and everything in it. Links are not followed. */
export function restrictTreeToOwner(folder: string): void {
  restrictToOwner(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) restrictTreeToOwner(path);
    else if (entry.isFile()) restrictToOwner(path);
  }
}

/** Withdraws the permissions of all other users from a file or a folder. */
export function restrictToOwner(path: string): void {
  const { mode } = lstatSync(path);
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS);
}
