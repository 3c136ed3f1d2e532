import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { macroStatements } from '../../../ingest/duckdb/sql-files.ts';
import { fold, searchTerms } from '../../../sql/query/fold.ts';

test.each([
  ['Müller', 'muller'],
  ['MULLER', 'muller'],
  ['Straße', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['Café  Élysée', 'cafe elysee'],
  ['Łódź', 'łodz'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['İzmir', 'izmir'],
  [' Köln,\tStadt\n', 'koln, stadt'],
  ['u\u0308ber', 'uber'],
  ['\u0308', ''],
])('%s is searched as %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test('splits at blanks, and returns each word once', () => {
  expect(searchTerms('  Wind  Nordsee wind ')).toEqual(['wind', 'nordsee']);
  expect(searchTerms(' \u0308 ')).toEqual([]);
});

test('folding a folded text changes nothing', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)));
});

/** Characters of the register and of input: Latin letters with all accents, Greek, Cyrillic, signs. */
const letter = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x24f }),
    fc.integer({ min: 0x300, max: 0x52f }),
    fc.integer({ min: 0x1e00, max: 0x1fff }),
  )
  .map((code) => String.fromCodePoint(code))
  .filter((text) => /^[\p{L}\p{M}\p{N}\p{P}\p{Zs}\p{S}]$/u.test(text));

test('the warehouse folds alike', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(macroStatements());
  const texts = fc.sample(fc.string({ unit: letter, maxLength: 30 }), 2_000);
  const reader = await connection.runAndReadAll('SELECT fold_text(unnest($texts::VARCHAR[])) AS folded', {
    texts: JSON.stringify(texts),
  });
  expect(reader.getRowObjectsJS().map(({ folded }) => folded)).toEqual(texts.map(fold));
  connection.closeSync();
  instance.closeSync();
});
