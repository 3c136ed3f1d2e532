import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import { type ContentCoding, encode } from './encoding.ts';

/** Assets are compressed one after the other: they never take more than one thread from the warehouse. */
const oneAtATime = pLimit(1);

/**
 * A file that is the same for everybody for as long as the process lives. It is compressed once in each encoding, when the
 * first caller accepts that encoding, however many do at the same time.
 */
export class Asset {
  readonly bytes: Buffer;
  /** Sixteen hexadecimal digits of its SHA-256. */
  readonly digest: string;
  readonly #encoded = new Map<ContentCoding, Promise<Buffer>>();

  constructor(content: Buffer | string) {
    this.bytes = Buffer.from(content);
    this.digest = createHash('sha256').update(this.bytes).digest('hex').slice(0, 16);
  }

  encoded(encoding: ContentCoding): Promise<Buffer> {
    let encoded = this.#encoded.get(encoding);
    if (encoded === undefined) {
      encoded = oneAtATime(encode, this.bytes, encoding, 'thorough');
      this.#encoded.set(encoding, encoded);
    }
    return encoded;
  }
}
