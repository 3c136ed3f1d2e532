import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/problem.ts';
import { readJson } from '../wire/json.ts';
import type { Context, Middleware } from './context.ts';

const MAX_BYTES = 1024 * 1024;

/** Reads the JSON body of an operation that takes one; refuses a body where none belongs, as a filter in it would be lost. */
export const readBody: Middleware = async (context, next) => {
  const announced = Number(context.get('Content-Length') || 0);
  if (announced > MAX_BYTES) throw tooLarge();
  const hasBody = announced > 0 || context.get('Transfer-Encoding') !== '';
  if (context.state.operation!.body !== undefined) context.state.body = await readJsonBody(context);
  else if (hasBody) throw new Problem('INVALID_BODY', 'The operation takes no body; its parameters stand in the query');
  await next();
};

async function readJsonBody(context: Context): Promise<unknown> {
  const charset = context.request.charset.toLowerCase();
  const encoding = context.get('Content-Encoding');
  if (context.request.type !== 'application/json' || !['', 'utf-8'].includes(charset) || encoding !== '') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8, not compressed');
  }
  return readJson(decoded(await readBytes(context.req)));
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('INVALID_BODY', 'The body is not UTF-8');
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let size = 0;
  try {
    for await (const block of request) {
      size += block.length;
      if (size > MAX_BYTES) throw tooLarge();
      blocks.push(block);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    // The caller has hung up, or was too slow: it will not hear this, but the logs tell whose fault it was.
    throw new Problem('INVALID_BODY', 'The body broke off before its end');
  }
  return Buffer.concat(blocks);
}

// The rest of the body is not waited for.
const tooLarge = (): Problem =>
  new Problem('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB', { headers: { Connection: 'close' } });
