import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Logger } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';
import type { PoolSizes } from '../../sql/org/postgres.ts';
import { listenForMetrics, type MetricsListener } from '../metrics/listener.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { metricAnswers } from './metric-answers.ts';
import { metricsTogether } from './metrics-together.ts';
import { replacements } from './replacements.ts';

/**
 * The first process of a service of several: it starts the others, which share its port, replaces one that ends, and adds up
 * their metrics. It answers no requests itself, so nothing that a request does can end the service.
 */

export interface ServiceProcesses {
  /** BASE_URL, as the processes know it. */
  readonly url: string;
  readonly metricsUrl: string | null;
  /** Lets all of them end as one that is alone does. */
  close(): Promise<void>;
}

interface Start {
  /** The script of a worker. */
  readonly script: string;
  readonly settings: Settings;
  readonly pools: PoolSizes;
  readonly log: Logger;
  /** Called when processes end again and again, after the others have ended, too. */
  givenUp(): void;
}

/** A process ended before it listened; what it printed says why. */
export class NotStarted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('A process of the service ended before it listened');
    this.exitCode = exitCode;
  }
}

/** A process that has begun and not ended. */
interface Running {
  readonly worker: number;
  readonly process: Worker;
  /** Null until it listens. */
  url: string | null;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ readonly code: number; readonly signal: string | null }>;
}

/** Time that a process may take beyond SHUTDOWN_SECONDS to write what it has not written yet. */
const LAST_WRITES_MILLISECONDS = 15_000;

/** @throws NotStarted; the listen error of METRICS_PORT */
export async function startProcesses({ script, settings, pools, log, givenUp }: Start): Promise<ServiceProcesses> {
  // Metrics may have values that JSON does not know.
  cluster.setupPrimary({ exec: script, args: [], serialization: 'advanced' });
  const running = new Map<number, Running>();
  const bound = replacements(settings.WORKERS, () => performance.now());
  const pauses = new Set<NodeJS.Timeout>();
  const answers = metricAnswers<Worker>((process, id) => tell(process, { kind: 'metrics', id }));
  let stopping: Promise<void> | null = null;
  let listener: MetricsListener | null = null;

  const serving = (): Running[] => [...running.values()].filter(({ url }) => url !== null);
  const metrics = metricsTogether({
    serving: () => serving().length,
    ask: () => answers.ask(serving().map(({ process }) => process)),
  });

  /** @returns the process, before it listens */
  const begin = (worker: number): Running => {
    const process = cluster.fork();
    const ended = once(process, 'exit').then(([code, signal]) => ({ code, signal }));
    const begun: Running = { worker, process, url: null, ended };
    running.set(worker, begun);
    process.once('exit', () => answers.ended(process));
    process.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        begun.url = message.url;
        log.info({ worker, pid: process.process.pid }, 'a process of the service listens');
      } else if (message.kind === 'metrics') answers.answered(process, message.id, message.values);
      else for (const other of running.values()) if (other !== begun) tell(other.process, message);
    });
    // A message to a process that has just ended is none.
    process.on('error', (error) => log.warn({ err: error, worker }, 'a process of the service was not reached'));
    tell(process, { kind: 'begin', worker, pools });
    return begun;
  };

  /** Waits until a process listens. @throws NotStarted when it ends before */
  const listening = async (begun: Running): Promise<Running> => {
    const { process, ended } = begun;
    const ready = new Promise<void>((resolve) => {
      process.on('message', ({ kind }: FromWorker) => {
        if (kind === 'ready') resolve();
      });
    });
    const end = await Promise.race([ready, ended]);
    if (end !== undefined) throw new NotStarted(exitCodeOf(end));
    return begun;
  };

  const stop = async (): Promise<void> => {
    for (const pause of pauses) clearTimeout(pause);
    const deadline = setTimeout(
      () => {
        for (const { process, worker } of running.values()) {
          log.error({ worker }, 'a process of the service does not end; it is killed');
          process.process.kill('SIGKILL');
        }
      },
      settings.SHUTDOWN_SECONDS * 1000 + LAST_WRITES_MILLISECONDS,
    );
    const all = [...running.values()];
    for (const { process } of all) tell(process, { kind: 'stop' });
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(deadline);
    await listener?.close();
  };

  /** Puts another process in the place of one that ends, and another one in its place. */
  const keep = async (begun: Running): Promise<void> => {
    const { worker, process, ended } = begun;
    const { code, signal } = await ended;
    running.delete(worker);
    await metrics.departed(process);
    if (stopping !== null) return;
    const about = { worker, pid: process.process.pid, code, signal };
    const pause = bound.pauseAfterEnd();
    if (pause === null) {
      log.fatal(about, 'processes of the service end again and again, so it ends');
      stopping = stop();
      await stopping;
      return givenUp();
    }
    log.error({ ...about, pause }, 'a process of the service has ended; another one takes its place');
    metrics.replaced();
    const timer = setTimeout(() => {
      pauses.delete(timer);
      void keep(begin(worker));
    }, pause);
    pauses.add(timer);
  };

  try {
    // A reason that keeps one from listening keeps all of them, and is said once.
    const first = await listening(begin(1));
    const others = Array.from({ length: settings.WORKERS - 1 }, (_, index) => listening(begin(index + 2)));
    await Promise.all(others);
    if (settings.METRICS_PORT !== null) {
      listener = await listenForMetrics(metrics.registry, settings, settings.METRICS_PORT, log);
    }
    for (const begun of running.values()) void keep(begun);
    return {
      url: first.url ?? settings.BASE_URL,
      metricsUrl: listener?.url ?? null,
      close() {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    for (const { process } of running.values()) process.process.kill('SIGKILL');
    throw error;
  }
}

/** Sends a message, unless the process has ended or is about to. */
function tell(process: Worker, message: ToWorker): void {
  if (process.isConnected()) process.send(message);
}

const exitCodeOf = ({ code, signal }: { readonly code: number; readonly signal: string | null }): number =>
  signal === null ? code : 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
