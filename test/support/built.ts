import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DuckDBInstance, type Json } from '@duckdb/node-api';
import { build } from '../../ingest/build/build.ts';
import type { BuildOptions } from '../../ingest/build/options.ts';
import { bandsOf } from '../../ingest/checks/bands.ts';
import { folderTarget } from '../../ingest/publication/folder.ts';
import { silentProgress } from '../../ingest/run/progress.ts';
import { loadSampleTenders } from '../../ingest/tenders/sample.ts';
import { readSettings } from '../../runtime/settings.ts';
import { currentPublication, versionFile } from '../../sql/warehouse/versions.ts';
import { folderOfTests, generateDays } from './exports.ts';
import { SAMPLE } from './sample.ts';
import { sharedFolder } from './shared-folder.ts';

/** Warehouses built from exports, for tests that read their tables. */

/** Makes a folder for a warehouse. */
export function warehouseFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'warehouse-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The options of a build as a test runs it: the settings' defaults, quietly. */
export const buildOptions = (
  source: string,
  warehouse: string,
  day: string | null = null,
  force = false,
): BuildOptions => ({
  source,
  warehouse,
  target: folderTarget(warehouse),
  day,
  force,
  bands: bandsOf(readSettings({})),
  keep: 9,
  threads: 1,
  memoryMb: 500,
  compareEvery: 1000,
  progress: silentProgress,
});

/** Puts the committed sample with its award lists into a warehouse folder, built and published. */
export async function publishSample(warehouse: string): Promise<void> {
  const made = await sharedFolder('sample', async (folder) => {
    await loadSampleTenders(folder);
    await build({ ...buildOptions(SAMPLE, folder), threads: 2 });
  });
  cpSync(made, warehouse, { recursive: true });
}

/**
 * Puts the version that an export becomes into an empty warehouse folder, published in spite of its checks: exports of the same name and
 * content are built once in a run. For tests that begin with a version, not for those of how one is built.
 * @returns its id
 */
export async function publishExport(warehouse: string, source: string): Promise<string> {
  const digest = createHash('sha256').update(basename(source)).update(readFileSync(source)).digest('hex').slice(0, 16);
  const made = await sharedFolder(`version-${digest}`, async (folder) => {
    await build(buildOptions(source, folder, null, true));
  });
  cpSync(made, warehouse, { recursive: true });
  return currentPublication(warehouse)!.version;
}

/** Puts the small register into a warehouse folder, built and published: of 2026-11-01, and of as many days after it. */
export async function publishRegister(warehouse: string, daysAfter = 0): Promise<void> {
  const made = await sharedFolder(`register-${daysAfter}`, async (folder) => {
    const exports = folderOfTests();
    if (daysAfter > 0) await publishRegister(folder, daysAfter - 1);
    const sources = await generateDays(exports.path, daysAfter + 1);
    await build(buildOptions(sources[daysAfter]!, folder, null, daysAfter > 0));
    exports.remove();
  });
  cpSync(made, warehouse, { recursive: true });
}

export type Tables = <Row extends Record<string, Json>>(sql: string) => Promise<Row[]>;

/** Opens a version of a warehouse, by default the served one. Rows have JSON values: 64-bit numbers are texts. */
export async function withTables<T>(
  warehouse: string,
  ask: (tables: Tables) => Promise<T>,
  version: string = currentPublication(warehouse)!.version,
): Promise<T> {
  const instance = await DuckDBInstance.create(versionFile(warehouse, version), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    return await ask(async <Row extends Record<string, Json>>(sql: string) => {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRowObjectsJson() as Row[];
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
