import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { refused } from '../../../runtime/command-line/exit.ts';

/** Files for what is shown once: only their owner can read them, and they are there before anything is made for them. */

const OWNER_ONLY = 0o600;

/** A file that is on its way. */
export interface ReservedFile {
  /** Writes it, to the disk, and keeps it. */
  write(text: string): void;
  /** Removes it again; after `write` it stays. */
  discard(): void;
}

/** Takes a place where no file is yet. @throws CommandFailed when there is one, or none can be made */
export function reserveFile(path: string): ReservedFile {
  const file = createFile(path);
  let kept = false;
  return {
    write(text) {
      writeSync(file, text);
      fsyncSync(file);
      kept = true;
    },
    discard() {
      closeSync(file);
      if (!kept) rmSync(path, { force: true });
    },
  };
}

function createFile(path: string): number {
  try {
    return openSync(path, 'wx', OWNER_ONLY);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw refused(`There is a file ${path} already, and it is not written over. Nothing was done`);
    throw refused(`Cannot make the file ${path}, so nothing was done: ${message}`);
  }
}

/** Takes the place of a file that may be there; it changes only when the new one is complete. */
export function reserveReplacement(path: string): ReservedFile {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, '', { mode: OWNER_ONLY, flag: 'wx' });
  return {
    write(text) {
      writeFileSync(draft, text, { flush: true });
      renameSync(draft, path);
    },
    discard: () => rmSync(draft, { force: true }),
  };
}
