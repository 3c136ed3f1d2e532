import type { NightRecord } from '../../runtime/nightly-record.ts';
import type { Settings } from '../../runtime/settings.ts';
import { EXIT } from '../commands/exit.ts';

/** One time of the schedule: how often its night was tried, and what is to be done next, by whichever instance. */

export type Next =
  | { readonly do: 'run' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'stop'; readonly failed: boolean; readonly why: string };

/** What would come to the same when it is tried again: the export or the settings have to change first. */
const LASTING: readonly number[] = [EXIT.usage, EXIT.notPublished, EXIT.refused, EXIT.damaged];

/**
 * What is next for a time of the schedule.
 * @param nights the last nights, oldest first; @param now Unix milliseconds
 */
export function nextOf(nights: readonly NightRecord[], slot: string, settings: Settings, now: number): Next {
  const tries = nights.filter((night) => night.slot === slot);
  const last = tries.at(-1);
  if (last === undefined) return { do: 'run' };
  const pauseMs = settings.NIGHTLY_PAUSE_MINUTES * 60_000;
  if (last.outcome === 'running') return { do: 'wait', ms: pauseMs };
  if (last.outcome !== 'failed') return { do: 'stop', failed: false, why: last.message };
  if (last.exitCode !== null && LASTING.includes(last.exitCode)) {
    return stop(`it failed in its step ${last.failedStep} and would fail again: ${last.message}`);
  }
  if (tries.length >= settings.NIGHTLY_ATTEMPTS) {
    return stop(`it failed ${tries.length} times, last in its step ${last.failedStep}: ${last.message}`);
  }
  const due = Date.parse(last.endedAt ?? last.startedAt) + pauseMs;
  return due > now ? { do: 'wait', ms: due - now } : { do: 'run' };
}

const stop = (why: string): Next => ({ do: 'stop', failed: true, why });
