/** The schedule says when a delivery is attempted again, and when it is given up. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The longest that a receiver can put off the next attempt. */
export const LONGEST_DELAY = 24 * HOUR;

/** The wait before each attempt, milliseconds: before the first, and after each one that failed. */
export const SCHEDULE: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A wait is lengthened by up to this part of it, so that what failed together is not attempted together again. */
export const JITTER = 0.2;

interface Failure {
  /** Attempts since the delivery was created or replayed, with the one that has just failed. */
  readonly attempts: number;
  /** The wait that the receiver asked for; null = none. */
  readonly retryAfterMs: number | null;
}

/**
 * The wait after an attempt that failed, in whole milliseconds; null when it was the last. A receiver can lengthen it up to
 * LONGEST_DELAY, and never shorten it.
 * @param random a number from 0 to 1
 */
export function retryDelay({ attempts, retryAfterMs }: Failure, random: number, schedule = SCHEDULE): number | null {
  const planned = schedule[attempts];
  if (planned === undefined) return null;
  return Math.round(Math.max(planned * (1 + JITTER * random), Math.min(retryAfterMs ?? 0, LONGEST_DELAY)));
}
