import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A lock is a file that names the process holding it. The lock of a process that has ended is stale and is replaced. */

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
  /** Shown to processes that are refused. */
  readonly task: string;
}

/** Another process holds the lock. */
export class Locked extends Error {}

/**
 * Takes a lock. Returns the function that releases it.
 * @param task the work done under the lock; other processes show it when they are refused
 * @param refusal the begin of their message, before it names the holder
 * @throws Locked naming the holder
 */
export function acquireLock(path: string, task: string, refusal: string): () => void {
  const own = `${path}.${process.pid}`;
  const holder: Holder = { pid: process.pid, host: hostname(), startedAt: new Date().toISOString(), task };
  take(path, holder, own, refusal);
  removeStaleDrafts(path);
  return () => rmSync(path, { force: true });
}

/** Links the complete file `own` to the place of the lock when there is no lock, or a stale one. */
function take(path: string, holder: Holder, own: string, refusal: string): void {
  try {
    // A process of the same number may have left the lock itself under this name, so the file is not overwritten.
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

/** The process that holds the lock; null when there is none. */
export function lockHolder(path: string): Holder | null {
  const holder = readHolder(path);
  return holder !== null && isAlive(holder) ? holder : null;
}

function isStale(path: string): boolean {
  const holder = readHolder(path);
  return holder !== null && !isAlive(holder);
}

/** Creates a link, which appears complete or not at all. Returns false when there is one already. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null when there is no lock. A lock that cannot be read was damaged by a crash of the machine, so no process holds it. */
function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError) return NO_HOLDER;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const NO_HOLDER: Holder = { pid: 0, host: hostname(), startedAt: '', task: '' };

/**
 * Removes a stale lock. Several processes may have found it stale, and one of them may have replaced it by its own lock
 * meanwhile. So the removal has a lock of its own, under which the process compares again. A process that finds that lock
 * taken tries again later; when the holder of that lock has ended too, it is removed.
 */
function removeStale(path: string, stale: Holder, own: string): void {
  const removalLock = `${path}.removal`;
  if (!linked(own, removalLock)) {
    if (isStale(removalLock)) rmSync(removalLock, { force: true });
    return;
  }
  try {
    if (JSON.stringify(readHolder(path)) === JSON.stringify(stale)) rmSync(path, { force: true });
  } finally {
    rmSync(removalLock, { force: true });
  }
}

/** Removes drafts of processes that ended while they took the lock. */
function removeStaleDrafts(path: string): void {
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
  // A process on another host cannot be seen, so its lock is respected.
  if (host !== hostname()) return true;
  return isRunning(pid) && !startedLater(pid, Date.parse(startedAt));
}

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

/** Returns true when a later process has reused this number; only Linux can tell. */
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
