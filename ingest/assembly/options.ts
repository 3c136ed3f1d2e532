import { join } from 'node:path';
import type { Bands } from '../checks/bands.ts';
import type { EngineLimits } from '../duckdb/connection.ts';
import type { PublicationTarget } from '../publication/target.ts';
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
  readonly bands: Bands;
  readonly keep: number;
  readonly threads: number;
  readonly memoryMb: number;
  readonly progress: Progress;
  /** Stops the work, which throws the reason of the signal after it has cleaned up. */
  readonly signal?: AbortSignal;
}

/** Runs work; when it fails after the signal was aborted, throws the reason of the signal instead. */
export async function rethrowAbort<T>({ signal }: BuildOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

/** Every thread of the engine holds an open row group of the wide table; the build fails without memory for all of them. */
const MEMORY_PER_THREAD_MB = 450;

export const engineLimits = ({ memoryMb, threads }: BuildOptions, folder: string): EngineLimits => ({
  memoryMb,
  threads: Math.max(1, Math.min(threads, Math.floor(memoryMb / MEMORY_PER_THREAD_MB))),
  temporaryFolder: join(folder, 'temporary'),
});
