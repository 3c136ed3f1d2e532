import { type Violation, violated } from './problem.ts';

/** One answer tells of so many: more would help nobody, and each costs its text and the search for what was meant. */
const MAX_REPORTED = 50;

/** The faults of one request: the first of them told, all of them counted. */
export interface Faults {
  /** @param tell makes the violation; not called for what is only counted */
  add(tell: () => Violation): void;
  /** @throws Problem with the faults, if there are any */
  throwAny(): void;
}

export function faultsOfRequest(): Faults {
  const told: Violation[] = [];
  let count = 0;
  return {
    add(tell) {
      count++;
      if (told.length < MAX_REPORTED) told.push(tell());
    },
    throwAny() {
      if (count > 0) throw violated(told, count - told.length);
    },
  };
}
