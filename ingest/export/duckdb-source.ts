import { firstRow } from '../../sql/warehouse/first-row.ts';
import { listVersions, versionFile } from '../../sql/warehouse/versions.ts';
import { openReadOnly } from '../duckdb/connection.ts';
import { CHANGED_SINCE, type DumpSource, dumpLimits, requireDumpColumns } from './source.ts';

/** Opens a version of a warehouse folder; null when it does not exist. */
export async function openFolderSource(
  folder: string,
  version: string,
  memoryMb: number,
  signal: AbortSignal,
): Promise<DumpSource | null> {
  const exists = () => listVersions(folder).some(({ id }) => id === version);
  if (!exists()) return null;
  try {
    return await openDuckdbSource(folder, version, memoryMb, signal);
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
export async function openDuckdbSource(
  folder: string,
  version: string,
  memoryMb: number,
  signal: AbortSignal,
): Promise<DumpSource> {
  const engine = await openReadOnly(versionFile(folder, version), dumpLimits(memoryMb), signal);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await engine.close();
    isOpen = false;
  };
  try {
    const columns = await engine.rows<{ name: string }>(
      "SELECT column_name AS name FROM duckdb_columns() WHERE NOT internal AND table_name = 'units'",
    );
    const present = new Set(columns.map(({ name }) => name));
    requireDumpColumns(present, version);
    const about = await engine.rows<{ exportDay: string; units: number }>(
      'SELECT CAST(exportDay AS VARCHAR) AS "exportDay", CAST((SELECT count(*) FROM units) AS INTEGER) AS units FROM dataset',
    );
    return {
      ...firstRow(about),
      async engine(changes) {
        if (changes) requireDumpColumns(present, version, CHANGED_SINCE);
        return engine;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
