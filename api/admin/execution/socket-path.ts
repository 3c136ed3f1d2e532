import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where a running service listens for the command line. The socket stands beside the folder of the store, as its lock
 * does, and belongs to whoever has that lock.
 */

/** Bytes that the address of a socket may have: 108 with the zero at the end on Linux, 104 elsewhere. */
const MAX_LENGTH = 103;

/** The place of the socket for an embedded store. @throws Error when the folder for long paths is somebody else's */
export function socketPath(storeFolder: string): string {
  const path = `${resolve(storeFolder)}.sock`;
  if (Buffer.byteLength(path) <= MAX_LENGTH) return path;
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(ownFolder(), `${name}.sock`);
}

/** A folder for sockets whose own path is too long. In a place where everybody can write, it must be ours alone. */
function ownFolder(): string {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `energy-admin-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0) return folder;
  throw new Error(`${folder} must be a folder that only its owner, user ${user}, can open. Remove it`);
}

/** The folder of an embedded store that other processes can know of; null for a server or a store in memory. */
export function storeFolder(url: string): string | null {
  const folder = url.startsWith('pglite:') ? url.slice('pglite:'.length) : 'memory';
  return folder === 'memory' ? null : folder;
}
