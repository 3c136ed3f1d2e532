import type { Logger } from '../../runtime/log.ts';
import { type Settings, warehouseFolder, warehouseServer } from '../../runtime/settings.ts';
import { folderVersions } from '../warehouse/duckdb/version-store.ts';
import type { VersionMeter } from '../warehouse/version.ts';
import { followVersions, type VersionStore, type Warehouse } from '../warehouse/warehouse.ts';

/**
 * The versions of the warehouse that WAREHOUSE_URL names: a folder, or a server, whose client is loaded only then. The
 * caller closes them.
 */
export async function publishedVersions(settings: Settings, meter: VersionMeter): Promise<VersionStore> {
  const limits = { threads: settings.QUERY_THREADS, memoryMb: settings.QUERY_MEMORY_MB };
  const server = warehouseServer(settings);
  if (server === null) return folderVersions(warehouseFolder(settings), limits, meter);
  const { serverVersions } = await import('../warehouse/clickhouse/version-store.ts');
  return serverVersions(server, limits, meter);
}

/** Opens the warehouse that WAREHOUSE_URL names. */
export const openWarehouse = async (settings: Settings, log: Logger, meter: VersionMeter): Promise<Warehouse> =>
  followVersions(await publishedVersions(settings, meter), log);
