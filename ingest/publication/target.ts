import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import type { DumpSource } from '../export/source.ts';
import type { BuildReport } from '../run/build-report.ts';
import type { TaskContext } from '../run/task-context.ts';

/**
 * A place where dataset versions are published. Versions are always built in a folder; readers open that folder itself
 * (folder.ts), or a ClickHouse server into which finished versions are loaded (clickhouse.ts).
 */
export interface PublicationTarget {
  /** Messages call the target by this name. */
  readonly name: string;
  /** Every publication, oldest first; the last one is served. */
  publications(): Promise<readonly Publication[]>;
  /** The versions that are served or could be, oldest build first. */
  versions(): Promise<readonly Version[]>;
  /** The report of a version's build; null when the version is gone. */
  report(version: string): Promise<BuildReport | null>;
  /**
   * Opens a version for a dump, in the place from which it is served; null when it is gone. The caller closes the source.
   * @throws BuildRefused when an older release has built the version
   */
  dumpSource(version: string, signal: AbortSignal): Promise<DumpSource | null>;
  /**
   * The number of the next build: above those of all builds that ever began.
   * @throws ServerFailed where versions may not be published
   */
  nextSequence(): Promise<number>;
  /**
   * A database file with everything that the next build takes over from the served version. It lies in the folder of the
   * task where it has to be fetched.
   * @throws BuildRefused when the history cannot be reached
   */
  history(served: Publication, task: TaskContext): Promise<string>;
  /** @throws BuildRefused when nothing is served although the folder has versions with history */
  refuseLostHistory(): void;
  /** Brings a finished version of the folder to where readers open it, unless it is there already. */
  load(version: string, task: TaskContext): Promise<void>;
  /** Makes a loaded version the served one, in one step. */
  publish(version: string, cause: Publication['cause'], forced?: readonly string[]): Promise<Publication>;
  /** Removes all but the newest versions, and the remains of unfinished ones. Returns the removed versions. */
  prune(keep: number): Promise<string[]>;
  close(): Promise<void>;
}
