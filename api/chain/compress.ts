import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Step } from './step.ts';

/** Smaller answers cost more to compress than to send. */
const WORTHWHILE_BYTES = 1024;

const compressors = {
  br: (plain: Buffer) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
};

/** Compresses the answer as the caller accepts it; every body leaves this step as bytes. */
export const compress: Step = async (exchange, next) => {
  await next();
  if (typeof exchange.body !== 'string' && !(Buffer.isBuffer(exchange.body) && isText(exchange.type))) return;
  exchange.vary('Accept-Encoding');
  const plain = Buffer.from(exchange.body);
  const encoding = plain.length < WORTHWHILE_BYTES ? false : exchange.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding === 'br' || encoding === 'gzip') {
    exchange.body = await compressors[encoding](plain);
    exchange.set('Content-Encoding', encoding);
  } else {
    exchange.body = plain;
  }
};

/** Pictures are compressed already. */
const isText = (type: string): boolean => /^text\/|json|javascript|svg/.test(type);
