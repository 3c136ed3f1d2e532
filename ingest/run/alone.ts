import { mkdirSync, rmSync } from 'node:fs';
import { buildingFolder } from '../../sql/warehouse/versions.ts';
import { lockWarehouse } from './lock.ts';

/**
 * Runs one change of a warehouse folder at a time, on a clean floor: what an earlier one left unfinished is removed first,
 * and so is what this one leaves, whether it succeeds or not.
 * @param task what is done, for those that are refused meanwhile
 * @throws Locked when another process is at work
 */
export async function alone<T>(warehouse: string, task: string, work: () => T | Promise<T>): Promise<T> {
  mkdirSync(warehouse, { recursive: true });
  const release = lockWarehouse(warehouse, task);
  const sweep = () => rmSync(buildingFolder(warehouse), { recursive: true, force: true });
  try {
    sweep();
    return await work();
  } finally {
    try {
      sweep();
    } finally {
      release();
    }
  }
}
