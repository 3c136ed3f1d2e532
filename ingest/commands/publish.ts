import { z } from 'zod';
import { type ExitName, refused } from '../../runtime/command-line/exit.ts';
import { argument, flag } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { publishVersion } from '../build/build.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { BUILD_INTERRUPTED, changeVersions, command, print, requireVersion, workOf } from './command.ts';

export const publishCommand = command({
  name: 'publish',
  summary: 'serve a version that was built and not published',
  parameters: {
    version: argument('its id, as versions lists it', z.string()),
    force: flag('publish although its checks have failed'),
  },
  run: ({ version, force = false }, { settings, json }) =>
    changeVersions(settings, `publishing ${version}`, async (target): Promise<ExitName> => {
      await requireVersion(target, version);
      const failedChecks = await failedChecksOf(target, version);
      if (failedChecks.length > 0 && !force) {
        throw refused(
          `${version} failed its checks:\n${failedChecks.map((fault) => `  ${fault}`).join('\n')}\n--force publishes it.`,
        );
      }
      const publication = await abortOnSignal(
        (signal) => publishVersion(target, { version, failedChecks }, workOf(settings, json, signal)),
        BUILD_INTERRUPTED,
      );
      print(json, publication, `Published ${version}${failedChecks.length > 0 ? ' (forced)' : ''}`);
      return 'done';
    }),
});

/** @throws CommandFailed when another version was published after this one was built */
async function failedChecksOf(target: PublicationTarget, version: string): Promise<readonly string[]> {
  const served = (await target.publications()).at(-1);
  if (served?.version === version) throw refused(`${version} is the version served`);
  const report = await target.report(version);
  // A version that is published first in a new place, as after a move, brings its own history.
  if (served !== undefined && report?.previousVersion !== served.version) {
    throw refused(
      `${version} was built upon ${report?.previousVersion ?? 'nothing'}, but ${served.version} is served: ` +
        'its history would miss what came between. Build the export again.',
    );
  }
  return report?.failedChecks ?? [];
}
