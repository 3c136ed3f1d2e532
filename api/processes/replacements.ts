/** Decides whether a process that has ended is replaced, and when. */
export interface Replacements {
  /** Counts a process that has ended. @returns the pause before the next one begins; null = there were too many */
  pauseAfterEnd(): number | null;
}

/** Ends are remembered so long. */
const MINUTE_MILLISECONDS = 60_000;

const FIRST_PAUSE_MILLISECONDS = 250;
const LONGEST_PAUSE_MILLISECONDS = 8_000;

/**
 * Each process may end once for a reason that all of them meet, and some may end again. More in a minute means that another
 * start does not help.
 */
const FURTHER_ENDS = 4;

/** @param now performance.now() */
export function replacements(processes: number, now: () => number): Replacements {
  let ends: number[] = [];
  return {
    pauseAfterEnd() {
      const at = now();
      ends = [...ends.filter((end) => at - end < MINUTE_MILLISECONDS), at];
      if (ends.length > processes + FURTHER_ENDS) return null;
      return Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 2 ** (ends.length - 1));
    },
  };
}
