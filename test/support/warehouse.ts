import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { build } from '../../ingest/build/build.ts';
import type { BuildOptions } from '../../ingest/build/options.ts';
import { bandsOf } from '../../ingest/checks/bands.ts';
import { folderTarget } from '../../ingest/publication/folder.ts';
import { type BuildReport, readReport } from '../../ingest/run/build-report.ts';
import { silentProgress } from '../../ingest/run/progress.ts';
import { readSettings } from '../../runtime/settings.ts';
import { openRowFile } from '../../sql/warehouse/rows/reader.ts';
import { currentPublication, listVersions, reportFile, rowFile, versionFile } from '../../sql/warehouse/versions.ts';

/** Warehouse folders as tests build and inspect them. */

/** Builds in this process, with the defaults of the command line and one reading thread. */
export const buildIn = (warehouse: string, source: string, options: Partial<BuildOptions> = {}) =>
  build(withDefaults(warehouse, source, options));

export const withDefaults = (warehouse: string, source: string, options: Partial<BuildOptions> = {}): BuildOptions => ({
  source,
  warehouse,
  target: folderTarget(warehouse),
  day: null,
  force: false,
  bands: bandsOf(readSettings({})),
  keep: 3,
  threads: 1,
  memoryMb: 300,
  compareEvery: 1000,
  progress: silentProgress,
  ...options,
});

export type Values = Readonly<Record<string, unknown>>;

export type RunQuery = <T = Values>(sql: string) => Promise<T[]>;

/** Opens a version read-only, as the service does. */
export async function withVersion<Result>(
  warehouse: string,
  version: string,
  use: (queryVersion: RunQuery) => Promise<Result>,
): Promise<Result> {
  const instance = await DuckDBInstance.create(versionFile(warehouse, version), {
    access_mode: 'READ_ONLY',
    threads: '1',
  });
  const connection = await instance.connect();
  try {
    return await use(async <T>(sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS() as T[]);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Runs one query against a version. */
export function queryVersion<T = Values>(warehouse: string, version: string, sql: string): Promise<T[]> {
  return withVersion(warehouse, version, (one) => one<T>(sql));
}

/** Runs one query against the served version. */
export function queryServed<T = Values>(warehouse: string, sql: string): Promise<T[]> {
  return queryVersion<T>(warehouse, currentPublication(warehouse)!.version, sql);
}

/** Returns the served version, as its own file names it, and its number of units. */
export async function served(warehouse: string): Promise<{ version: string; units: number } | null> {
  if (currentPublication(warehouse) === null) return null;
  const [row] = await queryServed<{ version: string; units: bigint }>(
    warehouse,
    'SELECT version, (SELECT count(*) FROM units) AS units FROM dataset',
  );
  return { version: row!.version, units: Number(row!.units) };
}

/**
 * Returns the versions that are not complete: without their file or report, or with less in them than the report says.
 * @param seen versions that were complete before and need not be opened again
 */
export async function incompleteVersions(warehouse: string, seen = new Set<string>()): Promise<string[]> {
  const incomplete: string[] = [];
  const folder = join(warehouse, 'versions');
  const known = new Set(listVersions(warehouse).map(({ id }) => id));
  if (existsSync(folder)) incomplete.push(...readdirSync(folder).filter((name) => !known.has(name)));
  for (const id of known) {
    if (seen.has(id)) continue;
    if (await isComplete(warehouse, id)) seen.add(id);
    else incomplete.push(id);
  }
  return incomplete;
}

async function isComplete(warehouse: string, id: string): Promise<boolean> {
  if (!existsSync(versionFile(warehouse, id)) || !existsSync(reportFile(warehouse, id))) return false;
  const report = readReport(warehouse, id)!;
  const [row] = await queryVersion<{ version: string; units: bigint; files: bigint }>(
    warehouse,
    id,
    'SELECT version, (SELECT count(*) FROM units) AS units, (SELECT count(*) FROM dateien) AS files FROM dataset',
  );
  const rows = openRowFile(rowFile(warehouse, id));
  rows.close();
  return (
    row!.version === id &&
    Number(row!.units) === unitsOf(report) &&
    rows.units === unitsOf(report) &&
    Number(row!.files) === report.dateien.length
  );
}

const unitsOf = (report: BuildReport): number => Object.values(report.units).reduce((sum, count) => sum + count, 0);

/** Returns every path that is neither the pointer, nor a file of a version, nor history, nor a loaded table. */
export function strayFiles(warehouse: string): string[] {
  if (!existsSync(warehouse)) return [];
  return readdirSync(warehouse, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name).slice(warehouse.length + 1))
    .filter(
      (path) =>
        !/^(current\.json|erasures\.json|versions|versions\/[0-9-]+|versions\/[0-9-]+\/(warehouse\.duckdb|units\.rows|units\.search|units\.orders|region\.days|report\.json)|history|history\/[0-9-]+\.parquet|tables|tables\/nep\.csv)$/.test(
          path,
        ),
    );
}
