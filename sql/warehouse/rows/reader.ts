import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { itemAt } from '../../../runtime/present.ts';
import { digitsOf, unitNumberOf } from '../../register/mastr-number.ts';
import { Damaged, VERSION_REMEDY } from '../damage.ts';
import { CHECKSUM_BYTES, FLOAT_BYTES, LAYOUTS, type Layout, MAGIC, type RowFileHeader, TAIL_BYTES } from './layout.ts';
import { placedRowParser, textsOf, type UnitTexts } from './texts.ts';

/** A row file, opened. It takes eight bytes of memory for each unit; the rows stay on disk. */
export interface RowFile {
  readonly units: number;
  /** False for a file of an earlier release, whose damage is not noticed. */
  readonly hasChecksums: boolean;
  /** Returns true when the file has a unit of this MaStR number. */
  has(number: string): boolean;
  /**
   * Reads units in the order of their MaStR numbers; null for one that is not there.
   * @param columns that are needed; others may be absent
   * @throws Damaged when a block is not as it was written
   */
  read(numbers: readonly string[], columns: ReadonlySet<string>): (UnitTexts | null)[];
  /** The units by their places in the order of numbers. */
  readonly places: UnitPlaces;
  /** Reads every block. @returns a message for each block that differs from what was written */
  damagedBlocks(): Generator<string>;
  close(): void;
}

export interface UnitPlaces {
  readonly count: number;
  /** Returns the place of the unit with this MaStR number; null when there is none. */
  of(number: string): number | null;
  /** Returns the place of the first unit whose number is above this one. */
  after(number: string): number;
  numberAt(place: number): string;
}

