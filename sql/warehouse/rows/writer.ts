import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { digitsOf } from '../../register/mastr-number.ts';
import { BLOCK_ROWS, MAGIC, RECORD_SEPARATOR, type RowFileHeader, TAIL_BYTES } from './layout.ts';

/** Writes a row file. */
export interface RowWriter {
  /**
   * Appends a unit.
   * @param number its MaStR number, above the one before
   * @param row its values in the form of layout.ts
   */
  add(number: string, row: string): void;
  /** Writes the index after the rows, and closes the file durably. @returns the number of units */
  finish(): number;
  /** Closes a file that will not be finished. */
  abort(): void;
}

const BYTES_AT_ONCE = 1 << 20;

/** @param fields names of the fields in the order of their codes */
export function createRowFile(path: string, fields: readonly string[]): RowWriter {
  const file = openSync(path, 'w');
  const offsets = growingArray((length) => new Float64Array(length));
  const numbers = growingArray((length) => new Float64Array(length));
  const checksums = growingArray((length) => new Uint32Array(length));
  let last = Number.NEGATIVE_INFINITY;
  let waiting: string[] = [];
  let position = 0;
  let written = 0;

  const write = (bytes: Buffer): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  };
  /** Writes whole blocks. */
  const writeRows = (): void => {
    const bytes = Buffer.from(waiting.join(''));
    write(bytes);
    for (let block = checksums.length(); block < offsets.length(); block++) {
      const end = block + 1 < offsets.length() ? offsets.at(block + 1) : position;
      checksums.push(crc32(bytes.subarray(offsets.at(block) - written, end - written)));
    }
    waiting = [];
    written = position;
  };

  return {
    add(number, row) {
      const digits = digitsOf(number);
      if (!(digits > last)) throw new Error(`${number} does not come after the unit before it`);
      // Every following row would belong to another unit.
      if (row.includes(RECORD_SEPARATOR)) throw new Error(`The row of ${number} holds a record separator`);
      last = digits;
      if (numbers.length() % BLOCK_ROWS === 0) {
        if (position - written >= BYTES_AT_ONCE) writeRows();
        offsets.push(position);
      }
      numbers.push(digits);
      const text = row + RECORD_SEPARATOR;
      waiting.push(text);
      position += Buffer.byteLength(text);
    },
    finish() {
      writeRows();
      offsets.push(position);
      const units = numbers.length();
      const header = Buffer.from(JSON.stringify({ units, blockRows: BLOCK_ROWS, fields } satisfies RowFileHeader));
      const tail = Buffer.alloc(TAIL_BYTES);
      const index = [offsets.bytes(), checksums.bytes(), numbers.bytes(), header];
      tail.writeUInt32LE(index.reduce((checksum, bytes) => crc32(bytes, checksum), 0));
      tail.writeUInt32LE(header.length, 4);
      tail.write(MAGIC, 8, 'latin1');
      write(Buffer.concat([...index, tail]));
      fsyncSync(file);
      closeSync(file);
      return units;
    },
    abort: () => closeSync(file),
  };
}

/** An array of numbers that grows. */
function growingArray<Numbers extends Float64Array | Uint32Array>(make: (length: number) => Numbers) {
  let values = make(1024);
  let length = 0;
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = make(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    at: (index: number): number => values[index] ?? Number.NaN,
    length: () => length,
    bytes: () => Buffer.from(values.buffer, 0, length * values.BYTES_PER_ELEMENT),
  };
}
