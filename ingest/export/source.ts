import type { DuckDBConnection } from '@duckdb/node-api';
import type { Progress } from '../run/progress.ts';

/** A dataset version as an export reads it. Wherever versions are published there is one of these. */
export interface DumpSource {
  /** Day of the export that the version was built from, YYYY-MM-DD. */
  readonly exportDay: string;
  readonly units: number;
  /**
   * An engine whose table `units` holds the units of the version as its build wrote them.
   * @param work folder for what has to be fetched for that; whoever asks removes it
   */
  engine(work: string, progress: Progress): Promise<DuckDBConnection>;
  /** From here on the version may be removed. Nothing happens when it is closed already. */
  close(): Promise<void>;
}
