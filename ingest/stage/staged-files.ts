import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { itemAt } from '../../runtime/present.ts';
import { BlockMemory } from './block-memory.ts';
import { Chunk, type ValueSource } from './chunk.ts';
import { parquetTypeOf } from './columns.ts';
import { ORIGIN_COLUMNS } from './origin.ts';
import { type ParquetColumn, ParquetFile } from './parquet.ts';
import type { StagedColumn, StagingPlan } from './plan.ts';

/**
 * The staged files of one thread: one for each staged table and slice, however many members the thread reads. The engine opens
 * each file anew in every statement, and reads each row group by itself; with a file for each member, a whole register had 4,500
 * files of 2,100 units.
 */

/** Rows of a row group: whole vectors of the engine (2,048), and few enough that all slices of a register can wait in memory. */
export const ROWS_IN_GROUP = 8192;

/** A row group is written sooner if it has more bytes; one of units has some 2 MB. */
const BYTES_IN_GROUP = 1 << 23;

/** The columns of the files of a table. */
export const fileColumns = (columns: readonly StagedColumn[]): ParquetColumn[] => [
  ...ORIGIN_COLUMNS,
  ...columns.map(({ name, kind }) => ({ name, type: parquetTypeOf(kind) })),
];

export class StagedFiles {
  readonly #stage: string;
  readonly #thread: number;
  readonly #memory = new BlockMemory();
  readonly #files = new Map<string, StagedFile>();

  /**
   * @param stage folder of the staged files
   * @param thread number of the thread, after which the files are named
   */
  constructor(stage: string, thread: number) {
    this.#stage = stage;
    this.#thread = thread;
  }

  fileOf({ table, columns }: Pick<StagingPlan, 'table' | 'columns'>, slice: number): StagedFile {
    const folder = join(this.#stage, table, String(slice));
    const known = this.#files.get(folder);
    if (known !== undefined) return known;
    mkdirSync(folder, { recursive: true });
    const file = new StagedFile(join(folder, `${this.#thread}.parquet`), fileColumns(columns), this.#memory);
    this.#files.set(folder, file);
    return file;
  }

  /** Writes what waits, and completes all files. Until then none of them can be read. */
  close(): void {
    for (const file of this.#files.values()) file.close();
  }

  abort(): void {
    for (const file of this.#files.values()) file.abort();
  }
}

/** A staged file, and the rows of its next row group. */
export class StagedFile {
  readonly #file: ParquetFile;
  readonly #chunks: readonly Chunk[];
  #rows = 0;

  constructor(path: string, columns: readonly ParquetColumn[], memory: BlockMemory) {
    this.#file = new ParquetFile(path, columns);
    this.#chunks = columns.map(() => new Chunk(memory, ROWS_IN_GROUP));
  }

  /**
   * Appends rows in the given order.
   * @param sources in the order of the columns
   */
  append(rows: Int32Array, sources: readonly ValueSource[]): void {
    for (let at = 0; at < rows.length; ) {
      const part = rows.subarray(at, at + ROWS_IN_GROUP - this.#rows);
      this.#chunks.forEach((chunk, column) => {
        itemAt(sources, column).appendTo(chunk, part);
      });
      at += part.length;
      this.#rows += part.length;
      if (this.#rows === ROWS_IN_GROUP || this.#bytes > BYTES_IN_GROUP) this.#writeGroup();
    }
  }

  close(): void {
    if (this.#rows > 0) this.#writeGroup();
    this.#file.close();
  }

  abort(): void {
    this.#file.abort();
  }

  get #bytes(): number {
    return this.#chunks.reduce((sum, { values }) => sum + values.size, 0);
  }

  #writeGroup(): void {
    this.#file.writeRowGroup(
      this.#rows,
      this.#chunks.map((chunk) => chunk.encoded()),
    );
    for (const chunk of this.#chunks) chunk.clear();
    this.#rows = 0;
  }
}
