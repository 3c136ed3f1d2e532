import type { Logger } from '../../sql/log.ts';
import { type Settings, warehouseFolder, warehouseServer } from '../../sql/settings.ts';
import { serverVersions } from './clickhouse/shelf.ts';
import { folderVersions } from './duckdb/shelf.ts';
import type { VersionMeter } from './version.ts';
import { followVersions, type Warehouse } from './warehouse.ts';

/** Opens the warehouse that WAREHOUSE_URL names: a folder, or a server. */
export function openWarehouse(settings: Settings, log: Logger, meter: VersionMeter): Promise<Warehouse> {
  const limits = { threads: settings.QUERY_THREADS, memoryMb: settings.QUERY_MEMORY_MB };
  const server = warehouseServer(settings);
  return followVersions(
    server === null ? folderVersions(warehouseFolder(settings), limits, meter) : serverVersions(server, limits, meter),
    log,
  );
}
