import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refused } from '../../runtime/command-line/exit.ts';
import { flag } from '../../runtime/command-line/parameter.ts';
import type { Settings } from '../../runtime/settings.ts';
import { withPublicationTarget } from '../publication/open.ts';
import type { BuildReport } from '../run/build-report.ts';
import { type BuildInput, runBuild } from './build.ts';
import { command } from './command.ts';

export const rebuildCommand = command({
  name: 'rebuild',
  summary: 'build the export of the version served again, with all that was loaded since',
  description:
    'Publishes award lists and tables of the operator now that the next night would publish. Units without a change stay unchanged.',
  parameters: { force: flag('publish although checks have failed') },
  json: 'progress and report as JSON lines',
  run: async ({ force }, context) => runBuild({ ...(await servedExport(context.settings)), force }, context),
});

/**
 * The export that the served version was built from.
 * @throws CommandFailed when there is none any more
 */
async function servedExport(settings: Settings): Promise<BuildInput> {
  const report = await withPublicationTarget(settings, async (target) => {
    const served = (await target.publications()).at(-1);
    if (served === undefined) throw refused('Nothing is served yet. Build an export: npm run ingest -- build <export>');
    const found = await target.report(served.version);
    if (found === null) {
      throw refused(`The report of ${served.version} is gone, so its export is unknown. ${BUILD_IT}`);
    }
    return found;
  });
  const path = placesOf(report, settings).find((place) => existsSync(place));
  if (path === undefined) {
    throw refused(
      `The export of ${report.version}, ${report.source}, is no longer at ${placesOf(report, settings).join(' or ')}. ${BUILD_IT}`,
    );
  }
  // The day was named because the export does not say it.
  return { source: path, day: report.exportDayFrom === 'option' ? report.exportDay : undefined };
}

const BUILD_IT = 'Name it: npm run ingest -- build <export>; npm run ingest -- fetch downloads the newest one';

/** The path of the export when it was built, and its path among the downloads. */
const placesOf = ({ source, sourcePath }: BuildReport, { EXPORT_DIR }: Settings): string[] => [
  ...(sourcePath === undefined ? [] : [sourcePath]),
  join(EXPORT_DIR, source),
];
