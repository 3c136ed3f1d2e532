import { expect, test } from 'vitest';
import { allFiles, LONG_FILES } from './long-files.ts';

test('every long file is there, once', () => {
  const files = allFiles();
  expect(LONG_FILES.filter((name) => !files.includes(name))).toEqual([]);
  expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
});
