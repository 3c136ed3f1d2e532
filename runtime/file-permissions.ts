import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files are for their owner only: the user that the processes run as. */

const OTHERS = 0o077;

/** From now on, whatever this process makes is. The first thing that a process does. */
export const setPrivateUmask = (): void => void process.umask(OTHERS);

/** Says whether another user may open a file or a folder. */
export const isOpenToOthers = (path: string): boolean => (lstatSync(path).mode & OTHERS) !== 0;

/** Takes from all other users what they may do with a folder and everything in it. Links are not followed. */
export function restrictTreeToOwner(folder: string): void {
  restrictToOwner(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) restrictTreeToOwner(path);
    else if (entry.isFile()) restrictToOwner(path);
  }
}

export function restrictToOwner(path: string): void {
  const { mode } = lstatSync(path);
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS);
}
