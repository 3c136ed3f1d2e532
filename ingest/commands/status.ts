import { counted } from '../../runtime/counted.ts';
import { type NightRecord, readNights } from '../../runtime/nightly-record.ts';
import { warehouseFolder } from '../../runtime/settings.ts';
import { madeLine } from '../build/print-report.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { changesText } from '../run/build-report.ts';
import { currentBuild } from '../run/warehouse-lock.ts';
import { command, print } from './command.ts';

const SHOWN_NIGHTS = 7;

export const statusCommand = command({
  name: 'status',
  summary: 'show what is served, what is being built and how the last nights went',
  parameters: {},
  async run(_, { settings, json }) {
    const building = currentBuild(warehouseFolder(settings));
    const { served, changes, madeFrom, versions, name } = await withPublicationTarget(settings, async (target) => {
      const served = (await target.publications()).at(-1) ?? null;
      const report = served === null ? null : await target.report(served.version);
      return {
        served,
        changes: report?.changes ?? null,
        madeFrom: report?.madeFrom ?? null,
        versions: (await target.versions()).length,
        name: target.name,
      };
    });
    const serving =
      served === null
        ? 'Nothing is served yet.'
        : `Served: ${served.version}, export of ${served.exportDay}, published ${served.publishedAt} by ${served.cause}` +
          (served.forced === undefined ? '' : `, forced in spite of: ${served.forced.join('; ')}`) +
          (changes === null ? '' : `\nAgainst the version before it: ${changesText(changes)}`) +
          (madeFrom === null ? '' : `\nIt was ${madeLine(madeFrom)}`);
    const work =
      building === null
        ? 'No build is at work.'
        : `At work: process ${building.pid} since ${building.startedAt}, ${building.task}`;
    const nights = readNights(settings.STATE_DIR).slice(-SHOWN_NIGHTS);
    const text = [serving, work, `${counted(versions, 'version')} in ${name}`, ...nights.map(nightLine)].join('\n');
    print(json, { served, changes, madeFrom, building, versions, nights }, text);
    return 'done';
  },
});

function nightLine({ startedAt, outcome, failedStep, exitCode, message }: NightRecord): string {
  const prefix = `Night of ${startedAt.slice(0, 16)}Z: `;
  if (outcome === 'running') return `${prefix}at work`;
  if (outcome !== 'failed') return `${prefix}${message}`;
  return `${prefix}FAILED in its step ${failedStep}${exitCode === null ? '' : ` (exit code ${exitCode})`}: ${message}`;
}
