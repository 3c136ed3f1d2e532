import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import type { DumpSource } from '../export/source.ts';
import type { BuildReport } from '../run/build-report.ts';
import type { Progress } from '../run/progress.ts';

/**
 * Where dataset versions are published. Versions are always built in a folder; readers look at that folder itself
 * (folder.ts), or at a ClickHouse server that finished versions are loaded into (clickhouse.ts).
 */
export interface Published {
  /** How messages name the place. */
  readonly name: string;
  /** Every publication, oldest first; the last one is what is served. */
  publications(): Promise<readonly Publication[]>;
  /** The versions that are served or could be, oldest build first. */
  versions(): Promise<readonly Version[]>;
  /** What the build of a version did; null when the version is gone. */
  report(version: string): Promise<BuildReport | null>;
  /**
   * A version to be dumped, from where it is served; null when it is gone. Whoever takes it closes it.
   * @throws BuildRefused when an older release has built it
   */
  dumpSource(version: string, signal: AbortSignal): Promise<DumpSource | null>;
  /** The number of the next build: above those of all that were ever begun. */
  nextSequence(): Promise<number>;
  /**
   * A database file with everything that the next build takes over from the version served; null when there is none.
   * @throws BuildRefused when there is history that cannot be reached
   * @param work.folder where it may be put, if it has to come from elsewhere
   */
  history(served: Publication | null, work: Work): Promise<string | null>;
  /** Brings a finished version of the folder to where readers look; nothing when it is there. */
  take(version: string, work: Work): Promise<void>;
  /** Makes a version that was taken the served one, in one step. */
  publish(version: string, cause: Publication['cause'], forced?: readonly string[]): Promise<Publication>;
  /** Removes all but the newest versions, and what is left of those that were never finished. Returns what was removed. */
  prune(keep: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Room, and what is told of work that takes its time. */
export interface Work {
  /** Folder for files that are removed afterwards. */
  readonly folder: string;
  readonly memoryMb: number;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
}
