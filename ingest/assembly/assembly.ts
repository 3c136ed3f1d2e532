import type { Erasure } from '../../sql/warehouse/erasures.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import type { Destination } from '../destination/destination.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import type { Progress } from '../run/progress.ts';
import type { Catalogues } from '../stage/labels.ts';
import type { LoadedTenders } from '../tenders/loaded.ts';

/** A version is assembled from this. */
export interface Assembly {
  readonly warehouse: WarehouseConnection;
  /** Connections that work side by side; the first is `warehouse`. */
  readonly lanes: readonly WarehouseConnection[];
  readonly stage: string;
  readonly slices: number;
  readonly catalogues: Catalogues;
  readonly destination: Destination;
  readonly self: Version;
  /** All publications so far, oldest first. */
  readonly publications: readonly Publication[];
  /** The version whose history is carried over; null for the first version. */
  readonly before: Version | null;
  /** File of the operator's list of the grid development plan; null when none was loaded. */
  readonly nep: string | null;
  /** File of the operator's list of places; null: that of the product holds. */
  readonly places: string | null;
  /** The numbers whose past is to be forgotten. */
  readonly erasures: readonly Erasure[];
  /** The tenders that were loaded. */
  readonly tenders: LoadedTenders;
  /** Files with the history of older exports that `before` does not contain yet. */
  readonly olderExports: readonly string[];
  readonly progress: Progress;
  /** SQL literals of files with the links of awards, where these were made before; by default they are made. */
  readonly awards?: { readonly unitAwards: string; readonly eegAwards: string };
}
