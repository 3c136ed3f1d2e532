import { mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import type { Catalogues } from '../stage/labels.ts';
import { ParquetFile } from '../stage/parquet.ts';
import { tableColumns } from '../stage/plan.ts';
import { fileColumns } from '../stage/staged-files.ts';
import { requireStagedTable, type StagedTable } from '../stage/tables.ts';
import type { Assembly } from './assembly.ts';

/** The staged tables as views of the engine. */

/** The staged table of the units. */
export const UNITS = requireStagedTable('einheit');

/**
 * Creates the views over the files of a staged table; an empty file with all columns makes them work without any other.
 */
export async function openStaged(
  { warehouse, stage, catalogues }: Pick<Assembly, 'warehouse' | 'stage' | 'catalogues'>,
  table: StagedTable,
): Promise<void> {
  mkdirSync(join(stage, table.name), { recursive: true });
  writeShape(shapeFile(stage, table), table, catalogues);
  await warehouse.run(
    warehouseSql('staged-table.sql', {
      table: table.name,
      files: stagedFiles(stage, table).join(', '),
      key: table.key ?? '_zeile',
      changed: table.changed ?? 'NULL::TIMESTAMP',
    }),
  );
}

const shapeFile = (stage: string, table: StagedTable): string => join(stage, table.name, 'shape.parquet');

/** The files of a staged table, or of one of its slices, as SQL literals. */
export function stagedFiles(stage: string, table: StagedTable, slice: number | null = null): string[] {
  const folder = join(stage, table.name);
  const slices = readdirSync(folder).filter((name) =>
    slice === null ? /^[0-9]+$/.test(name) : name === String(slice),
  );
  const files = slices.flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)));
  return [shapeFile(stage, table), ...files].map(literal);
}

/** Removes the files of a slice once its records are in the version, so that a build needs no disk for both. */
export const removeStagedSlice = (stage: string, table: StagedTable, slice: number): Promise<void> =>
  rm(join(stage, table.name, String(slice)), { recursive: true, force: true });

function writeShape(path: string, table: StagedTable, catalogues: Catalogues): void {
  new ParquetFile(path, fileColumns(tableColumns(table, catalogues))).close();
}
