import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needsClickHouse, needsIsolation, needsProcesses } from './needs.ts';

const file = (name: string): string => join(import.meta.dirname, '..', name);

test.each([
  ['crash/mutation.test.ts', 'starts services through a helper of its own folder', true],
  ['sql/org/migrate.test.ts', 'starts Postgres through two helpers', true],
  ['two-engines/two-engines.test.ts', 'asks a server', true],
  ['ingest/fetch/fetch.test.ts', 'generates exports', true],
  ['dashboards/shell.test.ts', 'starts a browser', true],
  ['conformance/units.test.ts', 'serves in its own process', false],
])('%s %s: needs processes is %s', (name, _, expected) => {
  expect(needsProcesses(file(name))).toBe(expected);
});

test.each([
  ['conformance/compression.test.ts', 'replaces a module', true],
  ['crash/mutation.test.ts', 'has its services in processes of their own', false],
])('%s %s: needs isolation is %s', (name, _, expected) => {
  expect(needsIsolation(file(name))).toBe(expected);
});

test.each([
  ['two-engines/two-engines.test.ts', 'compares with a server', true],
  ['two-engines/shards.test.ts', 'starts servers of its own', true],
  ['sql/query/golden-clickhouse.test.ts', 'writes statements, which none runs', false],
])('%s %s: needs ClickHouse is %s', (name, _, expected) => {
  expect(needsClickHouse(file(name))).toBe(expected);
});