/** Blocks that are checked when a file is opened, spread from its beginning to its end. */
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
  const { rowEnd, header, offsets, checksums, numbers: all } = readIndex(file, path);
  const { units, blockRows, fields, placed = [] } = header;
  const numbers = sortedNumbers(all);
  const blocks = offsets.length - 1;

  /** Blocks whose checksum was compared: each is checked when it is read for the first time. */
  const checked = new Uint8Array(checksums === null ? 0 : blocks);

  /** The block that was read last: a page in the order of numbers has neighbours only, which share blocks. */
  let block = -1;
  let bytes = Buffer.alloc(0);

  const readBlock = (index: number): void => {
    const from = offsets[index] ?? Number.NaN;
    const length = (offsets[index + 1] ?? Number.NaN) - from;
    block = -1;
    if (bytes.length < length) bytes = Buffer.alloc(2 * length);
    try {
      fill(bytes, file, from, length);
    } catch (error) {
      throw new Damaged(path, `${unitsOf(index)} cannot be read (${String(error)})`, VERSION_REMEDY, error);
    }
    if (checksums !== null && checked[index] !== 1) {
      if (crc32(bytes.subarray(0, length)) !== checksums[index]) {
        throw damaged(path, `${unitsOf(index)} are not as they were written`);
      }
      checked[index] = 1;
    }
    block = index;
  };

  const unitsOf = (index: number): string => {
    const [first = 0, last = first] = [all[index * blockRows], all[Math.min(units, (index + 1) * blockRows) - 1]];
    return `the rows of ${unitNumberOf(first)} to ${unitNumberOf(last)}`;
  };

  const rowAt = (row: number): string => {
    const index = Math.floor(row / blockRows);
    if (index !== block) readBlock(index);
    let begin = 0;
    for (let before = row % blockRows; before > 0; before--) begin = bytes.indexOf(rowEnd, begin) + 1;
    return bytes.toString('utf8', begin, bytes.indexOf(rowEnd, begin));
  };

  const textsInPlaces = placedRowParser({ fields, placed });
  const codedTexts = (columns: ReadonlySet<string>): typeof textsInPlaces => {
    const names = fields.map((name) => (columns.has(name) ? name : null));
    return (row) => textsOf(row, names);
  };

  const samples = Math.min(SAMPLED_BLOCKS, blocks);
  for (let sample = 0; sample < samples; sample++) readBlock(Math.floor((sample * blocks) / samples));

  return {
    units,
    hasChecksums: checksums !== null,
    has: (number) => numbers.indexOf(digitsOf(number)) !== null,
    read(mastrNumbers, columns) {
      const textsIn = placed.length > 0 ? textsInPlaces : codedTexts(columns);
      return mastrNumbers.map((number) => {
        const row = numbers.indexOf(digitsOf(number));
        return row === null ? null : textsIn(rowAt(row));
      });
    },
    places: {
      count: units,
      of: (number) => numbers.indexOf(digitsOf(number)),
      after: (number) => lastUpTo(all, digitsOf(number), 0, units) + 1,
      numberAt: (place) => unitNumberOf(itemAt(all, place)),
    },
    *damagedBlocks() {
      checked.fill(0);
      for (let index = 0; index < blocks; index++) {
        try {
          readBlock(index);
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
  const { layout, header, offsetsAt, checksumsAt, numbersAt, headerAt, indexEnd, checksum } = partsOf(file, path);
  const { rowEnd, hasChecksums } = layout;
  return indexOf(path, () => {
    const offsets = readBytes(file, offsetsAt, checksumsAt - offsetsAt);
    const checksums = readBytes(file, checksumsAt, numbersAt - checksumsAt);
    const numbers = readBytes(file, numbersAt, headerAt - numbersAt);
    const index = [offsets, checksums, numbers, readBytes(file, headerAt, indexEnd - headerAt)];
    if (hasChecksums && index.reduce((sum, bytes) => crc32(bytes, sum), 0) !== checksum) {
      throw damaged(path, 'its index is not as it was written');
    }
    return {
      rowEnd: rowEnd.charCodeAt(0),
      header,
      offsets: new Float64Array(offsets.buffer),
      checksums: hasChecksums ? new Uint32Array(checksums.buffer) : null,
      numbers: new Float64Array(numbers.buffer),
    };
  });
}

/** Every 64th number is copied: a search among these stays within the cache of the processor. */
const STRIDE = 64;

/** Finds numbers among ascending ones: first the stretch that has one, then its index. */
function sortedNumbers(numbers: Float64Array) {
  const stretches = numbers.filter((_, index) => index % STRIDE === 0);
  return {
    /** Returns null when the number is not there. */
    indexOf(digits: number): number | null {
      const stretch = lastUpTo(stretches, digits, 0, stretches.length);
      if (stretch < 0) return null;
      const index = lastUpTo(numbers, digits, stretch * STRIDE, Math.min(numbers.length, (stretch + 1) * STRIDE));
      return numbers[index] === digits ? index : null;
    },
  };
}

/** Returns the index of the last number in [from, to) that is not above a limit; `from - 1` if there is none. */
function lastUpTo(numbers: Float64Array, limit: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    // `middle` is always an index of the array.
    if ((numbers[middle] ?? Number.POSITIVE_INFINITY) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The places at which the parts of a row file begin: all of the index follows the rows, without gaps. */
export interface Parts {
  readonly layout: Layout;
  readonly header: RowFileHeader;
  readonly blocks: number;
  readonly offsetsAt: number;
  readonly checksumsAt: number;
  readonly numbersAt: number;
  readonly headerAt: number;
  readonly indexEnd: number;
  /** Checksum of the index. */
  readonly checksum: number;
}

/** Finds the parts of an open row file. @throws Damaged */
export function partsOf(file: number, path: string): Parts {
  const size = fstatSync(file).size;
  if (size < TAIL_BYTES) throw damaged(path, 'it is no complete row file');
  const tail = readBytes(file, size - TAIL_BYTES, TAIL_BYTES);
  const layout = LAYOUTS.get(tail.toString('latin1', TAIL_BYTES - MAGIC.length));
  if (layout === undefined) throw damaged(path, 'it is no complete row file');
  const { hasChecksums } = layout;
  const headerLength = tail.readUInt32LE(4);
  const indexEnd = size - TAIL_BYTES + (hasChecksums ? 0 : CHECKSUM_BYTES);
  const headerAt = indexEnd - headerLength;
  return indexOf(path, () => {
    const header = JSON.parse(readBytes(file, headerAt, headerLength).toString()) as RowFileHeader;
    const blocks = Math.ceil(header.units / header.blockRows);
    const numbersAt = headerAt - header.units * FLOAT_BYTES;
    const checksumsAt = numbersAt - (hasChecksums ? blocks * CHECKSUM_BYTES : 0);
    const offsetsAt = checksumsAt - (blocks + 1) * FLOAT_BYTES;
    const checksum = tail.readUInt32LE();
    return { layout, header, blocks, offsetsAt, checksumsAt, numbersAt, headerAt, indexEnd, checksum };
  });
}

/** Does what reads the index of a file. @throws Damaged when it cannot be read */
export function indexOf<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof Damaged ? error : damaged(path, `its index cannot be read (${String(error)})`);
  }
}

export const damaged = (path: string, what: string): Damaged => new Damaged(path, what, VERSION_REMEDY);

/** Reads bytes into a buffer of their own: a slice of a shared one would not be aligned. */
export function readBytes(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.from(new ArrayBuffer(length));
  fill(bytes, file, at, length);
  return bytes;
}

export function fill(bytes: Buffer, file: number, at: number, length: number): void {
  let done = 0;
  while (done < length) {
    const read = readSync(file, bytes, done, length - done, at + done);
    if (read === 0) throw new Error('A row file ends too early');
    done += read;
  }
}
