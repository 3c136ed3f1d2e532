import type { Settings } from '../../runtime/settings.ts';
import { publishVersion } from '../assembly/build.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { BuildRefused } from '../run/refused.ts';
import { asJson, exclusively, type IngestCommand, print, requireVersion, workOf } from './command.ts';
import { stoppable } from './exit.ts';

interface PublishFlags {
  readonly force: boolean;
  readonly json: boolean;
}

export const publishCommand: IngestCommand = {
  name: 'publish',
  description: 'serve a version that was built and not published',
  words: (command) => asJson(command.argument('<version>').option('--force', 'although its checks have failed', false)),
  async run(settings: Settings, { force, json }: PublishFlags, version: string) {
    await exclusively(settings, `publishing ${version}`, async (published) => {
      await requireVersion(published, version);
      const failedChecks = await publishable(published, version);
      if (failedChecks.length > 0 && !force) {
        throw new BuildRefused(
          `${version} failed its checks:\n${failedChecks.map((fault) => `  ${fault}`).join('\n')}\n--force publishes it.`,
        );
      }
      const publication = await stoppable((signal) =>
        publishVersion(published, { version, failedChecks }, workOf(settings, json, signal)),
      );
      print(json, publication, `Published ${version}${failedChecks.length > 0 ? ' (forced)' : ''}`);
    });
    return undefined;
  },
};

/**
 * The checks that the version failed.
 * @throws BuildRefused when something else was published since it was built
 */
async function publishable(published: PublicationTarget, version: string): Promise<readonly string[]> {
  const served = (await published.publications()).at(-1);
  if (served?.version === version) throw new BuildRefused(`${version} is the version served`);
  const report = await published.report(version);
  // Where nothing is served yet, as after a move, the version brings its history along.
  if (served !== undefined && report?.previousVersion !== served.version) {
    throw new BuildRefused(
      `${version} was built upon ${report?.previousVersion ?? 'nothing'}, but ${served.version} is served: ` +
        'its history would miss what came between. Build the export again.',
    );
  }
  return report?.failedChecks ?? [];
}
