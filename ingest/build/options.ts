import { join } from 'node:path';
import type { Bands } from '../checks/bands.ts';
import type { PublicationTarget } from '../destination/target.ts';
import type { EngineLimits } from '../duckdb/connection.ts';
import type { Progress } from '../run/progress.ts';

export interface BuildOptions {
  /** Zip or folder of the export. */
  readonly source: string;
  /** Folder of the warehouse. */
  readonly warehouse: string;
  readonly target: PublicationTarget;
  /** Day of the export, overriding the day in its name; null to use that one. */
  readonly day: string | null;
  /** Publish even when checks fail. */
  readonly force: boolean;
  /** Build every unit, whatever could be taken over from the version before. */
  readonly fromNothing?: boolean;
  /** The largest share of units that are computed upon the version before; see Night. */
  readonly mostAffected?: number;
  readonly alwaysWorth?: number;
  readonly unitsAtOnce?: number;
  /** One in this number of versions is built from nothing, too, and compared. */
  readonly compareEvery: number;
  readonly bands: Bands;
  readonly keep: number;
  readonly threads: number;
  readonly memoryMb: number;
  readonly progress: Progress;
  /** Stops the work, which throws the reason of the signal after it has cleaned up. */
  readonly signal?: AbortSignal;
}

/** Runs work; when it fails after the signal was aborted, throws the reason of the signal instead. */
export async function rethrowAbort<T>({ signal }: Pick<BuildOptions, 'signal'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

/** Each lane holds an open row group of the wide table and what its slice refers to; the build fails without memory for all. */
const MEMORY_PER_LANE_MB = 450;

/** The number of connections that work side by side in a build. */
export const lanesOf = ({ memoryMb, threads }: BuildOptions): number =>
  Math.max(1, Math.min(threads, Math.floor(memoryMb / MEMORY_PER_LANE_MB)));

/** One thread for each statement, since a build runs several side by side (lanes.ts). */
export const engineLimits = ({ memoryMb, progress }: BuildOptions, folder: string): EngineLimits => ({
  memoryMb,
  threads: 1,
  temporaryFolder: join(folder, 'temporary'),
  repeats: () => progress.note('Two statements found too little memory side by side: one of them runs again, alone'),
});
