import { InvalidArgumentError } from 'commander';
import { type NightStep, nightAlone } from '../../runtime/nights.ts';
import type { Settings } from '../../runtime/settings.ts';
import { fetchPolicyOf } from '../fetch/policy.ts';
import { runNight } from '../nightly/night.ts';
import { nextOf } from '../nightly/slot.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { buildOptions } from './build.ts';
import { asJson, type IngestCommand, print, progressOf, webAddress } from './command.ts';
import { EXIT, type ExitCode, stoppable } from './exit.ts';

interface NightlyFlags {
  readonly url?: string;
  readonly slot?: string;
  readonly json: boolean;
}

const CONSEQUENCE =
  'nothing was published, what was served is still served; a download goes on the next time where it ended.';

export const nightlyCommand: IngestCommand = {
  name: 'nightly',
  description: 'fetch the newest export, build it, check it, publish it, prune and report',
  words: (command) =>
    asJson(
      command
        .option(
          '--url <address>',
          'the page whose links name the exports, or a zip; default: EXPORT_PAGE_URL',
          webAddress,
        )
        .option('--slot <time>', 'the time of the schedule that the run is for; it is run once', pointInTime),
    ),
  run: (settings: Settings, flags: NightlyFlags) =>
    stoppable((signal) => runNightly(settings, flags, signal), CONSEQUENCE),
};

function runNightly(settings: Settings, flags: NightlyFlags, signal: AbortSignal): Promise<ExitCode> {
  const { slot = null, json } = flags;
  const say = (step: NightStep | 'end', text: string) =>
    print(json, { event: step === 'end' ? 'night' : 'step', step, text }, step === 'end' ? text : `${step}: ${text}`);
  return withPublicationTarget(settings, (published) =>
    nightAlone(settings.STATE_DIR, slot, async (begin, before) => {
      const next = slot === null ? null : nextOf(before, slot, settings, Date.now());
      if (next?.do === 'stop') say('end', `The night of ${slot} is over: ${next.why}`);
      if (next?.do === 'wait') say('end', `The night of ${slot} is not to be tried again yet`);
      if (next !== null && next.do !== 'run') return EXIT.done;
      const progress = progressOf(json);
      const options = {
        settings,
        published,
        url: flags.url ?? settings.EXPORT_PAGE_URL,
        policy: fetchPolicyOf(settings, progress, signal),
        building: (source: string) => ({
          ...buildOptions(settings, published, source, { force: false, json }),
          progress,
          signal,
        }),
        say,
      };
      return runNight(options, begin());
    }),
  );
}

function pointInTime(text: string): string {
  if (!Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  throw new InvalidArgumentError(`${text} is no time such as 2026-11-01T03:30:00Z`);
}
