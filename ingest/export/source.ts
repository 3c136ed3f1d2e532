import type { DuckDBConnection } from '@duckdb/node-api';
import type { Progress } from '../run/progress.ts';

/** A dataset version from which a dump is written; every publication target has its own. */
export interface DumpSource {
  /** Day of the export that the version was built from, YYYY-MM-DD. */
  readonly exportDay: string;
  readonly units: number;
  /**
   * An engine whose table `units` holds the units of the version as its build wrote them.
   * @param work folder for files that have to be fetched first; the caller removes it
   */
  engine(work: string, progress: Progress): Promise<DuckDBConnection>;
  /** Releases the version, which may then be removed. May be called twice. */
  close(): Promise<void>;
}
