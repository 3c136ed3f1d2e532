/** Makes one member: writes its records, encodes them as UTF-16 and deflates them chunk by chunk. */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { itemAt } from '../../runtime/present.ts';
import type { Layout, Member, Place } from './members.ts';
import { withFaults } from './quirks.ts';
import type { Table } from './tables.ts';
import type { World } from './world/world.ts';

/** Packed content of a member. */
export interface Packed {
  readonly crc: number;
  /** Bytes unpacked. */
  readonly size: number;
  readonly chunks: Uint8Array<ArrayBuffer>[];
}

/** Characters per chunk; every chunk is deflated by itself and ends on a byte border. */
const CHUNK = 1 << 20;
const HEAD = '\ufeff<?xml version="1.0" encoding="UTF-16"?>';

/** Reused for the encoded text of a chunk; a record may run over the chunk's end. */
const buffer = Buffer.allocUnsafe(2 * CHUNK + (1 << 20));

export function produce(world: World, table: Table, member: Member, { clean, level }: Layout): Packed {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let crc = 0;
  let size = 0;
  let text = `${HEAD}<${table.file}>`;
  const open = `<${table.record}>`;
  const close = `</${table.record}>`;

  const pack = (finishFlush: number): void => {
    const bytes = buffer.subarray(0, buffer.write(text, 'utf16le'));
    crc = crc32(bytes, crc);
    size += bytes.length;
    chunks.push(deflateRawSync(bytes, { level, finishFlush, chunkSize: 1 << 18 }));
    text = '';
  };
  const write = ({ source, index }: Place, nth: number): void => {
    const content = itemAt(table.sources, source).write(index, nth);
    text += open + withFaults(world, clean, table.file, member.table * 20 + source, index, content) + close;
    if (text.length >= CHUNK) pack(constants.Z_SYNC_FLUSH);
  };

  const { from, to, repeated } = member;
  if (repeated) write(repeated, itemAt(table.sources, repeated.source).count(repeated.index) - 1);
  for (let source = from.source; source < table.sources.length && source <= to.source; source++) {
    const objects = itemAt(table.sources, source);
    const end = source === to.source ? to.index : objects.size;
    for (let index = source === from.source ? from.index : 0; index < end; index++) {
      const count = objects.count(index);
      for (let nth = 0; nth < count; nth++) write({ source, index }, nth);
    }
  }
  text += `</${table.file}>`;
  pack(constants.Z_FINISH);
  return { crc, size, chunks };
}
