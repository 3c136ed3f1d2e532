import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import { addProcessMetrics } from '../metrics/metrics.ts';
import type { MetricValues } from './messages.ts';

/**
 * The metrics of all processes of a service as those of one. Counts of processes that have ended stay in the sums: where they
 * went down, Prometheus would take what is left for new.
 */
export interface MetricsTogether {
  /** A source of metrics, for a listener. */
  readonly registry: Pick<Registry, 'contentType' | 'metrics'>;
  /** A process has ended, and another one is to take its place. */
  replaced(): void;
  /** Keeps the counts of a process that has ended, as of the last answer it gave. */
  departed(worker: object): Promise<void>;
}

/** The processes that answer requests. */
interface Processes {
  /** Those that listen. */
  serving(): number;
  /** Asks all of them. Those that do not answer in time are missing. */
  ask(): Promise<ReadonlyMap<object, MetricValues>>;
}

const COUNTS: ReadonlySet<string> = new Set(['counter', 'histogram']);

/** A registry names the types of metrics by words, whatever its own types say. */
const isCount = ({ type }: { readonly type: unknown }): boolean => COUNTS.has(String(type));

const sumOf = (all: readonly MetricValues[]): Registry => AggregatorRegistry.aggregate([...all]) as Registry;

export function metricsTogether(processes: Processes): MetricsTogether {
  const own = new Registry();
  addProcessMetrics(own);
  new Gauge({
    name: 'energy_service_processes',
    help: 'Processes of the service that answer requests (WORKERS)',
    registers: [own],
    collect() {
      this.set(processes.serving());
    },
  });
  const ends = new Counter({
    name: 'energy_service_processes_replaced_total',
    help: 'Processes of the service that have ended by themselves, so that another one took their place',
    registers: [own],
  });
  /** The last answer of each process that has not ended. */
  const last = new Map<object, MetricValues>();
  let past: MetricValues = [];
  /** An answer may come after the end of its process. */
  const gone = new WeakSet<object>();

  return {
    registry: {
      contentType: own.contentType,
      async metrics() {
        for (const [worker, values] of await processes.ask()) if (!gone.has(worker)) last.set(worker, values);
        return sumOf([...last.values(), past, await own.getMetricsAsJSON()]).metrics();
      },
    },
    replaced: () => ends.inc(),
    async departed(worker) {
      gone.add(worker);
      const values = last.get(worker);
      last.delete(worker);
      if (values !== undefined) past = await sumOf([past, values.filter(isCount)]).getMetricsAsJSON();
    },
  };
}
