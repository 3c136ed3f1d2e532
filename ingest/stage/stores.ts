import { unitAt } from '../scan/characters.ts';
import { byteAt, int32At } from '../scan/typed-arrays.ts';
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

  constructor(capacity: number) {
    this.values = new Int32Array(capacity);
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

  constructor(capacity: number) {
    this.halves = new Int32Array(capacity * 2);
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

  constructor(capacity: number) {
    this.values = new Uint8Array(capacity);
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

const FULL_WIDTH_AMPERSAND = 0xff06;

export const isBlank = (unit: number): boolean => unit <= 0x20 || unit === 0xa0;

/** Bytes of most texts of the register, at most. */
const TYPICAL_LENGTH = 32;

/** UTF-8 texts. */
export class TextStore implements Store {
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity: number) {
    this.#starts = new Int32Array(capacity);
    this.#ends = new Int32Array(capacity);
    this.#bytes = new Uint8Array(Math.min(capacity * TYPICAL_LENGTH, 1 << 14));
  }

  /** Stores code units as the text of a row. Runs of white space become one blank, U+FF06 becomes `&`. */
  put(row: number, units: Uint16Array, start: number, end: number): void {
    this.#reserve((end - start) * 3);
    const bytes = this.#bytes;
    const first = this.#length;
    let at = first;
    for (let read = start; read < end; read++) {
      const unit = unitAt(units, read);
      if (isBlank(unit)) {
        if (bytes[at - 1] !== 0x20 || at === first) bytes[at++] = 0x20;
      } else if (unit < 0x80) bytes[at++] = unit;
      else if (unit === FULL_WIDTH_AMPERSAND) bytes[at++] = 0x26;
      else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else if (unit >= 0xd800 && unit <= 0xdbff) {
        const code = 0x10000 + ((unit - 0xd800) << 10) + (unitAt(units, ++read) - 0xdc00);
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
      } else {
        bytes[at++] = 0xe0 | (unit >> 12);
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[at++] = 0x80 | (unit & 0x3f);
      }
    }
    this.#starts[row] = first;
    this.#ends[row] = at;
    this.#length = at;
  }

  encode(rows: Int32Array): Encoded {
    let size = 0;
    for (const row of rows) size += 4 + int32At(this.#ends, row) - int32At(this.#starts, row);
    const values = new Uint8Array(size);
    const bytes = this.#bytes;
    let at = 0;
    for (const row of rows) {
      const start = int32At(this.#starts, row);
      const length = int32At(this.#ends, row) - start;
      at = putLength(values, at, length);
      for (let index = 0; index < length; index++) values[at + index] = byteAt(bytes, start + index);
      at += length;
    }
    return { values };
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array((this.#length + bytes) * 2);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
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
  readonly #indexByText = new Map<string, number>();
  readonly #indices: Int32Array;

  constructor(capacity: number) {
    this.#indices = new Int32Array(capacity);
  }

  put(row: number, text: string): void {
    let index = this.#indexByText.get(text);
    if (index === undefined) {
      index = this.#indexByText.size;
      this.#indexByText.set(text, index);
    }
    this.#indices[row] = index;
  }

  encode(rows: Int32Array): Encoded {
    const dictionary = encodeDictionary([...this.#indexByText.keys()]);
    const indices = emptyIndices(dictionary, rows.length);
    for (let at = 0; at < rows.length; at++) indices[at] = int32At(this.#indices, int32At(rows, at));
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
