import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from './durable-files.ts';
import { acquireLock, lockHolder } from './lock-file.ts';

/**
 * What came of the last nights: STATE_DIR/nightly.json, written by the nightly run and replaced in one step each time.
 * It is written when a night begins, after each of its steps, and when it ends, so that one that was killed is seen too.
 */

const NIGHT_STEPS = ['fetch', 'build', 'check', 'publish', 'prune', 'report'] as const;

export const NIGHT_OUTCOMES = ['running', 'published', 'nothing new', 'failed'] as const;

export type NightStep = (typeof NIGHT_STEPS)[number];

const nightShape = z.object({
  /** RFC 3339, UTC. */
  startedAt: z.string(),
  /** Null while it runs, and when its process has gone without a word. */
  endedAt: z.string().nullable(),
  /** The time of the schedule that it belongs to, RFC 3339; null when somebody started it by hand. */
  slot: z.string().nullable(),
  outcome: z.enum(NIGHT_OUTCOMES),
  /** What each step came to, in words; those that did not come about are not there. */
  steps: z.partialRecord(z.enum(NIGHT_STEPS), z.string()),
  failedStep: z.enum(NIGHT_STEPS).nullable(),
  /** Why it failed and what to do, or what it came to. */
  message: z.string(),
  /** As `nightly` has ended; null while it runs, and when it was killed. */
  exitCode: z.number().int().nullable(),
});

export type NightRecord = z.infer<typeof nightShape>;

const recordShape = z.object({ nights: z.array(nightShape) });

const KEPT_NIGHTS = 60;

const recordFile = (stateFolder: string): string => join(stateFolder, 'nightly.json');
const lockFile = (stateFolder: string): string => join(stateFolder, 'nightly.lock');

/**
 * The last nights, oldest first. One whose process was killed counts as failed.
 * @throws Error when the record was damaged
 */
export function readNights(stateFolder: string): NightRecord[] {
  const running = lockHolder(lockFile(stateFolder)) !== null;
  const nights = recorded(stateFolder);
  return nights.map((night, index) =>
    night.outcome === 'running' && !(running && index === nights.length - 1) ? killed(night) : night,
  );
}

function recorded(stateFolder: string): NightRecord[] {
  const path = recordFile(stateFolder);
  if (!existsSync(path)) return [];
  try {
    return recordShape.parse(JSON.parse(readFileSync(path, 'utf8'))).nights;
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    const line = reason.replaceAll(/\s+/g, ' ');
    throw new Error(`${path} is no record of nights (${line}): take it away, and the next night begins a new one.`);
  }
}

function killed(night: NightRecord): NightRecord {
  const failedStep = NIGHT_STEPS.find((step) => !(step in night.steps)) ?? 'report';
  return { ...night, outcome: 'failed', failedStep, message: `The process was killed in its step ${failedStep}.` };
}

/** The last night that has ended, when it failed and nothing was built and published since; null otherwise. */
export function failedNight(
  stateFolder: string,
  publications: readonly { readonly publishedAt: string; readonly cause: string }[],
): NightRecord | null {
  const last = readNights(stateFolder).findLast(({ outcome }) => outcome !== 'running');
  if (last?.outcome !== 'failed') return null;
  const built = publications.findLast(({ cause }) => cause === 'build');
  return built !== undefined && built.publishedAt > last.startedAt ? null : last;
}

/** A night at work: whoever has it is the only one. */
export interface NightRecorder {
  /** What a step came to. */
  step(step: NightStep, outcome: string): void;
  end(end: Pick<NightRecord, 'outcome' | 'failedStep' | 'message' | 'exitCode'>): void;
}

/**
 * Runs a night under the lock of the state folder, with the nights before it.
 * @throws Locked naming the process at work
 */
export async function withNightlyLock<T>(
  stateFolder: string,
  slot: string | null,
  work: (begin: () => NightRecorder, before: readonly NightRecord[]) => Promise<T>,
): Promise<T> {
  mkdirSync(stateFolder, { recursive: true });
  const task = slot === null ? 'nightly run' : `nightly run of ${slot}`;
  const release = acquireLock(lockFile(stateFolder), task, 'Another nightly run is at work');
  try {
    // Nobody else is at work: a night without an end was killed.
    const before = recorded(stateFolder).map((night) => (night.outcome === 'running' ? killed(night) : night));
    return await work(() => beginNight(stateFolder, slot, before), before);
  } finally {
    release();
  }
}

function beginNight(stateFolder: string, slot: string | null, before: readonly NightRecord[]): NightRecorder {
  let night: NightRecord = {
    startedAt: new Date().toISOString(),
    endedAt: null,
    slot,
    outcome: 'running',
    steps: {},
    failedStep: null,
    message: '',
    exitCode: null,
  };
  const write = (changed: Partial<NightRecord>) => {
    night = { ...night, ...changed };
    const nights = [...before, night].slice(-KEPT_NIGHTS);
    writeDurably(recordFile(stateFolder), `${JSON.stringify({ nights }, null, 1)}\n`);
  };
  write({});
  return {
    step: (step, outcome) => write({ steps: { ...night.steps, [step]: outcome } }),
    end: (end) => write({ ...end, endedAt: new Date().toISOString() }),
  };
}
