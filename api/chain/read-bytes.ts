import { Problem } from '../problem/problem.ts';
import type { Context } from './context.ts';

/** Reads the size that the request announces. @throws Problem PAYLOAD_TOO_LARGE */
export function announcedBytes(context: Context, most: number): number {
  const announced = Number(context.get('Content-Length') || 0);
  if (announced > most) throw tooLarge(most);
  return announced;
}

/**
 * Reads the body of a request as a text.
 * @throws Problem PAYLOAD_TOO_LARGE; INVALID_BODY when it is not UTF-8, or breaks off
 */
export async function readText(context: Context, most: number): Promise<string> {
  announcedBytes(context, most);
  const blocks: Buffer[] = [];
  let size = 0;
  try {
    for await (const block of context.req) {
      size += block.length;
      if (size > most) throw tooLarge(most);
      blocks.push(block);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    // The caller has hung up, or was too slow: this answer does not reach it, but the log then shows whose fault it was.
    throw new Problem('INVALID_BODY', 'The body broke off before its end');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(blocks));
  } catch {
    throw new Problem('INVALID_BODY', 'The body is not UTF-8');
  }
}

const KIB = 1024;
const MIB = 1024 * KIB;

// The rest of the body is not waited for.
const tooLarge = (most: number): Problem =>
  new Problem(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${most < MIB ? `${most / KIB} KiB` : `${most / MIB} MiB`}`,
    {
      headers: { Connection: 'close' },
    },
  );
