import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { Damaged, VERSION_REMEDY } from './damage.ts';

/**
 * A file of named sections, each a run of bytes or of numbers, little endian. Sections begin at multiples of eight bytes.
 *
 *     sections
 *     checksums  CRC-32 of each BLOCK_BYTES of the sections; uint32
 *     header     JSON: Header
 *     tail       CRC-32 of checksums and header, length of the header, both uint32, and eight letters
 *
 * A block is checked when something of it is read for the first time.
 */

const BLOCK_BYTES = 1 << 16;
const CHECKSUM_BYTES = 4;
const ALIGNMENT = 8;
const MAGIC_BYTES = 8;
const TAIL_BYTES = 4 + 4 + MAGIC_BYTES;

interface Header {
  /** Beginning and length of each section, bytes. */
  readonly sections: Readonly<Record<string, readonly [at: number, length: number]>>;
  /** Anything else that the writer says of the file. */
  readonly about: unknown;
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

export interface CheckedFileWriter {
  /** Begins a section; the one before it ends. */
  begin(section: string): void;
  write(bytes: Numbers): void;
  /** Writes the index after the sections, and closes the file durably. */
  finish(about: unknown): void;
  /** Closes a file that will not be finished. */
  abort(): void;
}

/** @param magic eight letters of ASCII that end every file of this kind */
export function createCheckedFile(path: string, magic: string): CheckedFileWriter {
  const file = openSync(path, 'w');
  const sections: Record<string, [number, number]> = {};
  const checksums: number[] = [];
  const waiting = new Uint8Array(BLOCK_BYTES);
  let section = '';
  let position = 0;
  let filled = 0;

  const writeAll = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  };
  const writeBlock = (): void => {
    const block = waiting.subarray(0, filled);
    checksums.push(crc32(block));
    writeAll(block);
    filled = 0;
  };
  const append = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) {
      const piece = Math.min(bytes.length - done, BLOCK_BYTES - filled);
      waiting.set(bytes.subarray(done, done + piece), filled);
      filled += piece;
      done += piece;
      if (filled === BLOCK_BYTES) writeBlock();
    }
    position += bytes.length;
  };
  const end = (): void => {
    const begun = sections[section];
    if (begun !== undefined) begun[1] = position - begun[0];
  };

  return {
    begin(name) {
      end();
      append(new Uint8Array(-position & (ALIGNMENT - 1)));
      section = name;
      sections[name] = [position, 0];
    },
    write: (numbers) => append(bytesOf(numbers)),
    finish(about) {
      end();
      if (filled > 0) writeBlock();
      const index = bytesOf(Uint32Array.from(checksums));
      const header = Buffer.from(JSON.stringify({ sections, about } satisfies Header));
      const tail = Buffer.alloc(TAIL_BYTES);
      tail.writeUInt32LE(crc32(header, crc32(index)));
      tail.writeUInt32LE(header.length, 4);
      tail.write(magic, TAIL_BYTES - MAGIC_BYTES, 'latin1');
      for (const bytes of [index, header, tail]) writeAll(bytes);
      fsyncSync(file);
      closeSync(file);
    },
    abort: () => closeSync(file),
  };
}

export interface CheckedFile {
  /** The letters that the file ends with. */
  readonly magic: string;
  readonly about: unknown;
  /** Returns the length of a section in bytes. */
  length(section: string): number;
  /**
   * Reads bytes of a section. They are valid until the next call.
   * @throws Damaged when a block is not as it was written
   */
  read(section: string, from: number, length: number): Uint8Array;
  /** Reads a whole section, to be kept. @throws Damaged */
  bytes(section: string): Uint8Array;
  /** Reads a whole section of numbers, to be kept. @throws Damaged */
  numbers<Array extends Numbers>(section: string, kind: new (buffer: ArrayBuffer) => Array): Array;
  /** Reads every block. @returns a message for each that differs from what was written */
  damagedBlocks(): Generator<string>;
  close(): void;
}

