import type { Settings } from '../../runtime/settings.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import { BuildRefused } from '../run/refused.ts';
import { asJson, exclusively, type IngestCommand, print, requireVersion, workOf } from './command.ts';
import { stoppable } from './exit.ts';

export const rollbackCommand: IngestCommand = {
  name: 'rollback',
  description: 'serve an earlier version again',
  words: (command) => asJson(command.argument('[version]', 'default: the one served before')),
  async run(settings: Settings, { json }: { json: boolean }, wanted?: string) {
    await exclusively(settings, 'roll-back', async (published) => {
      const publications = await published.publications();
      const served = publications.at(-1);
      if (served === undefined) throw new BuildRefused('Nothing is served yet, so there is nothing to go back from.');
      const target = wanted ?? servedBefore(publications, await published.versions(), served.sequence);
      if (target === undefined) throw new BuildRefused('There is no earlier version to go back to.');
      await requireVersion(published, target);
      if (target === served.version) throw new BuildRefused(`${target} is the version served`);
      if (!publications.some(({ version }) => version === target)) {
        throw new BuildRefused(`${target} was never served. To serve it: npm run ingest -- publish ${target}`);
      }
      await stoppable((signal) => published.load(target, workOf(settings, json, signal)));
      const publication = await published.publish(target, 'rollback');
      print(json, publication, `Serving ${target} again (was ${served.version})`);
    });
    return undefined;
  },
};

function servedBefore(
  publications: readonly Publication[],
  versions: readonly Version[],
  current: number,
): string | undefined {
  const present = new Set(versions.map(({ id }) => id));
  return publications.findLast(({ version, sequence }) => present.has(version) && sequence < current)?.version;
}
