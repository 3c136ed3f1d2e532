import type { NumberRange } from '../../sql/register/mastr-number.ts';
import { copyRows } from '../../sql/warehouse/duckdb/rows.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { appendPieces } from './row-pieces.ts';
import { startRowThread } from './row-thread-client.ts';

/**
 * The row file of a version while it is filled. The engine writes the rows of a slice to a file of their own, a piece; a
 * thread beside it appends the piece to the row file and removes it, while the engine goes on.
 */
export interface Rows {
  /**
   * Adds a slice of units, whose numbers are above those of all slices before. Returns once the engine has written it. Two
   * calls may run at once, on two connections; the order of the calls is that of the slices.
   * @param relation a table or view with the columns of `units`
   */
  addSlice(engine: WarehouseConnection, relation: string, range: NumberRange): Promise<void>;
  /**
   * Completes the file.
   * @param units how many it must have
   */
  finish(units: number): Promise<void>;
  /** Gives the file up; half of it stays where it was written. */
  abort(): Promise<void>;
}

/** Pieces that are written and not yet appended: more would only take room on the disk. */
const WAITING_PIECES = 2;

/** Of fewer units, starting a thread takes longer than appending them. */
const UNITS_WORTH_A_THREAD = 20_000;

/**
 * @param units how many there will be, roughly
 * @param appended called with the number of units as they are in the file
 */
export function openRows(path: string, units: number, appended: (units: number) => void): Rows {
  const file = units < UNITS_WORTH_A_THREAD ? appendPieces(path) : startRowThread(path);
  const appending: Promise<void>[] = [];
  let last = Promise.resolve();
  let pieces = 0;

  /** Appends a piece once it is written and those before it are in the file. */
  const append = async (piece: string, written: Promise<void>, before: Promise<void>): Promise<void> => {
    await Promise.all([written, before]);
    appended(await file.append(piece));
  };

  return {
    async addSlice(engine, relation, range) {
      const piece = `${path}.${++pieces}`;
      const mayBegin = appending.at(-WAITING_PIECES) ?? Promise.resolve();
      const written = mayBegin.then(() => engine.run(copyRows(relation, range, piece)));
      last = append(piece, written, last);
      // Whoever adds the next slice, or finishes the file, learns of the failure.
      last.catch(() => {});
      appending.push(last);
      await written;
    },
    async finish(expected) {
      await last;
      const found = await file.finish();
      if (found !== expected) throw new Error(`The row file has ${found} units instead of ${expected}`);
    },
    abort: () => file.abort(),
  };
}
