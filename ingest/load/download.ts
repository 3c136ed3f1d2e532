import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type ClickHouseClient,
  type ClickHouseSettings,
  EXCEPTION_TAG_HEADER_NAME,
  extractErrorAtTheEndOfChunk,
} from '@clickhouse/client';

const DOWNLOAD_SETTINGS: ClickHouseSettings = {
  // Otherwise the server buffers the whole answer before it sends the first byte. Later errors are found at its end.
  wait_end_of_query: 0,
  send_progress_in_http_headers: 0,
  // The size of the table decides how long it takes.
  max_execution_time: 0,
  // Parquet is compressed already.
  enable_http_compression: 0,
  output_format_parquet_compression_method: 'zstd',
  output_format_parquet_row_group_size: '40960',
  max_threads: 2,
};

/** A complete Parquet file ends with this. */
const MAGIC = 'PAR1';

/** More than the server appends to a broken answer to describe the error. */
const TAIL_BYTES = 64 * 1024;

/**
 * Streams the result of a statement into a Parquet file.
 * @param onBytes receives the number of bytes of every chunk
 * @throws ClickHouseError when the server failed after the beginning of its answer; Error when the answer was cut off
 */
export async function downloadParquet(
  client: ClickHouseClient,
  select: string,
  file: string,
  signal?: AbortSignal,
  onBytes: (bytes: number) => void = () => {},
): Promise<void> {
  const abort = signal === undefined ? {} : { signal };
  const { stream, response_headers: headers } = await client.exec({
    query: `${select} FORMAT Parquet`,
    clickhouse_settings: DOWNLOAD_SETTINGS,
    decompress_response_stream: false,
    ...(signal === undefined ? {} : { abort_signal: signal }),
  });
  const counted = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      onBytes(bytes.length);
      done(null, bytes);
    },
  });
  await pipeline(stream, counted, createWriteStream(file), abort);
  const tail = await readTail(file);
  if (tail.toString('latin1').endsWith(MAGIC)) return;
  const tag = headers[EXCEPTION_TAG_HEADER_NAME];
  if (typeof tag === 'string' && tail.includes(tag)) throw extractErrorAtTheEndOfChunk(tail, tag);
  throw new Error('the answer was cut off before its end');
}

async function readTail(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer;
  } finally {
    await file.close();
  }
}
