import type { Erasure } from '../../sql/warehouse/erasures.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import type { DumpSource } from '../export/source.ts';
import type { BuildReport } from '../run/build-report.ts';
import type { TaskContext } from '../run/task-context.ts';
import type { Destination } from './destination.ts';
import type { WantedTables } from './version-tables.ts';

/** A place where dataset versions are built and published: a folder, or a ClickHouse server. */
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
   * @param memoryMb memory of the engine that reads it, MB
   * @throws BuildRefused when an older release has built the version
   */
  dumpSource(version: string, memoryMb: number, signal: AbortSignal): Promise<DumpSource | null>;
  /**
   * Opens tables of a version in an engine, to read at least the rows that are wanted; null when the version is gone. The caller closes
   * it.
   */
  tables(version: string, wanted: WantedTables, signal: AbortSignal): Promise<WarehouseConnection | null>;
  /** The number of the next build: above those of all builds that ever began. */
  nextSequence(): Promise<number>;
  /**
   * Begins a version upon the one that is served. The caller closes what it gets.
   * @throws BuildRefused when the version that is served is gone; Locked when another machine builds; ServerFailed where versions may
   *   not be published
   */
  begin(version: Version, served: Publication | null, task: TaskContext): Promise<Destination>;
  /** @throws BuildRefused when nothing is served although the folder has versions with history */
  refuseLostHistory(): void;
  /** Brings a version of the folder to where readers open it, unless it is there already. */
  load(version: string, task: TaskContext): Promise<void>;
  /** Makes a loaded version the served one, in one step. */
  publish(version: string, cause: Publication['cause'], forced?: readonly string[]): Promise<Publication>;
  /** The requests to forget the past of a unit or an operator, oldest first. */
  erasures(): Promise<readonly Erasure[]>;
  /** Adds one, which services read within READ_WITHIN_MS. */
  erase(erasure: Erasure, task: TaskContext): Promise<void>;
  /** Removes all but the newest versions, and the remains of unfinished ones. Returns the removed versions. */
  prune(keep: number): Promise<string[]>;
  close(): Promise<void>;
}
