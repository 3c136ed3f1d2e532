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

/** How the answer is sent. */
const SENDING: ClickHouseSettings = {
  // Otherwise the server keeps the whole of it before it sends the first byte. What went wrong behind that is seen here.
  wait_end_of_query: 0,
  send_progress_in_http_headers: 0,
  // A table takes as long as it takes.
  max_execution_time: 0,
  // Parquet is compressed already.
  enable_http_compression: 0,
  output_format_parquet_compression_method: 'zstd',
  output_format_parquet_row_group_size: '40960',
  max_threads: 2,
};

/** With what a whole Parquet file ends. */
const MAGIC = 'PAR1';

/** More than the server says of an error behind its answer. */
const TAIL_BYTES = 64 * 1024;

/**
 * Brings the answer of a statement into a file, as Parquet, as fast as the file takes it.
 * @param heard told how many more bytes have come
 * @throws ClickHouseError when the server failed behind the beginning of its answer; Error when the answer was cut off
 */
export async function download(
  client: ClickHouseClient,
  select: string,
  file: string,
  signal?: AbortSignal,
  heard: (bytes: number) => void = () => {},
): Promise<void> {
  const abort = signal === undefined ? {} : { signal };
  const { stream, response_headers: headers } = await client.exec({
    query: `${select} FORMAT Parquet`,
    clickhouse_settings: SENDING,
    decompress_response_stream: false,
    ...(signal === undefined ? {} : { abort_signal: signal }),
  });
  const counted = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      heard(bytes.length);
      done(null, bytes);
    },
  });
  await pipeline(stream, counted, createWriteStream(file), abort);
  const tail = await endOf(file);
  if (tail.toString('latin1').endsWith(MAGIC)) return;
  const tag = headers[EXCEPTION_TAG_HEADER_NAME];
  if (typeof tag === 'string' && tail.includes(tag)) throw extractErrorAtTheEndOfChunk(tail, tag);
  throw new Error('the answer was cut off before its end');
}

async function endOf(path: string): Promise<Buffer> {
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
