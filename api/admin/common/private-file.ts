import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { refused } from '../../../runtime/command-line/exit.ts';

/** Files for secrets. Only their owner can read them, and they exist before the secret does, so that it cannot be lost. */

const OWNER_ONLY = 0o600;

/** A file that exists and is still empty. */
export interface ReservedFile {
  /** Writes the content through to the disk. */
  write(text: string): void;
  /** Closes the file, and removes it unless it was written. */
  discard(): void;
}

/** Creates a new file. @throws CommandFailed when there is one already, or none can be created */
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

/** Replaces a file that may exist. It changes only when the new one is complete. */
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
