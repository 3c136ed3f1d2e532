import { listVersions, versionFile } from '../../sql/warehouse/versions.ts';
import { openEngine, requireDumpColumns } from './engine.ts';
import type { DumpSource } from './source.ts';

/** Opens a version of a warehouse folder; null when it does not exist. */
export async function openFolderSource(
  folder: string,
  version: string,
  signal: AbortSignal,
): Promise<DumpSource | null> {
  const exists = () => listVersions(folder).some(({ id }) => id === version);
  if (!exists()) return null;
  try {
    return await openDuckdbSource(folder, version, signal);
  } catch (error) {
    // It may have been pruned just now.
    if (!exists()) return null;
    throw error;
  }
}

/**
 * A version of a warehouse folder. It stays readable until it is closed, even when it is pruned meanwhile, because an open
 * file outlives its name.
 * @throws BuildRefused when an older release has built the version
 */
export async function openDuckdbSource(folder: string, version: string, signal: AbortSignal): Promise<DumpSource> {
  const { connection, close } = await openEngine(versionFile(folder, version), signal);
  try {
    const columns = await connection.runAndReadAll(
      "SELECT column_name FROM duckdb_columns() WHERE NOT internal AND table_name = 'units'",
    );
    requireDumpColumns(new Set(columns.getRowsJS().map(([name]) => String(name))), version);
    const about = await connection.runAndReadAll(
      'SELECT CAST(exportDay AS VARCHAR), CAST((SELECT count(*) FROM units) AS INTEGER) FROM dataset',
    );
    const [exportDay, units] = about.getRowsJS()[0] as [string, number];
    return { exportDay, units, engine: async () => connection, close: async () => close() };
  } catch (error) {
    close();
    throw error;
  }
}
