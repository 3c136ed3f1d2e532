import { expect, test } from 'vitest';
import type { MetricsKnown } from './metrics.ts';
import { checkExpression } from './promql.ts';

const labels = (...names: string[]) => new Set(['job', 'instance', ...names]);
const KNOWN: MetricsKnown = new Map([
  ['up', { type: 'gauge', labels: labels() }],
  ['build_info', { type: 'gauge', labels: labels('version') }],
  ['findings', { type: 'gauge', labels: labels('finding') }],
  ['calls_count', { type: 'counter', labels: labels('operation', 'status') }],
  ['calls_bucket', { type: 'counter', labels: labels('operation', 'status', 'le') }],
] as const);

const labelsOf = (expression: string) => [...checkExpression(expression, KNOWN)].sort();

test.each([
  ['up', ['instance', 'job']],
  ['sum(up)', []],
  ['sum by (status) (rate(calls_count{operation="a"}[5m]))', ['status']],
  ['topk(5, sum by (operation) (rate(calls_count[5m])))', ['operation']],
  ['sum without (status, instance, job) (calls_count)', ['operation']],
  ['histogram_quantile(0.99, sum by (le, operation) (rate(calls_bucket[5m])))', ['operation']],
  ['time() - max(up) > 3', []],
  ['findings * on (job, instance) group_left (version) build_info', ['finding', 'instance', 'job', 'version']],
  ['max by (version) (max_over_time((findings * on (instance) group_left (version) build_info)[30d:]))', ['version']],
  ['absent(up) and on() up == 1', []],
  ['(sum(rate(calls_count[5m])) or vector(0)) / (sum(rate(calls_count[5m])) > 0)', []],
])('%s has these labels', (expression, expected) => {
  expect(labelsOf(expression)).toEqual(expected);
});

test.each([
  ['sum(rate(up[5m])', /no PromQL/],
  ['up{job=energy}', /no PromQL/],
  ['uptime', /no metric uptime/],
  ['up{status="5xx"}', /up has no label status/],
  ['sum by (operations) (calls_count)', /no label operations/],
  ['sum by (status) (sum by (operation) (calls_count))', /no label status/],
  ['rate(up[5m])', /for a counter, and up is a gauge/],
  ['delta(calls_count[5m])', /for a gauge, and calls_count is a counter/],
  ['histogram_quantile(0.9, sum by (operation) (rate(calls_bucket[5m])))', /no label le/],
  ['histogram_quantile(0.9, sum by (status) (rate(calls_count[5m])))', /not over the buckets/],
  ['findings * build_info', /different labels/],
  ['findings * on (finding) build_info', /build_info has no label finding/],
  ['findings * on (job) group_left (export_day) build_info', /no label export_day/],
])('%s is refused', (expression, reason) => {
  expect(() => labelsOf(expression)).toThrow(reason);
});
