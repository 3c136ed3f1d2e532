import { Bits, type BlockMemory, Bytes } from './block-memory.ts';
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

const BYTES_OF_NUMBER = 8;

export class Chunk {
  /** One bit a row: 1 = there is a value. */
  readonly validity: Bits;
  /** The values that are not null, in PLAIN encoding; with a dictionary, their indices in it, of 16 bits. */
  readonly values: Bytes;
  /** The same values as bits, which truth values are. */
  readonly flags: Bits;
  /** Index by text. */
  readonly #dictionary = new Map<string, number>();
  #present = 0;

  /** @param rows that are expected, a power of two */
  constructor(memory: BlockMemory, rows: number) {
    this.validity = new Bits(new Bytes(memory, rows / 8));
    this.values = new Bytes(memory, rows * BYTES_OF_NUMBER);
    this.flags = new Bits(this.values);
  }

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
