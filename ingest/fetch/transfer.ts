import { open } from 'node:fs/promises';
import { ArchiveError } from '../archive/archive-error.ts';
import { describeBeginning } from '../archive/beginning.ts';
import type { Partial, PartialState } from './partial.ts';
import { type Answer, ask, type FetchPolicy, TransientError } from './request.ts';

/** Bytes from the server into the partial file, from where it ends. */

/**
 * One attempt: returns when the partial file is as long as the server says.
 * @throws TransientError when another attempt may bring the rest, ArchiveError when the file is no zip, FetchFailed
 */
export async function transfer(url: string, partial: Partial, policy: FetchPolicy): Promise<void> {
  const before = partial.state(url);
  const there = before === null ? 0 : partial.size();
  if (before !== null && there === before.length) return;
  const range = before === null ? {} : { Range: `bytes=${there}-`, 'If-Range': before.validator };
  const answer = await ask(url, range, policy);
  const state = before !== null && answer.status !== 200 ? continued(before, there, answer) : stateOf(url, answer);
  if (state === null) {
    answer.cancel();
    partial.clear();
    throw new TransientError('the server does not go on with the file that it began with');
  }
  if (state !== before) partial.begin(state);
  await append(answer, state, partial, policy);
}

/** The state to go on with, when the answer is what was asked for: the rest of the same file. */
function continued(before: PartialState, there: number, { status, headers }: Answer): PartialState | null {
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (status !== 206 || Number(first) !== there) return null;
  if (before.length !== null && total !== '*' && Number(total) !== before.length) return null;
  const now = validatorOf(headers);
  return now === null || now === before.validator ? before : null;
}

/** A whole file begins. A part that nobody asked for does not. */
function stateOf(url: string, { status, headers }: Answer): PartialState | null {
  if (status !== 200) return null;
  const packed = headers.get('content-encoding') ?? 'identity';
  const length = packed === 'identity' ? headers.get('content-length') : null;
  return { url, validator: validatorOf(headers), length: length === null ? null : Number(length) };
}

/** The validator that changes with every byte of the file; a weak entity tag does not. */
function validatorOf(headers: Headers): string | null {
  const tag = headers.get('etag');
  return tag?.startsWith('"') ? tag : headers.get('last-modified');
}

async function append(answer: Answer, state: PartialState, partial: Partial, { progress }: FetchPolicy): Promise<void> {
  let size = partial.size();
  progress.stage(size === 0 ? 'download' : `download from ${megabytes(size)} on`, (state.length ?? size) - size, 'MB');
  let head: Buffer | null = size === 0 ? Buffer.alloc(0) : null;
  const file = await open(partial.path, 'a');
  try {
    for await (const piece of answer.pieces) {
      if (head !== null) head = checkHead(head, piece, answer.url, partial);
      await file.appendFile(piece);
      size += piece.length;
      progress.advance(piece.length);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (state.length === null || size === state.length) return;
  if (size > state.length) partial.clear();
  throw new TransientError(`the server sent ${size} of ${state.length} bytes`);
}

const MAGIC = 'PK';

/** Collects the first bytes and looks at them; null when they have been looked at. */
function checkHead(before: Buffer, piece: Uint8Array, url: string, partial: Partial): Buffer | null {
  const head = Buffer.concat([before, piece]);
  if (head.length < MAGIC.length) return head;
  if (head.toString('latin1', 0, MAGIC.length) === MAGIC) return null;
  partial.clear();
  throw new ArchiveError(`${url} is no export: it begins with ${describeBeginning(head)}. Nothing of it was kept.`);
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;
