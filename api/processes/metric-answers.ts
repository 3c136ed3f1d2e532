import type { MetricValues } from './messages.ts';

/** Collects what processes answer when they are asked for their metrics. */
export interface MetricAnswers<Process> {
  /** Resolves when all have answered or ended, or the time is over; those without an answer are missing. */
  ask(processes: readonly Process[]): Promise<ReadonlyMap<Process, MetricValues>>;
  answered(process: Process, id: number, values: MetricValues): void;
  /** Nothing more comes of this process. */
  ended(process: Process): void;
}

interface Question<Process> {
  readonly open: Set<Process>;
  readonly values: Map<Process, MetricValues>;
  settle(): void;
}

/** Prometheus waits ten seconds, and a process takes three at most for its gauges. */
const METRICS_MILLISECONDS = 5_000;

/** @param send asks one process, under the number of the question */
export function metricAnswers<Process>(send: (process: Process, id: number) => void): MetricAnswers<Process> {
  const questions = new Map<number, Question<Process>>();
  let lastId = 0;

  const close = (process: Process, { open, settle }: Question<Process>): void => {
    open.delete(process);
    if (open.size === 0) settle();
  };

  return {
    async ask(processes) {
      lastId += 1;
      const id = lastId;
      const { promise, resolve } = Promise.withResolvers<void>();
      const question: Question<Process> = { open: new Set(processes), values: new Map(), settle: resolve };
      questions.set(id, question);
      for (const process of processes) send(process, id);
      const timer = setTimeout(resolve, METRICS_MILLISECONDS);
      if (processes.length > 0) await promise;
      clearTimeout(timer);
      questions.delete(id);
      return question.values;
    },
    answered(process, id, values) {
      const question = questions.get(id);
      question?.values.set(process, values);
      if (question !== undefined) close(process, question);
    },
    ended(process) {
      for (const question of questions.values()) close(process, question);
    },
  };
}
