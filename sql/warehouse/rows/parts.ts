import { fstatSync, readSync } from 'node:fs';
import { Damaged, VERSION_REMEDY } from '../damage.ts';
import { CHECKSUM_BYTES, FLOAT_BYTES, LAYOUTS, type Layout, MAGIC, type RowFileHeader, TAIL_BYTES } from './layout.ts';

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
