import { existsSync, rmSync, statSync } from 'node:fs';
import type { NumberRange } from '../../sql/register/mastr-number.ts';
import { copyChangedRows, copyRows, departedUnits, rowBasis } from '../../sql/warehouse/duckdb/rows.ts';
import type { Kept } from '../../sql/warehouse/rows/merge.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { appendPieces, type DifferingRow, FormerDamaged, type PieceAppender } from './row-pieces.ts';
import { startRowThread } from './row-thread-client.ts';

/**
 * The row file of a version while it is filled. The engine writes the rows of a slice to a file of their own, a piece; a
 * thread beside it appends the piece to the row file and removes it, while the engine goes on. Where the version before has
 * rows of the same basis, the piece has those alone that may have changed, and the thread copies the others from its file.
 */
export interface Rows {
  /**
   * Adds a slice of `units`, whose numbers are above those of all slices before. Returns once the engine has written it. Two
   * calls may run at once, on two connections; the order of the calls is that of the slices.
   */
  addSlice(engine: WarehouseConnection, range: NumberRange): Promise<void>;
  /**
   * Completes the file. If the rows of the version before turned out to be damaged, all rows are written anew.
   * @returns the rows that came in the place of former ones; null where no row was compared with one of the version before
   */
  finish(engine: WarehouseConnection): Promise<readonly DifferingRow[] | null>;
  /** Gives the file up; half of it stays where it was written. */
  abort(): Promise<void>;
}

export interface RowsOptions {
  /** The file to write. */
  readonly path: string;
  /** The number of units of the version. */
  readonly units: number;
  /** The build. */
  readonly sequence: number;
  /** The row file of the version before, which is attached as `previous_version`; null when there is none. */
  readonly before: string | null;
  readonly engineVersion: string;
  /** A table with the rows that may differ from those of the version before; null = they are looked for in `units`. */
  readonly changed?: string | null;
  /** True: a thread of its own appends. By default one does where that takes less time. */
  readonly inThread?: boolean;
  /** Called with the number of units as they are in the file. */
  readonly appended: (units: number) => void;
  readonly note: (text: string) => void;
}

/** Bytes in pieces that are written and not yet appended: more would only take room on the disk. */
const WAITING_BYTES = 200_000_000;

/** Of fewer units, starting a thread takes longer than appending them. */
const UNITS_WORTH_A_THREAD = 20_000;

/** Opens the row file for writing, and that of the version before for reading, if its rows can be kept. */
export async function openRows(options: RowsOptions): Promise<Rows> {
  const { path, units, before, engineVersion, inThread = units >= UNITS_WORTH_A_THREAD } = options;
  const file = (inThread ? startRowThread : appendPieces)(path, rowBasis(engineVersion));
  try {
    // A version of an earlier release may have none.
    return rowsOf(options, file, before !== null && existsSync(before) && (await file.keepFrom(before)));
  } catch (error) {
    await file.abort();
    if (!(error instanceof FormerDamaged)) throw error;
    return withoutFormer(options, error);
  }
}

function withoutFormer(options: RowsOptions, { message }: FormerDamaged): Promise<Rows> {
  options.note(`All rows are written anew instead of being kept from the version before. ${message}`);
  return openRows({ ...options, before: null });
}

/** The rows of a slice that the engine writes. */
interface Piece {
  readonly path: string;
  /** Its size, from when it is written until it is appended. */
  bytes: number;
}

/** @param keeps whether rows of the version before are kept */
function rowsOf(options: RowsOptions, file: PieceAppender, keeps: boolean): Rows {
  const { path, units, sequence, appended, changed = null } = options;
  const slices: NumberRange[] = [];
  /** The pieces so far, and when each is in the file. */
  const pieces: { readonly piece: Piece; readonly inFile: Promise<void> }[] = [];
  const differing: DifferingRow[] = [];
  let damage: FormerDamaged | null = null;

  /** Waits until there is room for another piece beside those before it. */
  const room = async (before: typeof pieces): Promise<void> => {
    for (const { inFile } of before) {
      if (before.reduce((sum, { piece }) => sum + piece.bytes, 0) <= WAITING_BYTES) return;
      await inFile;
    }
  };

  /** Lets the engine write a piece. @returns what is kept besides */
  const write = async (engine: WarehouseConnection, range: NumberRange, piece: Piece): Promise<Kept | null> => {
    const rowsToWrite = (): string => {
      if (!keeps) return copyRows('units', range, piece.path);
      return changed === null ? copyChangedRows(sequence, range, piece.path) : copyRows(changed, range, piece.path);
    };
    await engine.run(rowsToWrite());
    piece.bytes = statSync(piece.path).size;
    if (!keeps) return null;
    const departed = await engine.rows<{ digits: number }>(departedUnits(sequence, range));
    return { to: range.to, departed: new Set(departed.map(({ digits }) => digits)) };
  };

  /** Appends a piece once it is written and those before it are in the file. */
  const append = async (piece: Piece, written: Promise<Kept | null>, before: Promise<void>): Promise<void> => {
    const [kept] = await Promise.all([written, before]);
    if (damage === null) await appendNow(piece, kept);
    else rmSync(piece.path);
    piece.bytes = 0;
  };

  const appendNow = async ({ path: piece }: Piece, kept: Kept | null): Promise<void> => {
    try {
      const part = await file.append(piece, kept);
      for (const row of part.differing) differing.push(row);
      appended(part.units);
    } catch (error) {
      if (!(error instanceof FormerDamaged)) throw error;
      damage = error;
      rmSync(piece);
    }
  };

  /** Completes the file, unless what it keeps is no use. @returns why that is so; null when the file is complete */
  const complete = async (): Promise<FormerDamaged | null> => {
    await pieces.at(-1)?.inFile;
    if (damage !== null) return damage;
    const found = await file.finish();
    if (found === units) return null;
    const message = `The row file has ${found} units instead of ${units}`;
    if (keeps) return new FormerDamaged(message);
    throw new Error(message);
  };

  return {
    async addSlice(engine, range) {
      slices.push(range);
      if (damage !== null) return;
      const piece = { path: `${path}.${slices.length}`, bytes: 0 };
      const written = room([...pieces]).then(() => write(engine, range, piece));
      const inFile = append(piece, written, pieces.at(-1)?.inFile ?? Promise.resolve());
      // Whoever adds the next slice, or finishes the file, learns of the failure.
      inFile.catch(() => {});
      pieces.push({ piece, inFile });
      await written;
    },
    async finish(engine) {
      const reason = await complete();
      if (reason === null) return keeps ? differing : null;
      await file.abort();
      const anew = await withoutFormer(options, reason);
      try {
        for (const range of slices) await anew.addSlice(engine, range);
        return await anew.finish(engine);
      } catch (error) {
        await anew.abort();
        throw error;
      }
    },
    abort: () => file.abort(),
  };
}
