import { open } from 'node:fs/promises';
import { ArchiveError } from '../archive/archive-error.ts';
import { describeBeginning } from '../archive/beginning.ts';
import type { PartialDownload, PartialState } from './partial.ts';
import { type FetchPolicy, type HttpResponse, sendRequest, TransientError } from './request.ts';

/**
 * Appends the missing bytes to a partial download, in one attempt; returns when it is as long as the server says.
 * @throws TransientError when another attempt may complete it, ArchiveError when the file is not a zip, FetchFailed
 */
export async function transfer(url: string, partial: PartialDownload, policy: FetchPolicy): Promise<void> {
  const before = partial.state(url);
  const size = before === null ? 0 : partial.size();
  if (before !== null && size === before.length) return;
  const range = before === null ? {} : { Range: `bytes=${size}-`, 'If-Range': before.validator };
  const response = await sendRequest(url, range, policy);
  const state =
    before !== null && response.status !== 200 ? resumedState(before, size, response) : freshState(url, response);
  if (state === null) {
    response.cancel();
    partial.clear();
    throw new TransientError('the server does not go on with the file that it began with');
  }
  if (state !== before) partial.begin(state);
  await append(response, state, partial, policy);
}

/** The state of a resumed download; null when the response is not the rest of the same file. */
function resumedState(before: PartialState, size: number, { status, headers }: HttpResponse): PartialState | null {
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  if (status !== 206 || Number(first) !== size) return null;
  if (before.length !== null && total !== '*' && Number(total) !== before.length) return null;
  const now = validatorOf(headers);
  return now === null || now === before.validator ? before : null;
}

/** The state of a new download; null when the response is not a whole file. */
function freshState(url: string, { status, headers }: HttpResponse): PartialState | null {
  if (status !== 200) return null;
  const packed = headers.get('content-encoding') ?? 'identity';
  const length = packed === 'identity' ? headers.get('content-length') : null;
  return { url, validator: validatorOf(headers), length: length === null ? null : Number(length) };
}

/** A validator that changes with every byte of the file, unlike a weak entity tag. */
function validatorOf(headers: Headers): string | null {
  const tag = headers.get('etag');
  return tag?.startsWith('"') ? tag : headers.get('last-modified');
}

async function append(
  response: HttpResponse,
  state: PartialState,
  partial: PartialDownload,
  { progress }: FetchPolicy,
): Promise<void> {
  let size = partial.size();
  progress.stage(size === 0 ? 'download' : `download from ${megabytes(size)} on`, (state.length ?? size) - size, 'MB');
  let head: Buffer | null = size === 0 ? Buffer.alloc(0) : null;
  const file = await open(partial.path, 'a');
  try {
    for await (const piece of response.pieces) {
      if (head !== null) head = checkHead(head, piece, response.url, partial);
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

/** Collects the first bytes until they can be checked; returns null once they have been. */
function checkHead(before: Buffer, piece: Uint8Array, url: string, partial: PartialDownload): Buffer | null {
  const head = Buffer.concat([before, piece]);
  if (head.length < MAGIC.length) return head;
  if (head.toString('latin1', 0, MAGIC.length) === MAGIC) return null;
  partial.clear();
  throw new ArchiveError(`${url} is no export: it begins with ${describeBeginning(head)}. Nothing of it was kept.`);
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;
