import { createReadStream, lstatSync, readdirSync } from 'node:fs';
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

/**
 * The bytes of a file.
 * @throws ArchiveError when it cannot be read, or has changed since the folder was listed
 */
export async function* readFolderMember(path: string, member: Member): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of createReadStream(join(path, member.entry), { highWaterMark: 1 << 20 })) {
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    throw new ArchiveError(`${locationOf(path, member)} cannot be read: ${(error as Error).message}`);
  }
  if (bytes === member.bytes) return;
  throw new ArchiveError(
    `${locationOf(path, member)} was changed while it was read: ${bytes} bytes, not ${member.bytes}`,
  );
}
