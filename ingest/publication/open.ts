import { type Settings, SettingsError, warehouseFolder, warehouseServer } from '../../runtime/settings.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { folderTarget } from './folder.ts';

/** Opens the target that the settings name; the client of a server is loaded only for one. The caller closes it. */
async function openPublicationTarget(settings: Settings): Promise<PublicationTarget> {
  const folder = warehouseFolder(settings);
  const address = warehouseServer(settings);
  if (address === null) return folderTarget(folder);
  if (settings.CLICKHOUSE_SHARDS > 1 && settings.CLICKHOUSE_CLUSTER === null) {
    throw new SettingsError('CLICKHOUSE_SHARDS: several shards need the name of their cluster, CLICKHOUSE_CLUSTER');
  }
  const placement = { cluster: settings.CLICKHOUSE_CLUSTER, shards: settings.CLICKHOUSE_SHARDS };
  const { clickhouseTarget } = await import('./clickhouse.ts');
  return clickhouseTarget(folder, { address, placement });
}

/** Opens the target that the settings name for as long as the work lasts. */
export async function withPublicationTarget<T>(
  settings: Settings,
  work: (target: PublicationTarget) => Promise<T>,
): Promise<T> {
  const target = await openPublicationTarget(settings);
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}
