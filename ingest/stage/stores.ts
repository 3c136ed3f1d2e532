import { itemAt } from '../../runtime/present.ts';
import { byteAt, int32At } from '../scan/typed-arrays.ts';
import { type Chunk, putLength } from './chunk.ts';
import type { ColumnMemory } from './column-memory.ts';

/**
 * Stores hold the values of a column by row until they go to the chunks of their row groups, so that this can be in any order.
 * `appendTo` takes rows that have a value, and writes it in Parquet's PLAIN encoding or, with a dictionary, as its index.
 */

export interface Store {
  appendTo(chunk: Chunk, rows: Int32Array): void;
  /** Removes all values. */
  clear(): void;
}

/** 32-bit numbers. */
export class Int32Store implements Store {
  readonly values: Int32Array;

  constructor(memory: ColumnMemory, capacity: number) {
    this.values = memory.int32s(capacity);
  }

  appendTo({ values }: Chunk, rows: Int32Array): void {
    const to = values.add(rows.length * 4) >>> 2;
    const { int32s } = values;
    for (let at = 0; at < rows.length; at++) int32s[to + at] = int32At(this.values, int32At(rows, at));
  }

  clear(): void {}
}

/** 64-bit numbers as two halves, the low one first. */
export class Int64Store implements Store {
  readonly halves: Int32Array;

  constructor(memory: ColumnMemory, capacity: number) {
    this.halves = memory.int32s(capacity * 2);
  }

  appendTo({ values }: Chunk, rows: Int32Array): void {
    const to = values.add(rows.length * 8) >>> 2;
    const { int32s } = values;
    for (let at = 0; at < rows.length; at++) {
      const row = int32At(rows, at) * 2;
      int32s[to + at * 2] = int32At(this.halves, row);
      int32s[to + at * 2 + 1] = int32At(this.halves, row + 1);
    }
  }

  clear(): void {}
}

/** Truth values, written as bits. */
export class BooleanStore implements Store {
  readonly values: Uint8Array;

  constructor(memory: ColumnMemory, capacity: number) {
    this.values = memory.uint8s(capacity);
  }

  appendTo({ flags }: Chunk, rows: Int32Array): void {
    const first = flags.add(rows.length);
    for (let at = 0; at < rows.length; at++) if (byteAt(this.values, int32At(rows, at)) === 1) flags.set(first + at);
  }

  clear(): void {}
}

export const isBlank = (unit: number): boolean => unit <= 0x20 || unit === 0xa0;

/** UTF-8 texts. */
export class TextStore implements Store {
  /** Addresses in the memory, by row. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly #memory: ColumnMemory;

  constructor(memory: ColumnMemory, capacity: number) {
    this.#memory = memory;
    this.starts = memory.int32s(capacity);
    this.ends = memory.int32s(capacity);
  }

  /** Stores code units as the text of a row. Runs of white space become one blank, U+FF06 becomes `&`. */
  putUnits(row: number, start: number, end: number): void {
    [this.starts[row], this.ends[row]] = this.#memory.putUnits(start, end);
  }

  putText(row: number, text: string): void {
    [this.starts[row], this.ends[row]] = this.#memory.putText(text);
  }

  appendTo({ values }: Chunk, rows: Int32Array): void {
    const { starts, ends } = this;
    let size = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = int32At(rows, at);
      size += 4 + int32At(ends, row) - int32At(starts, row);
    }
    let to = values.add(size);
    const target = values.bytes;
    const { bytes } = this.#memory;
    for (let at = 0; at < rows.length; at++) {
      const row = int32At(rows, at);
      const start = int32At(starts, row);
      const length = int32At(ends, row) - start;
      to = putLength(target, to, length);
      for (let index = 0; index < length; index++) target[to + index] = byteAt(bytes, start + index);
      to += length;
    }
  }

  /** The texts themselves are removed from the memory. */
  clear(): void {}
}

/** Index in the dictionary of a chunk by index in a store, while rows are appended: one array for all columns. */
let chunkIndices = new Int32Array(0);

const NOT_YET = -1;

/** Texts with usually few distinct values, such as the labels of catalogue ids; correct for any number of them. */
export class DictionaryStore implements Store {
  readonly indices: Int32Array;
  readonly #indexByText = new Map<string, number>();
  readonly #texts: string[] = [];

  constructor(memory: ColumnMemory, capacity: number) {
    this.indices = memory.int32s(capacity);
  }

  /** Returns the index of the text. */
  put(row: number, text: string): number {
    let index = this.#indexByText.get(text);
    if (index === undefined) {
      index = this.#texts.push(text) - 1;
      this.#indexByText.set(text, index);
    }
    this.indices[row] = index;
    return index;
  }

  /** Numbers texts anew, as the chunk has those of other members, too. */
  appendTo(chunk: Chunk, rows: Int32Array): void {
    if (chunkIndices.length < this.#texts.length) chunkIndices = new Int32Array(this.#texts.length);
    chunkIndices.fill(NOT_YET, 0, this.#texts.length);
    const to = chunk.values.add(rows.length * 2) >>> 1;
    const { uint16s } = chunk.values;
    for (let at = 0; at < rows.length; at++) {
      const own = int32At(this.indices, int32At(rows, at));
      if (chunkIndices[own] === NOT_YET) chunkIndices[own] = chunk.indexOf(itemAt(this.#texts, own));
      uint16s[to + at] = int32At(chunkIndices, own);
    }
  }

  clear(): void {
    this.#indexByText.clear();
    this.#texts.length = 0;
  }
}
