import { expect, test } from 'vitest';
import { pageBundle } from '../../api/app/bundle.ts';

/** A browser loads these files for the first page under /app. */

const LIMIT_KILOBYTES = 200;

const { files, script, style } = await pageBundle();

const textOf = (name: string): string => files.get(name)?.asset.bytes.toString() ?? '';

/** A script with everything that it imports at once; what it imports later is left out. */
function withImports(name: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, imported = ''] of textOf(name).matchAll(/\b(?:from|import)\s*"\.\/([^"]+\.js)"/g))
    withImports(imported, found);
  return found;
}

/** The script of a page, by a sentence that stands on no other. */
const pageWith = (sentence: string): string =>
  [...files.keys()].find((name) => name.endsWith('.js') && textOf(name).includes(sentence)) ?? '';
const firstPage = pageWith('Was diese Zahlen sind');
const loaded = new Set([...withImports(script), ...withImports(firstPage), style]);

/** The size as browsers get it. */
const kilobytesOf = async (names: Iterable<string>, coding: 'br' | 'gzip' = 'br'): Promise<number> => {
  const sizes = await Promise.all(
    [...names].map(async (name) => (await files.get(name)?.asset.encoded(coding))?.length),
  );
  expect(sizes).not.toContain(undefined);
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / 1000;
};

test(`the first page, with all that it imports, is under ${LIMIT_KILOBYTES} kB compressed`, async () => {
  expect(firstPage).not.toBe('');
  const kilobytes = await kilobytesOf(loaded);
  expect(kilobytes).toBeLessThan(LIMIT_KILOBYTES);
  // The charts alone are larger than this: the imports were found.
  expect(kilobytes).toBeGreaterThan(60);
});

test.each([
  ['br', 135],
  ['gzip', 150],
] as const)('the script for a first view of a region, in both languages, is small by %s', async (coding, most) => {
  const region = pageWith('Ein Bundesland, ein Kreis, eine Gemeinde oder');
  expect(region).not.toBe('');
  const kilobytes = await kilobytesOf(new Set([...withImports(script), ...withImports(region)]), coding);
  expect(kilobytes).toBeLessThan(most);
});

test('boundaries, and the pages that the visitor did not open, are not among it', () => {
  const texts = [...loaded].map(textOf);
  expect([...loaded].filter((name) => !/\.(js|css)$/.test(name))).toEqual([]);
  for (const foreign of ['"Topology"', 'GeoBasis-DE', 'Vergleichen mit']) {
    expect(texts.filter((text) => text.includes(foreign))).toEqual([]);
  }
  expect(loaded.size).toBeLessThan(files.size);
});
