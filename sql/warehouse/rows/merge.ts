import { itemAt } from '../../../runtime/present.ts';
import type { FormerRows } from './former.ts';
import type { Rows, Run } from './rows.ts';

/** The rows that a slice keeps of the version before. */
export interface Kept {
  /** The digits of the last number that the slice can have. */
  readonly to: number;
  /** The digits of the units that the version no longer has. */
  readonly departed: ReadonlySet<number>;
}

/** Rows as they are. */
export function* wholeRuns(added: Iterable<Rows>): Generator<Run> {
  for (const rows of added) yield { rows, from: 0, to: rows.digits.length };
}

/**
 * The rows of a slice in the order of their numbers: those that were written anew, and for all other units the former ones.
 * @param replaced is told of each row in whose place another one comes
 */
export function* mergedRuns(
  former: FormerRows,
  added: Iterable<Rows>,
  { to, departed }: Kept,
  replaced: (then: Run, now: Run) => void,
): Generator<Run> {
  for (const rows of added) {
    for (let row = 0; row < rows.digits.length; row++) {
      const number = itemAt(rows.digits, row);
      yield* former.below(number, departed);
      const [then, now] = [former.pass(number), { rows, from: row, to: row + 1 }];
      if (then !== null) replaced(then, now);
      yield now;
    }
  }
  yield* former.below(to + 1, departed);
}
