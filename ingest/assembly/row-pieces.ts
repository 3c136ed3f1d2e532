import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { ROW_FIELDS } from '../../sql/warehouse/duckdb/rows.ts';
import { createRowFile } from '../../sql/warehouse/rows/writer.ts';

/** The row file that pieces are appended to, in this thread or in another one. */
export interface PieceAppender {
  /** Appends the rows of a file, and removes it. @returns the number of units */
  append(piece: string): Promise<number>;
  /** Completes the file. @returns the number of units */
  finish(): Promise<number>;
  abort(): Promise<void>;
}

/** Appends in this thread. */
export function appendPieces(path: string): PieceAppender {
  const file = createRowFile(path, ROW_FIELDS);
  /** Holds one piece after the other. */
  let memory = Buffer.alloc(0);
  const read = (piece: string): Buffer => {
    const from = openSync(piece, 'r');
    try {
      const { size } = fstatSync(from);
      if (memory.length < size) memory = Buffer.allocUnsafeSlow(size);
      for (let done = 0; done < size; ) {
        const bytes = readSync(from, memory, done, size - done, done);
        if (bytes === 0) throw new Error(`${piece} ends too early`);
        done += bytes;
      }
      return memory.subarray(0, size);
    } finally {
      closeSync(from);
    }
  };
  return {
    async append(piece) {
      const units = file.add(read(piece));
      rmSync(piece);
      return units;
    },
    finish: async () => file.finish(),
    abort: async () => file.abort(),
  };
}
