import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { schedule, type TaskContext } from 'node-cron';
import { EXIT } from '../../runtime/command-line/exit.ts';
import type { Logger } from '../../runtime/log.ts';
import { type NightRecord, readNights } from '../../runtime/nightly-record.ts';
import type { Settings } from '../../runtime/settings.ts';
import { pause } from '../run/retry.ts';
import { nextAction } from './slot.ts';

/** Starts each night in a process of its own, so that no failure of a night ends the schedule. */

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/**
 * Runs until the signal, and waits for the night that runs then.
 * @throws the reason of the signal
 */
export async function runSchedule(settings: Settings, log: Logger, signal: AbortSignal): Promise<never> {
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
  // The process before this one may have ended in the middle of a night.
  const last = readNights(settings.STATE_DIR).findLast(isScheduled);
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
  // The machine was asleep or too busy at the time of the schedule: the night starts late.
  task.on('execution:missed', start);
  log.info({ schedule: settings.INGEST_SCHEDULE, next: task.getNextRun() }, 'the schedule runs');
  if (last?.outcome === 'failed') void run(last.slot);
  await aborted(signal);
  await task.destroy();
  await Promise.all(atWork);
  throw signal.reason;
}

/** The slot is the same on every instance with the same schedule. */
function slotOf(date: Date): string {
  return new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString();
}

/** Tries a night until it succeeds or another try would be useless. */
async function runSlot(slot: string, settings: Settings, log: Logger, signal: AbortSignal): Promise<void> {
  for (let started = 0; ; ) {
    signal.throwIfAborted();
    const next = nextAction(readNights(settings.STATE_DIR), slot, settings, Date.now());
    if (next.do === 'stop') {
      log[next.failed ? 'error' : 'info']({ slot }, next.why);
      return;
    }
    if (next.do === 'wait') {
      await pause(next.ms, signal);
      continue;
    }
    // The record misses processes that end before they write it, so their number is limited here as well.
    if (started === settings.NIGHTLY_ATTEMPTS) {
      log.error({ slot }, 'the night is abandoned');
      return;
    }
    started++;
    const exitCode = await nightInProcess(slot, log, signal);
    if (exitCode === EXIT.locked) await pause(settings.NIGHTLY_PAUSE_MINUTES * 60_000, signal);
  }
}

/** @returns the exit code; null when a signal ended the process */
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

const isScheduled = (night: NightRecord): night is NightRecord & { slot: string } => night.slot !== null;

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
