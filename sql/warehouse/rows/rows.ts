import { itemAt } from '../../../runtime/present.ts';
import { unitNumberOf } from '../../register/mastr-number.ts';
import { LINE_FEED, UNIT_SEPARATOR } from './layout.ts';

/** Rows of a row file in memory, one after the other. */
export interface Rows {
  readonly bytes: Buffer;
  /** Place of each row's first byte, and the end of the last row. */
  readonly begins: Float64Array;
  /** The twelve digits of each row's number. */
  readonly digits: Float64Array;
}

/** Some of these rows that follow each other. */
export interface Run {
  readonly rows: Rows;
  readonly from: number;
  /** The row after the last. */
  readonly to: number;
}

/** The bytes of a run. */
export const bytesOf = ({ rows: { bytes, begins }, from, to }: Run): Buffer =>
  bytes.subarray(itemAt(begins, from), itemAt(begins, to));

export const LINE_FEED_BYTE = LINE_FEED.charCodeAt(0);
const UNIT_SEPARATOR_BYTE = UNIT_SEPARATOR.charCodeAt(0);

/** A row has at least its number, two separators and its end, so this many bytes have at most one. */
export const SHORTEST_ROW = 18;

/** Finds the rows, without making a text of any. @throws Error when one does not begin with the number of a unit */
function rowsIn(bytes: Buffer): Rows {
  const begins = new Float64Array(Math.ceil(bytes.length / SHORTEST_ROW) + 1);
  const digits = new Float64Array(begins.length);
  let rows = 0;
  for (let begin = 0; begin < bytes.length; rows++) {
    digits[rows] = digitsAt(bytes, begin);
    const end = bytes.indexOf(LINE_FEED_BYTE, begin + SHORTEST_ROW - 1);
    if (end < 0) throw new Error('The last row has no end');
    begin = end + 1;
    begins[rows + 1] = begin;
  }
  return { bytes, begins: begins.subarray(0, rows + 1), digits: digits.subarray(0, rows) };
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

/** Takes rows apart that lie in any order, and returns them in the order of their numbers. */
export function* rowsInOrder(bytes: Buffer): Generator<Rows> {
  const rows = rowsIn(bytes);
  if (isAscending(rows.digits)) yield rows;
  else yield* sorted(rows);
}

function isAscending(digits: Float64Array): boolean {
  for (let row = 1; row < digits.length; row++) if (!(itemAt(digits, row) > itemAt(digits, row - 1))) return false;
  return true;
}

/** Rows that are copied at once, some two megabytes. */
const ROWS_AT_ONCE = 4096;

/** Copies rows in the order of their numbers, some at a time, so that the engine need not sort them. */
function* sorted({ bytes, begins, digits }: Rows): Generator<Rows> {
  const order = Uint32Array.from(digits.keys()).sort((a, b) => itemAt(digits, a) - itemAt(digits, b));
  for (let first = 0; first < order.length; first += ROWS_AT_ONCE) {
    const some = order.subarray(first, first + ROWS_AT_ONCE);
    const copies: Buffer[] = [];
    const copied = { begins: new Float64Array(some.length + 1), digits: new Float64Array(some.length) };
    let at = 0;
    for (const [place, row] of some.entries()) {
      const copy = bytes.subarray(itemAt(begins, row), itemAt(begins, row + 1));
      copied.digits[place] = itemAt(digits, row);
      copies.push(copy);
      at += copy.length;
      copied.begins[place + 1] = at;
    }
    yield { bytes: Buffer.concat(copies, at), ...copied };
  }
}
