import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Publication } from '../../sql/warehouse/versions.ts';
import type { ContentCoding } from '../wire/encoding.ts';
import type { PageLinks } from '../wire/paging.ts';

/**
 * Answers that were given, for callers who ask the same. A version never changes, so an answer stays right for as long as
 * the publication is served; then all of its answers go. The answer read longest ago goes first when there is no more room.
 */

/** An answer without what belongs to one request. */
export interface KeptAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly media: string;
  readonly rowCount: number | null;
  readonly page: PageLinks | undefined;
  readonly body: KeptBody;
}

/** Counts what becomes of questions. */
export interface AnswerMeter {
  /** `hit`: the answer was kept; `joined`: it was being made for another caller; `miss`: it was made. */
  answerSought(outcome: 'hit' | 'joined' | 'miss'): void;
  /** An answer has made room for others. */
  answerEvicted(): void;
}

/** A question as the cache knows it. */
export interface AskedQuestion {
  /** The publication that it reads. */
  readonly publication: Publication;
  /** Equal for questions with equal answers. */
  readonly key: string;
  /** Equal for questions whose answers are made alike, refusals included. */
  readonly maker: string;
}

export interface AnswerCache {
  /** False: nothing is kept, and nobody has to ask. */
  readonly isOn: boolean;
  /** Returns true when the answer is kept. */
  has(question: AskedQuestion): boolean;
  /**
   * Returns the answer to a question. It is made once for all who ask at the same time; if that fails, it fails for each of
   * them, and nothing is kept.
   */
  answer(question: AskedQuestion, make: () => Promise<KeptAnswer>): Promise<KeptAnswer>;
  size(): { readonly answers: number; readonly bytes: number };
}

/** Bytes that an answer takes beside its body: keys, headers, and their places in the cache. */
const BYTES_BESIDE = 1024;

/** No answer may take more than this share of the room: the largest would displace all others. */
const LARGEST_SHARE = 1 / 8;

/**
 * @param bytes the room for answers; 0 = none are kept
 * @param served returns the publication that is served now
 */
export function answerCache(bytes: number, meter: AnswerMeter, served: () => Publication | null): AnswerCache {
  if (bytes === 0) return NO_ANSWERS;
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: bytes,
    maxEntrySize: Math.ceil(bytes * LARGEST_SHARE),
    sizeCalculation: ({ body }) => body.size + BYTES_BESIDE,
    dispose: (_, __, reason) => reason === 'evict' && meter.answerEvicted(),
  });
  const underway = new Map<string, Promise<KeptAnswer>>();
  let ofPublication: Publication | null = null;

  /** Lets the answers of a former publication go. */
  const current = (): Publication | null => {
    const now = served();
    if (now !== ofPublication) kept.clear();
    ofPublication = now;
    return now;
  };

  const keep = (key: string, answer: KeptAnswer): void => {
    answer.body.pack();
    answer.body.onGrowth = () => {
      if (kept.peek(key) !== answer) return;
      // To set the same object again would leave its size as it was.
      kept.delete(key);
      kept.set(key, answer);
    };
    kept.set(key, answer);
  };

  return {
    isOn: true,
    has: ({ publication, key }) => current() === publication && kept.has(key),
    async answer({ publication, key, maker }, make) {
      const found = current() === publication ? kept.get(key) : undefined;
      if (found !== undefined) {
        meter.answerSought('hit');
        return found;
      }
      const other = underway.get(maker);
      if (other !== undefined) {
        meter.answerSought('joined');
        return other;
      }
      meter.answerSought('miss');
      const made = make();
      underway.set(maker, made);
      try {
        const answer = await made;
        // A request that began before the version was replaced leaves nothing behind.
        if (current() === publication) keep(key, answer);
        return answer;
      } finally {
        underway.delete(maker);
      }
    },
    size() {
      current();
      return { answers: kept.size, bytes: kept.calculatedSize };
    },
  };
}

const NO_ANSWERS: AnswerCache = {
  isOn: false,
  has: () => false,
  answer: (_, make) => make(),
  size: () => ({ answers: 0, bytes: 0 }),
};

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
