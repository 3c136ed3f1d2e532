import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** One process at a time: a file that names the one at work. A process that is gone leaves no lock. */

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
  /** What it does, for the one that is refused. */
  readonly task: string;
}

/** Another process has the lock. */
export class Locked extends Error {}

/**
 * Takes a lock. Returns the function that gives it back.
 * @param task what is done under it; @param refusal what those are told that find it taken, before they are told by whom
 * @throws Locked naming the process that has it
 */
export function acquireLock(path: string, task: string, refusal: string): () => void {
  const own = `${path}.${process.pid}`;
  const holder: Holder = { pid: process.pid, host: hostname(), startedAt: new Date().toISOString(), task };
  take(path, holder, own, refusal);
  sweepRemains(path);
  return () => rmSync(path, { force: true });
}

/** Links the complete file `own` to the place of the lock, where there is none, or the one there is stale. */
function take(path: string, holder: Holder, own: string, refusal: string): void {
  try {
    // What a process of the same number left may be the lock itself under a second name: it is not written over.
    rmSync(own, { force: true });
    writeFileSync(own, JSON.stringify(holder));
    while (!linked(own, path)) {
      const present = readHolder(path);
      if (present === null) continue;
      if (isAlive(present)) throw new Locked(`${refusal}: ${description(present, path)}`);
      removeStale(path, present, own);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function description({ pid, host, startedAt, task }: Holder, path: string): string {
  const end =
    host === hostname()
      ? 'Wait until it has ended, or end it'
      : `Wait until it has ended; if that machine is gone, remove ${path}`;
  return `process ${pid} on ${host}, since ${startedAt} (${task}). ${end}; nothing was changed.`;
}

/** Who is at work now; null when nobody is. */
export function lockHolder(path: string): Holder | null {
  const holder = readHolder(path);
  return holder !== null && isAlive(holder) ? holder : null;
}

function isStale(path: string): boolean {
  const holder = readHolder(path);
  return holder !== null && !isAlive(holder);
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

/** Null when there is no lock. One that cannot be read is what a crash of the machine left of it: nobody holds it. */
function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError) return NOBODY;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const NOBODY: Holder = { pid: 0, host: hostname(), startedAt: '', task: '' };

/**
 * Removes a lock whose process is gone. Of several that found it stale, one may have replaced it by its own meanwhile:
 * so they take turns, and each looks again before it removes. Who finds somebody else's turn comes back later; a turn
 * whose process is gone, too, is over.
 */
function removeStale(path: string, stale: Holder, own: string): void {
  const turn = `${path}.removal`;
  if (!linked(own, turn)) {
    if (isStale(turn)) rmSync(turn, { force: true });
    return;
  }
  try {
    if (JSON.stringify(readHolder(path)) === JSON.stringify(stale)) rmSync(path, { force: true });
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Removes what processes left beside the lock that ended while they took it. */
function sweepRemains(path: string): void {
  const folder = dirname(path);
  const name = basename(path);
  for (const file of readdirSync(folder)) {
    if (!file.startsWith(`${name}.`)) continue;
    const pid = Number(file.slice(name.length + 1));
    const left = Number.isInteger(pid)
      ? pid !== process.pid && !isRunning(pid)
      : file === `${name}.removal` && isStale(join(folder, file));
    if (left) rmSync(join(folder, file), { force: true });
  }
}

function isAlive({ pid, host, startedAt }: Holder): boolean {
  // On another host the process cannot be seen: its lock is respected.
  if (host !== hostname()) return true;
  return isRunning(pid) && !startedLater(pid, Date.parse(startedAt));
}

/** Whether a process of this number is there. */
export function isRunning(pid: number): boolean {
  // Zero and below would name groups of processes.
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
