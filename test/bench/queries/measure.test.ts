import { expect, test } from 'vitest';
import { differing, foremost } from './measure.ts';

test('answers are the same when numbers differ by rounding alone, and null is absent', () => {
  expect(
    differing([
      ['count', 3, 3],
      ['capacity', 1234567.8, 1234567.8000001],
      ['count as text', 12, '12'],
      ['name', null, undefined],
    ]),
  ).toEqual([]);
});

test('a difference is reported with both answers', () => {
  expect(
    differing([
      ['total', 3, 4],
      ['first unit', 'SEE900000000001', undefined],
      ['key', null, 'Bayern'],
      ['capacity', 0, Number.NaN],
    ]),
  ).toEqual([
    'total 3, not 4',
    'first unit SEE900000000001, not undefined',
    'key null, not Bayern',
    'capacity 0, not NaN',
  ]);
});

test('differences are told once each, and the first ones stand for many', () => {
  expect(foremost(['a', 'a', 'b'])).toEqual(['a', 'b']);
  expect(foremost(['a', 'b', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'and 2 more differences']);
});
