import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chainProblems, KEY_CHAIN, openChains, PUBLIC_CHAIN } from '../../../api/chain/chain.ts';
import type { Operation } from '../../../api/operation/operation.ts';
import { operationsOf } from '../../../api/operations.ts';
import { lifecycle } from './lifecycle.ts';
import { stubService } from './stub-service.ts';

const OPERATIONS = operationsOf({ OLDER_API: 'on' });

const byId = (id: string): Operation => {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}`);
  return operation;
};

test('docs/architecture.md draws the steps as they are', () => {
  const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
  const drawing = /^ {4}request\n(?: {4}.*\n)+/m.exec(page)?.[0].replaceAll(/^ {4}/gm, '').trimEnd();
  expect(drawing).toBe(lifecycle(OPERATIONS));
});

describe('an operation gets the middleware it needs, and no other', () => {
  const compile = openChains(stubService());
  const counts = (id: string) => compile(byId(id)).length;

  test('a public one: media type, body, validation, caching, response', () => {
    expect(counts('health.show')).toBe(5);
    // Assets are answered a few at a time.
    expect(counts('docs.page')).toBe(6);
  });

  test('one that writes has the transaction of a write in addition to all that a read has', () => {
    expect(counts('portfolio.put')).toBe(counts('portfolio.list') + 1);
  });

  test('one for any valid key requires neither the module api nor a scope', () => {
    expect(counts('me.show')).toBeLessThan(counts('audit.list'));
    expect(chainProblems(byId('me.show'))).not.toContain('MISSING_MODULE');
    expect(chainProblems(byId('me.show'))).not.toContain('QUOTA_EXCEEDED');
  });

  test('every step is needed by some operation', () => {
    const service = stubService();
    for (const { name, open } of PUBLIC_CHAIN.entries) {
      const opened = open(service);
      const needed = OPERATIONS.some((operation) => operation.access === 'public' && opened(operation) !== null);
      expect(needed, name).toBe(true);
    }
    for (const { name, open } of KEY_CHAIN.entries) {
      const opened = open(service);
      const needed = OPERATIONS.some((operation) => operation.access !== 'public' && opened(operation) !== null);
      expect(needed, name).toBe(true);
    }
  });
});
