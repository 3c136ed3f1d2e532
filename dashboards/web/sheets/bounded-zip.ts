import { SheetRefused } from './refused.ts';

/**
 * Unpacks a zip within bounds, whatever its directory claims, and packs it again without compression: a library that reads
 * workbooks bounds nothing, and would unpack what it gets.
 */

const MOST_MEMBERS = 500;
const MOST_UNPACKED_BYTES = 48 << 20;

interface Member {
  readonly name: Uint8Array;
  readonly bytes: Uint8Array;
}

/** @throws SheetRefused where it is no zip, or unpacks to more than a table of these pages has */
export async function unpacked(zip: Uint8Array): Promise<readonly Member[]> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  try {
    return await membersOf(zip, view);
  } catch (error) {
    if (error instanceof SheetRefused) throw error;
    throw new SheetRefused('damaged');
  }
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;

async function membersOf(zip: Uint8Array, view: DataView): Promise<readonly Member[]> {
  let end = zip.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new SheetRefused('damaged');
  const count = view.getUint16(end + 10, true);
  if (count > MOST_MEMBERS) throw new SheetRefused('large');
  const members: Member[] = [];
  let left = MOST_UNPACKED_BYTES;
  let at = view.getUint32(end + 16, true);
  for (let place = 0; place < count; place++) {
    if (view.getUint32(at, true) !== ENTRY) throw new SheetRefused('damaged');
    const [method, packed] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as Lengths;
    const local = view.getUint32(at + 42, true);
    const name = zip.slice(at + 46, at + 46 + nameLength);
    const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const bytes = await content(zip.slice(begin, begin + packed), method, left);
    left -= bytes.length;
    members.push({ name, bytes });
    at += 46 + nameLength + extra + comment;
  }
  return members;
}

type Lengths = [name: number, extra: number, comment: number];

async function content(packed: Uint8Array<ArrayBuffer>, method: number, most: number): Promise<Uint8Array> {
  if (method === 0) return packed;
  if (method !== 8) throw new SheetRefused('damaged');
  const pieces: Uint8Array[] = [];
  let size = 0;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  for (const reader = stream.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new SheetRefused('large');
    }
    pieces.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Writes members as a zip without compression and without checksums, for a reader that asks for neither. */
export function stored(members: readonly Member[]): ArrayBuffer {
  const size = members.reduce((sum, { name, bytes }) => sum + 30 + 46 + 2 * name.length + bytes.length, 22);
  const zip = new Uint8Array(size);
  const view = new DataView(zip.buffer);
  let at = 0;
  const places = members.map(({ name, bytes }) => {
    const place = at;
    view.setUint32(at, 0x04034b50, true);
    lengths(view, at + 18, bytes.length, name.length);
    zip.set(name, at + 30);
    zip.set(bytes, at + 30 + name.length);
    at += 30 + name.length + bytes.length;
    return place;
  });
  const directory = at;
  for (const [index, { name, bytes }] of members.entries()) {
    view.setUint32(at, ENTRY, true);
    lengths(view, at + 20, bytes.length, name.length);
    view.setUint32(at + 42, places[index] ?? 0, true);
    zip.set(name, at + 46);
    at += 46 + name.length;
  }
  view.setUint32(at, END, true);
  view.setUint16(at + 8, members.length, true);
  view.setUint16(at + 10, members.length, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return zip.buffer;
}

function lengths(view: DataView, at: number, bytes: number, name: number): void {
  view.setUint32(at, bytes, true);
  view.setUint32(at + 4, bytes, true);
  view.setUint16(at + 8, name, true);
}
