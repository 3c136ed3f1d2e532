import { createWriteStream } from 'node:fs';
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

/** Received bytes that may wait for the disk. */
const BUFFER_BYTES = 4 * 2 ** 20;

/**
 * Streams the result of a statement into a Parquet file. Behind the error of a broken answer the server breaks the
 * connection off, so that the error is looked for first.
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
  let tail = Buffer.alloc(0);
  const counted = new Transform({
    // Where the connection breaks, Node drops what nobody has taken yet, and that would be the description of the error.
    highWaterMark: BUFFER_BYTES,
    transform(bytes: Buffer, _encoding, done) {
      onBytes(bytes.length);
      tail = Buffer.concat([tail, bytes]).subarray(-TAIL_BYTES);
      done(null, bytes);
    },
  });
  const broken = await pipeline(stream, counted, createWriteStream(file), abort).then(
    () => null,
    (error: unknown) => error,
  );
  signal?.throwIfAborted();
  const tag = headers[EXCEPTION_TAG_HEADER_NAME];
  if (typeof tag === 'string' && tail.includes(tag)) throw extractErrorAtTheEndOfChunk(tail, tag);
  if (broken !== null) throw broken;
  if (!tail.toString('latin1').endsWith(MAGIC)) throw new Error('the answer was cut off before its end');
}
