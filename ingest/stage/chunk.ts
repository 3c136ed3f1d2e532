import { byteAt } from '../scan/typed-arrays.ts';
import type { Dictionary, EncodedColumn } from './parquet.ts';

/**
 * The values of one column that wait for their row group. Rows are appended as they come, from any number of members, as the bytes
 * of the page that they will be; the next row group takes the same memory again.
 */

/** Appends the values that rows have in some column to a chunk. */
export interface ValueSource {
  appendTo(chunk: Chunk, rows: Int32Array): void;
}

/** The source of a column whose element a kind of file does not have. */
export const NO_VALUES: ValueSource = { appendTo: (chunk, rows) => chunk.addRows(rows.length) };

export class Chunk {
  /** One bit a row: 1 = there is a value. */
  readonly validity = new Bits(new Bytes());
  /** The values that are not null, in PLAIN encoding; with a dictionary, their indices in it, of 16 bits. */
  readonly values = new Bytes();
  /** The same values as bits, which truth values are. */
  readonly flags = new Bits(this.values);
  /** Index by text. */
  readonly #dictionary = new Map<string, number>();
  #present = 0;

  /** Appends rows of which none has a value until `setPresent`, and returns the number of the first. */
  addRows(count: number): number {
    return this.validity.add(count);
  }

  setPresent(row: number): void {
    this.validity.set(row);
    this.#present++;
  }

  /** Appends rows that all have a value. */
  addPresentRows(count: number): void {
    const first = this.addRows(count);
    for (let row = first; row < first + count; row++) this.setPresent(row);
  }

  /** Index of a text in the dictionary. A row group has at most 65,536 rows, and no more texts. */
  indexOf(text: string): number {
    const known = this.#dictionary.get(text);
    if (known !== undefined) return known;
    this.#dictionary.set(text, this.#dictionary.size);
    return this.#dictionary.size - 1;
  }

  /** All rows as one column of a row group, which shares the memory: nothing may be appended before `clear`. */
  encoded(): EncodedColumn {
    const nulls = this.validity.count - this.#present;
    const validity = this.validity.bytes.used;
    if (this.#dictionary.size === 0) return { nulls, validity, values: this.values.used };
    // Bit-packed runs come in groups of eight.
    this.values.add((-this.#present & 7) * 2);
    const dictionary = encodeDictionary([...this.#dictionary.keys()]);
    return { nulls, validity, values: this.values.used, dictionary };
  }

  /** Removes all rows. */
  clear(): void {
    this.validity.clear();
    this.flags.clear();
    this.#dictionary.clear();
    this.#present = 0;
  }
}

/** Bytes of which more can be added, and the same memory as numbers. What is added is arbitrary until it is set. */
class Bytes {
  size = 0;
  bytes = new Uint8Array(0);
  uint16s = new Uint16Array(0);
  int32s = new Int32Array(0);

  /** Returns the address of the first. */
  add(count: number): number {
    const at = this.size;
    this.size += count;
    if (this.size > this.bytes.length) this.#grow();
    return at;
  }

  get used(): Uint8Array {
    return this.bytes.subarray(0, this.size);
  }

  clear(): void {
    this.size = 0;
  }

  #grow(): void {
    const old = this.bytes;
    this.bytes = new Uint8Array(2 ** Math.max(LEAST_BITS, Math.ceil(Math.log2(this.size))));
    this.bytes.set(old);
    this.uint16s = new Uint16Array(this.bytes.buffer);
    this.int32s = new Int32Array(this.bytes.buffer);
  }
}

/** Memory has 256 bytes at least. */
const LEAST_BITS = 8;

/** Bits, least significant first. Those that are added are 0. */
class Bits {
  readonly bytes: Bytes;
  count = 0;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }

  /** Returns the number of the first. */
  add(count: number): number {
    const first = this.count;
    this.count += count;
    const from = this.bytes.add(((this.count + 7) >> 3) - ((first + 7) >> 3));
    this.bytes.bytes.fill(0, from, this.bytes.size);
    return first;
  }

  set(bit: number): void {
    const { bytes } = this.bytes;
    bytes[bit >> 3] = byteAt(bytes, bit >> 3) | (1 << (bit & 7));
  }

  clear(): void {
    this.bytes.clear();
    this.count = 0;
  }
}

/** Writes the length of a text as PLAIN encoding has it, and returns the address behind it. */
export function putLength(bytes: Uint8Array, at: number, length: number): number {
  bytes[at] = length & 0xff;
  bytes[at + 1] = (length >> 8) & 0xff;
  bytes[at + 2] = (length >> 16) & 0xff;
  bytes[at + 3] = length >>> 24;
  return at + 4;
}

/** Distinct texts in the order of their indices. */
function encodeDictionary(texts: readonly string[]): Dictionary {
  const parts = texts.map((text) => Buffer.from(text));
  const values = new Uint8Array(parts.reduce((size, part) => size + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    at = putLength(values, at, part.length);
    values.set(part, at);
    at += part.length;
  }
  return { values, size: texts.length };
}
