import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { itemAt } from '../../../runtime/present.ts';
import { unitNumberOf } from '../../register/mastr-number.ts';
import { BLOCK_ROWS, MAGIC, type RowFileHeader, type RowForm, TAIL_BYTES } from './layout.ts';
import { numberList } from './number-list.ts';
import type { Run } from './rows.ts';

/** Writes a row file. */
export interface RowWriter {
  /**
   * Appends units in the order of their numbers, which are above those of all calls before.
   * @returns the number of units
   */
  append(runs: Iterable<Run>): number;
  /** Writes the index after the rows, and closes the file durably. @returns the number of units */
  finish(): number;
  /** Closes a file that will not be finished. */
  abort(): void;
}

/** Rows are collected up to this size: the merged rows of two versions come in short runs. */
const BYTES_AT_ONCE = 1 << 20;

export function createRowFile(path: string, { fields, placed, basis }: RowForm): RowWriter {
  const file = openSync(path, 'w');
  const offsets = numberList(Float64Array);
  const numbers = numberList(Float64Array);
  const checksums = numberList(Uint32Array);
  let isOpen = true;
  let last = Number.NEGATIVE_INFINITY;
  let position = 0;
  /** Checksum of the rows of the last block so far. */
  let checksum = 0;

  const collected = Buffer.allocUnsafeSlow(BYTES_AT_ONCE);
  let waiting = 0;

  const writeAll = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  };

  const writeWaiting = (): void => {
    writeAll(collected.subarray(0, waiting));
    waiting = 0;
  };

  const write = (bytes: Uint8Array): void => {
    if (waiting + bytes.length > collected.length) writeWaiting();
    if (bytes.length > collected.length) writeAll(bytes);
    else {
      collected.set(bytes, waiting);
      waiting += bytes.length;
    }
  };

  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };

  /** Takes rows into the index, and writes them. */
  const append = ({ rows: { bytes, begins, digits }, from, to }: Run): void => {
    const [begin, end] = [itemAt(begins, from), itemAt(begins, to)];
    let blockAt = begin;
    for (let row = from; row < to; row++) {
      const number = itemAt(digits, row);
      if (!(number > last)) throw new Error(`${unitNumberOf(number)} does not come after the unit before it`);
      last = number;
      if (numbers.length() % BLOCK_ROWS === 0) {
        const at = itemAt(begins, row);
        if (numbers.length() > 0) checksums.push(crc32(bytes.subarray(blockAt, at), checksum));
        offsets.push(position + at - begin);
        checksum = 0;
        blockAt = at;
      }
      numbers.push(number);
    }
    checksum = crc32(bytes.subarray(blockAt, end), checksum);
    write(bytes.subarray(begin, end));
    position += end - begin;
  };

  return {
    append(runs) {
      const before = numbers.length();
      for (const run of runs) append(run);
      return numbers.length() - before;
    },
    finish() {
      const units = numbers.length();
      if (units > 0) checksums.push(checksum);
      offsets.push(position);
      const header = Buffer.from(
        JSON.stringify({ units, blockRows: BLOCK_ROWS, fields, placed, basis } satisfies RowFileHeader),
      );
      const index = [...offsets.bytes(), ...checksums.bytes(), ...numbers.bytes(), header];
      const tail = Buffer.alloc(TAIL_BYTES);
      tail.writeUInt32LE(index.reduce((sum, bytes) => crc32(bytes, sum), 0));
      tail.writeUInt32LE(header.length, 4);
      tail.write(MAGIC, 8, 'latin1');
      for (const bytes of index) write(bytes);
      write(tail);
      writeWaiting();
      fsyncSync(file);
      close();
      return units;
    },
    abort: close,
  };
}
