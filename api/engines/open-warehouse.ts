import type { Logger } from '../../runtime/log.ts';
import { type Settings, warehouseFolder, warehouseServer } from '../../runtime/settings.ts';
import { serverVersions } from '../warehouse/clickhouse/version-store.ts';
import { folderVersions } from '../warehouse/duckdb/version-store.ts';
import type { VersionMeter } from '../warehouse/version.ts';
import { followVersions, type VersionStore, type Warehouse } from '../warehouse/warehouse.ts';

/** The versions of the warehouse that WAREHOUSE_URL names: a folder, or a server. The caller closes them. */
export function publishedVersions(settings: Settings, meter: VersionMeter): VersionStore {
  const limits = { threads: settings.QUERY_THREADS, memoryMb: settings.QUERY_MEMORY_MB };
  const server = warehouseServer(settings);
  return server === null
    ? folderVersions(warehouseFolder(settings), limits, meter)
    : serverVersions(server, limits, meter);
}

/** Opens the warehouse that WAREHOUSE_URL names. */
export const openWarehouse = (settings: Settings, log: Logger, meter: VersionMeter): Promise<Warehouse> =>
  followVersions(publishedVersions(settings, meter), log);
