import { createReadStream, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';

/**
 * A part of a table with a fixed number of rows in the order of the file, so that the same block of the same version
 * always holds the same rows. It is a Parquet file, which both engines read and write natively and by column; it can be
 * sent again, and neither side needs more than one in memory.
 */
export interface Block {
  readonly number: number;
  readonly rows: number;
  readonly bytes: number;
  open(): Readable;
  remove(): void;
}

/** Rows of a block. A block becomes one part of its table on the server, and of each table that a view fills. */
export const LOAD_BLOCK_ROWS = 100_000;

/** Tables with much wider rows have smaller blocks. */
const WIDE_TABLE_ROWS: Readonly<Record<string, number>> = { suchtexte: 20_000, suchnamen: 20_000 };

const blockRows = (table: string): number => WIDE_TABLE_ROWS[table] ?? LOAD_BLOCK_ROWS;

/**
 * The blocks of a table, in order. The next one is written while one is sent, so that at most two files exist.
 * @param columns select list
 */
export async function* blocksOf(
  engine: WarehouseConnection,
  folder: string,
  table: string,
  columns: string,
  rows: number,
): AsyncGenerator<Block> {
  await mkdir(folder, { recursive: true });
  const size = blockRows(table);
  const count = Math.ceil(rows / size);
  const write = async (number: number): Promise<Block | null> => {
    if (number >= count) return null;
    const path = join(folder, `${table}-${number}.parquet`);
    const from = number * size;
    await engine.run(
      `COPY (SELECT ${columns} FROM ${table} WHERE rowid >= ${from} AND rowid < ${from + size})
       TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${size})`,
    );
    return {
      number,
      rows: Math.min(size, rows - from),
      bytes: statSync(path).size,
      open: () => createReadStream(path, { highWaterMark: 1 << 18 }),
      remove: () => rmSync(path, { force: true }),
    };
  };
  let next = write(0);
  for (let block = await next; block !== null; block = await next) {
    next = write(block.number + 1);
    // The consumer may fail first and never wait for this one, whose rejection would then be unhandled.
    next.catch(() => {});
    try {
      yield block;
    } finally {
      block.remove();
    }
  }
}
