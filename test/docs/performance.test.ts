import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './folders.ts';

/** The README repeats three figures of docs/performance.md, and no others. */

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The lines of the table under a heading, without its head. */
const rowsUnder = (page: string, heading: string): string[][] =>
  (page.split(`## ${heading}\n`)[1] ?? '')
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));

test('the README has the three figures that matter as docs/performance.md has them', () => {
  const measured = rowsUnder(read('README.md'), 'How fast').map(([, , figure]) => /^[\d.,]+/.exec(figure!)![0]);
  expect(measured).toHaveLength(3);
  const known = new Set(read('docs/performance.md').match(/\d[\d.,]*\d|\d/g));
  expect(measured.filter((figure) => !known.has(figure))).toEqual([]);
});
