import { setTimeout as sleep } from 'node:timers/promises';
import { duration } from '../run/progress.ts';
import { FetchFailed, type FetchPolicy, TransientError } from './request.ts';

const MAX_PAUSE_MS = 600_000;

/**
 * Repeats what is broken, with growing pauses and never before the server allows it.
 * @param subject what is asked for, for the message
 * @param advanced whether the attempt that failed came so far that failures are counted anew
 * @throws FetchFailed after too many failures in a row, whatever else `attempt` throws, the reason of the signal
 */
export async function retry<T>(
  policy: FetchPolicy,
  subject: string,
  attempt: () => Promise<T>,
  advanced: () => boolean = () => false,
): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      failures = advanced() ? 1 : failures + 1;
      const wait = pauseAfter(failures, error, policy);
      if (wait > MAX_PAUSE_MS) {
        throw new FetchFailed(`${subject}: ${error.message} and asks to come back in ${duration(wait)}.`);
      }
      if (failures >= policy.attempts) {
        const times = failures === 1 ? '' : `, ${failures} times in a row`;
        throw new FetchFailed(`${subject}: ${error.message}${times}. Run the command again later: it goes on there.`);
      }
      policy.progress.stage(`waiting ${duration(wait)}, since ${error.message}`);
      await pause(wait, policy.signal);
      policy.progress.end();
    }
  }
}

function pauseAfter(failures: number, { retryAfterMs }: TransientError, { pauseMs }: FetchPolicy): number {
  const growing = Math.min(MAX_PAUSE_MS, pauseMs * 2 ** (failures - 1));
  return Math.max(growing, retryAfterMs ?? 0);
}

/** @throws the reason of the signal */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
