import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Content codings that answers can have. */
export type ContentCoding = 'br' | 'gzip';

/** `fast` for an answer that is sent once; `thorough` for one that is kept: some times the work, a fifth less to send. */
type Effort = 'fast' | 'thorough';

const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { fast: 4, thorough: 10 };

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Compresses in one of the threads that statements of the warehouse run in, too: callers bound how many do at a time. */
export const encode = (plain: Buffer, encoding: ContentCoding, effort: Effort): Promise<Buffer> =>
  encoding === 'br'
    ? brotli(plain, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
          [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        },
      })
    : gzipped(plain);

/** The value of `Content-Type` for a media type. The register's names have umlauts, so every text says its charset. */
export function contentType(media: string): string {
  if (media === 'text/csv') return `${media}; charset=utf-8; header=present`;
  return /^text|json|javascript|svg/.test(media) ? `${media}; charset=utf-8` : media;
}
