import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, lockHolder, takeLock } from '../../runtime/lock.ts';

/** One change of a warehouse folder at a time. */

const lockFile = (warehouse: string): string => join(warehouse, 'build.lock');

/**
 * Takes the lock of a warehouse folder. Returns the function that gives it back.
 * @throws Locked naming the process that has it
 */
export function lockWarehouse(warehouse: string, task: string): () => void {
  const release = takeLock(lockFile(warehouse), task, 'Another build is at work');
  sweepPointerDrafts(warehouse);
  return release;
}

/** Who builds now; null when nobody does. */
export const buildAtWork = (warehouse: string) => lockHolder(lockFile(warehouse));

/** Removes what processes left beside the pointer that ended while they wrote it. */
function sweepPointerDrafts(warehouse: string): void {
  for (const name of readdirSync(warehouse)) {
    const pid = Number(/^current\.json\.([0-9]+)\.new$/.exec(name)?.[1] ?? process.pid);
    if (pid !== process.pid && !isRunning(pid)) rmSync(join(warehouse, name), { force: true });
  }
}
