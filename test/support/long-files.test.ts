import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allFiles, filesOfRun, LONG_FILES, shareOf } from './long-files.ts';

/** The part of the long files that a run of the suite tries (long-files.ts). */

const SHORT = 'test/sql/query/fold.test.ts';
const FILES = [...LONG_FILES, SHORT];

const tried = (...words: string[]): string[] => filesOfRun(FILES, words);

const seedBefore = process.env.SEED;
beforeEach(() => {
  process.env.SEED = '1';
});
afterEach(() => {
  process.env.SEED = seedBefore;
});

test('every long file is there, once', () => {
  const files = allFiles();
  expect(LONG_FILES.filter((name) => !files.includes(name))).toEqual([]);
  expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
});

test('the shares have as many files, and each has one of the four longest', () => {
  const shares = LONG_FILES.map((_, place) => shareOf(place));
  expect(shares.slice(0, 7)).toEqual([0, 1, 2, 3, 3, 2, 1]);
  const sizes = [0, 1, 2, 3].map((share) => shares.filter((one) => one === share).length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
});

describe('a run', () => {
  // CASES=2 lifts every restriction, this one included.
  test.skipIf(Number(process.env.CASES ?? 1) > 1)('tries a share, which the seed draws, and every short file', () => {
    const runs = Array.from({ length: 20 }, (_, seed) => {
      process.env.SEED = String(seed);
      return tried('run');
    });
    for (const files of runs) {
      expect(files).toContain(SHORT);
      expect(files.length).toBeLessThanOrEqual(Math.ceil(LONG_FILES.length / 4) + 1);
    }
    expect(new Set(runs.flat())).toEqual(new Set(FILES));
    process.env.SEED = '7';
    expect(tried('run')).toEqual(runs[7]);
  });

  test.each([
    ['that names a file', ['run', 'test/crash/mutation.test.ts']],
    ['that names a folder', ['run', 'test/dashboards', '--maxWorkers=1']],
    ['that watches', ['watch']],
    ['of all', ['run', '--mode', 'all']],
  ])('%s tries all', (_, words) => {
    expect(tried(...words)).toEqual(FILES);
  });
});
