import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openMetrics } from '../../../api/metrics/metrics.ts';
import { type OwnSubject, serveOwnFixture } from '../../support/service.ts';
import { readExposition } from './exposition.ts';

/** Every alert rule is PromQL over metrics and labels that the service has, and the guide says what to do. */

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const { groups } = parse(read('dashboards/alerts.yaml')) as { groups: readonly { readonly rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** Metrics of Prometheus itself and of node_exporter, with the labels that they have besides those of the target. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  node_filesystem_avail_bytes: ['device', 'fstype', 'mountpoint'],
};

/** Labels that Prometheus gives to every metric that it reads. */
const OF_TARGETS = ['job', 'instance'];

/** The labels of each metric. */
let labels: ReadonlyMap<string, ReadonlySet<string>>;
let service: OwnSubject;

beforeAll(async () => {
  service = await serveOwnFixture({ METRICS_PORT: '0' });
  const served = await (await fetch(service.metricsUrl!)).text();
  // Counters with labels have no sample before their first event, for some of which the service waits hours.
  const events = openMetrics();
  events.requestArrived()('units.list', 500);
  events.statementEnded('failed', 1);
  events.jobEnded('sweep', 'failed', 1);
  events.callRefused('wrong_key');
  events.evaluationEnded('failed', 1);
  const counted = await events.registry.metrics();
  const families = [served, counted].flatMap((text) => [...readExposition(text).values()]);
  const samples = families.flatMap(({ name, samples: own }) => [{ name, labels: {} }, ...own]);
  const byName = new Map<string, Set<string>>();
  for (const { name, labels: own } of samples) {
    const known = byName.get(name) ?? new Set(OF_TARGETS);
    for (const label of Object.keys(own)) known.add(label);
    byName.set(name, known);
  }
  for (const [name, own] of Object.entries(OF_OTHERS)) byName.set(name, new Set([...OF_TARGETS, ...own]));
  labels = byName;
});
afterAll(() => service.stop());

interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** Reads an expression with the grammar of Prometheus. @throws Error at the first place that is no PromQL */
function selectorsOf(expression: string): Selector[] {
  const selectors: { metric: string; labels: string[] }[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`${expression} is no PromQL at ${from}`);
      if (type.name === 'VectorSelector') selectors.push({ metric: '', labels: [] });
      const current = selectors.at(-1);
      if (type.name === 'Identifier' && current?.metric === '') current.metric = text;
      if (type.name === 'LabelName' && current !== undefined) current.labels.push(text);
    },
  });
  return selectors;
}

describe.each(rules)('$alert', ({ expr, for: pending = '1m', labels: own, annotations }) => {
  test('asks for metrics and labels that exist', () => {
    const selectors = selectorsOf(expr);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { metric, labels: asked } of selectors) {
      expect([...labels.keys()]).toContain(metric);
      for (const label of asked) expect([...labels.get(metric)!], metric).toContain(label);
    }
  });

  test('has a duration, a severity and a sentence', () => {
    expect(pending).toMatch(/^\d+[mh]$/);
    expect(own).toEqual({ severity: expect.stringMatching(/^(page|ticket)$/) });
    expect(annotations).toEqual({ summary: expect.stringMatching(/^[A-Z]/) });
  });
});

test('docs/operations.md says what to do for each alert, and for no other', () => {
  const [, section = ''] = /^### Alerts\n([\s\S]*?)^##/m.exec(read('docs/operations.md')) ?? [];
  const documented = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(documented).toEqual(rules.map(({ alert }) => alert));
});

test('the reader of expressions refuses what is no PromQL', () => {
  expect(() => selectorsOf('sum(rate(up[5m])')).toThrow(/no PromQL/);
  expect(() => selectorsOf('up{job=energy}')).toThrow(/no PromQL/);
});
