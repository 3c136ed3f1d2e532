/** The memory of WebAssembly in which records lie. */
export interface RecordMemory {
  readonly wasm: WebAssembly.Memory;
  /** The address of so many bytes beside the text, which are the caller's until `release`. What they contain is arbitrary. */
  allocate(bytes: number): number;
  /** Gives back what was allocated. */
  release(): void;
}

/** The values of one record: `units[start[slot], end[slot])` is the text where `seen[slot]` equals `stamp`. */
export interface ScannedRecord {
  readonly memory: RecordMemory;
  units: Uint16Array;
  start: Int32Array;
  end: Int32Array;
  seen: Int32Array;
  /** Grows with every attempt to read a record, so that the slots need no clearing. */
  stamp: number;
  /** Number of the record in the member, from 1. */
  number: number;
}

export interface ScanOptions {
  /** Kind of file that the root and the elements must belong to; null for an unknown kind. */
  readonly kind?: string | null;
  /** Code units; the end of a longer record counts as missing. */
  readonly longest?: number;
}

/** Receives the records of a member, and findings about them. */
export interface ScanHandler {
  record(record: ScannedRecord): void;
  /** A record that is not well-formed: why, and the beginning of its text. */
  broken(reason: string, text: string): void;
  /** An element that the field table does not know, with its text. */
  unknown(element: string, text: string): void;
  /** Characters that XML 1.0 forbids were left out of a value. */
  forbidden(element: string, characters: number): void;
  /** Anything between or inside records that is neither record nor field, e.g. stray text. */
  stray(what: string): void;
}
