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
    changeVersions(settings, 'roll-back', async (published): Promise<ExitName> => {
      const publications = await published.publications();
      const served = publications.at(-1);
      if (served === undefined) throw refused('Nothing is served yet, so there is nothing to go back from.');
      const target = requested ?? servedBefore(publications, await published.versions(), served.sequence);
      if (target === undefined) throw refused('There is no earlier version to go back to.');
      await requireVersion(published, target);
      if (target === served.version) throw refused(`${target} is the version served`);
      if (!publications.some(({ version }) => version === target)) {
        throw refused(`${target} was never served. To serve it: npm run ingest -- publish ${target}`);
      }
      await abortOnSignal((signal) => published.take(target, workOf(settings, json, signal)), BUILD_INTERRUPTED);
      const publication = await published.publish(target, 'rollback');
      print(json, publication, `Serving ${target} again (was ${served.version})`);
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
