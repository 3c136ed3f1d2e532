import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { COPIED_TABLES, duckdbValues } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { duckdbUnitColumns } from '../../sql/warehouse/duckdb/columns.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';

/** Units as Parquet files: each is a block on its way to the server, and what else the build computes from units reads them all. */

/** Rows that the engine encodes at once, and row groups of a block: a slice that is no larger than usual is one. */
const [ROW_GROUP_ROWS, ROW_GROUPS_OF_BLOCK] = [40_960, 6];

export interface WrittenUnits {
  /** The files, in their order. */
  readonly files: readonly string[];
  readonly rows: number;
}

/** Writes units into a folder, as the server takes them. @param units a table or view with the columns of `units` */
export async function writeUnits(lane: WarehouseConnection, units: string, folder: string): Promise<WrittenUnits> {
  mkdirSync(folder, { recursive: true });
  await lane.run(
    `COPY (SELECT ${COPIED_TABLES.units} FROM ${units}) TO ${literal(folder)}
     (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}, ROW_GROUPS_PER_FILE ${ROW_GROUPS_OF_BLOCK}, OVERWRITE)`,
  );
  const files = readdirSync(folder)
    .map((name) => join(folder, name))
    .sort();
  if (files.length === 0) return { files, rows: 0 };
  const { n } = firstRow(await lane.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${parquet(files)}`));
  return { files: Number(n) === 0 ? [] : files, rows: Number(n) };
}

/** The statement that makes the view `units` over the files of all slices, with the types of the table `units` of a file. */
export function viewOfUnits(files: readonly string[]): string {
  if (files.length === 0) return `CREATE TABLE units (\n${duckdbUnitColumns()}\n)`;
  return `CREATE VIEW units AS SELECT * ${duckdbValues()} FROM ${parquet(files)}`;
}

/** The rows of files, as a table expression. */
export const parquet = (files: readonly string[]): string => `read_parquet([${files.map(literal).join(', ')}])`;
