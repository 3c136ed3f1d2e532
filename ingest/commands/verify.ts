import { existsSync } from 'node:fs';
import { z } from 'zod';
import { refused } from '../../runtime/command-line/exit.ts';
import { argument } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { warehouseFolder, warehouseServer } from '../../runtime/settings.ts';
import { currentPublication, listVersions, versionFolder } from '../../sql/warehouse/versions.ts';
import { verifyVersion } from '../verify/verify-version.ts';
import { command, print, VERSIONS_HINT } from './command.ts';

export const verifyCommand = command({
  name: 'verify',
  summary: 'read a version of the folder whole, and report what is damaged and what to do',
  parameters: { version: argument('default: the version served', z.string().optional()) },
  async run({ version: requested }, { settings, json }) {
    const folder = warehouseFolder(settings);
    const version = requested ?? currentPublication(folder)?.version ?? listVersions(folder).at(-1)?.id;
    if (version === undefined) {
      const elsewhere = warehouseServer(settings) === null ? '' : ' ClickHouse verifies its own tables: CHECK TABLE.';
      throw refused(`There are no versions in ${folder}, so there is nothing to verify.${elsewhere}`);
    }
    if (requested !== undefined && !isKnown(folder, requested))
      throw refused(`There is no version ${requested}. ${VERSIONS_HINT}`);
    const { damage, notes } = await abortOnSignal(
      (signal) => verifyVersion(folder, version, settings.INGEST_MEMORY_MB, signal),
      'nothing was changed.',
    );
    const verdict = damage.length === 0 ? `No damage was found in ${version}.` : `${version} IS DAMAGED:`;
    print(json, { version, damage, notes }, [verdict, ...damage.map((line) => `  ${line}`), ...notes].join('\n'));
    return damage.length === 0 ? 'done' : 'damaged';
  },
});

/** A version that the pointer names and whose folder is gone is known, and damaged. */
const isKnown = (folder: string, version: string): boolean =>
  existsSync(versionFolder(folder, version)) || currentPublication(folder)?.version === version;
