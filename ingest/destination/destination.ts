import type { WarehouseConnection } from '../duckdb/connection.ts';
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
  /** How a version is made out of an earlier one, which stays as it is; null where that is not possible. */
  readonly takeOver: {
    /** Lets the database begin as a copy of that of an earlier version, in place of an empty one. */
    copyTables(version: string): Promise<void>;
    /** The same version in another folder, to be compared with this one. */
    beside(folder: string): Destination;
  } | null;
  /** Returns true when an earlier version is there, so that its rows can be read. */
  has(version: string): Promise<boolean>;
  /**
   * Attaches an earlier version: what is read of its tables units, units_departed, units_ersetzt, vorgaenger,
   * auffaelligkeiten_verlauf and dataset.
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
