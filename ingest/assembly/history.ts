import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../runtime/durable-files.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal, macroStatements, warehouseSql } from '../duckdb/sql-files.ts';
import type { BuildReport } from '../run/build-report.ts';
import type { Catalogues } from '../stage/labels.ts';
import { openStaged, UNITS } from './staged.ts';

/** Reads and writes history from exports older than the served version, in one small file per export day. */

const historyFolder = (warehouse: string): string => join(warehouse, 'history');

/** Writes history/<day>.parquet from staged units; returns the number of units. */
export async function writeHistory(
  engine: WarehouseConnection,
  warehouse: string,
  stage: string,
  catalogues: Catalogues,
  exportDay: string,
): Promise<number> {
  mkdirSync(historyFolder(warehouse), { recursive: true });
  await engine.run(macroStatements());
  await openStaged({ warehouse: engine, stage, catalogues }, UNITS);
  const unfinished = join(stage, 'history.parquet');
  await engine.run(warehouseSql('write-history.sql', { exportDay, file: literal(unfinished) }));
  const row = firstRow(
    await engine.rows<{ n: bigint }>(`SELECT count(*) AS n FROM read_parquet(${literal(unfinished)})`),
  );
  renameSync(unfinished, join(historyFolder(warehouse), `${exportDay}.parquet`));
  syncFolder(historyFolder(warehouse));
  return Number(row.n);
}

/**
 * The history of older exports that a build includes.
 * @param previous report of the version before, whose history is carried over
 * @returns pending: files that the version before does not include yet; days: all days that the new version will include
 */
export function historyFiles(
  warehouse: string,
  exportDay: string,
  previous: BuildReport | null,
): { pending: string[]; days: string[] } {
  const included = new Set(previous?.historyDays ?? []);
  const folder = historyFolder(warehouse);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^[0-9-]{10}\.parquet$/.test(file)) : [];
  const pending = files.map((file) => file.slice(0, 10)).filter((day) => day < exportDay && !included.has(day));
  return {
    pending: pending.map((day) => join(folder, `${day}.parquet`)),
    days: [...included, ...pending].sort(),
  };
}
