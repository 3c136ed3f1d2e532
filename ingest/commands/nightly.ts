import type { ExitName } from '../../runtime/command-line/exit.ts';
import { option } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { type NightStep, withNightlyLock } from '../../runtime/nightly-record.ts';
import { fetchPolicyOf } from '../fetch/policy.ts';
import { runNight } from '../nightly/night.ts';
import { nextAction } from '../nightly/slot.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { buildOptions } from './build.ts';
import { type CommandContext, command, print, progressOf } from './command.ts';
import { pointInTime, webAddress } from './schemas.ts';

export const nightlyCommand = command({
  name: 'nightly',
  summary: 'fetch the newest export, build it, check it, publish it, prune and report',
  parameters: {
    url: option(
      '<address>',
      'the page whose links name the exports, or a zip; default: EXPORT_PAGE_URL',
      webAddress.optional(),
    ),
    slot: option('<time>', 'the time of the schedule that the run is for; it is run once', pointInTime.optional()),
  },
  run: ({ url, slot = null }, context) =>
    abortOnSignal(
      (signal) => runNightly({ url, slot, signal }, context),
      'nothing was published, what was served is still served; a download goes on the next time where it ended.',
    ),
});

function runNightly(
  { url, slot, signal }: { url: string | undefined; slot: string | null; signal: AbortSignal },
  { settings, json }: CommandContext,
): Promise<ExitName> {
  const report = (step: NightStep | 'end', text: string) =>
    print(json, { event: step === 'end' ? 'night' : 'step', step, text }, step === 'end' ? text : `${step}: ${text}`);
  return withPublicationTarget(settings, (target) =>
    withNightlyLock(settings.STATE_DIR, slot, async (begin, before) => {
      const next = slot === null ? null : nextAction(before, slot, settings, Date.now());
      if (next?.do === 'stop') report('end', `The night of ${slot} is over: ${next.why}`);
      if (next?.do === 'wait') report('end', `The night of ${slot} is not to be tried again yet`);
      if (next !== null && next.do !== 'run') return 'done';
      const progress = progressOf(json);
      const options = {
        settings,
        target,
        url: url ?? settings.EXPORT_PAGE_URL,
        named: url !== undefined,
        policy: fetchPolicyOf(settings, progress, signal),
        buildOptions: (source: string) => ({ ...buildOptions(settings, target, { source }), progress, signal }),
        report,
      };
      return runNight(options, begin());
    }),
  );
}
