import { type Settings, SettingsError, warehouseFolder, warehouseServer } from '../../runtime/settings.ts';
import { inClickHouse } from './clickhouse.ts';
import { inFolder } from './folder.ts';
import type { Published } from './published.ts';

/** Where the settings say that versions are published. Whoever opens it closes it. */
function openPublished(settings: Settings): Published {
  const folder = warehouseFolder(settings);
  const address = warehouseServer(settings);
  if (address === null) return inFolder(folder);
  if (settings.CLICKHOUSE_SHARDS > 1 && settings.CLICKHOUSE_CLUSTER === null) {
    throw new SettingsError('CLICKHOUSE_SHARDS: several shards need the name of their cluster, CLICKHOUSE_CLUSTER');
  }
  const placement = { cluster: settings.CLICKHOUSE_CLUSTER, shards: settings.CLICKHOUSE_SHARDS };
  return inClickHouse(folder, { address, placement });
}

/** The same for as long as the work lasts. */
export async function withPublished<T>(settings: Settings, work: (published: Published) => Promise<T>): Promise<T> {
  const published = openPublished(settings);
  try {
    return await work(published);
  } finally {
    await published.close();
  }
}
