import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needsIsolation, needsProcesses } from './needs.ts';

const file = (name: string): string => join(import.meta.dirname, '..', name);

test.each([
  ['crash/mutation.test.ts', 'starts services through a helper of its own folder', true],
  ['sql/org/migrate.test.ts', 'starts Postgres through two helpers', true],
  ['two-engines/two-engines.test.ts', 'loads the engine of ClickHouse', true],
  ['ingest/fetch/fetch.test.ts', 'generates exports', true],
  ['dashboards/shell.test.ts', 'starts a browser', true],
  ['conformance/units.test.ts', 'serves in its own process', false],
])('%s %s: needs processes is %s', (name, _, expected) => {
  expect(needsProcesses(file(name))).toBe(expected);
});

test.each([
  ['conformance/compression.test.ts', 'replaces a module', true],
  ['two-engines/two-engines.test.ts', 'loads the engine of ClickHouse', true],
  ['crash/mutation.test.ts', 'has its services in processes of their own', false],
])('%s %s: needs isolation is %s', (name, _, expected) => {
  expect(needsIsolation(file(name))).toBe(expected);
});
