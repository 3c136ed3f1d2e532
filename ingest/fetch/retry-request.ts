import { duration } from '../run/progress.ts';
import { type FailedAttempt, retry } from '../run/retry.ts';
import { FetchFailed, type FetchPolicy, TransientError } from './request.ts';

/** When a server asks for a longer pause than this, the command fails, and its next run tries again. */
const LONGEST_PAUSE_MS = 600_000;

/**
 * Repeats a request to the register while it fails temporarily, never before the server allows it.
 * @param subject what is requested, for messages
 * @param hasAdvanced returns true when the failed attempt made enough progress to reset the count of failures
 * @throws FetchFailed after too many failures in a row, whatever else `attempt` throws, the reason of the signal
 */
export function retryFetch<T>(
  { attempts, pauseMs, progress, signal }: FetchPolicy,
  subject: string,
  attempt: () => Promise<T>,
  hasAdvanced: () => boolean = () => false,
): Promise<T> {
  const policy = { firstPauseMs: pauseMs, longestPauseMs: LONGEST_PAUSE_MS, maxFailures: attempts };
  return retry(attempt, policy, {
    signal,
    hasAdvanced,
    retryAfterMs(error) {
      if (!(error instanceof TransientError)) throw error;
      return error.retryAfterMs ?? 0;
    },
    giveUp: (failed) => new FetchFailed(`${subject}: ${reasonToGiveUp(failed)}`),
    beforePause: (failed) => progress.stage(`waiting ${duration(failed.pauseMs)}, since ${messageOf(failed)}`),
    afterPause: () => progress.end(),
  });
}

function reasonToGiveUp(failed: FailedAttempt): string {
  const { failures, pauseMs } = failed;
  if (pauseMs > LONGEST_PAUSE_MS) return `${messageOf(failed)} and asks to come back in ${duration(pauseMs)}.`;
  const times = failures === 1 ? '' : `, ${failures} times in a row`;
  return `${messageOf(failed)}${times}. Run the command again later: it goes on there.`;
}

const messageOf = ({ error }: FailedAttempt): string => (error instanceof Error ? error.message : String(error));
