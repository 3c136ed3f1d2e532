import { type Violation, violated } from './problem.ts';

/** Faults that one answer reports: more would not help, and each costs its text and the search for what was meant. */
const MAX_REPORTED = 50;

/** The faults of one request: the first of them are reported, all of them counted. */
export interface Faults {
  /** @param describe makes the violation; not called for a fault that is only counted */
  add(describe: () => Violation): void;
  /** @throws Problem with the faults, if there are any */
  throwAny(): void;
}

export function faultsOfRequest(): Faults {
  const reported: Violation[] = [];
  let count = 0;
  return {
    add(describe) {
      count++;
      if (reported.length < MAX_REPORTED) reported.push(describe());
    },
    throwAny() {
      if (count > 0) throw violated(reported, count - reported.length);
    },
  };
}
