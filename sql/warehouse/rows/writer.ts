import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { BLOCK_ROWS, digitsOf, type Header, MAGIC, RECORD_SEPARATOR, TAIL_BYTES } from './layout.ts';

/** Writes a row file. */
export interface RowWriter {
  /**
   * Appends a unit.
   * @param number its MaStR number, above the one before
   * @param row its values as `layout.ts` says
   */
  add(number: string, row: string): void;
  /** Writes what lies behind the blocks, and closes the file, on disk. @returns the number of units */
  finish(): number;
  /** Closes a file that will not be finished. */
  abandon(): void;
}

const BYTES_AT_ONCE = 1 << 20;

/** @param fields names of the fields in the order of their codes */
export function createRowFile(path: string, fields: readonly string[]): RowWriter {
  const file = openSync(path, 'w');
  const offsets = growing();
  const numbers = growing();
  let rows: string[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const waiting: Buffer[] = [];
  let place = 0;
  let written = 0;

  const write = (bytes: Buffer): void => {
    waiting.push(bytes);
    place += bytes.length;
    if (place - written >= BYTES_AT_ONCE) flush();
  };
  const flush = (): void => {
    const bytes = Buffer.concat(waiting.splice(0));
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    written = place;
  };
  const closeBlock = (): void => {
    offsets.push(place);
    write(zstdCompressSync(rows.join(RECORD_SEPARATOR)));
    rows = [];
  };

  return {
    add(number, row) {
      const digits = digitsOf(number);
      if (!(digits > last)) throw new Error(`${number} does not come behind the unit before it`);
      last = digits;
      numbers.push(digits);
      rows.push(row);
      if (rows.length === BLOCK_ROWS) closeBlock();
    },
    finish() {
      if (rows.length > 0) closeBlock();
      offsets.push(place);
      write(offsets.bytes());
      write(numbers.bytes());
      const header: Header = { units: numbers.length(), blockRows: BLOCK_ROWS, fields };
      const text = Buffer.from(JSON.stringify(header));
      write(text);
      const tail = Buffer.alloc(TAIL_BYTES);
      tail.writeUInt32LE(text.length);
      tail.write(MAGIC, 4, 'latin1');
      write(tail);
      flush();
      fsyncSync(file);
      closeSync(file);
      return header.units;
    },
    abandon: () => closeSync(file),
  };
}

/** Float64 values whose number is not known before. */
function growing() {
  let values = new Float64Array(1024);
  let length = 0;
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = new Float64Array(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    length: () => length,
    bytes: () => Buffer.from(values.buffer, 0, length * values.BYTES_PER_ELEMENT),
  };
}
