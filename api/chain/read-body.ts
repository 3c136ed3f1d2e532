import type { IncomingMessage } from 'node:http';
import type { Operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { readJson } from '../wire/json.ts';
import type { Context, Middleware, RequestState } from './context.ts';
import type { Step } from './step.ts';

const MAX_BYTES = 1024 * 1024;

type BodyMiddleware = Middleware<RequestState, { body: unknown }>;

/** Reads the JSON body of an operation that takes one; refuses any other body, since a filter in it would be lost. */
export const readBody: Step<Operation, RequestState, { body: unknown }> = {
  name: 'body',
  problems: ({ body }) => [
    'INVALID_BODY',
    'PAYLOAD_TOO_LARGE',
    ...(body === undefined ? [] : (['UNSUPPORTED_MEDIA_TYPE'] as const)),
  ],
  open: () => (operation) => (operation.body === undefined ? refuseBody : readJsonBody),
};

const refuseBody: BodyMiddleware = async (context, next) => {
  if (announcedBytes(context) > 0 || context.get('Transfer-Encoding') !== '') {
    throw new Problem('INVALID_BODY', 'The operation takes no body; its parameters stand in the query');
  }
  await next({ body: undefined });
};

/** Reads the size that the request announces. @throws Problem PAYLOAD_TOO_LARGE */
function announcedBytes(context: Context): number {
  const announced = Number(context.get('Content-Length') || 0);
  if (announced > MAX_BYTES) throw tooLarge();
  return announced;
}

const readJsonBody: BodyMiddleware = async (context, next) => {
  announcedBytes(context);
  const charset = context.request.charset.toLowerCase();
  const encoding = context.get('Content-Encoding');
  if (context.request.type !== 'application/json' || !['', 'utf-8'].includes(charset) || encoding !== '') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8, not compressed');
  }
  await next({ body: readJson(decoded(await readBytes(context.req))) });
};

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
    // The caller has hung up, or was too slow: this answer does not reach it, but the log then shows whose fault it was.
    throw new Problem('INVALID_BODY', 'The body broke off before its end');
  }
  return Buffer.concat(blocks);
}

// The rest of the body is not waited for.
const tooLarge = (): Problem =>
  new Problem('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB', { headers: { Connection: 'close' } });
