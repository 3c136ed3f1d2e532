import { byteAt, int32At } from '../scan/typed-arrays.ts';
import type { ColumnMemory } from './column-memory.ts';
import type { Dictionary, EncodedColumn } from './parquet.ts';

/**
 * Stores hold the values of a column by row until they are written, so that rows can be written in any order. `encode`
 * returns the values of the given rows, all of which have one, in Parquet's PLAIN encoding.
 */

export type Encoded = Pick<EncodedColumn, 'values' | 'dictionary'>;

export interface Store {
  encode(rows: Int32Array): Encoded;
  /** Removes all values. */
  clear(): void;
}

/** 32-bit numbers. */
export class Int32Store implements Store {
  readonly values: Int32Array;

  constructor(memory: ColumnMemory, capacity: number) {
    this.values = memory.int32s(capacity);
  }

  encode(rows: Int32Array): Encoded {
    const values = new Int32Array(rows.length);
    for (let at = 0; at < rows.length; at++) values[at] = int32At(this.values, int32At(rows, at));
    return { values: new Uint8Array(values.buffer) };
  }

  clear(): void {}
}

/** 64-bit numbers as two halves, the low one first. */
export class Int64Store implements Store {
  readonly halves: Int32Array;

  constructor(memory: ColumnMemory, capacity: number) {
    this.halves = memory.int32s(capacity * 2);
  }

  encode(rows: Int32Array): Encoded {
    const values = new Int32Array(rows.length * 2);
    for (let at = 0; at < rows.length; at++) {
      const row = int32At(rows, at) * 2;
      values[at * 2] = int32At(this.halves, row);
      values[at * 2 + 1] = int32At(this.halves, row + 1);
    }
    return { values: new Uint8Array(values.buffer) };
  }

  clear(): void {}
}

/** Truth values, written as bits. */
export class BooleanStore implements Store {
  readonly values: Uint8Array;

  constructor(memory: ColumnMemory, capacity: number) {
    this.values = memory.uint8s(capacity);
  }

  encode(rows: Int32Array): Encoded {
    const values = new Uint8Array((rows.length + 7) >> 3);
    for (let at = 0; at < rows.length; at++) {
      values[at >> 3] = byteAt(values, at >> 3) | (byteAt(this.values, int32At(rows, at)) << (at & 7));
    }
    return { values };
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

  encode(rows: Int32Array): Encoded {
    const { starts, ends } = this;
    let size = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = int32At(rows, at);
      size += 4 + int32At(ends, row) - int32At(starts, row);
    }
    const values = new Uint8Array(size);
    const { bytes } = this.#memory;
    let to = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = int32At(rows, at);
      const start = int32At(starts, row);
      const length = int32At(ends, row) - start;
      to = putLength(values, to, length);
      for (let index = 0; index < length; index++) values[to + index] = byteAt(bytes, start + index);
      to += length;
    }
    return { values };
  }

  /** The texts themselves are removed from the memory. */
  clear(): void {}
}

function putLength(bytes: Uint8Array, at: number, length: number): number {
  bytes[at] = length & 0xff;
  bytes[at + 1] = (length >> 8) & 0xff;
  bytes[at + 2] = (length >> 16) & 0xff;
  bytes[at + 3] = length >>> 24;
  return at + 4;
}

/** Texts with usually few distinct values, such as the labels of catalogue ids; correct for any number of them. */
export class DictionaryStore implements Store {
  readonly indices: Int32Array;
  readonly #indexByText = new Map<string, number>();

  constructor(memory: ColumnMemory, capacity: number) {
    this.indices = memory.int32s(capacity);
  }

  /** Returns the index of the text. */
  put(row: number, text: string): number {
    let index = this.#indexByText.get(text);
    if (index === undefined) {
      index = this.#indexByText.size;
      this.#indexByText.set(text, index);
    }
    this.indices[row] = index;
    return index;
  }

  encode(rows: Int32Array): Encoded {
    const dictionary = encodeDictionary([...this.#indexByText.keys()]);
    const indices = emptyIndices(dictionary, rows.length);
    for (let at = 0; at < rows.length; at++) indices[at] = int32At(this.indices, int32At(rows, at));
    return { values: new Uint8Array(indices.buffer), dictionary };
  }

  clear(): void {
    this.#indexByText.clear();
  }
}

/** Dictionary indices, all zero. Their number is rounded up to eight, since bit-packed runs come in groups of eight. */
export function emptyIndices(
  { indexBits }: Dictionary,
  rows: number,
): Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> {
  const length = Math.ceil(rows / 8) * 8;
  return indexBits === 16 ? new Uint16Array(length) : new Uint32Array(length);
}

const MAX_IN_16_BITS = 1 << 16;

/** Encodes the dictionary of these distinct texts, in the order of their indices. */
export function encodeDictionary(texts: readonly string[]): Dictionary {
  const parts = texts.map((text) => Buffer.from(text));
  const values = new Uint8Array(parts.reduce((size, part) => size + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    at = putLength(values, at, part.length);
    values.set(part, at);
    at += part.length;
  }
  return { values, size: texts.length, indexBits: texts.length <= MAX_IN_16_BITS ? 16 : 32 };
}
