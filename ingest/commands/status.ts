import { type Settings, warehouseFolder } from '../../sql/settings.ts';
import { buildAtWork } from '../build/lock.ts';
import { withPublished } from '../published/open.ts';
import { asJson, type IngestCommand, print } from './command.ts';

export const statusCommand: IngestCommand = {
  name: 'status',
  description: 'what is served, what is being built',
  words: asJson,
  async run(settings: Settings, { json }: { json: boolean }) {
    const building = buildAtWork(warehouseFolder(settings));
    const { served, versions, name } = await withPublished(settings, async (published) => ({
      served: (await published.publications()).at(-1) ?? null,
      versions: (await published.versions()).length,
      name: published.name,
    }));
    const serving =
      served === null
        ? 'Nothing is served yet.'
        : `Served: ${served.version}, export of ${served.exportDay}, published ${served.publishedAt} by ${served.cause}` +
          (served.forced === undefined ? '' : `, forced in spite of: ${served.forced.join('; ')}`);
    const work =
      building === null
        ? 'No build is at work.'
        : `At work: process ${building.pid} since ${building.startedAt}, ${building.task}`;
    print(json, { served, building, versions }, `${serving}\n${work}\n${versions} versions in ${name}`);
    return undefined;
  },
};
