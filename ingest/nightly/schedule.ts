import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { schedule, type TaskContext } from 'node-cron';
import type { Logger } from '../../runtime/log.ts';
import { readNights } from '../../runtime/nights.ts';
import type { Settings } from '../../runtime/settings.ts';
import { EXIT } from '../commands/exit.ts';
import { pause } from '../run/retry.ts';
import { nextOf } from './slot.ts';

/** Starts the nights at their times, each in a process of its own, so that nothing that befalls one ends the schedule. */

const MAIN = new URL('../main.ts', import.meta.url).pathname;

/**
 * Runs until the signal.
 * @throws the reason of the signal, when the night at work has ended
 */
export async function keepSchedule(settings: Settings, log: Logger, signal: AbortSignal): Promise<never> {
  const atWork = new Set<Promise<void>>();
  const run = async (slot: string): Promise<void> => {
    const night: Promise<void> = runSlot(slot, settings, log, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'the night could not be run');
      })
      .finally(() => atWork.delete(night));
    atWork.add(night);
    await night;
  };
  const start = ({ date }: TaskContext): Promise<void> => run(slotOf(date));
  // The night before this process may have been left in the middle, by one that was ended.
  const last = readNights(settings.STATE_DIR).findLast(({ slot }) => slot !== null);
  const task = schedule(settings.INGEST_SCHEDULE, start, {
    timezone: 'Europe/Berlin',
    noOverlap: true,
    suppressMissedWarning: true,
    logger: {
      info: (message) => log.info(message),
      debug: (message) => log.debug(String(message)),
      warn: (message) => log.warn(message),
      error: (message, error) => log.error({ err: error ?? message }, 'schedule'),
    },
  });
  // A machine that was asleep, or too busy, at the time of the schedule: the night is late, not lost.
  task.on('execution:missed', start);
  log.info({ schedule: settings.INGEST_SCHEDULE, next: task.getNextRun() }, 'the schedule is kept');
  if (last?.outcome === 'failed') void run(last.slot!);
  await aborted(signal);
  await task.destroy();
  await Promise.all(atWork);
  throw signal.reason;
}

/** The same on every instance that keeps the same schedule. */
function slotOf(date: Date): string {
  return new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString();
}

/** Tries a night until it succeeds, or nothing more is to be expected of it. */
async function runSlot(slot: string, settings: Settings, log: Logger, signal: AbortSignal): Promise<void> {
  for (let started = 0; ; ) {
    signal.throwIfAborted();
    const next = nextOf(readNights(settings.STATE_DIR), slot, settings, Date.now());
    if (next.do === 'stop') {
      log[next.failed ? 'error' : 'info']({ slot }, next.why);
      return;
    }
    if (next.do === 'wait') {
      await pause(next.ms, signal);
      continue;
    }
    // A process that ends before it can write the record must not be started for ever.
    if (started === settings.NIGHTLY_ATTEMPTS) {
      log.error({ slot }, 'the night is given up');
      return;
    }
    started++;
    const exitCode = await nightInProcess(slot, log, signal);
    if (exitCode === EXIT.locked) await pause(settings.NIGHTLY_PAUSE_MINUTES * 60_000, signal);
  }
}

/** @returns exit code; null when a signal ended the process */
async function nightInProcess(slot: string, log: Logger, signal: AbortSignal): Promise<number | null> {
  const words = [MAIN, 'nightly', '--slot', slot, ...(process.stderr.isTTY ? [] : ['--json'])];
  const child: ChildProcess = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  log.info({ slot, pid: child.pid }, 'the night begins');
  const [exitCode, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  signal.removeEventListener('abort', stop);
  const level = exitCode === EXIT.done ? 'info' : 'error';
  log[level]({ slot, exitCode, killedBy }, exitCode === EXIT.done ? 'the night is done' : 'the night failed');
  return exitCode;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
