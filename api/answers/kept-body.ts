import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ContentCoding } from '../wire/encoding.ts';

/** Smaller bodies stay as they are: to unpack them would take longer than their bytes are worth. */
const LEAST_PACKED_BYTES = 1024;

/** Larger bodies stay as they are: to pack them would hold up other requests. One of 2 MB takes a millisecond. */
const MOST_PACKED_BYTES = 4 * 1024 * 1024;

/**
 * Level 1 makes a tenth of a page of units in 0.06 ms, and unpacks it in 0.04 ms; higher levels save a few hundredths of that
 * tenth.
 */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * The body of an answer that may be sent many times, with every coding of it that was asked for so far. While it is kept, it
 * is packed, so that room for one body as it is sent is room for ten.
 */
export class KeptBody {
  /** Called when the body has become larger by a coding. */
  onGrowth: () => void = () => {};
  readonly #length: number;
  /** The bytes as they are sent; null = packed. */
  #plain: Buffer | null;
  #packed: Buffer | null = null;
  readonly #codings = new Map<ContentCoding, Buffer>();
  readonly #underway = new Map<ContentCoding, Promise<Buffer | null>>();

  constructor(content: Buffer | string) {
    this.#plain = typeof content === 'string' ? Buffer.from(content) : content;
    this.#length = this.#plain.byteLength;
  }

  /** Packs the body. Whoever waits for it now still gets the bytes from which it was made. */
  pack(): void {
    const plain = this.#plain;
    if (plain === null || this.#packed !== null) return;
    if (this.#length < LEAST_PACKED_BYTES || this.#length > MOST_PACKED_BYTES) {
      this.#plain = ofItsOwn(plain);
      return;
    }
    this.#packed = ofItsOwn(zstdCompressSync(plain, PACKING));
    setImmediate(() => {
      this.#plain = null;
    });
  }

  /** Returns the bytes as they are sent, which only the caller holds then. */
  bytes(): Buffer {
    if (this.#plain !== null) return this.#plain;
    if (this.#packed === null) throw new Error('A body is neither plain nor packed');
    // One byte more than are expected: with none to spare, a second chunk would be begun.
    return zstdDecompressSync(this.#packed, { chunkSize: this.#length + 1 });
  }

  /** Counts the bytes that the body takes while it is kept, in all its codings. */
  get size(): number {
    const kept = this.#packed?.byteLength ?? this.#length;
    return [...this.#codings.values()].reduce((sum, { byteLength }) => sum + byteLength, kept);
  }

  /**
   * Returns a coding of the body, made once however many ask for it; null when it could not be made now.
   * @param make compresses the bytes of the body
   */
  encoded(coding: ContentCoding, make: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const kept = this.#codings.get(coding);
    if (kept !== undefined) return Promise.resolve(kept);
    const underway = this.#underway.get(coding) ?? this.#made(coding, make);
    this.#underway.set(coding, underway);
    return underway;
  }

  async #made(coding: ContentCoding, make: () => Promise<Buffer | null>): Promise<Buffer | null> {
    try {
      const form = await make();
      if (form === null) return null;
      const kept = ofItsOwn(form);
      this.#codings.set(coding, kept);
      this.onGrowth();
      return kept;
    } finally {
      this.#underway.delete(coding);
    }
  }
}

/** Copies bytes into memory of their own: a slice of Node's pool, or of a chunk, would keep all of it alive. */
function ofItsOwn(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  bytes.copy(own);
  return own;
}
