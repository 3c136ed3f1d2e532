import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { percentile, timesOf } from './times.ts';

describe('percentiles', () => {
  test.each([
    [50, [1, 2, 3, 4], 2],
    [50, [1, 2, 3, 4, 5], 3],
    [99, Array.from({ length: 200 }, (_, place) => place + 1), 198],
    [99, [7], 7],
    [100, [1, 9], 9],
    [0, [1, 9], 1],
  ])('p%d of %j is %d', (percentage, sorted, expected) => {
    expect(percentile(sorted, percentage)).toBe(expected);
  });

  test('at least that many values are not above it, and fewer are below it', () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 100 }), (list, percentage) => {
        const sorted = list.sort((a, b) => a - b);
        const found = percentile(sorted, percentage);
        const share = (percentage / 100) * sorted.length;
        expect(sorted.filter((value) => value <= found).length).toBeGreaterThanOrEqual(share);
        expect(sorted.filter((value) => value < found).length).toBeLessThan(share);
      }),
    );
  });
});

test('times are summed up in whatever order they come', () => {
  expect(timesOf([30, 10, 20, 40])).toEqual({ count: 4, p50: 20, p99: 40, mean: 25 });
});
