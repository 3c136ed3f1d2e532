import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** The page cache cannot be emptied here; the message says why. */
export class StillCached extends Error {}

/** Of a file that was dropped, this share may still be cached: somebody else reads it too. */
const TOLERATED = 0.02;

/**
 * Makes the system forget what it keeps of these files in memory, as after its start: dd asks for it (posix_fadvise,
 * DONTNEED), which needs no rights.
 * @throws StillCached where the system does not do it
 */
export function dropFromPageCache(files: readonly string[]): void {
  for (const file of files) {
    // Only what is on disk can be dropped.
    flush(file);
    const { status, error, stderr } = spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
    if (status !== 0) throw new StillCached(`dd cannot drop ${file}: ${error?.message ?? stderr}`);
  }
  for (const { size, cached } of cachedBytes(files)) {
    if (cached > size * TOLERATED) throw new StillCached(`the file system keeps ${cached} of ${size} bytes in memory`);
  }
}

function flush(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Bytes of files that the page cache holds; nothing where there is no fincore (util-linux) to say it. */
function cachedBytes(files: readonly string[]): { size: number; cached: number }[] {
  const { status, stdout } = spawnSync('fincore', ['--bytes', '--noheadings', '--output', 'RES,SIZE', ...files]);
  if (status !== 0) return [];
  return String(stdout)
    .trim()
    .split('\n')
    .map((line) => {
      const [cached, size] = line.trim().split(/\s+/).map(Number);
      return { cached: cached ?? 0, size: size ?? 0 };
    });
}
