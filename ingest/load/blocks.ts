import { createReadStream, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { literal } from '../../sql/warehouse/duckdb/sql-file.ts';
import type { BuildingWarehouse } from '../assembly/warehouse.ts';

/**
 * A table on its way, in pieces of a fixed number of rows in the order of the file, so that the same piece of the same
 * version always holds the same rows. Parquet, because both engines write and read it by themselves and in columns; a
 * piece is a file, so that it can be sent again and neither side holds more than one in memory.
 */
export interface Block {
  readonly number: number;
  readonly rows: number;
  readonly bytes: number;
  open(): Readable;
  remove(): void;
}

/** Rows of a block. Each becomes one part of the table on the server, and one of each table that a view fills. */
export const BLOCK_ROWS = 100_000;

/** Rows that are much larger than others. */
const ROWS_OF: Readonly<Record<string, number>> = { suchtexte: 20_000, suchnamen: 20_000 };

const blockRows = (table: string): number => ROWS_OF[table] ?? BLOCK_ROWS;

/**
 * The blocks of a table, in order. While one is sent the next one is written, so that at most two files are there.
 * @param columns select list
 */
export async function* blocksOf(
  engine: BuildingWarehouse,
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
    // Whoever takes the block may fail first; this failure is then told when it is waited for, or not at all.
    next.catch(() => {});
    try {
      yield block;
    } finally {
      block.remove();
    }
  }
}
