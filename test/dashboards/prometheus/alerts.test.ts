import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { OwnSubject } from '../../support/service.ts';
import { type MetricsKnown, metricsKnown } from './metrics.ts';
import { serveObserved } from './observed.ts';
import { checkExpression } from './promql.ts';

/** Every alert rule is PromQL over metrics and labels that the service has, and the guide says what to do. */

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const { groups } = parse(read('dashboards/prometheus/alerts.yaml')) as {
  groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

let known: MetricsKnown;
let service: OwnSubject;

beforeAll(async () => {
  service = await serveObserved();
  known = await metricsKnown(await (await fetch(service.metricsUrl!)).text());
});
afterAll(() => service.stop());

describe.each(rules)('$alert', ({ expr, for: pending = '1m', labels: own, annotations }) => {
  test('asks for metrics and labels that exist', () => {
    expect(() => checkExpression(expr, known)).not.toThrow();
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
