import { crc32, deflateRawSync } from 'node:zlib';

/** Writes small zips by hand, sound ones and damaged ones. Source: APPNOTE.TXT 6.3, sections 4.3 and 4.5.3. */

export interface ZipMember {
  readonly name: string;
  readonly content: Buffer | string;
  /** Packing method; 8 unless told: deflate. Others than 0 and 8 are only written down. */
  readonly method?: number;
  /** How much work packing takes, from 1 for little to 9; 6 unless told. */
  readonly level?: number;
  /** Checksum to write down instead of the right one. */
  readonly checksum?: number;
  /** Size to write down instead of the right one. */
  readonly size?: number;
  /** The member is a symbolic link, of which the content is the target. */
  readonly link?: boolean;
  /** Packed bytes to leave out at the end, without saying so in the sizes. */
  readonly missing?: number;
  /** Day and time of the file, as the zip writes them: local. */
  readonly written?: readonly [year: number, month: number, day: number, hour: number];
}

const TOO_LARGE_16 = 0xffff;
const TOO_LARGE_32 = 0xffff_ffff;

const u16 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value & 0xff, value >>> 8])));

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
}

function u64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), index * 8);
  return bytes;
}

const dosTime = ([year, month, day, hour]: NonNullable<ZipMember['written']>): [time: number, date: number] => [
  hour << 11,
  ((year - 1980) << 9) | (month << 5) | day,
];

/**
 * A zip of the members.
 * @param zip64 sizes and positions go into the records of zip64, whatever their size
 */
export function zipOf(members: readonly ZipMember[], zip64 = false): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const member of members) {
    const content = Buffer.from(member.content);
    const method = member.method ?? 8;
    const whole = method === 8 ? deflateRawSync(content, { level: member.level ?? 6 }) : content;
    const packed = whole.subarray(0, whole.length - (member.missing ?? 0));
    const checksum = member.checksum ?? crc32(content);
    const size = member.size ?? content.length;
    const name = Buffer.from(member.name);
    const [time, date] = dosTime(member.written ?? [2026, 9, 11, 1]);
    const version = zip64 ? 45 : 20;
    const offset = position;
    const sizes = zip64 ? u32(TOO_LARGE_32, TOO_LARGE_32) : u32(whole.length, size);
    const extraLocal = zip64 ? Buffer.concat([u16(1, 16), u64(size, whole.length)]) : Buffer.alloc(0);
    const extra = zip64 ? Buffer.concat([u16(1, 24), u64(size, whole.length, offset)]) : Buffer.alloc(0);
    const common = Buffer.concat([u16(version, 0x0800, method, time, date), u32(checksum), sizes]);
    const local = Buffer.concat([
      u32(0x04034b50),
      common,
      u16(name.length, extraLocal.length),
      name,
      extraLocal,
      packed,
    ]);
    parts.push(local);
    position += local.length;
    directory.push(
      Buffer.concat([
        u32(0x02014b50),
        // Made by Unix, where the upper half of the attributes is the mode of the file.
        u16(version | (3 << 8)),
        common,
        u16(name.length, extra.length, 0, 0, 0),
        u32((member.link === true ? 0o120777 : 0o100644) * 0x10000, zip64 ? TOO_LARGE_32 : offset),
        name,
        extra,
      ]),
    );
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([...parts, entries, ...endOfDirectory(members.length, entries.length, position, zip64)]);
}

function endOfDirectory(count: number, size: number, position: number, zip64: boolean): Buffer[] {
  if (!zip64) return [u32(0x06054b50), u16(0, 0, count, count), u32(size, position), u16(0)];
  return [
    // Record and locator of the zip64 end of central directory, then the end that refers to them.
    u32(0x06064b50),
    u64(44),
    u16(45, 45),
    u32(0, 0),
    u64(count, count, size, position),
    u32(0x07064b50, 0),
    u64(position + size),
    u32(1),
    u32(0x06054b50),
    u16(TOO_LARGE_16, TOO_LARGE_16, TOO_LARGE_16, TOO_LARGE_16),
    u32(TOO_LARGE_32, TOO_LARGE_32),
    u16(0),
  ];
}
