/** The scanner hands its records, and what it found beside them, to a handler. */

/** The values of one record: `units[start[slot], end[slot])` is the text where `seen[slot]` equals `stamp`. */
export interface ScannedRecord {
  units: Uint16Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly seen: Int32Array;
  /** Grows with every attempt to read a record, so that the slots need no clearing. */
  stamp: number;
  /** Number of the record in the member, from 1. */
  number: number;
}

export interface ScanOptions {
  /** Kind of file that it has to be, by its root and its elements; null for one that is not known. */
  readonly kind?: string | null;
  /** Code units: a longer record is taken for one whose end is missing. */
  readonly longest?: number;
}

export interface ScanHandler {
  record(record: ScannedRecord): void;
  /** A record that is not well-formed: why, and the beginning of its text. */
  broken(reason: string, text: string): void;
  /** An element that the field table does not know, with its text. */
  unknown(element: string, text: string): void;
  /** Characters that XML 1.0 forbids were left out of a value. */
  forbidden(element: string, characters: number): void;
  /** Something between or inside records that is neither record nor field, e.g. stray text. */
  stray(what: string): void;
}
