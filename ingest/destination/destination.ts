import type { EngineLimits, WarehouseConnection } from '../duckdb/connection.ts';
import type { BuildReport } from '../run/build-report.ts';
import type { Progress } from '../run/progress.ts';

/** The names under which earlier versions are attached to the engine of a build. */
export type EarlierVersion = 'previous_version' | 'withdrawn_version';

/**
 * The place to which the rows of a new version go, and where those of earlier versions are: the files of a folder, or a ClickHouse
 * server. The engine of a build computes what is new; what it holds of the tables of units is up to the destination.
 */
export interface Destination {
  /** Path of the database in which the engine assembles the version. */
  readonly database: string;
  /** A condition over `previous_version.units` that finds the units in `absent_units`. */
  readonly isAbsent: string;
  /** How a version is made out of an earlier one, which stays as it is; or why that is not possible. */
  readonly takeOver: TakeOver | string;
  /** Returns true when an earlier version is there, so that its rows can be read. */
  has(version: string): Promise<boolean>;
  /**
   * Attaches an earlier version: what is read of its tables units, units_departed, units_ersetzt, vorgaenger,
   * auffaelligkeiten_verlauf, dataset, of the states (staende), places and names of actors, and by a night of others.
   * @throws Damaged when it cannot be read; BuildRefused when it is gone
   */
  attach(engine: WarehouseConnection, version: string, name: EarlierVersion): Promise<void>;
  /** The columns that rows of an attached version keep when they are carried over. */
  carriedColumns(engine: WarehouseConnection, name: EarlierVersion): Promise<readonly string[]>;
  /** Prepares the tables of units, which are empty and have all columns. */
  prepare(lanes: readonly WarehouseConnection[]): Promise<void>;
  /** Does the work of a lane on a slice, when the destination is ready for it. */
  leadSlice<T>(work: () => Promise<T>): Promise<T>;
  /** Takes the units of a slice, which are the rows of the view `slice_units` of this lane. @returns their number */
  addSlice(lane: WarehouseConnection, slice: number): Promise<number>;
  /** Is called once all slices are added; `units` has their rows afterwards. */
  endSlices(lanes: readonly WarehouseConnection[]): Promise<void>;
  /** Fills what answers are read from. */
  fillAnswers(finished: FinishedUnits): Promise<void>;
  /** Completes all tables, once the account is in them. */
  complete(engine: WarehouseConnection): Promise<void>;
  /** The size of the version, in units of 10^6 bytes, once it is complete. */
  megabytes(): Promise<number>;
  /** Makes a complete version one that can be published. */
  keep(report: BuildReport): Promise<void>;
  /** Releases what it holds, also of a build that has failed. */
  close(): Promise<void>;
}

/** Makes versions whose tables begin as copies of those of an earlier one, in place of empty ones. */
export interface TakeOver {
  /**
   * Begins the version upon an earlier one; the caller closes what it gets.
   * @param beside the same version in another place, to be compared with this one
   * @throws FromNothing where the earlier version does not allow it
   */
  begin(version: string, beside: boolean): Promise<NightDestination>;
  /** Removes what was made of the version, so that it can be made in another way. */
  discard(): Promise<void>;
  /** Compares what a night made beside this version, once that is complete, and removes it. */
  compare(night: NightDestination, limits: EngineLimits, signal: AbortSignal | undefined): Promise<Difference[]>;
}

/** A destination in which only the rows of some units are replaced. */
export interface NightDestination extends Destination {
  /** Makes the tables of the engine: empty ones for all that a night fills anew. */
  openTables(engine: WarehouseConnection): Promise<void>;
  /**
   * Replaces the rows of the units `affected` in `units` by those of `present_units`; the tables `units_departed`, `foerderung` and
   * `saetze` have been dealt with in the engine, as far as they are there.
   */
  replaceUnits(engine: WarehouseConnection): Promise<void>;
}

/** A night cannot, or should not, go on from the version before; the message says why. */
export class FromNothing extends Error {
  override name = 'FromNothing';
}

/** A table of which a version made by a night and one built from nothing have other rows. */
export interface Difference {
  readonly table: string;
  /** Rows of each that the other does not have. */
  readonly rows: readonly [number, number];
}

/** The input of `fillAnswers`. */
export interface FinishedUnits {
  readonly warehouse: WarehouseConnection;
  /** Connections that work side by side; the first is `warehouse`. */
  readonly lanes: readonly WarehouseConnection[];
  readonly slices: number;
  readonly progress: Progress;
  /** Where the tables of units are those of the version before, the units whose rows are replaced in them. */
  readonly replaced?: ReplacedUnits;
}

/** Units whose rows are not those of the version before. */
export interface ReplacedUnits {
  /** A table of the numbers of all of them, as `nummer`, whether they are still served or not. */
  readonly numbers: string;
  /** A table with the columns of `units`: the present rows of those that are served. */
  readonly rows: string;
  /** Another one: the rows that the version before had of them. */
  readonly former: string;
}
