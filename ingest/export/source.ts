import { DUMP_COLUMNS } from '../../sql/warehouse/duckdb/dump.ts';
import type { EngineLimits, WarehouseConnection } from '../duckdb/connection.ts';
import { BuildRefused } from '../run/build-refused.ts';
import type { Progress } from '../run/progress.ts';

/** A dataset version from which a dump is written; every publication target has its own. */
export interface DumpSource {
  /** Day of the export that the version was built from, YYYY-MM-DD. */
  readonly exportDay: string;
  readonly units: number;
  /**
   * An engine whose table `units` holds the units of the version as its build wrote them; for changes those that changed, beside what
   * is known of the version before.
   * @param changes whether the dump has changes
   * @param work folder for files that have to be fetched first; the caller removes it
   */
  engine(changes: boolean, work: string, progress: Progress): Promise<WarehouseConnection>;
  /** Releases the version, which may then be removed. May be called twice. */
  close(): Promise<void>;
}

/**
 * Limits of an engine that reads or writes a dump. More threads are slower here, since each holds a row group; nothing needs the
 * disk, since a piece and a row group fit into the least memory that may be set.
 */
export const dumpLimits = (memoryMb: number): EngineLimits => ({ memoryMb, threads: 1, temporaryFolder: '' });

/**
 * @param needed columns of `units`
 * @throws BuildRefused when an older release has built the version
 */
export function requireDumpColumns(present: ReadonlySet<string>, version: string, needed = DUMP_COLUMNS): void {
  const missing = needed.filter((name) => !present.has(name));
  if (missing.length === 0) return;
  throw new BuildRefused(
    `${version} was built by an older release and has no ${missing.join(', ')}: build the export again`,
  );
}

/** The column of `units` without which a version has no changes. */
export const CHANGED_SINCE = ['gueltigSeit'];
