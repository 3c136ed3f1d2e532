import type { Logger } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { sweep } from './sweep.ts';

/** Work that the service does by itself, at intervals. */
interface Job {
  readonly everyMinutes: number;
  /** @returns what it did, in words */
  run(store: OrgStore, settings: Settings): Promise<string>;
}

export const JOBS: Readonly<Record<string, Job>> = {
  sweep: { everyMinutes: 60, run: sweep },
};

/**
 * Runs a job once and keeps its outcome in the table job_runs, where the command line shows it.
 * @throws Error for an unknown name, and whatever the job throws
 */
export async function runJob(name: string, store: OrgStore, settings: Settings): Promise<string> {
  const job = JOBS[name];
  if (job === undefined) throw new Error(`There is no job ${name}`);
  const began = performance.now();
  const record = (outcome: string | null, error: string | null) =>
    store.asOperator((session) =>
      session.run(sql`
        INSERT INTO job_runs (job, ran_at, took_ms, outcome, error)
        VALUES (${name}, now(), ${Math.round(performance.now() - began)}, ${outcome}, ${error})
        ON CONFLICT (job) DO UPDATE SET ran_at = excluded.ran_at, took_ms = excluded.took_ms,
          outcome = excluded.outcome, error = excluded.error`),
    );
  try {
    const outcome = await job.run(store, settings);
    await record(outcome, null);
    return outcome;
  } catch (error) {
    await record(null, error instanceof Error ? error.message : String(error)).catch(() => {});
    throw error;
  }
}

export interface RunningJobs {
  stop(): Promise<void>;
}

/** Of a process where no job runs. */
export const NO_JOBS: RunningJobs = { stop: async () => {} };

/** Runs every job SOON_MILLISECONDS after the start, and then at its interval. */
export function startJobs(
  store: OrgStore,
  settings: Settings,
  log: Logger,
  metrics: Pick<Metrics, 'jobEnded'>,
): RunningJobs {
  const running = new Set<Promise<void>>();
  const start = (name: string): void => {
    const began = performance.now();
    const ended = (outcome: 'done' | 'failed') => metrics.jobEnded(name, outcome, (performance.now() - began) / 1000);
    const run: Promise<void> = runJob(name, store, settings)
      .then(
        (outcome) => {
          ended('done');
          log.info({ job: name, outcome }, 'job done');
        },
        (error: unknown) => {
          ended('failed');
          log.error({ job: name, err: error }, 'job failed; it runs again at its time');
        },
      )
      .finally(() => running.delete(run));
    running.add(run);
  };
  const timers = Object.entries(JOBS).flatMap(([name, { everyMinutes }]) => [
    setTimeout(start, SOON_MILLISECONDS, name),
    setInterval(start, everyMinutes * 60_000, name),
  ]);
  return {
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}

/** Jobs begin late enough not to delay the first requests. */
const SOON_MILLISECONDS = 10_000;
