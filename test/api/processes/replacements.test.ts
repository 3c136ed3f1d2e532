import { expect, test } from 'vitest';
import { replacements } from '../../../api/processes/replacements.ts';

test('a process that ends now and then is replaced at once', () => {
  let now = 0;
  const { pauseAfterEnd } = replacements(2, () => now);
  for (let end = 0; end < 100; end++) {
    expect(pauseAfterEnd()).toBe(250);
    now += 61_000;
  }
});

test('all processes may end at once, for a reason that they share; each further end is waited for longer', () => {
  const { pauseAfterEnd } = replacements(4, () => 0);
  const pauses = Array.from({ length: 8 }, pauseAfterEnd);
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

test('more ends within a minute are given up', () => {
  let now = 0;
  const { pauseAfterEnd } = replacements(2, () => now);
  const pauses = Array.from({ length: 7 }, () => {
    now += 1000;
    return pauseAfterEnd();
  });
  expect(pauses.slice(0, 6)).not.toContain(null);
  expect(pauses[6]).toBeNull();
});
