import { type Settings, warehouseFolder } from '../../sql/settings.ts';
import { currentPublication, listVersions } from '../../sql/warehouse/versions.ts';
import { buildAtWork } from '../build/lock.ts';
import { asJson, type IngestCommand, print } from './command.ts';

export const statusCommand: IngestCommand = {
  name: 'status',
  description: 'what is served, what is being built',
  words: asJson,
  run(settings: Settings, { json }: { json: boolean }) {
    const warehouse = warehouseFolder(settings);
    const served = currentPublication(warehouse);
    const building = buildAtWork(warehouse);
    const versions = listVersions(warehouse).length;
    const serving =
      served === null
        ? 'Nothing is served yet.'
        : `Served: ${served.version}, export of ${served.exportDay}, published ${served.publishedAt} by ${served.cause}` +
          (served.forced === undefined ? '' : `, forced in spite of: ${served.forced.join('; ')}`);
    const work =
      building === null
        ? 'No build is at work.'
        : `At work: process ${building.pid} since ${building.startedAt}, ${building.task}`;
    print(json, { served, building, versions }, `${serving}\n${work}\n${versions} versions in ${warehouse}`);
    return undefined;
  },
};
