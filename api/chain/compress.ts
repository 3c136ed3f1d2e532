import pLimit from 'p-limit';
import type { Service } from '../operation/service.ts';
import { type ContentCoding, encode } from '../wire/encoding.ts';
import type { Context } from './context.ts';
import type { FrameStep } from './step.ts';

/** Smaller answers cost more to compress than to send. */
const WORTHWHILE_BYTES = 1024;

/**
 * Answers that are compressed at a time. Node has four threads for such work unless UV_THREADPOOL_SIZE says otherwise,
 * and statements of the warehouse run in the same ones: half of them stay free for those.
 */
const MAX_CONCURRENCY = 2;

/**
 * Compresses the answer as the caller accepts it; every body leaves this step as bytes. What is public takes no threads
 * from the warehouse: assets are compressed once, and nothing else is compressed for a caller without a valid key.
 */
export const compress: FrameStep = {
  name: 'compression',
  problems: [],
  open({ metrics }) {
    const compressed = boundedCompression(metrics);
    return async (context, next) => {
      await next();
      const { body } = context;
      if (typeof body !== 'string' && !(Buffer.isBuffer(body) && isText(context.type))) return;
      context.vary('Accept-Encoding');
      const plain = typeof body === 'string' ? Buffer.from(body) : body;
      const encoding = plain.length < WORTHWHILE_BYTES ? null : encodingFor(context);
      const { asset, caller, kept } = context.state;
      const form =
        encoding === null
          ? null
          : asset?.bytes === body
            ? await asset.encoded(encoding)
            : caller === undefined
              ? null
              : kept?.sent === body
                ? await kept.body.encoded(encoding, () => compressed(plain, encoding))
                : await compressed(plain, encoding);
      if (form !== null && encoding !== null) context.set('Content-Encoding', encoding);
      context.body = form ?? plain;
    };
  },
};

/** @returns a function that compresses an answer; null while too many others are being compressed, for none waits */
function boundedCompression({ compressionEnded }: Service['metrics']) {
  const limit = pLimit(MAX_CONCURRENCY);
  return async (plain: Buffer, encoding: ContentCoding): Promise<Buffer | null> => {
    if (limit.activeCount + limit.pendingCount >= MAX_CONCURRENCY) {
      compressionEnded('passed_over');
      return null;
    }
    try {
      return await limit(encode, plain, encoding, 'fast');
    } finally {
      compressionEnded('done');
    }
  };
}

/** Null = as it is. */
function encodingFor(context: Context): ContentCoding | null {
  const encoding = context.acceptsEncodings('br', 'gzip', 'identity');
  return encoding === 'br' || encoding === 'gzip' ? encoding : null;
}

/** Pictures are compressed already. */
const isText = (type: string): boolean => /^text\/|json|javascript|svg|vector-tile/.test(type);
