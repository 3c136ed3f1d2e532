/** Zip archives (APPNOTE 6.3.3) of a few texts, deflated by the browser itself. */

/** 1 January 1980, the first that the format knows: files of equal content are equal. */
const DATE = 0x21;
const DEFLATED = 8;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const VERSION = 20;

interface Member {
  readonly name: Uint8Array<ArrayBuffer>;
  readonly content: Uint8Array<ArrayBuffer>;
  /** The fields that both headers have. */
  readonly fields: readonly Field[];
  readonly offset: number;
}

/** A number and the bytes that it takes. */
type Field = readonly [value: number, bytes: 2 | 4];

export async function zipOf(texts: Readonly<Record<string, string>>): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const members: Member[] = [];
  let offset = 0;
  const add = (...added: readonly Uint8Array<ArrayBuffer>[]): void => {
    parts.push(...added);
    offset += sizeOf(added);
  };
  for (const [path, text] of Object.entries(texts)) {
    const [name, plain] = [encoder.encode(path), encoder.encode(text)];
    const content = await deflated(plain);
    const fields: Field[] = [
      [VERSION, 2],
      [FLAGS, 2],
      [DEFLATED, 2],
      [0, 2],
      [DATE, 2],
      [checksum(plain), 4],
      [content.length, 4],
      [plain.length, 4],
      [name.length, 2],
      [0, 2],
    ];
    members.push({ name, content, fields, offset });
    add(record([0x04034b50, 4], ...fields), name, content);
  }
  const directory = offset;
  for (const { name, fields, offset: at } of members) {
    add(record([0x02014b50, 4], [VERSION, 2], ...fields, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), name);
  }
  const [count, size] = [members.length, offset - directory];
  add(record([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [directory, 4], [0, 2]));
  return joined(parts);
}

/** Writes numbers as the format has them: the lowest byte first. */
const record = (...fields: readonly Field[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    fields.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 0xff)),
  );

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const deflated = async (plain: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await new Response(new Blob([plain]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  );

/** What a byte adds to a checksum. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32, as the format wants it. */
function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}
