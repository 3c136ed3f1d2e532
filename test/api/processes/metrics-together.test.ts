import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { MetricValues } from '../../../api/processes/messages.ts';
import { metricAnswers } from '../../../api/processes/metric-answers.ts';
import { metricsTogether } from '../../../api/processes/metrics-together.ts';
import { readExposition, reading } from '../metrics/exposition.ts';

/** A process with some metrics. */
function process(calls: number, upToDate: number) {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({ name: 'calls_total', help: 'h', registers });
  counter.inc(calls);
  new Histogram({ name: 'seconds', help: 'h', buckets: [1, 2], registers }).observe(1.5);
  new Gauge({ name: 'up_to_date', help: 'h', aggregator: 'min', registers }).set(upToDate);
  new Gauge({ name: 'waiting', help: 'h', aggregator: 'sum', registers }).set(2);
  return { registry, counter, values: () => registry.getMetricsAsJSON() as Promise<MetricValues> };
}

type Process = ReturnType<typeof process>;

/** Processes that answer, and their metrics together. */
function together(...running: Process[]) {
  const answering = new Set(running);
  const metrics = metricsTogether({
    serving: () => running.length,
    ask: async () => new Map(await Promise.all([...answering].map(async (one) => [one, await one.values()] as const))),
  });
  const read = async (name: string, labels?: Record<string, string>) =>
    reading(readExposition(await metrics.registry.metrics()), name, labels);
  return { answering, metrics, read };
}

describe('the metrics of several processes', () => {
  it('are sums of counts, and what each gauge says', async () => {
    const { read } = together(process(3, 1), process(4, 0));
    expect(await read('calls_total')).toBe(7);
    expect(await read('seconds_count')).toBe(2);
    expect(await read('seconds_bucket', { le: '2' })).toBe(2);
    expect(await read('up_to_date')).toBe(0);
    expect(await read('waiting')).toBe(4);
    expect(await read('energy_service_processes')).toBe(2);
  });

  it('keep the counts of a process that has ended, and not its gauges', async () => {
    const [stays, goes] = [process(3, 1), process(4, 0)];
    const { answering, metrics, read } = together(stays, goes);
    expect(await read('calls_total')).toBe(7);
    answering.delete(goes);
    await metrics.departed(goes);
    metrics.replaced();
    stays.counter.inc(1);
    expect(await read('calls_total')).toBe(8);
    expect(await read('seconds_count')).toBe(2);
    expect(await read('up_to_date')).toBe(1);
    expect(await read('waiting')).toBe(2);
    expect(await read('energy_service_processes_replaced_total')).toBe(1);
    answering.delete(stays);
    await metrics.departed(stays);
    expect(await read('calls_total')).toBe(8);
  });

  it('show the last counts of a process that does not answer in time', async () => {
    const [quick, slow] = [process(3, 1), process(4, 1)];
    const { answering, read } = together(quick, slow);
    await read('calls_total');
    answering.delete(slow);
    quick.counter.inc(10);
    expect(await read('calls_total')).toBe(17);
  });

  it('forget an answer that comes after the end of its process', async () => {
    const goes = process(4, 1);
    const { metrics, read } = together(goes);
    await read('calls_total');
    await metrics.departed(goes);
    expect(await read('calls_total')).toBe(4);
  });
});

describe('the answers of processes', () => {
  it('are complete when each has answered or ended', async () => {
    const asked: [string, number][] = [];
    const answers = metricAnswers<string>((one, id) => asked.push([one, id]));
    const all = answers.ask(['a', 'b']);
    const [[, id]] = asked as [[string, number]];
    expect(asked).toEqual([
      ['a', id],
      ['b', id],
    ]);
    answers.answered('a', id, []);
    answers.answered('a', id + 1, []);
    answers.ended('b');
    expect([...(await all).keys()]).toEqual(['a']);
  });

  it('are none when nobody is there', async () => {
    expect((await metricAnswers(() => {}).ask([])).size).toBe(0);
  });
});
