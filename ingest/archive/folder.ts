import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, Member } from './archive.ts';
import { dayInGermany } from './day.ts';

/** An export that was extracted into a folder. */

export function listFolder(path: string): Entry[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => {
      const { size, mtime } = statSync(join(path, file.name));
      return { name: file.name, bytes: size, offset: null, day: dayInGermany(mtime) };
    });
}

export function readFolderMember(path: string, member: Member): AsyncIterable<Buffer> {
  return createReadStream(join(path, member.name), { highWaterMark: 1 << 20 });
}
