import type { ContentCoding } from '../wire/encoding.ts';

/** Compresses a body; null while too many others are being compressed. */
type Compress = (plain: Buffer, coding: ContentCoding) => Promise<Buffer | null>;

/** The body of an answer that may be sent many times, with every coding of it that was asked for so far. */
export class KeptBody {
  readonly bytes: Buffer;
  /** Called when the body has become larger by a coding. */
  onGrowth: () => void = () => {};
  readonly #codings = new Map<ContentCoding, Buffer>();
  readonly #underway = new Map<ContentCoding, Promise<Buffer | null>>();

  constructor(content: Buffer | string) {
    // Memory of its own: a small buffer of Node's pool would keep all of its neighbours alive.
    this.bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
    if (typeof content === 'string') this.bytes.write(content);
    else content.copy(this.bytes);
  }

  /** Counts the bytes of the body in all its codings. */
  get size(): number {
    return [...this.#codings.values()].reduce((sum, { byteLength }) => sum + byteLength, this.bytes.byteLength);
  }

  /** Returns a coding of the body, compressed once however many ask for it; null when it could not be compressed now. */
  encoded(coding: ContentCoding, compress: Compress): Promise<Buffer | null> {
    const kept = this.#codings.get(coding);
    if (kept !== undefined) return Promise.resolve(kept);
    const underway = this.#underway.get(coding) ?? this.#compressed(coding, compress);
    this.#underway.set(coding, underway);
    return underway;
  }

  async #compressed(coding: ContentCoding, compress: Compress): Promise<Buffer | null> {
    try {
      const form = await compress(this.bytes, coding);
      if (form === null) return null;
      this.#codings.set(coding, form);
      this.onGrowth();
      return form;
    } finally {
      this.#underway.delete(coding);
    }
  }
}
