import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, TOP_LEVEL_FOLDERS } from './folders.ts';

/** docs/glossary.md points to code that exists. */

const page = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');

interface Entry {
  readonly term: string;
  readonly meaning: string;
  readonly path: string;
  /** Absent for a folder or a whole file. */
  readonly symbol: string | undefined;
}

const groups = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    entries: [...section.matchAll(/^\| (.+?) \| (.+) \| `([^`#]+)(?:#(\w+))?` \|$/gm)].map(
      ([, term = '', meaning = '', path = '', symbol]): Entry => ({ term, meaning, path, symbol }),
    ),
    rows: section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Term ')).length,
  }));
const entries = groups.flatMap((group) => group.entries);

/** Returns true when the source declares the symbol: a TypeScript declaration, or a table, macro or view in SQL. */
function declares(path: string, symbol: string): boolean {
  const source = readFileSync(join(ROOT, path), 'utf8');
  const declaration = path.endsWith('.sql')
    ? `^CREATE (?:OR REPLACE TEMP )?(?:TABLE|MACRO|VIEW) ${symbol}\\b`
    : `^(?:export )?(?:async )?(?:const|function\\*?|class|interface|type) ${symbol}\\b`;
  return new RegExp(declaration, 'm').test(source);
}

describe.each(groups)('$title', ({ entries, rows }) => {
  test('has three cells in every row', () => {
    expect(entries).toHaveLength(rows);
  });

  test('is sorted by term', () => {
    const terms = entries.map(({ term }) => term);
    expect(terms).toEqual(terms.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  test.each(entries)('$term: $path declares $symbol', ({ path, symbol, meaning }) => {
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    if (symbol !== undefined) expect(declares(path, symbol), `${path}#${symbol}`).toBe(true);
    expect(meaning).toMatch(/\.$/);
  });
});

test('defines no term twice', () => {
  const terms = entries.map(({ term }) => term);
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
});

test('has an entry for every top-level folder', () => {
  const folders = new Set(entries.filter(({ symbol }) => symbol === undefined).map(({ path }) => path));
  expect(TOP_LEVEL_FOLDERS.filter((name) => !folders.has(name))).toEqual([]);
});
