import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORED_FIELDS, UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import { type Condition, searchWords as wordsOfCondition } from '../../../sql/query/conditions.ts';
import { duckdbProjections } from '../../../sql/query/duckdb.ts';
import { fold, searchTerms } from '../../../sql/query/fold.ts';
import { type WarehouseStatement, withLiterals } from '../../../sql/query/statement.ts';
import { pageStatement, searchPageStatement, totalStatement } from '../../../sql/query/units.ts';
import { unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishSample, warehouseFolder } from '../../support/built.ts';
import { cases } from '../../support/cases.ts';

/** The filter suche finds exactly the units that have, by plain code, every word in one of their texts. */

const TEXTS = ['name', 'ort', 'gemeinde', 'landkreis', 'plz', 'windpark', 'betreiberName'];
const NUMBERS = STORED_FIELDS.filter(({ kind }) => kind === 'number').map(({ name }) => name);

interface Unit {
  readonly number: string;
  readonly texts: readonly string[];
  readonly folded: readonly string[];
}

const folder = warehouseFolder();
let query: (statement: WarehouseStatement) => Promise<Record<string, unknown>[]>;
let close: () => void;
let units: Unit[];

beforeAll(async () => {
  await publishSample(folder.path);
  const file = versionFile(folder.path, currentPublication(folder.path)!.version);
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', threads: '2' });
  const connection = await instance.connect();
  query = async (statement) => (await connection.runAndReadAll(withLiterals(statement))).getRowObjectsJS();
  close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  const columns = [...TEXTS, ...NUMBERS].map((name) => `"${name}"`).join(', ');
  const rows = await query({ text: `SELECT ${columns} FROM units`, values: {} });
  units = rows.map((row) => {
    const texts = [...TEXTS, ...NUMBERS].flatMap((name) => (row[name] === null ? [] : [String(row[name])]));
    return { number: String(row.mastrNummer), texts, folded: texts.map(fold) };
  });
});

afterAll(() => {
  close();
  folder.remove();
});

const byNumber = { field: STORED_FIELDS.find(({ name }) => name === 'mastrNummer')!, direction: 'asc' } as const;

/** Runs the composed statements. @returns numbers in order, and the total */
async function found(text: string) {
  const conditions = [{ ...UNIT_FILTERS.get('suche')!, value: searchTerms(text) }];
  const page = {
    conditions,
    sort: [byNumber],
    after: null,
    delivered: 0,
    total: 0,
    limit: 1_000_000,
    today: '2026-11-01',
  };
  const rows = await query(pageStatement(page, duckdbProjections));
  const [row] = await query(totalStatement(page, duckdbProjections));
  const numbers = numbersIn(rows);
  await expectSameAlone(conditions[0]!, numbers);
  return { numbers, total: row!.total };
}

const numbersIn = (rows: readonly Record<string, unknown>[]): string[] =>
  rows.map(({ digits }) => unitNumberOf(Number(digits)));

/** The shorter statement for free text alone finds the same, from the beginning and from any position. */
async function expectSameAlone(condition: Condition, numbers: readonly string[]): Promise<void> {
  const after = numbers[Math.floor(numbers.length / 2)];
  for (const place of [null, ...(after === undefined ? [] : [[after]])]) {
    const statement = searchPageStatement(wordsOfCondition(condition), { after: place, limit: 7 }, duckdbProjections);
    if (statement === null) continue;
    const rows = await query(statement);
    const behind = numbers.filter((number) => place === null || number > place[0]!);
    expect(numbersIn(rows)).toEqual(behind.slice(0, 7));
    expect(new Set(rows.map(({ total }) => total))).toEqual(new Set(rows.length === 0 ? [] : [numbers.length]));
  }
}

function naive(text: string): string[] {
  const words = searchTerms(text);
  const matches = ({ folded }: Unit) => words.every((word) => folded.some((whole) => whole.includes(word)));
  return units
    .filter(matches)
    .map(({ number }) => number)
    .sort();
}

/** Part of a text of the sample in another spelling: capitals, added and removed accents, ß. */
const piece = fc
  .record({
    unit: fc.nat(),
    text: fc.nat(),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 1, max: 9 }),
    spelling: fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.replaceAll(/[aou]/g, (vowel) => `${vowel}\u0308`),
      (text) => text.replaceAll('ä', 'a').replaceAll('ü', 'u').replaceAll('ö', 'o').replaceAll('ß', 'SS'),
    ),
  })
  .map(({ unit, text, from, length, spelling }) => {
    const { texts } = units[unit % units.length]!;
    const whole = texts[text % texts.length]!;
    const start = Math.floor(from * Math.max(0, whole.length - length + 1));
    return spelling(whole.slice(start, start + length));
  });

test('any words of the sample', async () => {
  const words = fc
    .array(piece, { minLength: 1, maxLength: 3 })
    .filter((pieces) => searchTerms(pieces.join(' ')).length > 0);
  await fc.assert(
    fc.asyncProperty(words, async (pieces) => {
      const expected = naive(pieces.join(' '));
      expect(await found(pieces.join(' '))).toEqual({ numbers: expected, total: expected.length });
    }),
    { numRuns: cases(20) },
  );
});

test.each([
  'see',
  'e',
  'eeg',
  'EEG 9',
  'see9',
  'SEE93 1',
  '9',
  '93',
  'gw',
  'pv 2',
  'kwk',
  'sel91',
  'e934 dach',
  'xyz999',
])('a prefix that numbers have as well: %s', async (text) => {
  const expected = naive(text);
  expect(await found(text)).toEqual({ numbers: expected, total: expected.length });
});

test('finds a unit by each of its numbers, whole and in part', async () => {
  const rows = await query({
    text: `SELECT ${NUMBERS.map((name) => `any_value("${name}") AS "${name}"`).join(', ')} FROM units`,
    values: {},
  });
  for (const number of Object.values(rows[0]!)
    .filter((value) => value !== null)
    .map(String)) {
    for (const part of [number, number.slice(0, 9), number.slice(2, 8), number.slice(3), number.slice(-5)]) {
      expect((await found(part)).numbers, part).toEqual(naive(part));
    }
  }
});
