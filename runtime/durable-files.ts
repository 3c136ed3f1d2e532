import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Replaces a file atomically: a reader sees the old or the new content, also after a crash.
 * @param mode of the file; the process may restrict it further
 */
export function writeDurably(path: string, content: string, mode = 0o666): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    const file = openSync(draft, 'w', mode);
    try {
      // Unlike writeSync, this writes all of it or throws; a disk that fills up takes only a part at first.
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(join(path, '..'));
}

/** Makes renames inside a folder durable. Windows cannot open a folder, and writes its renames by itself. */
export function syncFolder(path: string, platform: NodeJS.Platform = process.platform): void {
  if (platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
