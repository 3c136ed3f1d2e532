import { setTimeout as sleep } from 'node:timers/promises';

/** The pauses between attempts, and their end: by a number of failures, by time, or by both. */
export interface RetryPolicy {
  /** Before the second attempt, milliseconds; doubled from one attempt to the next. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Failures in a row. */
  readonly maxFailures?: number;
  /** From the first attempt on, milliseconds. */
  readonly maxElapsedMs?: number;
}

/** An attempt that failed in a way that may pass by itself. */
export interface FailedAttempt {
  readonly error: unknown;
  /** Failures in a row, this one included. */
  readonly failures: number;
  /** Pause before the next attempt, milliseconds: that of the policy, or longer where the server asks for it. */
  readonly pauseMs: number;
}

export interface RetryHooks {
  /**
   * Returns how long the server asks to be left alone, milliseconds, after an error that may pass.
   * @throws the error to end with, when another attempt is of no use
   */
  readonly retryAfterMs: (error: unknown) => number;
  /** Makes the error that ends the work when the policy allows no further attempt. */
  readonly giveUp: (failed: FailedAttempt) => Error;
  /** Returns true when the failed attempt came so far that failures are counted anew. */
  readonly hasAdvanced?: () => boolean;
  readonly beforePause?: (failed: FailedAttempt) => void;
  readonly afterPause?: () => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats an attempt with growing pauses until it succeeds or the policy ends.
 * @throws what the hooks throw or make; the reason of the signal
 */
export async function retry<T>(attempt: () => Promise<T>, policy: RetryPolicy, hooks: RetryHooks): Promise<T> {
  const { retryAfterMs, giveUp, hasAdvanced, beforePause, afterPause, signal } = hooks;
  const started = Date.now();
  for (let failures = 0; ; ) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const requestedMs = retryAfterMs(error);
      failures = hasAdvanced?.() ? 1 : failures + 1;
      const growingMs = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (failures - 1));
      const failed = { error, failures, pauseMs: Math.max(growingMs, requestedMs) };
      if (isExhausted(policy, failed, started)) throw giveUp(failed);
      beforePause?.(failed);
      await pause(failed.pauseMs, signal);
      afterPause?.();
    }
  }
}

function isExhausted(
  { longestPauseMs, maxFailures = Number.POSITIVE_INFINITY, maxElapsedMs = Number.POSITIVE_INFINITY }: RetryPolicy,
  { failures, pauseMs }: FailedAttempt,
  started: number,
): boolean {
  return pauseMs > longestPauseMs || failures >= maxFailures || Date.now() + pauseMs - started > maxElapsedMs;
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
