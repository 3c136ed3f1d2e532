import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { find, type SearchRequest, typedText } from '../../../api/search/find.ts';
import { unitsWithWords, withUnitsFound } from '../../../api/units/by-text.ts';
import { readPage } from '../../../api/units/read.ts';
import { openDuckdbVersion } from '../../../api/warehouse/duckdb/version.ts';
import type { OpenVersion, VersionMeter } from '../../../api/warehouse/version.ts';
import type { Dataset } from '../../../api/warehouse/warehouse.ts';
import { itemAt } from '../../../runtime/present.ts';
import { fieldNamed, STORED_FIELDS, UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../../sql/query/conditions.ts';
import { fold, searchTerms } from '../../../sql/query/fold.ts';
import { currentPublication, rowFile, searchFile, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishSample, warehouseFolder } from '../../support/built.ts';
import { cases } from '../../support/cases.ts';

/** The search index of a version answers as statements do without it. */

const folder = warehouseFolder();
const meter: VersionMeter = { statementEnded() {}, unitsRead() {} };
const opened: OpenVersion[] = [];
let indexed: Dataset;
let plain: Dataset;
/** Texts and numbers of units of the sample, and names of its market actors. */
let texts: string[];

const COLUMNS = [
  ...['name', 'betreiberName', 'windpark', 'ort', 'gemeinde', 'landkreis', 'plz'],
  ...STORED_FIELDS.filter(({ kind }) => kind === 'number').map(({ name }) => name),
];

beforeAll(async () => {
  await publishSample(folder.path);
  const publication = currentPublication(folder.path)!;
  const tables = versionFile(folder.path, publication.version);
  const rows = rowFile(folder.path, publication.version);
  const datasetOf = async (search: string | null): Promise<Dataset> => {
    const version = await openDuckdbVersion(
      { tables, rows, search, orders: null, regionDays: null },
      { threads: 1, memoryMb: 300 },
      meter,
    );
    opened.push(version);
    const reader = version.reader({ operation: 'test', request: null, trace: null });
    return { ...reader, publication, publications: [], lineage: new Map() as never, erased: [], release() {} };
  };
  indexed = await datasetOf(searchFile(folder.path, publication.version));
  plain = await datasetOf(null);
  const each = COLUMNS.map((name) => `SELECT DISTINCT "${name}" AS text FROM units`);
  const text = [...each, 'SELECT DISTINCT name FROM marktakteure'].join(' UNION ');
  const row = z.strictObject({ text: z.string() });
  const found = await plain.query(row, {
    text: `SELECT text FROM (${text}) WHERE text <> '' ORDER BY text`,
    values: {},
  });
  texts = found.map((one) => one.text);
});

afterAll(() => {
  for (const version of opened) version.close();
  folder.remove();
});

/** A piece of a text of the sample, of one or more words. */
const piece = fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 12 })).map(([index, from, length]) => {
  const text = itemAt(texts, index % texts.length);
  return text.slice(from % text.length, (from % text.length) + length);
});

const suche = (words: readonly string[], own: Condition['own'] = new Map()): Condition => ({
  ...UNIT_FILTERS.get('suche')!,
  value: words,
  own,
});

const ofCarrier = (carrier: string): Condition => ({ ...UNIT_FILTERS.get('einheitTyp')!, value: [carrier] });

const SORTS = (['mastrNummer:asc', 'mastrNummer:desc', 'bruttoleistungKw:desc'] as const).map((sort) => {
  const [name = '', direction] = sort.split(':') as [string, 'asc' | 'desc'];
  const byNumber = { field: fieldNamed('mastrNummer'), direction: 'asc' } as const;
  const key = { field: fieldNamed(name), direction };
  return name === 'mastrNummer' ? [key] : [key, byNumber];
});

const page = (conditions: readonly Condition[], sort = SORTS[0]!) => ({
  conditions,
  sort,
  after: null,
  delivered: 0,
  limit: 5,
  total: null,
  today: '2026-11-01',
});

const FIELDS = [fieldNamed('mastrNummer'), fieldNamed('name')];

describe('suche', () => {
  const question = fc.record({
    text: fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(' ')),
    carrier: fc.option(fc.constantFrom('solar', 'wind')),
    sort: fc.constantFrom(...SORTS),
    ownUnits: fc.array(fc.nat(), { maxLength: 3 }),
  });

  test('any words, alone and beside a filter, in any order: the same pages and totals', async () => {
    const numbers = texts.filter((text) => /^SEE\d{12}$/.test(text));
    await fc.assert(
      fc.asyncProperty(question, async ({ text, carrier, sort, ownUnits }) => {
        const words = searchTerms(text);
        if (words.length === 0) return;
        const units = [...ownUnits.map((index) => itemAt(numbers, index % numbers.length)), 'SEE999999999999'];
        const conditions = [suche(words, new Map([[words[0]!, units]]))];
        if (carrier !== null) conditions.push(ofCarrier(carrier));
        const first = await readPage(plain, page(conditions, sort), FIELDS);
        expect(await readPage(indexed, page(conditions, sort), FIELDS)).toEqual(first);
        const [last] = first.rows.slice(-1);
        if (last === undefined) return;
        const next = {
          ...page(conditions, sort),
          after: sort.map(({ field }) => last[field.name] as string | number | null),
          delivered: first.rows.length,
          total: first.total,
        };
        expect(await readPage(indexed, next, FIELDS)).toEqual(await readPage(plain, next, FIELDS));
      }),
      { numRuns: cases(10) },
    );
  });

  test.each([
    ['see', false],
    ['79', false],
    ['windpark 79', true],
    ['pv 79', false],
    ['solar see9', true],
    ['solar 900', true],
    ['xyz79100', false],
  ])('%s: numbers are compared with a word when few units have the others (%s)', async (text, byIndex) => {
    const words = searchTerms(text);
    const found = await unitsWithWords(
      indexed,
      words.map((word) => ({ text: word, own: [] })),
    );
    expect(found !== null).toBe(byIndex);
    const expected = await readPage(plain, page([suche(words)]), FIELDS);
    expect(await readPage(indexed, page([suche(words)]), FIELDS)).toEqual(expected);
  });

  test('names the units in statements with other conditions', async () => {
    const [word = ''] = searchTerms(texts.find((text) => /^[a-z]{6,} /i.test(text)) ?? '');
    const { conditions } = await withUnitsFound(indexed, page([suche([word]), ofCarrier('solar')]));
    const { total } = await readPage(plain, page([suche([word])]), FIELDS);
    expect(conditions.map(({ found }) => found?.length)).toEqual([total, undefined]);
  });
});

test('GET /v1/search: the same hits for any text and restriction', async () => {
  const request = fc.record({
    text: piece,
    kinds: fc.constantFrom<SearchRequest['kinds'][]>(['marktakteur', 'anlage'], ['anlage'], ['marktakteur']),
    states: fc.option(fc.constantFrom(['Bayern'], ['Bayern', 'Niedersachsen'], ['Nirgendwo'], [])),
    carriers: fc.option(fc.constantFrom(['solar'], ['wind', 'storage'], [])),
    limit: fc.integer({ min: 1, max: 50 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ text, ...restrictions }) => {
      if (fold(text).length < 2) return;
      const asked: SearchRequest = { ...typedText(text), ...restrictions };
      const of = (dataset: Dataset) => find(dataset, asked, 'https://example.org', '2026-11-01');
      expect(await of(indexed)).toEqual(await of(plain));
    }),
    { numRuns: cases(30) },
  );
});
