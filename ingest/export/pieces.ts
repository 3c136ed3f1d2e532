import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { itemAt } from '../../runtime/present.ts';
import { csvLine, jsonLine, typedColumns } from '../../sql/warehouse/duckdb/dump.ts';
import { literal } from '../duckdb/sql-files.ts';
import { openEngine } from './engine.ts';
import type { Format } from './format.ts';

/**
 * The units of a version in the order of their MaStR numbers, a range of numbers at a time: as many as can be sorted in
 * memory with all that is said of them. The tables themselves lie in the order of slices, and any order within one.
 */

/** A file with the units of a range, in the format of the dump; the files in their order are the dump. */
export interface Piece {
  readonly path: string;
  readonly rows: number;
}

/** Units of a piece: what is sorted of them, and their text, some 30 MB, is in memory at once. */
const PIECE_ROWS: Readonly<Record<Format, number>> = { parquet: 20_480, csv: 20_480, ndjson: 6_144 };

/** Rows of a row group of the dump, which readers of Parquet load at once. */
const ROW_GROUP = 40_960;

/** Texts come ready from their columns: the engine puts nothing but line feeds between them. */
const AS_TEXT = "FORMAT csv, HEADER false, QUOTE '', ESCAPE ''";

const OPTIONS: Readonly<Record<Format, string>> = {
  // Read again once, on the same machine.
  parquet: `FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${PIECE_ROWS.parquet}`,
  csv: AS_TEXT,
  ndjson: AS_TEXT,
};

const SELECTED: Readonly<Record<Format, (today: string) => string>> = {
  parquet: typedColumns,
  csv: (today) => `${csvLine(today)} || chr(13)`,
  ndjson: jsonLine,
};

/**
 * Writes the pieces one after the other, each when it is asked for.
 * @param work folder for them; whoever takes a piece removes it
 * @param today calendar day that counts as today, YYYY-MM-DD
 */
export async function* piecesOf(
  engine: DuckDBConnection,
  units: number,
  format: Format,
  work: string,
  today: string,
): AsyncGenerator<Piece> {
  await mkdir(work, { recursive: true });
  const bounds = await boundsOf(engine, Math.ceil(units / PIECE_ROWS[format]));
  for (let place = 0; place <= bounds.length; place++) {
    const path = join(work, `${String(place).padStart(6, '0')}.${format}`);
    const [from, to] = [bounds[place - 1], bounds[place]];
    const range = [
      ...(from === undefined ? [] : [`nummer > ${from}`]),
      ...(to === undefined ? [] : [`nummer <= ${to}`]),
    ];
    const where = range.length === 0 ? '' : `WHERE ${range.join(' AND ')}`;
    const rows = await copied(
      engine,
      `COPY (SELECT ${SELECTED[format](today)} FROM units ${where} ORDER BY nummer) TO ${literal(path)} (${OPTIONS[format]})`,
    );
    yield { path, rows };
  }
}

/**
 * Makes one Parquet file of pieces, with what is said of it in its metadata.
 * @returns its units
 */
export async function joinParquet(
  pieces: readonly Piece[],
  path: string,
  metadata: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const files = pieces.map((piece) => literal(piece.path)).join(', ');
  const tags = Object.entries(metadata).map(([name, value]) => `"${name}": ${literal(value)}`);
  const { connection, close } = await openEngine(':memory:', signal);
  try {
    return await copied(
      connection,
      `COPY (FROM read_parquet([${files}])) TO ${literal(path)}
       (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP}, KV_METADATA {${tags.join(', ')}})`,
    );
  } finally {
    close();
  }
}

/** The last number of each piece but the last one, so that all have as many units. */
async function boundsOf(engine: DuckDBConnection, pieces: number): Promise<bigint[]> {
  if (pieces < 2) return [];
  const shares = Array.from({ length: pieces - 1 }, (_, place) => (place + 1) / pieces).join(', ');
  const found = await engine.runAndReadAll(`SELECT quantile_disc(nummer, [${shares}]) FROM units`);
  return itemAt(found.getColumnsJS(), 0)[0] as bigint[];
}

/** @returns the rows that a COPY wrote */
const copied = async (engine: DuckDBConnection, statement: string): Promise<number> =>
  Number(itemAt((await engine.runAndReadAll(statement)).getRowsJS(), 0)[0]);
