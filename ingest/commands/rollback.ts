import type { Settings } from '../../sql/settings.ts';
import { currentPublication, listVersions, publications, publish } from '../../sql/warehouse/versions.ts';
import { BuildRefused } from '../build/build.ts';
import { asJson, exclusively, type IngestCommand, print, requireVersion } from './command.ts';

export const rollbackCommand: IngestCommand = {
  name: 'rollback',
  description: 'serve an earlier version again',
  words: (command) => asJson(command.argument('[version]', 'default: the one served before')),
  async run(settings: Settings, { json }: { json: boolean }, wanted?: string) {
    await exclusively(settings, 'roll-back', (warehouse) => {
      const served = currentPublication(warehouse);
      if (served === null) throw new BuildRefused('Nothing is served yet, so there is nothing to go back from.');
      const target = wanted ?? servedBefore(warehouse, served.sequence);
      if (target === undefined) throw new BuildRefused('There is no earlier version to go back to.');
      requireVersion(warehouse, target);
      if (target === served.version) throw new BuildRefused(`${target} is the version served`);
      if (!publications(warehouse).some(({ version }) => version === target)) {
        throw new BuildRefused(`${target} was never served. To serve it: npm run ingest -- publish ${target}`);
      }
      const publication = publish(warehouse, target, 'rollback', new Date());
      print(json, publication, `Serving ${target} again (was ${served.version})`);
    });
    return undefined;
  },
};

function servedBefore(warehouse: string, current: number): string | undefined {
  const present = new Set(listVersions(warehouse).map(({ id }) => id));
  return publications(warehouse).findLast(({ version, sequence }) => present.has(version) && sequence < current)
    ?.version;
}
