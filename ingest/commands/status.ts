import { type Night, readNights } from '../../runtime/nights.ts';
import { type Settings, warehouseFolder } from '../../runtime/settings.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { buildAtWork } from '../run/lock.ts';
import { asJson, type IngestCommand, print } from './command.ts';

const SHOWN_NIGHTS = 7;

export const statusCommand: IngestCommand = {
  name: 'status',
  description: 'what is served, what is being built, what came of the last nights',
  words: asJson,
  async run(settings: Settings, { json }: { json: boolean }) {
    const building = buildAtWork(warehouseFolder(settings));
    const { served, versions, name } = await withPublicationTarget(settings, async (published) => ({
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
    const nights = readNights(settings.STATE_DIR).slice(-SHOWN_NIGHTS);
    const text = [serving, work, `${versions} versions in ${name}`, ...nights.map(nightLine)].join('\n');
    print(json, { served, building, versions, nights }, text);
    return undefined;
  },
};

function nightLine({ startedAt, outcome, failedStep, exitCode, message }: Night): string {
  const begin = `Night of ${startedAt.slice(0, 16)}Z: `;
  if (outcome === 'running') return `${begin}at work`;
  if (outcome !== 'failed') return `${begin}${message}`;
  return `${begin}FAILED in its step ${failedStep}${exitCode === null ? '' : ` (exit code ${exitCode})`}: ${message}`;
}
