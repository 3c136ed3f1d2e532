import { expect, test } from 'vitest';
import { advice } from '../../../api/wire/familiar-names.ts';

const KNOWN = ['cursor', 'limit', 'sort', 'fields', 'suche', 'bundesland'];

test.each([
  ['page', 'cursor'],
  ['pageToken', 'cursor'],
  ['offset', 'cursor'],
  ['skip', 'cursor'],
  ['start', 'cursor'],
  ['after', 'cursor'],
  ['per_page', 'limit'],
  ['pageSize', 'limit'],
  ['$top', 'limit'],
  ['size', 'limit'],
  ['order_by', 'sort'],
  ['select', 'fields'],
  ['q', 'suche'],
  ['search', 'suche'],
])('%s leads to %s', (typed, meant) => {
  expect(advice(typed, KNOWN)).toContain(meant);
  expect(advice(typed, KNOWN)).not.toContain('did you mean');
});

test('an operation without pages is not said to have a cursor', () => {
  expect(advice('offset', ['q'])).toBe('');
});

test('every other name is compared with those of the operation', () => {
  expect(advice('bundesLand', KNOWN)).toBe('; did you mean bundesland?');
});
