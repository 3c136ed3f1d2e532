import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem/problem.ts';
import type { Exchange, Step } from './step.ts';

const LARGEST_BYTES = 1024 * 1024;

/** No body of ours is nested any deeper. */
const DEEPEST_LEVEL = 32;

/** Reads the JSON body of an operation that takes one; refuses a body where none belongs, as a filter in it would be lost. */
export const readBody: Step = async (exchange, next) => {
  const announced = Number(exchange.get('Content-Length') || 0);
  if (announced > LARGEST_BYTES) throw tooLarge();
  const hasBody = announced > 0 || exchange.get('Transfer-Encoding') !== '';
  if (exchange.state.operation!.body !== undefined) exchange.state.body = await readJson(exchange);
  else if (hasBody) throw new Problem('INVALID_BODY', 'The operation takes no body; its parameters stand in the query');
  await next();
};

async function readJson(exchange: Exchange): Promise<unknown> {
  const charset = exchange.request.charset.toLowerCase();
  const encoding = exchange.get('Content-Encoding');
  if (exchange.request.type !== 'application/json' || !['', 'utf-8'].includes(charset) || encoding !== '') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8, not compressed');
  }
  const body = parse(await readBytes(exchange.req));
  const fault = faultOf(body);
  if (fault !== null) throw new Problem('INVALID_BODY', fault);
  return body;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Problem('INVALID_BODY', `The body is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * What makes JSON unfit for everything that follows: levels that no recursion gets through, and the one name that a
 * member of an object cannot have everywhere, so that it would be lost in silence.
 */
function faultOf(body: unknown): string | null {
  let level = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_LEVEL) return `The body is nested deeper than ${DEEPEST_LEVEL} levels`;
    const inner = level.filter((value) => typeof value === 'object' && value !== null);
    if (inner.some((value) => Object.hasOwn(value, '__proto__'))) return 'The body has a member named __proto__';
    level = inner.flatMap((value): unknown[] => Object.values(value));
  }
  return null;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let size = 0;
  try {
    for await (const block of request) {
      size += block.length;
      if (size > LARGEST_BYTES) throw tooLarge();
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
