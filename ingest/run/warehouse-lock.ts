import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock, isRunning, lockHolder } from '../../runtime/lock-file.ts';
import { buildingFolder } from '../../sql/warehouse/versions.ts';

/** One process at a time changes a warehouse folder. */

const lockFile = (warehouse: string): string => join(warehouse, 'build.lock');

/**
 * Runs a change of a warehouse folder under its lock. Unfinished files are removed before and after it, so that every
 * change starts from a clean folder, whether the one before succeeded or not.
 * @param task what is done; other processes show it when they are refused meanwhile
 * @throws Locked when another process holds the lock
 */
export async function withWarehouseLock<T>(warehouse: string, task: string, work: () => T | Promise<T>): Promise<T> {
  mkdirSync(warehouse, { recursive: true });
  const release = acquireWarehouseLock(warehouse, task);
  const removeUnfinished = () => rmSync(buildingFolder(warehouse), { recursive: true, force: true });
  try {
    removeUnfinished();
    return await work();
  } finally {
    try {
      removeUnfinished();
    } finally {
      release();
    }
  }
}

/**
 * Takes the lock of a warehouse folder. Returns the function that releases it.
 * @throws Locked naming the process that holds it
 */
export function acquireWarehouseLock(warehouse: string, task: string): () => void {
  const release = acquireLock(lockFile(warehouse), task, 'Another build is at work');
  removeStaleDrafts(warehouse);
  return release;
}

/** The process that builds now; null when none does. */
export const currentBuild = (warehouse: string) => lockHolder(lockFile(warehouse));

/** Removes drafts of the pointer whose processes ended while they wrote them. */
function removeStaleDrafts(warehouse: string): void {
  for (const name of readdirSync(warehouse)) {
    const pid = Number(/^current\.json\.([0-9]+)\.new$/.exec(name)?.[1] ?? process.pid);
    if (pid !== process.pid && !isRunning(pid)) rmSync(join(warehouse, name), { force: true });
  }
}
