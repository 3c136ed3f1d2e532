import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance, type Json } from '@duckdb/node-api';
import { build } from '../../ingest/assembly/build.ts';
import type { BuildOptions } from '../../ingest/assembly/options.ts';
import { bandsOf } from '../../ingest/checks/bands.ts';
import { folderTarget } from '../../ingest/publication/folder.ts';
import { silentProgress } from '../../ingest/run/progress.ts';
import { filesOf, loadTenders } from '../../ingest/tenders/load.ts';
import { INVENTED_FILE } from '../../runtime/invented.ts';
import { readSettings } from '../../runtime/settings.ts';
import { currentPublication, versionFile } from '../../sql/warehouse/versions.ts';
import { folderOfTests, generateExport } from './exports.ts';
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
  progress: silentProgress,
});

const SAMPLE_LISTS = join(dirname(SAMPLE), 'tenders');

/** Loads the award lists of a folder into a warehouse, for its next build. */
async function loadLists(warehouse: string, folder: string): Promise<void> {
  const outcomes = await loadTenders(warehouse, filesOf([folder]), { dryRun: false, day: '2026-11-01' });
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  if (refused.length > 0) throw new Error(`Award lists were refused: ${JSON.stringify(refused)}`);
}

/**
 * Loads the award lists of the sample as if they were true ones: a build of an export that the generator did not write itself
 * keeps them.
 * @param folder for the renamed files
 */
export async function loadTrueLists(warehouse: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(SAMPLE_LISTS)) {
    cpSync(join(SAMPLE_LISTS, name), join(folder, name.replace(INVENTED_FILE, '')));
  }
  await loadLists(warehouse, folder);
}

/** Puts the committed sample with its award lists into a warehouse folder, built and published. */
export async function publishSample(warehouse: string): Promise<void> {
  const made = await sharedFolder('sample', async (folder) => {
    await loadLists(folder, SAMPLE_LISTS);
    await build({ ...buildOptions(SAMPLE, folder), threads: 2 });
  });
  cpSync(made, warehouse, { recursive: true });
}

/** Puts the small register of 2026-11-01 into a warehouse folder, built and published. */
export async function publishRegister(warehouse: string): Promise<void> {
  const made = await sharedFolder('register', async (folder) => {
    const exports = folderOfTests();
    await build(buildOptions(await generateExport(exports.path, '2026-11-01'), folder));
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
