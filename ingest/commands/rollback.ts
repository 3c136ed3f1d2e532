import { z } from 'zod';
import { type ExitName, refused } from '../../runtime/command-line/exit.ts';
import { argument } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import { BUILD_INTERRUPTED, changeVersions, command, print, requireVersion, workOf } from './command.ts';

export const rollbackCommand = command({
  name: 'rollback',
  summary: 'serve an earlier version again',
  parameters: { version: argument('default: the one served before', z.string().optional()) },
  run: ({ version: requested }, { settings, json }) =>
    changeVersions(settings, 'roll-back', async (target): Promise<ExitName> => {
      const publications = await target.publications();
      const served = publications.at(-1);
      if (served === undefined) throw refused('Nothing is served yet, so there is nothing to go back from.');
      const version = requested ?? servedBefore(publications, await target.versions(), served.sequence);
      if (version === undefined) throw refused('There is no earlier version to go back to.');
      await requireVersion(target, version);
      if (version === served.version) throw refused(`${version} is the version served`);
      if (!publications.some((publication) => publication.version === version)) {
        throw refused(`${version} was never served. To serve it: npm run ingest -- publish ${version}`);
      }
      await abortOnSignal((signal) => target.load(version, workOf(settings, json, signal)), BUILD_INTERRUPTED);
      const publication = await target.publish(version, 'rollback');
      print(json, publication, `Serving ${version} again (was ${served.version})`);
      return 'done';
    }),
});

function servedBefore(
  publications: readonly Publication[],
  versions: readonly Version[],
  current: number,
): string | undefined {
  const present = new Set(versions.map(({ id }) => id));
  return publications.findLast(({ version, sequence }) => present.has(version) && sequence < current)?.version;
}
