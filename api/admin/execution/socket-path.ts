import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * A running service listens for the command line on a socket next to the folder of its store. Like the lock next to it, the
 * socket belongs to the process that holds the store. Windows has no such sockets, and a named pipe takes their place.
 */

/** In bytes: the address of a socket has 108 with its final zero on Linux, 104 elsewhere. */
const MAX_LENGTH = 103;

/** @throws Error when the folder for sockets with long paths belongs to another user */
export function socketPath(storeFolder: string, platform: NodeJS.Platform = process.platform): string {
  const path = `${resolve(storeFolder)}.sock`;
  if (isPipe(platform)) return `\\\\.\\pipe\\energy-admin-${digest(path.toLowerCase())}`;
  if (Buffer.byteLength(path) <= MAX_LENGTH) return path;
  return join(privateFolder(), `${digest(path)}.sock`);
}

const digest = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

/**
 * Returns true where the command line reaches the service over a named pipe. It is no file: nothing is left to be removed,
 * and what `umask` does for a socket is done by Windows, which by default lets only the same user and administrators write.
 */
export const isPipe = (platform: NodeJS.Platform = process.platform): boolean => platform === 'win32';

/** A folder for sockets whose own path is too long. All users can write to its parent, so it must belong to this user. */
function privateFolder(): string {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `energy-admin-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0) return folder;
  throw new Error(`${folder} must be a folder that only its owner, user ${user}, can open. Remove it`);
}

/** The folder of an embedded store; null for a server or a store in memory. */
export function storeFolder(url: string): string | null {
  const folder = url.startsWith('pglite:') ? url.slice('pglite:'.length) : 'memory';
  return folder === 'memory' ? null : folder;
}
