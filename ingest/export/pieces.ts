import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnitField } from '../../sql/catalogue/field.ts';
import { csvLine, jsonLine, typedColumns } from '../../sql/warehouse/duckdb/dump.ts';
import type { DumpForm, Format } from '../../sql/warehouse/dumps.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';

/**
 * Reads the units of a version in the order of their MaStR numbers, a range of numbers at a time, so that each range can
 * be sorted in memory with all its columns. The tables themselves are in the order of slices, with any order within one.
 */

/** A file with the units of a range, as Parquet or in the text format of the dump; all files in their order make up the dump. */
export interface Piece {
  readonly path: string;
  readonly rows: number;
}

/**
 * Units of a piece: their columns to be sorted and their text, some 30 MB, are in memory at once. Of Parquet it is a row group of
 * the dump as well, which readers load at once. The engine that writes it holds two of them with all columns: 150 MB of these, and
 * 240 MB of twice as many, which leave no room in the least memory that may be set.
 */
export const PIECE_ROWS: Readonly<Record<Format, number>> = {
  parquet: 20_480,
  duckdb: 20_480,
  csv: 20_480,
  ndjson: 6_144,
};

/** The columns contain finished lines; the engine only adds line feeds between them. */
const AS_TEXT = "FORMAT csv, HEADER false, QUOTE '', ESCAPE ''";

/** Read only once more, on the same machine. */
const AS_PARQUET = `FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${PIECE_ROWS.parquet}`;

const OPTIONS: Readonly<Record<Format, string>> = {
  parquet: AS_PARQUET,
  duckdb: AS_PARQUET,
  csv: AS_TEXT,
  ndjson: AS_TEXT,
};

type SelectList = (fields: readonly UnitField[], today: string, form: DumpForm) => string;

const SELECT_LISTS: Readonly<Record<Format, SelectList>> = {
  parquet: (fields, today, { decimals }) => typedColumns(fields, today, decimals),
  duckdb: (fields, today, { decimals }) => typedColumns(fields, today, decimals),
  csv: (fields, today, { dialect }) => `${csvLine(fields, today, dialect)} || chr(13)`,
  ndjson: jsonLine,
};

/** Rows that are written a range of units at a time. */
export interface Pieced {
  readonly fields: readonly UnitField[];
  /** Units that the rows are about. */
  readonly units: number;
  /** Selects the numbers of the units, as `nummer`. */
  readonly numbers: string;
  /** What stands after FROM: the rows of some units, in their order. @param among condition over `nummer` */
  rows(among: string): string;
}

/**
 * Writes the pieces one after another, each on demand.
 * @param work folder for the pieces, which the caller removes
 * @param today calendar day that counts as today, YYYY-MM-DD
 */
export async function* piecesOf(
  engine: WarehouseConnection,
  { units, fields, numbers, rows: rowsOf }: Pieced,
  form: DumpForm,
  work: string,
  today: string,
): AsyncGenerator<Piece> {
  const { format } = form;
  await mkdir(work, { recursive: true });
  const bounds = await boundsOf(engine, numbers, Math.ceil(units / PIECE_ROWS[format]));
  for (let index = 0; index <= bounds.length; index++) {
    const path = join(work, `${String(index).padStart(6, '0')}.${format}`);
    const [from, to] = [bounds[index - 1], bounds[index]];
    const range = [
      ...(from === undefined ? [] : [`nummer > ${from}`]),
      ...(to === undefined ? [] : [`nummer <= ${to}`]),
    ];
    const among = range.length === 0 ? 'true' : range.join(' AND ');
    const rows = await copyRows(
      engine,
      `COPY (SELECT ${SELECT_LISTS[format](fields, today, form)} FROM ${rowsOf(among)}) TO ${literal(path)} (${OPTIONS[format]})`,
    );
    yield { path, rows };
  }
}

/** The last number of each piece except the last, chosen so that all pieces have about as many units. */
async function boundsOf(engine: WarehouseConnection, numbers: string, pieces: number): Promise<bigint[]> {
  if (pieces < 2) return [];
  const shares = Array.from({ length: pieces - 1 }, (_, index) => (index + 1) / pieces).join(', ');
  const sql = `SELECT unnest(quantile_disc(nummer, [${shares}])) AS bound FROM (${numbers}) AS numbered`;
  return (await engine.rows<{ bound: bigint }>(sql)).map(({ bound }) => bound);
}

/** Runs a COPY; returns the number of rows written. */
export const copyRows = async (engine: WarehouseConnection, statement: string): Promise<number> =>
  Number(firstRow(await engine.rows<{ Count: bigint }>(statement)).Count);
