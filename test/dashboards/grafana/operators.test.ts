import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readExposition } from '../../api/metrics/exposition.ts';
import type { OwnSubject } from '../../support/service.ts';
import { type MetricsKnown, metricsKnown } from '../prometheus/metrics.ts';
import { serveObserved } from '../prometheus/observed.ts';
import { checkExpression } from '../prometheus/promql.ts';
import { BOARDS, metricsTargets, type Panel, panelsOf, readBoard, type Variable } from './board.ts';
import { inPrometheus } from './variables.ts';

/** The boards for operators ask for nothing that the service does not have, and show everything that it has. */

const boards = BOARDS.map(readBoard);

let service: OwnSubject;
let text: string;
let known: MetricsKnown;

beforeAll(async () => {
  service = await serveObserved();
  text = await (await fetch(service.metricsUrl!)).text();
  known = await metricsKnown(text);
});

afterAll(() => service.stop());

const labelsOf = (expression: string) => checkExpression(inPrometheus(expression), known);

/** The labels in a legend. */
const labelsIn = (legend: string): string[] => [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);

/** Columns of a table that is made from samples: their labels, and a value for each query. */
const columnsOf = (panel: Panel): string[] => {
  const targets = metricsTargets(panel);
  const values = targets.length === 1 ? ['Value'] : targets.map(({ refId }) => `Value #${refId}`);
  return ['Time', ...values, ...targets.flatMap(({ expr }) => [...labelsOf(expr)])];
};

describe.each(boards.filter((board) => panelsOf(board).some((panel) => metricsTargets(panel).length > 0)))(
  '$title',
  (board) => {
    const panels = panelsOf(board);

    test.each(panels.map((panel) => [panel.title, panel] as const))('%s', (_, panel) => {
      for (const { expr, legendFormat = '', format } of metricsTargets(panel)) {
        const labels = labelsOf(expr);
        for (const label of labelsIn(legendFormat)) expect([...labels], expr).toContain(label);
        if (format === 'heatmap') expect([...labels]).toEqual(['le']);
        // Series that no legend tells apart would all have the same name.
        if (panel.type === 'timeseries' && labels.size > 0)
          expect(labelsIn(legendFormat).length, expr).toBeGreaterThan(0);
      }
      if (panel.type !== 'table') return;
      const columns = columnsOf(panel);
      for (const { matcher } of panel.fieldConfig.overrides) expect(columns).toContain(matcher.options);
    });

    test('annotations and variables', () => {
      for (const { expr } of board.annotations.list) if (expr !== undefined) labelsOf(expr);
      for (const [selector, label] of board.templating.list.flatMap(labelValues)) {
        expect([...labelsOf(selector)]).toContain(label);
      }
    });
  },
);

/** Selector and label of a variable that lists the values of a label. */
function labelValues({ query }: Variable): [string, string][] {
  if (typeof query === 'string' || !('query' in query)) return [];
  const [, selector, label] = /^label_values\((.+), (\w+)\)$/.exec(String(query.query)) ?? [];
  if (selector === undefined || label === undefined) throw new Error(`${query.query} is no query for values`);
  return [[selector, label]];
}

const namesIn = (question: string): string[] => question.match(/\b(energy|process|nodejs)_\w+/g) ?? [];

test('every metric of our own is on a board', () => {
  const shown = new Set(
    boards.flatMap((board) => namesIn(board.text)).map((name) => name.replace(/_(bucket|sum|count)$/, '')),
  );
  const families = [...readExposition(text).keys()].filter((name) => name.startsWith('energy_'));
  expect(families.length).toBeGreaterThan(40);
  expect(families.filter((name) => !shown.has(name))).toEqual([]);
});

test('every metric that docs/operations.md names exists', () => {
  const pages = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8').split(/^## /m);
  const guide = pages.find((page) => page.startsWith('Metrics\n'))!;
  // It also names the user of the boards.
  const named = namesIn(guide).filter((name) => /^energy_(?!board$)./.test(name));
  expect(named.length).toBeGreaterThan(1);
  for (const name of named) expect([...known.keys()]).toContain(name);
});
