import { readFileSync } from 'node:fs';
import type { RecordMemory, ScannedRecord } from '../scan/handler.ts';

/**
 * Columns under construction lie in the memory of the scanner, so that WebAssembly (ingest/wasm/columns.ts) can fill them from the
 * text of a record: one call for each record instead of one for each value.
 */

const MODULE = new WebAssembly.Module(readFileSync(new URL('../wasm/columns.wasm', import.meta.url)));

interface Exports {
  arrange(text: number, starts: number, ends: number, seen: number, columns: number, count: number): void;
  clear(texts: number, last: number, enough: number): void;
  getTexts(): number;
  setTexts(at: number): void;
  putText(start: number, end: number): number;
  keyDigits(slot: number, stamp: number): number;
  appendRecord(row: number, stamp: number): number;
}

/** Kinds of columns whose plain values WebAssembly reads. */
const PLAIN_KINDS = {
  mastr: 1,
  time: 2,
  decimal: 3,
  integer: 4,
  day: 5,
  boolean: 6,
  atLeast: 7,
  text: 8,
  label: 9,
  list: 10,
} as const;

/** The way in which WebAssembly fills a column (ingest/wasm/columns.ts). */
export interface PlainForm {
  readonly kind: keyof typeof PLAIN_KINDS;
  readonly values: ArrayBufferView;
  /** Another array, where the kind needs one. */
  readonly more?: ArrayBufferView;
  /** Numbers that say what is plain. */
  readonly first?: number;
  readonly last?: number;
  readonly limit?: number;
}

/** A column as WebAssembly sees it. */
export interface PlainColumn {
  readonly slot: number;
  readonly flagSlot: number;
  readonly present: Uint8Array;
  /** Without one no value of the column is plain. */
  readonly plain: PlainForm | null;
}

/** A column, as indices of 32-bit numbers; LIMIT as that of a 64-bit number. */
const COLUMN = { kind: 0, slot: 1, flagSlot: 2, present: 3, values: 4, more: 5, first: 6, last: 7, limit: 4 } as const;
const COLUMN_BYTES = 48;

const ALIGNMENT = 16;

/** A text of this many code units may be appended however full the memory is: no record is longer. */
const LONGEST_RECORD = 1 << 18;

/** A code unit takes up to three bytes as UTF-8. */
const BYTES_PER_UNIT = 3;

/** Bytes that a text may overwrite behind its end. */
const TEXT_MARGIN = 64;

export class ColumnMemory {
  readonly #memory: RecordMemory;
  readonly #wasm: Exports;
  readonly #textsAt: number;
  readonly #lastTexts: number;
  readonly #enough: number;
  #next: number;

  /**
   * @param bytes for arrays
   * @param units code units of values for which there is room; with more of them the rows have to be written
   * @param readOther appends the value of a column that is not plain, and returns the number of its code units
   */
  constructor(memory: RecordMemory, bytes: number, units: number, readOther: (column: number) => number) {
    const textBytes = (units + LONGEST_RECORD) * BYTES_PER_UNIT + TEXT_MARGIN;
    this.#memory = memory;
    this.#next = memory.allocate(bytes + ALIGNMENT + textBytes);
    this.#textsAt = this.#next + bytes + ALIGNMENT;
    this.#lastTexts = this.#textsAt + units * BYTES_PER_UNIT;
    this.#enough = units;
    const imports = { env: { memory: memory.wasm }, columns: { readOther } };
    this.#wasm = new WebAssembly.Instance(MODULE, imports).exports as unknown as Exports;
    this.clear();
  }

  /** Bytes that an array of so many bytes takes. */
  static bytesFor(bytes: number): number {
    return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
  }

  /** Bytes that the columns take besides their arrays. */
  static bytesForColumns(count: number): number {
    return ColumnMemory.bytesFor(count * COLUMN_BYTES);
  }

  /** Everything in the memory; addresses are indices. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#memory.wasm.buffer);
  }

  int32s(length: number): Int32Array {
    return new Int32Array(this.#memory.wasm.buffer, this.#take(length * 4), length);
  }

  uint8s(length: number): Uint8Array {
    return new Uint8Array(this.#memory.wasm.buffer, this.#take(length), length);
  }

  /** Says where records are, and the columns that they fill. */
  arrange({ units, start, end, seen }: ScannedRecord, columns: readonly PlainColumn[]): void {
    const at = this.#take(columns.length * COLUMN_BYTES);
    columns.forEach(({ slot, flagSlot, present, plain }, index) => {
      const numbers = new Int32Array(this.#memory.wasm.buffer, at + index * COLUMN_BYTES, COLUMN_BYTES / 4);
      const limit = new Float64Array(this.#memory.wasm.buffer, at + index * COLUMN_BYTES, COLUMN_BYTES / 8);
      numbers[COLUMN.kind] = plain === null ? 0 : PLAIN_KINDS[plain.kind];
      numbers[COLUMN.slot] = slot;
      numbers[COLUMN.flagSlot] = flagSlot;
      numbers[COLUMN.present] = present.byteOffset;
      numbers[COLUMN.values] = plain?.values.byteOffset ?? 0;
      numbers[COLUMN.more] = plain?.more?.byteOffset ?? 0;
      numbers[COLUMN.first] = plain?.first ?? 0;
      numbers[COLUMN.last] = plain?.last ?? 0;
      limit[COLUMN.limit] = plain?.limit ?? 0;
    });
    this.#wasm.arrange(units.byteOffset, start.byteOffset, end.byteOffset, seen.byteOffset, at, columns.length);
  }

  /** The digits of a record's key that is a MaStR number; -1 when it is not. */
  keyDigits(slot: number, { stamp }: ScannedRecord): number {
    return this.#wasm.keyDigits(slot, stamp);
  }

  /** Appends the values of a record as a row; true when the rows have to be written then. */
  append(row: number, { stamp }: ScannedRecord): boolean {
    return this.#wasm.appendRecord(row, stamp) !== 0;
  }

  /** Stores code units of the text of the record as UTF-8, and returns where. */
  putUnits(start: number, end: number): [start: number, end: number] {
    const at = this.#wasm.getTexts();
    return [at, this.#wasm.putText(start, end)];
  }

  putText(text: string): [start: number, end: number] {
    const at = this.#wasm.getTexts();
    const end = at + Buffer.from(this.#memory.wasm.buffer, at).write(text);
    this.#wasm.setTexts(end);
    return [at, end];
  }

  /** Removes all texts. */
  clear(): void {
    this.#wasm.clear(this.#textsAt, this.#lastTexts, this.#enough);
  }

  release(): void {
    this.#memory.release();
  }

  #take(bytes: number): number {
    const at = this.#next;
    this.#next += ColumnMemory.bytesFor(bytes);
    if (this.#next > this.#textsAt) throw new RangeError('The columns need more memory than was allocated');
    return at;
  }
}
