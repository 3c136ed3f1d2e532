import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import type { Progress } from '../run/progress.ts';
import type { Catalogues } from '../stage/labels.ts';
import type { LoadedTenders } from '../tenders/loaded.ts';

/** A version is assembled from this. */
export interface Assembly {
  readonly warehouse: WarehouseConnection;
  /** Connections that work side by side; the first is `warehouse`. */
  readonly lanes: readonly WarehouseConnection[];
  /** Memory of the engine, MB. */
  readonly memoryMb: number;
  readonly stage: string;
  /** The row file to write. */
  readonly rows: string;
  /** The search index to write. */
  readonly search: string;
  /** The file of the orders of units to write. */
  readonly orders: string;
  /** The file of the days of regions to write. */
  readonly regionDays: string;
  readonly slices: number;
  readonly catalogues: Catalogues;
  /** Folder of the warehouse. */
  readonly folder: string;
  readonly self: Version;
  /** All publications so far, oldest first. */
  readonly publications: readonly Publication[];
  /** The version whose history is carried over, and its file; null for the first version. */
  readonly before: (Version & { readonly file: string }) | null;
  /** File of the operator's list of the grid development plan; null when none was loaded. */
  readonly nep: string | null;
  /** The tenders that were loaded. */
  readonly tenders: LoadedTenders;
  /** Files with the history of older exports that `before` does not contain yet. */
  readonly olderExports: readonly string[];
  readonly progress: Progress;
}
