import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysBefore, megawatts, share } from '../../../api/regions/figures.ts';

test('MW are exact for every sum of kW with three decimals', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (watts) => {
      expect(megawatts(watts / 1000)).toBe(watts === 0 ? 0 : Number(`${watts}e-6`));
    }),
  );
});

test('shares have four decimals, and none of nothing', () => {
  expect([share(1, 3), share(2, 3), share(0, 5), share(5, 5), share(0, 0)]).toEqual([0.3333, 0.6667, 0, 1, null]);
});

test('days before cross months, leap days and years', () => {
  expect(daysBefore('2024-03-01', 1)).toBe('2024-02-29');
  expect(daysBefore('2026-03-15', 89)).toBe('2025-12-16');
});
