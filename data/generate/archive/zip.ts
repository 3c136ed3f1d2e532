/** Writes zip archives member by member, with zip64 where sizes or offsets need it. Reads the comment of an archive. */
import type { FileHandle } from 'node:fs/promises';
import { date } from '../world/text.ts';

const MAX32 = 0xffffffff;
const MAX16 = 0xffff;
const DEFLATE = 8;

interface Entry {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
  readonly time: number;
  readonly day: number;
}

export class ZipWriter {
  readonly #file: FileHandle;
  readonly #entries: Entry[] = [];
  #offset = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Adds a deflated member. `day` = days since 1970, `seconds` = seconds of that day. */
  async add(
    name: string,
    crc: number,
    size: number,
    chunks: readonly Uint8Array[],
    day: number,
    seconds: number,
  ): Promise<void> {
    const packed = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    const entry: Entry = {
      name: Buffer.from(name, 'latin1'),
      crc,
      packed,
      size,
      offset: this.#offset,
      time: dosTime(seconds),
      day: dosDay(day),
    };
    const wide = size >= MAX32 || packed >= MAX32;
    const extra = wide ? wideField([size, packed]) : Buffer.alloc(0);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    writeCommon(head, 4, entry, wide, wide);
    head.writeUInt16LE(extra.length, 28);
    await this.#write([head, entry.name, extra, ...chunks]);
    this.#entries.push(entry);
  }

  /** Writes the directory; returns the length of the archive in bytes. */
  async finish(comment: string): Promise<number> {
    const start = this.#offset;
    for (const entry of this.#entries) {
      const wide: number[] = [];
      if (entry.size >= MAX32) wide.push(entry.size);
      if (entry.packed >= MAX32) wide.push(entry.packed);
      if (entry.offset >= MAX32) wide.push(entry.offset);
      const extra = wide.length > 0 ? wideField(wide) : Buffer.alloc(0);
      const head = Buffer.alloc(46);
      head.writeUInt32LE(0x02014b50, 0);
      head.writeUInt16LE(extra.length > 0 ? 45 : 20, 4);
      writeCommon(head, 6, entry, extra.length > 0, false);
      head.writeUInt16LE(extra.length, 30);
      head.writeUInt32LE(Math.min(entry.offset, MAX32), 42);
      await this.#write([head, entry.name, extra]);
    }
    const length = this.#offset - start;
    const count = this.#entries.length;
    if (count >= MAX16 || start >= MAX32 || length >= MAX32) await this.#write([wideEnd(count, length, start)]);
    const text = Buffer.from(comment, 'utf8');
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(Math.min(count, MAX16), 8);
    end.writeUInt16LE(Math.min(count, MAX16), 10);
    end.writeUInt32LE(Math.min(length, MAX32), 12);
    end.writeUInt32LE(Math.min(start, MAX32), 16);
    end.writeUInt16LE(text.length, 20);
    await this.#write([end, text]);
    return this.#offset;
  }

  async #write(buffers: Uint8Array[]): Promise<void> {
    const filled = buffers.filter(({ byteLength }) => byteLength > 0);
    const length = filled.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const { bytesWritten } = await this.#file.writev(filled);
    if (bytesWritten !== length) throw new Error(`wrote ${bytesWritten} of ${length} bytes`);
    this.#offset += length;
  }
}

/** Fields that the local and the central header share, from "version needed" to the length of the name. */
function writeCommon(head: Buffer, at: number, entry: Entry, wide: boolean, bothWide: boolean): void {
  head.writeUInt16LE(wide ? 45 : 20, at);
  head.writeUInt16LE(0, at + 2);
  head.writeUInt16LE(DEFLATE, at + 4);
  head.writeUInt16LE(entry.time, at + 6);
  head.writeUInt16LE(entry.day, at + 8);
  head.writeUInt32LE(entry.crc, at + 10);
  head.writeUInt32LE(bothWide ? MAX32 : Math.min(entry.packed, MAX32), at + 14);
  head.writeUInt32LE(bothWide ? MAX32 : Math.min(entry.size, MAX32), at + 18);
  head.writeUInt16LE(entry.name.length, at + 22);
}

function wideField(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, i) => {
    field.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  });
  return field;
}

/** zip64 end of the directory and its locator. */
function wideEnd(count: number, length: number, start: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

function dosTime(seconds: number): number {
  return (Math.floor(seconds / 3600) << 11) | (Math.floor((seconds % 3600) / 60) << 5) | Math.floor((seconds % 60) / 2);
}

function dosDay(day: number): number {
  const calendar = new Date(Math.max(day, date(1980)) * 86_400_000);
  return ((calendar.getUTCFullYear() - 1980) << 9) | ((calendar.getUTCMonth() + 1) << 5) | calendar.getUTCDate();
}

/** Comment of an archive; undefined when the file has no end of a directory. */
export async function readComment(file: FileHandle): Promise<string | undefined> {
  const { size } = await file.stat();
  const length = Math.min(size, 22 + MAX16);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const at = buffer.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (at < 0 || at + 22 > length) return undefined;
  return buffer.toString('utf8', at + 22, at + 22 + buffer.readUInt16LE(at + 20));
}
