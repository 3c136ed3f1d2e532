import { EXIT } from '../../runtime/command-line/exit.ts';
import type { NightRecord } from '../../runtime/nightly-record.ts';
import type { Settings } from '../../runtime/settings.ts';

/** A slot is one time of the schedule. All instances that share the record of nights decide alike what happens next. */

export type NextAction =
  | { readonly do: 'run' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'stop'; readonly failed: boolean; readonly why: string };

/** Another try would fail alike, until the export or the settings change. */
const PERMANENT_FAILURES: readonly number[] = [EXIT.usage, EXIT.checkFailed, EXIT.refused, EXIT.damaged];

/**
 * Decides what to do for a slot now.
 * @param nights the last nights, oldest first
 * @param now Unix milliseconds
 */
export function nextAction(nights: readonly NightRecord[], slot: string, settings: Settings, now: number): NextAction {
  const tries = nights.filter((night) => night.slot === slot);
  const last = tries.at(-1);
  if (last === undefined) return { do: 'run' };
  const pauseMs = settings.NIGHTLY_PAUSE_MINUTES * 60_000;
  if (last.outcome === 'running') return { do: 'wait', ms: pauseMs };
  if (last.outcome !== 'failed') return { do: 'stop', failed: false, why: last.message };
  if (last.exitCode !== null && PERMANENT_FAILURES.includes(last.exitCode)) {
    return stop(`it failed in its step ${last.failedStep} and would fail again: ${last.message}`);
  }
  if (tries.length >= settings.NIGHTLY_ATTEMPTS) {
    return stop(`it failed ${tries.length} times, last in its step ${last.failedStep}: ${last.message}`);
  }
  const due = Date.parse(last.endedAt ?? last.startedAt) + pauseMs;
  return due > now ? { do: 'wait', ms: due - now } : { do: 'run' };
}

const stop = (why: string): NextAction => ({ do: 'stop', failed: true, why });
