/** Figures of a build: its checks judge them, and its report shows them. */

/** The use of one file of the export and the number of its records, under the column names of the table `dateien`. */
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

/** Number of units by carrier. */
export interface CarrierCounts {
  readonly [carrier: string]: number;
}

export type MeasuredCheck = 'vanished' | 'references' | 'labels' | 'names' | 'lost names' | 'gaps';

/** `count` of `of` records have the fault that the check looks for. */
export interface Measure {
  readonly check: MeasuredCheck;
  /** Field or element. */
  readonly what: string;
  /** Carrier or kind of file. */
  readonly where: string;
  readonly count: number;
  readonly of: number;
}
