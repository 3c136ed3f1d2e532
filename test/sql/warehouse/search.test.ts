import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Damaged } from '../../../sql/warehouse/damage.ts';
import { openSearchIndex, type SearchIndex } from '../../../sql/warehouse/search/reader.ts';
import { bitsBetween } from '../../../sql/warehouse/search/unit-set.ts';
import { createSearchIndex } from '../../../sql/warehouse/search/writer.ts';
import { cases } from '../../support/cases.ts';

/** The search index finds exactly what plain loops over the texts find. */

const folder = mkdtempSync(join(tmpdir(), 'search-'));
const path = join(folder, 'units.search');
afterAll(() => rmSync(folder, { recursive: true }));

/** Few letters, so that words share parts; signs that end words, letters of two to four bytes, and their neighbours. */
const LETTERS = [
  'a',
  'b',
  'n',
  '1',
  '-',
  '.',
  '@',
  '{',
  'ł',
  'é',
  '·',
  '\u00bf',
  'Ā',
  '–',
  '\u206f',
  '\u2070',
  'ﬀ',
  '𝔸',
];
const word = fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''));
const folded = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));

const label = fc.option(fc.constantFrom('Bayern', 'Hessen', 'Saarland'));
const name = fc.record({ text: folded, state: label, carrier: label, record: fc.string({ unit: 'grapheme' }) });

const contents = fc.integer({ min: 1, max: 300 }).chain((units) =>
  fc.record({
    units: fc.constant(units),
    texts: fc.array(fc.record({ text: folded, places: fc.array(fc.nat(units - 1), { maxLength: 40 }) }), {
      maxLength: 30,
    }),
    unitNames: fc.array(name, { maxLength: 30 }),
    actors: fc.array(name, { maxLength: 30 }),
    withUnits: fc.nat(30),
    pairsAtOnce: fc.integer({ min: 1, max: 200 }),
  }),
);

type Contents = typeof contents extends fc.Arbitrary<infer Value> ? Value : never;

function write({ units, texts, unitNames, actors, withUnits, pairsAtOnce }: Contents): void {
  const index = createSearchIndex(path, units, { pairsAtOnce });
  for (const { text, places } of texts) {
    index.beginText(text);
    for (const place of places) index.addUnit(place);
  }
  const ofUnits = index.beginNames('units');
  for (const one of unitNames) ofUnits.add(one);
  const ofActors = index.beginNames('actors');
  for (const one of actors) ofActors.add(one);
  index.finish(Math.min(withUnits, actors.length));
}

async function withIndex(all: Contents, use: (index: SearchIndex) => Promise<void>): Promise<void> {
  write(all);
  const index = openSearchIndex(path, all.units);
  try {
    await use(index);
  } finally {
    index.close();
  }
}

/** A piece of one of the texts, or any text. */
const piece = (texts: readonly string[]) =>
  fc.oneof(
    folded,
    fc
      .tuple(fc.constantFrom(...texts, 'a'), fc.nat(8), fc.integer({ min: 1, max: 8 }))
      .map(([text, from, length]) => [...text].slice(from, from + length).join('')),
  );

test('the units with a word', async () => {
  const examples = contents.chain((all) =>
    fc.tuple(fc.constant(all), fc.array(piece(all.texts.map(({ text }) => text)), { maxLength: 5 })),
  );
  await fc.assert(
    fc.asyncProperty(examples, ([all, pieces]) =>
      withIndex(all, async (index) => {
        for (const one of pieces.flatMap((text) => text.split(' ')).filter((text) => text !== '')) {
          const having = all.texts.filter(({ text }) => text.includes(one)).flatMap(({ places }) => places);
          const found = [...bitsBetween(await index.unitsWith(one), 0, all.units)];
          expect(found).toEqual([...new Set(having)].sort((a, b) => a - b));
        }
      }),
    ),
    { numRuns: cases(60) },
  );
});

/** As the statements of GET /v1/search rank a name (api/search/names.duckdb.sql). */
function rankOf(text: string, term: string): number | null {
  if (!text.includes(term)) return null;
  if (text.startsWith(term)) return 1;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (/[ -/:-@[-`{-\u{bf}\u{2000}-\u{206f}]$/u.test(text.slice(0, at))) return 2;
  }
  return 3;
}

test('the best names, by rank and order, and what answers show of them', async () => {
  const examples = contents.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.array(piece([...all.unitNames, ...all.actors].map(({ text }) => text)), { maxLength: 5 }),
      fc.record({
        states: fc.option(fc.subarray(['Bayern', 'Hessen', 'Bremen'])),
        carriers: fc.option(fc.subarray(['Bayern', 'Hessen', 'Bremen'])),
        limit: fc.integer({ min: 1, max: 12 }),
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(examples, ([all, pieces, chosen]) =>
      withIndex(all, async (index) => {
        for (const text of pieces.map((one) => one.trim()).filter((one) => one !== '')) {
          for (const [names, found, first] of [
            [all.unitNames, index.unitNames, all.unitNames.length],
            [all.actors, index.actors, Math.min(all.withUnits, all.actors.length)],
          ] as const) {
            const isAmong = (list: readonly string[] | null, one: string | null) =>
              list === null || (one !== null && list.includes(one));
            const expected = names
              .flatMap((one, place) => {
                const rank = rankOf(one.text, text);
                const wanted = isAmong(chosen.states, one.state) && isAmong(chosen.carriers, one.carrier);
                return rank === null || !wanted ? [] : [{ matchRank: rank + (place < first ? 0 : 3), place }];
              })
              .sort((a, b) => a.matchRank - b.matchRank || a.place - b.place)
              .slice(0, chosen.limit);
            expect(await found.find({ text, ...chosen }), text).toEqual(expected);
            const records = await found.records(expected.map(({ place }) => place));
            expect(records).toEqual(expected.map(({ place }) => names[place]?.record));
          }
        }
      }),
    ),
    { numRuns: cases(60) },
  );
});

describe('a file that was changed on the disk', () => {
  const all: Contents = {
    units: 40,
    texts: [
      { text: 'solarpark nord', places: [1, 5, 6] },
      { text: 'nord', places: Array.from({ length: 30 }, (_, place) => place) },
    ],
    unitNames: [{ text: 'solarpark nord', state: 'Bayern', carrier: null, record: 'one' }],
    actors: [{ text: 'nord gmbh & co. kg', state: null, carrier: null, record: 'two' }],
    withUnits: 1,
    pairsAtOnce: 100,
  };

  /** Everything that can be read of it. */
  async function contentsOf(): Promise<unknown> {
    const index = openSearchIndex(path, all.units);
    try {
      const search = { states: null, carriers: null, limit: 9 };
      return [
        [...(await index.unitsWith('nord'))],
        [...(await index.unitsWith('park'))],
        await index.unitNames.find({ text: 'park nord', ...search }),
        await index.actors.records((await index.actors.find({ text: 'g', ...search })).map(({ place }) => place)),
      ];
    } finally {
      index.close();
    }
  }

  test('is never read as if it were whole, whichever byte has changed', async () => {
    write(all);
    const whole = readFileSync(path);
    const expected = await contentsOf();
    for (let at = 0; at < whole.length; at += 3) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, bytes);
      await expect(contentsOf(), `byte ${at}`).rejects.toThrow(Damaged);
    }
    for (const length of [0, 5, 20, whole.length - 1, whole.length >> 1]) {
      writeFileSync(path, whole.subarray(0, length));
      await expect(contentsOf(), `length ${length}`).rejects.toThrow(Damaged);
    }
    writeFileSync(path, whole);
    expect(await contentsOf()).toEqual(expected);
  });
});