/** @param magics of each form of this kind of file @throws Damaged when the file is no complete file of this kind */
export function openCheckedFile(path: string, ...magics: readonly string[]): CheckedFile {
  const file = openSync(path, 'r');
  try {
    return openSections(file, path, magics);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function openSections(file: number, path: string, magics: readonly string[]): CheckedFile {
  const { magic, header, checksums } = readIndex(file, path, magics);
  const end = Math.max(0, ...Object.values(header.sections).map(([at, length]) => at + length));
  const checked = new Uint8Array(checksums.length);
  let buffer = new Uint8Array(BLOCK_BYTES);

  /** Reads bytes of the file into the buffer. */
  const fetch = (from: number, length: number): Uint8Array => {
    if (buffer.length < length) buffer = new Uint8Array(2 * length);
    try {
      fill(buffer, file, from, length);
    } catch (error) {
      throw new Damaged(path, `its bytes from ${from} cannot be read (${String(error)})`, VERSION_REMEDY, error);
    }
    return buffer.subarray(0, length);
  };

  const check = (block: number, bytes: Uint8Array): void => {
    if (crc32(bytes) !== checksums[block]) {
      const what = `its bytes from ${block * BLOCK_BYTES} to ${(block + 1) * BLOCK_BYTES} are not as they were written`;
      throw new Damaged(path, what, VERSION_REMEDY);
    }
    checked[block] = 1;
  };

  const readAt = (at: number, length: number): Uint8Array => {
    if (length === 0) return buffer.subarray(0, 0);
    const [first, last] = [Math.floor(at / BLOCK_BYTES), Math.floor((at + length - 1) / BLOCK_BYTES)];
    let isChecked = true;
    for (let block = first; block <= last; block++) isChecked &&= checked[block] === 1;
    if (isChecked) return fetch(at, length);
    const from = first * BLOCK_BYTES;
    const bytes = fetch(from, Math.min(end, (last + 1) * BLOCK_BYTES) - from);
    for (let block = first; block <= last; block++) {
      const begin = block * BLOCK_BYTES - from;
      if (checked[block] !== 1) check(block, bytes.subarray(begin, begin + BLOCK_BYTES));
    }
    return bytes.subarray(at - from, at - from + length);
  };

  const placeOf = (section: string): readonly [at: number, length: number] => {
    const place = header.sections[section];
    if (place === undefined) throw new Damaged(path, `it has no section ${section}`, VERSION_REMEDY);
    return place;
  };
  /** The buffer, which is kept, stays small. */
  const bytes = (section: string): Uint8Array<ArrayBuffer> => {
    const [at, length] = placeOf(section);
    const whole = new Uint8Array(length);
    for (let done = 0; done < length; done += BLOCK_BYTES) {
      whole.set(readAt(at + done, Math.min(BLOCK_BYTES, length - done)), done);
    }
    return whole;
  };

  return {
    magic,
    about: header.about,
    length: (section) => placeOf(section)[1],
    read(section, from, length) {
      const [at, whole] = placeOf(section);
      if (from + length > whole) throw new RangeError(`${section} ends before byte ${from + length}`);
      return readAt(at + from, length);
    },
    bytes,
    numbers: (section, Kind) => new Kind(bytes(section).buffer),
    *damagedBlocks() {
      checked.fill(0);
      for (let block = 0; block < checksums.length; block++) {
        const from = block * BLOCK_BYTES;
        try {
          check(block, fetch(from, Math.min(end, from + BLOCK_BYTES) - from));
        } catch (error) {
          yield (error as Damaged).message;
        }
      }
    },
    close: () => closeSync(file),
  };
}

/** Reads what follows the sections. @throws Damaged */
function readIndex(
  file: number,
  path: string,
  magics: readonly string[],
): { magic: string; header: Header; checksums: Uint32Array } {
  const damaged = (what: string, cause?: unknown) => new Damaged(path, what, VERSION_REMEDY, cause);
  const size = fstatSync(file).size;
  const tail = Buffer.alloc(TAIL_BYTES);
  if (size >= TAIL_BYTES) fill(tail, file, size - TAIL_BYTES, TAIL_BYTES);
  const magic = tail.toString('latin1', TAIL_BYTES - MAGIC_BYTES);
  if (!magics.includes(magic)) throw damaged('it is no complete file');
  try {
    const header = Buffer.alloc(tail.readUInt32LE(4));
    const headerAt = size - TAIL_BYTES - header.length;
    fill(header, file, headerAt, header.length);
    const parsed = JSON.parse(header.toString()) as Header;
    const end = Math.max(0, ...Object.values(parsed.sections).map(([at, length]) => at + length));
    const checksums = new Uint32Array(Math.ceil(end / BLOCK_BYTES));
    const index = bytesOf(checksums);
    fill(index, file, headerAt - index.length, index.length);
    if (crc32(header, crc32(index)) !== tail.readUInt32LE()) throw damaged('its index is not as it was written');
    if (end + checksums.length * CHECKSUM_BYTES !== headerAt) throw damaged('its index does not fit its length');
    return { magic, header: parsed, checksums };
  } catch (error) {
    throw error instanceof Damaged ? error : damaged(`its index cannot be read (${String(error)})`, error);
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function fill(bytes: Uint8Array, file: number, at: number, length: number): void {
  for (let done = 0; done < length; ) {
    const read = readSync(file, bytes, done, length - done, at + done);
    if (read === 0) throw new Error('The file ends too early');
    done += read;
  }
}
