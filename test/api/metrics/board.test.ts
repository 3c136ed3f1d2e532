import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnSubject, serveOwnFixture } from '../../support/service.ts';
import { readExposition } from './exposition.ts';

/** The board that operators look at, and the guide, name no metric that the service does not have. */

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[];
}

const { panels } = JSON.parse(
  readFileSync(new URL('../../../dashboards/operations.json', import.meta.url), 'utf8'),
) as {
  panels: readonly Panel[];
};
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

let service: OwnSubject;
let text: string;

beforeAll(async () => {
  service = await serveOwnFixture({ METRICS_PORT: '0' });
  text = await (await fetch(service.metricsUrl!)).text();
});

afterAll(() => service.stop());

/** The names of a metric in a query: its family, and the parts of histograms and summaries. */
const names = (): Set<string> =>
  new Set(
    [...readExposition(text).values()].flatMap(({ name, type }) =>
      type === 'histogram' || type === 'summary' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
    ),
  );

const namesIn = (question: string): string[] => question.match(/\b(energy|process|nodejs)_\w+/g) ?? [];

test('every metric of a panel exists', () => {
  const known = names();
  expect(expressions.length).toBeGreaterThan(20);
  for (const expression of expressions) {
    expect(namesIn(expression).length, expression).toBe(1);
    for (const name of namesIn(expression)) expect(known, expression).toContain(name);
  }
});

test('every metric of our own is on a panel, or adds detail to one that is', () => {
  const shown = new Set(expressions.flatMap(namesIn).map((name) => name.replace(/_(bucket|sum|count)$/, '')));
  const unshown = [...readExposition(text).keys()].filter((name) => name.startsWith('energy_') && !shown.has(name));
  expect(unshown.sort()).toEqual([
    'energy_build_failed_checks',
    'energy_build_peak_memory_bytes',
    'energy_build_size_bytes',
    'energy_build_timestamp_seconds',
    'energy_dataset_export_day_timestamp_seconds',
    'energy_dataset_published_timestamp_seconds',
    'energy_job_last_duration_seconds',
    'energy_job_last_run_timestamp_seconds',
  ]);
});

test('every metric that docs/operations.md names exists', () => {
  const pages = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8').split(/^## /m);
  const guide = pages.find((page) => page.startsWith('Metrics\n'))!;
  const named = namesIn(guide).filter((name) => name.startsWith('energy_') && name !== 'energy_');
  expect(named.length).toBeGreaterThan(1);
  for (const name of named) expect(names()).toContain(name);
});

test('panels have ids of their own, and none lies on another', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}:${y + Math.floor(cell / w)}`),
  );
  expect(new Set(places).size).toBe(places.length);
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
});
