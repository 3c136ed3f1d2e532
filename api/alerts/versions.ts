import { setImmediate as othersTurn } from 'node:timers/promises';
import type { VersionBeside } from '../warehouse/version.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import { type Comparison, comparison, type EarlierState, NotComparable, stateIn } from './changes.ts';

/** Opens the versions of a comparison. */

/** The versions that are published, and how they are read beside the served one. */
export type Versions = Pick<Warehouse, 'versions' | 'openBeside'>;

const TAG = { operation: 'alerts.evaluate', request: null, trace: null };

/** The version that is to be compared was removed. */
export class NotKept extends NotComparable {}

export interface OpenComparison extends Comparison {
  /** The state of units in each version that was withdrawn; null for one that is not kept any more. */
  readonly withdrawn: ReadonlyMap<string, EarlierState | null>;
  close(): Promise<void>;
}

export const keptVersions = async (versions: Versions): Promise<ReadonlySet<string>> =>
  new Set((await versions.versions()).map(({ id }) => id));

/**
 * Opens a version, the one that it is compared with, and those that were withdrawn in between.
 * @throws NotComparable when a version is missing that cannot be done without
 */
export async function openComparison(
  versions: Versions,
  version: string,
  earlier: string,
  withdrawn: readonly string[] = [],
): Promise<OpenComparison> {
  const kept = await keptVersions(versions);
  if (!kept.has(version)) throw new NotKept(`${version} is not kept any more`);
  const opened = new Set<VersionBeside>();
  const closeOne = (one: VersionBeside) => {
    if (opened.delete(one)) one.close();
  };
  const close = async () => {
    for (const one of opened) {
      closeOne(one);
      // The engine gives back what it has read, on the thread of the requests.
      await othersTurn();
    }
  };
  const open = async (id: string): Promise<VersionBeside> => {
    const one = await versions.openBeside(id, TAG);
    opened.add(one);
    return one;
  };
  try {
    const current = await open(version);
    const before = kept.has(earlier) ? await open(earlier) : null;
    const states = new Map<string, EarlierState | null>();
    for (const id of withdrawn) states.set(id, kept.has(id) ? stateIn(await open(id)) : null);
    return {
      ...(await comparison(current, earlier, before)),
      earlierIsRead() {
        if (before !== null) closeOne(before);
      },
      withdrawn: states,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
