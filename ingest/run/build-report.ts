import { existsSync, readFileSync } from 'node:fs';
import { reportFile } from '../../sql/warehouse/versions.ts';

/** The report of a build, kept with its version. */
export interface BuildReport {
  readonly version: string;
  readonly sequence: number;
  readonly exportDay: string;
  /** The place where the day of the export was found: its name, an option. */
  readonly exportDayFrom: string;
  readonly exportLevel: string | null;
  /** Name of the zip or folder. */
  readonly source: string;
  /** Its absolute path on the machine of the build, for `rebuild`; reports of older releases have none. */
  readonly sourcePath?: string;
  readonly previousVersion: string | null;
  /** How the tables were made; reports of older releases do not say. */
  readonly madeFrom?: MadeFrom;
  readonly seconds: number;
  /** The part of `seconds` for inflating, scanning and staging. */
  readonly readingSeconds: number;
  /** Unpacked size of the export, in units of 10^6 bytes. */
  readonly megabytes: number;
  readonly megabytesPerSecond: number;
  /** Largest resident size of the build's process, in units of 2^20 bytes. */
  readonly peakMemoryMb: number;
  readonly warehouseMb: number;
  readonly units: CarrierCounts;
  /** Null for the first version; reports of older releases have none. */
  readonly changes?: Changes | null;
  readonly failedChecks: readonly string[];
  /** Days of older exports whose history is in the version (--backfill). */
  readonly historyDays: readonly string[];
  /** The measures that the checks compared; reports of older releases have none. */
  readonly measures?: readonly Measure[];
  /** Number of findings of each kind; the findings themselves are in the table befunde. */
  readonly befunde: Readonly<Record<string, number>>;
  readonly dateien: readonly MemberAccount[];
}

/** The version whose tables were taken over, or why there is none. */
export interface MadeFrom {
  /** Null: the version was built from nothing. */
  readonly version: string | null;
  /** Units that were computed; null: all. */
  readonly affected: number | null;
  /** Why the version before was not gone on from; or why it was, though the version was to be built from nothing and compared. */
  readonly reason: string | null;
  /** Versions in a row that were made out of the one before, this one included. */
  readonly nights: number;
  /** Tables in which a night would have had other rows, where one was compared with; null: none was. */
  readonly differences: readonly { readonly table: string; readonly rows: readonly [number, number] }[] | null;
}

/** Numbers of units that differ from the previous version. */
export interface Changes {
  readonly added: number;
  readonly changed: number;
  readonly gone: number;
}

export interface CarrierCounts {
  readonly [carrier: string]: number;
}

/** The records of one member of the export. */
export interface MemberAccount {
  readonly datei: string;
  readonly art: string;
  readonly teil: number | null;
  readonly verwendung: 'tabelle' | 'katalog' | 'ungenutzt' | 'unbekannt';
  readonly bytes: number;
  readonly gelesen: number;
  readonly geladen: number;
  readonly doppelt: number;
  readonly abgelehnt: number;
}

export type MeasuredCheck = 'vanished' | 'references' | 'labels' | 'names' | 'lost names' | 'gaps';

/** A number of records, of all of their kind, that are not as they should be. */
export interface Measure {
  readonly check: MeasuredCheck;
  /** The field or element. */
  readonly what: string;
  /** Carrier or kind of file. */
  readonly where: string;
  readonly count: number;
  readonly of: number;
}

/** `12 new, 836 changed, 3 gone`. */
export const changesText = ({ added, changed, gone }: Changes): string =>
  added + changed + gone === 0
    ? 'no unit new, changed or gone'
    : [`${number(added)} new`, `${number(changed)} changed`, `${number(gone)} gone`].join(', ');

const number = (value: number): string => value.toLocaleString('en');

/** The report of a version; null when the version is gone. */
export function readReport(warehouse: string, version: string): BuildReport | null {
  const path = reportFile(warehouse, version);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BuildReport) : null;
}
