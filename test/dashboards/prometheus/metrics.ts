import { openMetrics } from '../../../api/metrics/metrics.ts';
import { readExposition } from '../../api/metrics/exposition.ts';

/** The metrics that expressions may name. A part of a histogram (`_bucket`, `_sum`, `_count`) is a metric of its own, and counts. */
export type MetricsKnown = ReadonlyMap<
  string,
  { readonly type: 'counter' | 'gauge'; readonly labels: ReadonlySet<string> }
>;

/** Labels that Prometheus gives to every metric that it reads. */
const OF_TARGETS = ['job', 'instance'];

/** Metrics of Prometheus itself and of node_exporter, with the labels that they have besides those of the target. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  ALERTS: ['alertname', 'alertstate', 'severity'],
  node_filesystem_avail_bytes: ['device', 'fstype', 'mountpoint'],
};

/**
 * Reads the metrics and labels that a service has.
 * @param served what a running service answers
 */
export async function metricsKnown(served: string): Promise<MetricsKnown> {
  const known = new Map<string, { type: 'counter' | 'gauge'; labels: Set<string> }>();
  for (const text of [served, await counted()]) {
    for (const { name: family, type, samples } of readExposition(text).values()) {
      const parts =
        type === 'histogram' ? ['_bucket', '_sum', '_count'] : type === 'summary' ? ['_sum', '_count'] : [''];
      for (const name of parts.map((part) => family + part)) {
        const { labels } = known.get(name) ?? { labels: new Set(OF_TARGETS) };
        for (const sample of samples.filter((one) => one.name === name)) {
          for (const label of Object.keys(sample.labels)) labels.add(label);
        }
        known.set(name, { type: type === 'gauge' ? 'gauge' : 'counter', labels });
      }
    }
  }
  for (const [name, own] of Object.entries(OF_OTHERS)) {
    known.set(name, { type: 'gauge', labels: new Set([...OF_TARGETS, ...own]) });
  }
  return known;
}

/** Metrics with labels have no sample before their first event, for some of which a service waits hours. */
function counted(): Promise<string> {
  const events = openMetrics();
  events.requestArrived()('units.list', 500);
  events.statementEnded('failed', 1);
  events.jobEnded('sweep', 'failed', 1);
  events.callRefused('wrong_key');
  events.compressionEnded('done');
  events.alertsEvaluated({ NO_MATCH: 1, FIRED: 0, FAULTY: 0 });
  events.evaluationEnded('failed', 1);
  events.deliveryAttempted('delivered', 1);
  events.eventsStored('alert', 1);
  return events.registry.metrics();
}
