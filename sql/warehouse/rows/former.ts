import { closeSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { itemAt } from '../../../runtime/present.ts';
import { unitNumberOf } from '../../register/mastr-number.ts';
import { Damaged } from '../damage.ts';
import { BLOCK_ROWS, CHECKSUM_BYTES, FLOAT_BYTES, MAGIC } from './layout.ts';
import { damaged, fill, indexOf, type Parts, partsOf, readBytes } from './reader.ts';
import { LINE_FEED_BYTE, type Rows, type Run, SHORTEST_ROW } from './rows.ts';

/**
 * The row file of the version before, read once from its beginning to its end: rows that have not changed are copied from
 * here. Memory does not depend on its size, and each block is compared with its checksum before a row of it is copied.
 */
export interface FormerRows {
  /**
   * The rows of the units from where the last call ended to below a number, without those that are left out. A run is
   * valid until the next one is asked for.
   * @throws Damaged
   */
  below(number: number, without: ReadonlySet<number>): Generator<Run>;
  /** Leaves out the unit of this number, if `below` has ended before it. @returns its row, as below; null when it had none */
  pass(number: number): Run | null;
  close(): void;
}

/** Blocks that are read at once, a megabyte. */
const BLOCKS_AT_ONCE = 512;

const INDEX_BYTES_AT_ONCE = 1 << 20;

const NO_ROWS: Rows = { bytes: Buffer.alloc(0), begins: new Float64Array(1), digits: new Float64Array(0) };

/**
 * @param basis what the rows shall depend on, see rowBasis
 * @returns null when the rows of the file are of another basis
 * @throws Damaged when its index is not as it was written
 */
export function openFormerRows(path: string, basis: string): FormerRows | null {
  const file = openSync(path, 'r');
  try {
    const parts = partsOf(file, path);
    const isPresent = parts.layout.magic === MAGIC && parts.header.blockRows === BLOCK_ROWS;
    // A damaged header could name another basis.
    if (isPresent) checkIndex(file, path, parts);
    if (isPresent && parts.header.basis === basis) return formerRows(file, path, parts);
    closeSync(file);
    return null;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function checkIndex(file: number, path: string, { offsetsAt, indexEnd, checksum }: Parts): void {
  const bytes = Buffer.allocUnsafeSlow(INDEX_BYTES_AT_ONCE);
  let sum = 0;
  indexOf(path, () => {
    for (let at = offsetsAt; at < indexEnd; at += bytes.length) {
      const length = Math.min(bytes.length, indexEnd - at);
      fill(bytes, file, at, length);
      sum = crc32(bytes.subarray(0, length), sum);
    }
  });
  if (sum !== checksum) throw damaged(path, 'its index is not as it was written');
}

function formerRows(
  file: number,
  path: string,
  { header, blocks, offsetsAt, checksumsAt, numbersAt }: Parts,
): FormerRows {
  let memory = Buffer.alloc(0);
  let nextBlock = 0;
  let rows = NO_ROWS;
  let row = 0;

  const floats = (at: number, count: number): Float64Array =>
    new Float64Array(readBytes(file, at, count * FLOAT_BYTES).buffer);

  /** Reads the next blocks, and finds their rows. */
  const readBlocks = (): Rows => {
    const first = nextBlock;
    const count = Math.min(BLOCKS_AT_ONCE, blocks - first);
    const offsets = floats(offsetsAt + first * FLOAT_BYTES, count + 1);
    const checksums = new Uint32Array(
      readBytes(file, checksumsAt + first * CHECKSUM_BYTES, count * CHECKSUM_BYTES).buffer,
    );
    const firstRow = first * BLOCK_ROWS;
    const digits = floats(numbersAt + firstRow * FLOAT_BYTES, Math.min(count * BLOCK_ROWS, header.units - firstRow));
    const start = itemAt(offsets, 0);
    const length = itemAt(offsets, count) - start;
    if (memory.length < length) memory = Buffer.allocUnsafeSlow(2 * length);
    fill(memory, file, start, length);
    const begins = new Float64Array(digits.length + 1);
    for (let block = 0; block < count; block++) {
      const end = itemAt(offsets, block + 1) - start;
      let begin = itemAt(offsets, block) - start;
      if (crc32(memory.subarray(begin, end)) !== checksums[block]) {
        throw damaged(
          path,
          `the rows from ${unitNumberOf(itemAt(digits, block * BLOCK_ROWS))} on are not as they were written`,
        );
      }
      const last = Math.min((block + 1) * BLOCK_ROWS, digits.length) - 1;
      for (let one = block * BLOCK_ROWS; one < last; one++) {
        begin = memory.indexOf(LINE_FEED_BYTE, begin + SHORTEST_ROW - 1) + 1;
        begins[one + 1] = begin;
      }
      begins[last + 1] = end;
    }
    nextBlock += count;
    return { bytes: memory, begins, digits };
  };

  /** Makes sure that there is a next row, unless the file is at its end. */
  const hasNext = (): boolean => {
    if (row < rows.digits.length) return true;
    if (nextBlock === blocks) return false;
    try {
      rows = readBlocks();
    } catch (error) {
      throw error instanceof Damaged ? error : damaged(path, `it cannot be read (${String(error)})`);
    }
    row = 0;
    return true;
  };

  return {
    *below(number, without) {
      while (hasNext() && itemAt(rows.digits, row) < number) {
        const from = row;
        while (row < rows.digits.length) {
          const digits = itemAt(rows.digits, row);
          if (digits >= number || without.has(digits)) break;
          row++;
        }
        if (row > from) yield { rows, from, to: row };
        else row++;
      }
    },
    pass(number) {
      return hasNext() && rows.digits[row] === number ? { rows, from: row, to: ++row } : null;
    },
    close: () => closeSync(file),
  };
}
