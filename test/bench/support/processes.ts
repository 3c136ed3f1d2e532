import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Processor time and memory of processes, as Linux counts them in /proc. */

export interface ProcessTimes {
  readonly parent: number;
  /** Processor time of all its threads. */
  readonly ownSeconds: number;
  /** That of the processes it has started, once they have ended and it has waited for them. */
  readonly waitedForSeconds: number;
}

/** The process of this id; null when it has ended. */
export function timesOfProcess(id: number | 'self'): ProcessTimes | null {
  const text = read(`/proc/${id}/stat`);
  return text === null ? null : parseTimes(text);
}

/** Ticks of the clock that the system counts in, USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

/** @param text /proc/<id>/stat */
export function parseTimes(text: string): ProcessTimes {
  // The name of the program stands in parentheses and may hold blanks and parentheses.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const secondsOf = (user: number) => (fields[user]! + fields[user + 1]!) / TICKS_PER_SECOND;
  return { parent: fields[1]!, ownSeconds: secondsOf(11), waitedForSeconds: secondsOf(13) };
}

/** A process and all that it has started, directly or not, by their ids. */
export function processTree(root: number): Map<number, ProcessTimes> {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const times = timesOfProcess(Number(name));
        return times === null ? [] : [[Number(name), times] as const];
      }),
  );
  const isBelow = (id: number): boolean => {
    for (let at = id; at > 1; at = all.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  return new Map([...all].filter(([id]) => isBelow(id)));
}

/** Processor time of a tree so far, those included that have ended and whose parents have waited for them. */
export const secondsOfTree = (tree: ReadonlyMap<number, ProcessTimes>): number =>
  [...tree.values()].reduce((sum, { ownSeconds, waitedForSeconds }) => sum + ownSeconds + waitedForSeconds, 0);

export interface Resident {
  /** MB, 2^20 bytes. */
  readonly nowMb: number;
  /** The most so far. */
  readonly peakMb: number;
}

/** Memory that a process has resident; nothing when it has ended. */
export function residentOf(id: number): Resident {
  const status = read(`/proc/${id}/status`) ?? '';
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}

/** Lets the peak of a process begin anew: it is the most from now on. */
export const forgetPeak = (id: number): void => writeFileSync(`/proc/${id}/clear_refs`, '5');

/** Null when the process has ended. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
