import { faultsOfRequest } from '../problem/problem.ts';
import { suggestion } from './nearest.ts';
import { quoted } from './quoted.ts';

/** Names that a value is compared with to find the one that was meant: each comparison takes its time. */
const MAX_COMPARED = 1000;

/**
 * @param member of the body that has the values
 * @param fault completes "names x, ": `which is no user of the organisation`
 * @throws Problem UNPROCESSABLE when some are not among those that are known
 */
export function mustBeAmong(member: string, values: readonly string[], known: readonly string[], fault: string): void {
  const names = new Set(known);
  const compared = known.slice(0, MAX_COMPARED);
  const faults = faultsOfRequest();
  for (const value of values.filter((one) => !names.has(one))) {
    faults.add(() => ({
      pointer: `#/${member}`,
      code: 'UNPROCESSABLE',
      detail: `${member} names ${quoted(value)}, ${fault}${suggestion(value, compared)}`,
    }));
  }
  faults.throwAny();
}
