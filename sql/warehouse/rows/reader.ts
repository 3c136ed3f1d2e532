import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  digitsOf,
  ESCAPE,
  FLOAT_BYTES,
  fieldIndex,
  type Header,
  LIST_SEPARATOR,
  MAGIC,
  RECORD_SEPARATOR,
  TAIL_BYTES,
  UNIT_SEPARATOR,
  unescaped,
} from './layout.ts';

/** A row file, opened. It takes eight bytes of memory for each unit; the rows stay on disk. */
export interface RowFile {
  readonly units: number;
  /** Whether there is a unit of this MaStR number. */
  has(number: string): boolean;
  /**
   * Units by their MaStR numbers, in the order asked for; null for one that is not there.
   * @param columns those that are taken out of the rows
   */
  read(numbers: readonly string[], columns: ReadonlySet<string>): (UnitTexts | null)[];
  close(): void;
}

/** The texts of a unit's columns by name. What has no value is absent. */
export type UnitTexts = ReadonlyMap<string, string>;

/** @throws Error when the file is no complete row file */
export function openRowFile(path: string): RowFile {
  const file = openSync(path, 'r');
  try {
    return openRows(file, path);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function openRows(file: number, path: string): RowFile {
  const size = fstatSync(file).size;
  const tail = readBytes(file, size - TAIL_BYTES, TAIL_BYTES);
  if (tail.toString('latin1', 4) !== MAGIC) throw new Error(`${path} is no complete row file`);
  const headerLength = tail.readUInt32LE();
  const headerAt = size - TAIL_BYTES - headerLength;
  const { units, blockRows, fields } = JSON.parse(readBytes(file, headerAt, headerLength).toString()) as Header;
  const blocks = Math.ceil(units / blockRows);
  const numbersAt = headerAt - units * FLOAT_BYTES;
  const numbers = sortedNumbers(readFloats(file, numbersAt, units));
  const offsets = readFloats(file, numbersAt - (blocks + 1) * FLOAT_BYTES, blocks + 1);

  /** The block that was read last: neighbours share it, and a page in the order of numbers is nothing but neighbours. */
  let block = -1;
  let bytes = Buffer.alloc(0);

  const rowAt = (row: number): string => {
    const wanted = Math.floor(row / blockRows);
    if (wanted !== block) {
      const [from, to] = [offsets[wanted]!, offsets[wanted + 1]!];
      block = -1;
      if (bytes.length < to - from) bytes = Buffer.alloc(2 * (to - from));
      fill(bytes, file, from, to - from);
      block = wanted;
    }
    let begin = 0;
    for (let before = row % blockRows; before > 0; before--) begin = bytes.indexOf(RECORD_SEPARATOR, begin) + 1;
    return bytes.toString('utf8', begin, bytes.indexOf(RECORD_SEPARATOR, begin));
  };

  return {
    units,
    has: (number) => numbers.placeOf(digitsOf(number)) !== null,
    read(wanted, columns) {
      const taken = fields.map((name) => (columns.has(name) ? name : null));
      return wanted.map((number) => {
        const row = numbers.placeOf(digitsOf(number));
        return row === null ? null : textsOf(rowAt(row), taken);
      });
    },
    close: () => closeSync(file),
  };
}

/**
 * Takes a row apart.
 * @param fields names by code; null for one that is passed over
 */
export function textsOf(row: string, fields: readonly (string | null)[]): UnitTexts {
  const values = new Map<string, string>();
  const escapes = row.includes(ESCAPE);
  for (let at = 0; at < row.length; ) {
    const end = row.indexOf(UNIT_SEPARATOR, at);
    const next = end < 0 ? row.length : end;
    const name = fields[fieldIndex(row.charCodeAt(at))]!;
    if (name !== null) values.set(name, escapes ? unescaped(row.slice(at + 1, next)) : row.slice(at + 1, next));
    at = next + 1;
  }
  return values;
}

/** The items of a list as a row has it. */
export function itemsOf(list: string): string[] {
  const items = list.split(LIST_SEPARATOR);
  return list.includes(ESCAPE) ? items.map(unescaped) : items;
}

/** One of so many numbers is kept apart: the search among these stays within the cache of the processor. */
const STRIDE = 64;

/** Finds numbers among ascending ones: first the stretch that one is in, then its place. */
function sortedNumbers(numbers: Float64Array) {
  const stretches = numbers.filter((_, place) => place % STRIDE === 0);
  return {
    /** Null where the number is not there. */
    placeOf(digits: number): number | null {
      const stretch = lastUpTo(stretches, digits, 0, stretches.length);
      if (stretch < 0) return null;
      const place = lastUpTo(numbers, digits, stretch * STRIDE, Math.min(numbers.length, (stretch + 1) * STRIDE));
      return numbers[place] === digits ? place : null;
    },
  };
}

/** Place of the last number, from one place up to before another, that is not above a limit; the place before if none is. */
function lastUpTo(numbers: Float64Array, limit: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function readFloats(file: number, at: number, count: number): Float64Array {
  const bytes = readBytes(file, at, count * FLOAT_BYTES);
  return new Float64Array(bytes.buffer, bytes.byteOffset, count);
}

/** Exactly these bytes, in memory of their own: a piece of a shared one would not be aligned. */
function readBytes(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.from(new ArrayBuffer(length));
  fill(bytes, file, at, length);
  return bytes;
}

function fill(bytes: Buffer, file: number, at: number, length: number): void {
  let done = 0;
  while (done < length) {
    const read = readSync(file, bytes, done, length - done, at + done);
    if (read === 0) throw new Error('A row file ends too early');
    done += read;
  }
}
