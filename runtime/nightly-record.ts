import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from './durable-files.ts';
import { acquireLock, lockHolder } from './lock-file.ts';

/**
 * STATE_DIR/nightly.json records the last nights. The nightly run replaces the file atomically when a night begins, after
 * each of its steps and when it ends, so that a night that was killed shows too.
 */

const NIGHT_STEPS = ['fetch', 'build', 'check', 'publish', 'prune', 'report'] as const;

export const NIGHT_OUTCOMES = ['running', 'published', 'nothing new', 'failed'] as const;

export type NightStep = (typeof NIGHT_STEPS)[number];

const nightSchema = z.object({
  /** RFC 3339, UTC. */
  startedAt: z.string(),
  /** Null while the night runs, and when its process was killed. */
  endedAt: z.string().nullable(),
  /** The time of the schedule that the night is for, RFC 3339; null when it was started by hand. */
  slot: z.string().nullable(),
  outcome: z.enum(NIGHT_OUTCOMES),
  /** The outcome of each step that has ended, as text. */
  steps: z.partialRecord(z.enum(NIGHT_STEPS), z.string()),
  failedStep: z.enum(NIGHT_STEPS).nullable(),
  /** The outcome; after a failure the cause and what to do. */
  message: z.string(),
  /** Exit code of `nightly`; null while it runs, and when it was killed. */
  exitCode: z.number().int().nullable(),
});

export type NightRecord = z.infer<typeof nightSchema>;

const fileSchema = z.object({ nights: z.array(nightSchema) });

const KEPT_NIGHTS = 60;

const recordFile = (stateFolder: string): string => join(stateFolder, 'nightly.json');
const lockFile = (stateFolder: string): string => join(stateFolder, 'nightly.lock');

/**
 * The last nights, oldest first. A night whose process was killed counts as failed.
 * @throws Error when the record is damaged
 */
export function readNights(stateFolder: string): NightRecord[] {
  const running = lockHolder(lockFile(stateFolder)) !== null;
  const nights = readRecord(stateFolder);
  return nights.map((night, index) =>
    night.outcome === 'running' && !(running && index === nights.length - 1) ? killed(night) : night,
  );
}

function readRecord(stateFolder: string): NightRecord[] {
  const path = recordFile(stateFolder);
  if (!existsSync(path)) return [];
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).nights;
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

/** Records a running night. */
export interface NightRecorder {
  /** Records the outcome of a step. */
  step(step: NightStep, outcome: string): void;
  end(end: Pick<NightRecord, 'outcome' | 'failedStep' | 'message' | 'exitCode'>): void;
}

/**
 * Runs work under the lock of the nightly run.
 * @param work gets the nights before, and a function that begins the record of this one
 * @throws Locked naming the process that holds the lock
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
    // This process holds the lock, so another night without an end was killed.
    const before = readRecord(stateFolder).map((night) => (night.outcome === 'running' ? killed(night) : night));
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
