import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Problem } from '../problem/problem.ts';
import { type ByteRange, contentRange, MAX_RANGES, requestedRanges } from '../wire/byte-ranges.ts';
import { contentType } from '../wire/encoding.ts';
import type { StoredFile } from '../wire/stored-file.ts';
import type { Context } from './context.ts';

/** Bytes that are read ahead of a caller who reads slowly. */
const PIECE_BYTES = 256 * 1024;

/**
 * Answers with a file, or with the ranges of it that were asked for (RFC 9110, 13 and 14). It is read as fast as the caller
 * reads; Koa destroys the stream, which closes the file, when the caller hangs up.
 * @param keptBy `public`: proxies may keep it, too, and ask whether it has changed
 * @throws Problem RANGE_NOT_SATISFIABLE; SERVICE_UNAVAILABLE while the file is being replaced
 */
export async function sendFile(context: Context, file: StoredFile, keptBy: 'private' | 'public'): Promise<void> {
  const tag = `"${file.sha256}"`;
  const unchanged = isNamed(context.get('If-None-Match'), tag);
  const ranges = unchanged ? null : rangesOf(context, file, tag);
  if (!unchanged) await mustBeThere(file);
  context.set({ ETag: tag, 'Cache-Control': `${keptBy}, no-cache`, 'Accept-Ranges': 'bytes' });
  if (unchanged) {
    context.status = 304;
    return;
  }
  context.set('Content-Disposition', `attachment; filename="${file.name}"`);
  const { bytes, stream } = send(context, file, ranges);
  context.set('Content-Length', String(bytes));
  if (context.method !== 'HEAD') context.body = stream();
}

interface Sent {
  readonly bytes: number;
  /** Opens the file. */
  stream(): Readable;
}

/** Sets status and type. */
function send(context: Context, file: StoredFile, ranges: readonly ByteRange[] | null): Sent {
  const type = contentType(file.media);
  if (ranges === null) {
    context.status = 200;
    context.set('Content-Type', type);
    return { bytes: file.bytes, stream: () => readFrom(file, { start: 0, end: file.bytes - 1 }) };
  }
  context.status = 206;
  const [range, ...others] = ranges;
  if (range !== undefined && others.length === 0) {
    context.set({ 'Content-Type': type, 'Content-Range': contentRange(range, file.bytes) });
    return { bytes: lengthOf(range), stream: () => readFrom(file, range) };
  }
  const boundary = randomUUID();
  context.set('Content-Type', `multipart/byteranges; boundary=${boundary}`);
  const parts = ranges.map((part) => ({
    part,
    head: `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${contentRange(part, file.bytes)}\r\n\r\n`,
  }));
  const end = `\r\n--${boundary}--\r\n`;
  const bytes = parts.reduce((sum, { part, head }) => sum + head.length + lengthOf(part), end.length);
  return { bytes, stream: () => Readable.from(inParts(file, parts, end), { highWaterMark: 1 }) };
}

/** A file is opened when its part begins and closed when it ends, or when the caller hangs up. */
async function* inParts(
  file: StoredFile,
  parts: readonly { readonly part: ByteRange; readonly head: string }[],
  end: string,
): AsyncGenerator<Buffer> {
  for (const { part, head } of parts) {
    yield Buffer.from(head);
    yield* readFrom(file, part);
  }
  yield Buffer.from(end);
}

const readFrom = ({ path }: StoredFile, range: ByteRange): Readable =>
  createReadStream(path, { ...range, highWaterMark: PIECE_BYTES });

const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

/** Ranges are only for GET, and not for a caller who has begun another file under this name. */
function rangesOf(context: Context, file: StoredFile, tag: string): readonly ByteRange[] | null {
  const begun = context.get('If-Range');
  if (context.method !== 'GET' || (begun !== '' && begun !== tag)) return null;
  const ranges = requestedRanges(context.get('Range'), file.bytes);
  if (ranges !== 'none') return ranges;
  const detail = `The file has ${file.bytes} bytes; ask for up to ${MAX_RANGES} ranges of it`;
  throw new Problem('RANGE_NOT_SATISFIABLE', detail, { headers: { 'Content-Range': `bytes */${file.bytes}` } });
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
const isNamed = (header: string, tag: string): boolean =>
  header
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag);

async function mustBeThere({ path, name, bytes }: StoredFile): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === bytes) return;
  throw new Problem('SERVICE_UNAVAILABLE', `${name} is being replaced`, { retryAt: Date.now() + 10_000 });
}
