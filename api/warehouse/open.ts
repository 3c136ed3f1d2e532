import type { Logger } from '../../sql/log.ts';
import { type Settings, warehouseFolder, warehouseServer } from '../../sql/settings.ts';
import { serverShelf } from './clickhouse/shelf.ts';
import { folderShelf } from './duckdb/shelf.ts';
import { followShelf, type Warehouse } from './warehouse.ts';

/** Opens the warehouse that WAREHOUSE_URL names: a folder, or a server. */
export function openWarehouse(settings: Settings, log: Logger): Promise<Warehouse> {
  const limits = { threads: settings.QUERY_THREADS, memoryMb: settings.QUERY_MEMORY_MB };
  const server = warehouseServer(settings);
  return followShelf(
    server === null ? folderShelf(warehouseFolder(settings), limits) : serverShelf(server, limits),
    log,
  );
}
