import { lstatSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMemberName } from '../../sql/register/fields.ts';
import { ArchiveError } from './archive-error.ts';
import { dayInGermany } from './day.ts';
import { type ArchiveEntry, locationOf, type Member } from './member.ts';

/** The files of an export that was extracted into a folder. */
export function listFolder(path: string): ArchiveEntry[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((file) => !file.isDirectory() || parseMemberName(file.name) !== null)
    .map((file) => {
      const { size, mtime } = lstatSync(join(path, file.name));
      return { name: file.name, bytes: size, offset: null, plain: file.isFile(), day: dayInGermany(mtime) };
    });
}

/** As much as the cache of a core holds besides what is made of it. */
const PIECE_BYTES = 1 << 18;

/**
 * The bytes of a file. A piece is overwritten when the next one is asked for.
 * @throws ArchiveError when it cannot be read, or has changed since the folder was listed
 */
export async function* readFolderMember(path: string, member: Member): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    const file = await open(join(path, member.entry));
    try {
      const buffer = Buffer.allocUnsafe(PIECE_BYTES);
      for (;;) {
        const { bytesRead } = await file.read(buffer);
        if (bytesRead === 0) break;
        bytes += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new ArchiveError(`${locationOf(path, member)} cannot be read: ${(error as Error).message}`);
  }
  if (bytes === member.bytes) return;
  throw new ArchiveError(
    `${locationOf(path, member)} was changed while it was read: ${bytes} bytes, not ${member.bytes}`,
  );
}
