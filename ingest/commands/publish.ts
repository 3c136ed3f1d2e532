import type { Settings } from '../../sql/settings.ts';
import { currentPublication, publish } from '../../sql/warehouse/versions.ts';
import { BuildRefused } from '../build/build.ts';
import { readReport } from '../build/report.ts';
import { asJson, exclusively, type IngestCommand, print, requireVersion } from './command.ts';

export const publishCommand: IngestCommand = {
  name: 'publish',
  description: 'serve a version that was built and not published',
  words: (command) => asJson(command.argument('<version>').option('--force', 'although its checks have failed', false)),
  async run(settings: Settings, { force, json }: { force: boolean; json: boolean }, version: string) {
    await exclusively(settings, `publishing ${version}`, (warehouse) => {
      requireVersion(warehouse, version);
      const failed = publishable(warehouse, version);
      if (failed.length > 0 && !force) {
        throw new BuildRefused(
          `${version} failed its checks:\n${failed.map((fault) => `  ${fault}`).join('\n')}\n--force publishes it.`,
        );
      }
      const publication = publish(warehouse, version, 'build', new Date(), [...failed]);
      print(json, publication, `Published ${version}${failed.length > 0 ? ' (forced)' : ''}`);
    });
    return undefined;
  },
};

/**
 * The checks that the version failed.
 * @throws BuildRefused when something else was published since it was built
 */
function publishable(warehouse: string, version: string): readonly string[] {
  const served = currentPublication(warehouse);
  if (served?.version === version) throw new BuildRefused(`${version} is the version served`);
  const report = readReport(warehouse, version);
  if (report?.previousVersion !== (served?.version ?? null)) {
    throw new BuildRefused(
      `${version} was built upon ${report?.previousVersion ?? 'nothing'}, but ${served?.version ?? 'nothing'} is served: ` +
        'its history would miss what came between. Build the export again.',
    );
  }
  return report?.failedChecks ?? [];
}
