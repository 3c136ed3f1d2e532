import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

/** Every file of a folder and below, in the order of their paths. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

/** Reads every file of a folder once, so that no question waits for the disk. */
export async function readFolder(folder: string): Promise<void> {
  for (const path of filesIn(folder)) {
    const file = createReadStream(path, { highWaterMark: 1 << 20 });
    await finished(file.resume()).catch(unlessGone);
  }
}

/** An engine at work removes files that it has put together in another one. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
