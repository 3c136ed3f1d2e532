import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { itemAt } from '../../../runtime/present.ts';
import { unitNumberOf } from '../../register/mastr-number.ts';
import {
  BLOCK_ROWS,
  LINE_FEED,
  MAGIC,
  type RowFields,
  type RowFileHeader,
  TAIL_BYTES,
  UNIT_SEPARATOR,
} from './layout.ts';
import { numberList } from './number-list.ts';

/** Writes a row file. */
export interface RowWriter {
  /**
   * Appends units whose numbers are above those of all calls before; among themselves they can have any order.
   * @param rows their rows in the form of layout.ts, each with its line feed
   * @returns the number of units
   */
  add(rows: Buffer): number;
  /** Writes the index after the rows, and closes the file durably. @returns the number of units */
  finish(): number;
  /** Closes a file that will not be finished. */
  abort(): void;
}

export function createRowFile(path: string, { fields, placed }: RowFields): RowWriter {
  const file = openSync(path, 'w');
  const offsets = numberList(Float64Array);
  const numbers = numberList(Float64Array);
  const checksums = numberList(Uint32Array);
  let isOpen = true;
  let last = Number.NEGATIVE_INFINITY;
  let position = 0;
  /** Checksum of the rows of the last block so far. */
  let checksum = 0;

  const write = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  };

  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };

  /** Takes rows into the index, and writes them. */
  const append = ({ bytes, begins, digits }: Rows): void => {
    let blockAt = 0;
    for (let row = 0; row < digits.length; row++) {
      const number = itemAt(digits, row);
      if (!(number > last)) throw new Error(`${unitNumberOf(number)} does not come after the unit before it`);
      last = number;
      if (numbers.length() % BLOCK_ROWS === 0) {
        const begin = itemAt(begins, row);
        if (numbers.length() > 0) checksums.push(crc32(bytes.subarray(blockAt, begin), checksum));
        offsets.push(position + begin);
        checksum = 0;
        blockAt = begin;
      }
      numbers.push(number);
    }
    checksum = crc32(bytes.subarray(blockAt), checksum);
    write(bytes);
    position += bytes.length;
  };

  return {
    add(bytes) {
      const rows = rowsIn(bytes);
      if (isAscending(rows.digits)) append(rows);
      else for (const some of inOrder(rows)) append(some);
      return rows.digits.length;
    },
    finish() {
      const units = numbers.length();
      if (units > 0) checksums.push(checksum);
      offsets.push(position);
      const header = Buffer.from(
        JSON.stringify({ units, blockRows: BLOCK_ROWS, fields, placed } satisfies RowFileHeader),
      );
      const index = [...offsets.bytes(), ...checksums.bytes(), ...numbers.bytes(), header];
      const tail = Buffer.alloc(TAIL_BYTES);
      tail.writeUInt32LE(index.reduce((sum, bytes) => crc32(bytes, sum), 0));
      tail.writeUInt32LE(header.length, 4);
      tail.write(MAGIC, 8, 'latin1');
      for (const bytes of index) write(bytes);
      write(tail);
      fsyncSync(file);
      close();
      return units;
    },
    abort: close,
  };
}

interface Rows {
  readonly bytes: Buffer;
  /** Place of each row's first byte. */
  readonly begins: Float64Array;
  /** The twelve digits of each row's number. */
  readonly digits: Float64Array;
}

const LINE_FEED_BYTE = LINE_FEED.charCodeAt(0);
const UNIT_SEPARATOR_BYTE = UNIT_SEPARATOR.charCodeAt(0);

/** A row has at least its number, two separators and its end, so this many bytes have at most one. */
const SHORTEST_ROW = 18;

/** Finds the rows, without making a text of any. @throws Error when one does not begin with the number of a unit */
function rowsIn(bytes: Buffer): Rows {
  const begins = new Float64Array(Math.ceil(bytes.length / SHORTEST_ROW));
  const digits = new Float64Array(begins.length);
  let rows = 0;
  for (let begin = 0; begin < bytes.length; rows++) {
    begins[rows] = begin;
    digits[rows] = digitsAt(bytes, begin);
    const end = bytes.indexOf(LINE_FEED_BYTE, begin + SHORTEST_ROW - 1);
    if (end < 0) throw new Error('The last row has no end');
    begin = end + 1;
  }
  return { bytes, begins: begins.subarray(0, rows), digits: digits.subarray(0, rows) };
}

const DIGITS = 12;
const BEGINNING = Buffer.from(unitNumberOf(0).slice(0, -DIGITS));
const ZERO = 0x30;

/** The twelve digits of the number that a row begins with. Anything else would give a following row to another unit. */
function digitsAt(bytes: Buffer, begin: number): number {
  const at = begin + BEGINNING.length;
  let digits = 0;
  let isNumber = true;
  for (let place = 0; place < BEGINNING.length; place++) isNumber &&= bytes[begin + place] === BEGINNING[place];
  for (let place = 0; place < DIGITS; place++) {
    const digit = (bytes[at + place] ?? 0) - ZERO;
    isNumber &&= digit >= 0 && digit <= 9;
    digits = digits * 10 + digit;
  }
  const after = bytes[at + DIGITS];
  isNumber &&= after === UNIT_SEPARATOR_BYTE;
  if (!isNumber) throw new Error('A row does not begin with the number of a unit');
  return digits;
}

function isAscending(digits: Float64Array): boolean {
  for (let row = 1; row < digits.length; row++) if (!(itemAt(digits, row) > itemAt(digits, row - 1))) return false;
  return true;
}

/** Rows that are copied at once, some two megabytes. */
const ROWS_AT_ONCE = 4096;

/** Copies rows in the order of their numbers, some at a time, so that the engine need not sort them. */
function* inOrder({ bytes, begins, digits }: Rows): Generator<Rows> {
  const order = Uint32Array.from(digits.keys()).sort((a, b) => itemAt(digits, a) - itemAt(digits, b));
  for (let first = 0; first < order.length; first += ROWS_AT_ONCE) {
    const some = order.subarray(first, first + ROWS_AT_ONCE);
    const copies: Buffer[] = [];
    const sorted = { begins: new Float64Array(some.length), digits: new Float64Array(some.length) };
    let at = 0;
    for (const [place, row] of some.entries()) {
      const copy = bytes.subarray(itemAt(begins, row), begins[row + 1] ?? bytes.length);
      sorted.begins[place] = at;
      sorted.digits[place] = itemAt(digits, row);
      copies.push(copy);
      at += copy.length;
    }
    yield { bytes: Buffer.concat(copies, at), ...sorted };
  }
}
