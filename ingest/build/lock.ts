import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** One build at a time: a file that names the process at work. A process that is gone leaves no lock. */

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
  /** What it does, for the one that is refused. */
  readonly task: string;
}

/** Another build is at work. */
export class Locked extends Error {}

/**
 * Takes the lock of a warehouse folder. Returns the function that gives it back.
 * @throws Locked naming the process that has it
 */
export function takeLock(warehouse: string, task: string): () => void {
  const path = join(warehouse, 'build.lock');
  const holder: Holder = { pid: process.pid, host: hostname(), startedAt: new Date().toISOString(), task };
  const own = `${path}.${process.pid}`;
  const file = openSync(own, 'w');
  writeSync(file, JSON.stringify(holder));
  closeSync(file);
  try {
    for (;;) {
      if (linked(own, path)) break;
      const present = readHolder(path);
      if (present === null) continue;
      if (isAlive(present)) {
        throw new Locked(
          `Another build is at work: process ${present.pid} on ${present.host}, since ${present.startedAt} (${present.task}). ` +
            'Wait until it has ended, or end it; nothing was changed.',
        );
      }
      removeStale(path);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(path, { force: true });
}

/** Who is at work now; null when nobody is. */
export function lockHolder(warehouse: string): Holder | null {
  const holder = readHolder(join(warehouse, 'build.lock'));
  return holder !== null && isAlive(holder) ? holder : null;
}

/** A link appears complete or not at all, and only when there is none yet. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Of several that find the lock stale, only one moves it away. */
function removeStale(path: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  rmSync(aside, { force: true });
}

function isAlive({ pid, host, startedAt }: Holder): boolean {
  // On another host the process cannot be seen: its lock is respected.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !startedLater(pid, Date.parse(startedAt));
}

/** Whether the process of that number is a younger one: numbers are used again. Known on Linux only. */
function startedLater(pid: number, since: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
    return (boot + ticks / 100) * 1000 > since + 2000;
  } catch {
    return false;
  }
}
