import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { digitsOf, unitNumberOf } from '../../register/mastr-number.ts';
import { Damaged, VERSION_REMEDY } from '../damage.ts';
import {
  CHECKSUM_BYTES,
  ESCAPE,
  FLOAT_BYTES,
  fieldIndex,
  type Header,
  LIST_SEPARATOR,
  MAGIC,
  MAGIC_WITHOUT_CHECKSUMS,
  RECORD_SEPARATOR,
  TAIL_BYTES,
  UNIT_SEPARATOR,
  unescaped,
} from './layout.ts';

/** A row file, opened. It takes eight bytes of memory for each unit; the rows stay on disk. */
export interface RowFile {
  readonly units: number;
  /** False for a file of an earlier release, whose damage is not noticed. */
  readonly hasChecksums: boolean;
  /** Whether there is a unit of this MaStR number. */
  has(number: string): boolean;
  /**
   * Units by their MaStR numbers, in the order asked for; null for one that is not there.
   * @param columns those that are taken out of the rows
   * @throws Damaged when a block is not as it was written
   */
  read(numbers: readonly string[], columns: ReadonlySet<string>): (UnitTexts | null)[];
  /** Reads every block. @returns of each that is not as it was written, what is wrong */
  damagedBlocks(): Generator<string>;
  close(): void;
}

/** The texts of a unit's columns by name. What has no value is absent. */
export type UnitTexts = ReadonlyMap<string, string>;

/** Blocks that are looked at when a file is opened, from its beginning to its end. */
const SAMPLED_BLOCKS = 64;

/** @throws Damaged when the file is no complete row file, or a block of a sample is not as it was written */
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
  const { header, offsets, checksums, numbers: all } = readIndex(file, path);
  const { units, blockRows, fields } = header;
  const numbers = sortedNumbers(all);
  const blocks = offsets.length - 1;

  /** Blocks that were found to be as they were written: they are looked at when they are read first. */
  const checked = new Uint8Array(checksums === null ? 0 : blocks);

  /** The block that was read last: neighbours share it, and a page in the order of numbers is nothing but neighbours. */
  let block = -1;
  let bytes = Buffer.alloc(0);

  const readBlock = (wanted: number): void => {
    const from = offsets[wanted] ?? Number.NaN;
    const length = (offsets[wanted + 1] ?? Number.NaN) - from;
    block = -1;
    if (bytes.length < length) bytes = Buffer.alloc(2 * length);
    try {
      fill(bytes, file, from, length);
    } catch (error) {
      throw new Damaged(path, `${unitsOf(wanted)} cannot be read (${String(error)})`, VERSION_REMEDY, error);
    }
    if (checksums !== null && checked[wanted] !== 1) {
      if (crc32(bytes.subarray(0, length)) !== checksums[wanted]) {
        throw new Damaged(path, `${unitsOf(wanted)} are not as they were written`, VERSION_REMEDY);
      }
      checked[wanted] = 1;
    }
    block = wanted;
  };

  const unitsOf = (wanted: number): string => {
    const [first = 0, last = first] = [all[wanted * blockRows], all[Math.min(units, (wanted + 1) * blockRows) - 1]];
    return `the rows of ${unitNumberOf(first)} to ${unitNumberOf(last)}`;
  };

  const rowAt = (row: number): string => {
    const wanted = Math.floor(row / blockRows);
    if (wanted !== block) readBlock(wanted);
    let begin = 0;
    for (let before = row % blockRows; before > 0; before--) begin = bytes.indexOf(RECORD_SEPARATOR, begin) + 1;
    return bytes.toString('utf8', begin, bytes.indexOf(RECORD_SEPARATOR, begin));
  };

  const samples = Math.min(SAMPLED_BLOCKS, blocks);
  for (let sample = 0; sample < samples; sample++) readBlock(Math.floor((sample * blocks) / samples));

  return {
    units,
    hasChecksums: checksums !== null,
    has: (number) => numbers.placeOf(digitsOf(number)) !== null,
    read(wanted, columns) {
      const taken = fields.map((name) => (columns.has(name) ? name : null));
      return wanted.map((number) => {
        const row = numbers.placeOf(digitsOf(number));
        return row === null ? null : textsOf(rowAt(row), taken);
      });
    },
    *damagedBlocks() {
      checked.fill(0);
      for (let wanted = 0; wanted < blocks; wanted++) {
        try {
          readBlock(wanted);
        } catch (error) {
          yield (error as Damaged).message;
        }
      }
    },
    close: () => closeSync(file),
  };
}

/** Reads the index that follows the rows. @throws Damaged */
function readIndex(file: number, path: string) {
  const damaged = (what: string) => new Damaged(path, what, VERSION_REMEDY);
  const size = fstatSync(file).size;
  if (size < TAIL_BYTES) throw damaged('it is no complete row file');
  const tail = readBytes(file, size - TAIL_BYTES, TAIL_BYTES);
  const magic = tail.toString('latin1', TAIL_BYTES - MAGIC.length);
  if (magic !== MAGIC && magic !== MAGIC_WITHOUT_CHECKSUMS) throw damaged('it is no complete row file');
  const hasChecksums = magic === MAGIC;
  const headerLength = tail.readUInt32LE(4);
  const headerAt = size - TAIL_BYTES + (hasChecksums ? 0 : CHECKSUM_BYTES) - headerLength;
  try {
    const headerBytes = readBytes(file, headerAt, headerLength);
    const header = JSON.parse(headerBytes.toString()) as Header;
    const blocks = Math.ceil(header.units / header.blockRows);
    const numbersAt = headerAt - header.units * FLOAT_BYTES;
    const checksumsAt = numbersAt - (hasChecksums ? blocks * CHECKSUM_BYTES : 0);
    const offsetsAt = checksumsAt - (blocks + 1) * FLOAT_BYTES;
    const offsets = readBytes(file, offsetsAt, checksumsAt - offsetsAt);
    const checksums = readBytes(file, checksumsAt, numbersAt - checksumsAt);
    const numbers = readBytes(file, numbersAt, headerAt - numbersAt);
    const index = [offsets, checksums, numbers, headerBytes];
    if (hasChecksums && index.reduce((checksum, bytes) => crc32(bytes, checksum), 0) !== tail.readUInt32LE()) {
      throw damaged('its index is not as it was written');
    }
    return {
      header,
      offsets: new Float64Array(offsets.buffer),
      checksums: hasChecksums ? new Uint32Array(checksums.buffer) : null,
      numbers: new Float64Array(numbers.buffer),
    };
  } catch (error) {
    throw error instanceof Damaged ? error : damaged(`its index cannot be read (${String(error)})`);
  }
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
