import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { steadyShares } from '../../../api/access/auth-failure-limiter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what was used comes back steadily, for each name by itself', () => {
  const shares = steadyShares(60);
  for (let used = 1; used <= 60; used++) expect(shares.use('a')).toBeCloseTo(60 - used, 5);
  expect(shares.waitOf('a')).toBeGreaterThan(900);
  expect(shares.waitOf('b')).toBe(0);
  vi.advanceTimersByTime(400);
  expect(shares.waitOf('a')).toBeLessThan(700);
  vi.advanceTimersByTime(700);
  expect(shares.waitOf('a')).toBe(0);
});
