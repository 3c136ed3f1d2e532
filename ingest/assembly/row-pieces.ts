import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { itemAt } from '../../runtime/present.ts';
import { DIFFERING_COLUMNS } from '../../sql/query/history.ts';
import { Damaged } from '../../sql/warehouse/damage.ts';
import { ROW_FIELDS } from '../../sql/warehouse/duckdb/rows.ts';
import { type FormerRows, openFormerRows } from '../../sql/warehouse/rows/former.ts';
import { type Kept, mergedRuns, wholeRuns } from '../../sql/warehouse/rows/merge.ts';
import { bytesOf, rowsInOrder } from '../../sql/warehouse/rows/rows.ts';
import { placedRowParser } from '../../sql/warehouse/rows/texts.ts';
import { createRowFile } from '../../sql/warehouse/rows/writer.ts';

/** A row of the version before cannot be kept, since it is not as it was written. What has been appended is of no use. */
export class FormerDamaged extends Error {
  override name = 'FormerDamaged';
}

/** A unit whose row is not as it was: the digits of its number, and the columns in which it differs, by comma. */
export type DifferingRow = readonly [digits: number, columns: string];

export interface Appended {
  /** The number of units. */
  readonly units: number;
  /** In order, those whose rows came in the place of former ones. */
  readonly differing: readonly DifferingRow[];
}

/** The row file that pieces are appended to, in this thread or in another one. */
export interface PieceAppender {
  /**
   * Opens the row file of the version before, from which pieces may keep rows.
   * @returns false when its rows are of another basis
   * @throws FormerDamaged
   */
  keepFrom(former: string): Promise<boolean>;
  /**
   * Appends the rows of a file, and removes it.
   * @param kept what is kept of the version before besides; null = the piece has all rows of its slice
   * @throws FormerDamaged
   */
  append(piece: string, kept: Kept | null): Promise<Appended>;
  /** Completes the file. @returns the number of units */
  finish(): Promise<number>;
  abort(): Promise<void>;
}

/** Appends in this thread. @param basis see rowBasis */
export function appendPieces(path: string, basis: string): PieceAppender {
  const file = createRowFile(path, { ...ROW_FIELDS, basis });
  let former: FormerRows | null = null;
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
  const runsOf = (piece: string, kept: Kept | null, differing: DifferingRow[]) => {
    const added = rowsInOrder(read(piece));
    if (kept === null || former === null) return wholeRuns(added);
    return mergedRuns(former, added, kept, (then, now) => {
      const columns = differingColumns(bytesOf(then), bytesOf(now));
      if (columns !== null) differing.push([itemAt(now.rows.digits, now.from), columns.join(',')]);
    });
  };
  const close = (): void => {
    former?.close();
    former = null;
  };
  return {
    async keepFrom(path) {
      former = whole(() => openFormerRows(path, basis));
      return former !== null;
    },
    async append(piece, kept) {
      const differing: DifferingRow[] = [];
      const units = whole(() => file.append(runsOf(piece, kept, differing)));
      rmSync(piece);
      return { units, differing };
    },
    async finish() {
      close();
      return file.finish();
    },
    async abort() {
      close();
      file.abort();
    },
  };
}

const partsOf = placedRowParser(ROW_FIELDS);

/** Returns the columns in which two rows differ, of those whose differences are kept; null when the rows are the same. */
function differingColumns(then: Buffer, now: Buffer): string[] | null {
  if (then.equals(now)) return null;
  const [before, after] = [partsOf(then.toString()), partsOf(now.toString())];
  return DIFFERING_COLUMNS.filter((name) => before.get(name) !== after.get(name));
}

/** Reads what must be as it was written. @throws FormerDamaged */
function whole<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof Damaged ? new FormerDamaged(error.message, { cause: error }) : error;
  }
}
