import { type Settings, warehouseFolder } from '../../runtime/settings.ts';
import { currentPublication, listVersions } from '../../sql/warehouse/versions.ts';
import { BuildRefused } from '../run/refused.ts';
import { verifyVersion } from '../verify/verify-version.ts';
import { asJson, type IngestCommand, print } from './command.ts';
import { EXIT, stoppable } from './exit.ts';

export const verifyCommand: IngestCommand = {
  name: 'verify',
  description: 'read a version of the folder whole, and tell what is damaged and what to do',
  words: (command) => asJson(command.argument('[version]', 'default: the version served')),
  async run(settings: Settings, { json }: { json: boolean }, wanted?: string) {
    const folder = warehouseFolder(settings);
    const version = wanted ?? currentPublication(folder)?.version ?? listVersions(folder).at(-1)?.id;
    if (version === undefined)
      throw new BuildRefused(`There are no versions in ${folder}, so there is nothing to verify.`);
    const { damage, notes } = await stoppable(
      (signal) => verifyVersion(folder, version, settings.INGEST_MEMORY_MB, signal),
      'nothing was changed.',
    );
    const verdict = damage.length === 0 ? `No damage was found in ${version}.` : `${version} IS DAMAGED:`;
    print(json, { version, damage, notes }, [verdict, ...damage.map((line) => `  ${line}`), ...notes].join('\n'));
    return damage.length === 0 ? EXIT.done : EXIT.damaged;
  },
};
