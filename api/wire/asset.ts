import { createHash } from 'node:crypto';
import { type Encoding, encode } from './encoding.ts';

/** The assets' compressions, one behind the other: they never take more than one thread from the warehouse. */
let lastCompression: Promise<unknown> = Promise.resolve();

/**
 * A file that is the same for everybody for as long as the process lives: it is compressed once in each form, when the
 * first caller asks for that form, however many ask at the same time.
 */
export class Asset {
  readonly bytes: Buffer;
  /** Sixteen hexadecimal digits of its SHA-256. */
  readonly digest: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(content: Buffer | string) {
    this.bytes = Buffer.from(content);
    this.digest = createHash('sha256').update(this.bytes).digest('hex').slice(0, 16);
  }

  encoded(encoding: Encoding): Promise<Buffer> {
    let encoded = this.#encoded.get(encoding);
    if (encoded === undefined) {
      encoded = lastCompression.then(() => encode(this.bytes, encoding, 'thorough'));
      lastCompression = encoded;
      this.#encoded.set(encoding, encoded);
    }
    return encoded;
  }
}
