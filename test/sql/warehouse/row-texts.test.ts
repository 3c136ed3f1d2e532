import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, listValue } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { STORED_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { mastrBits, unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { clickhouseUnitColumns as clickhouseColumns } from '../../../sql/warehouse/clickhouse/columns.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { clickhouseRowText } from '../../../sql/warehouse/clickhouse/rows.ts';
import { duckdbUnitColumns } from '../../../sql/warehouse/duckdb/columns.ts';
import { ROW_COLUMNS, UNIT_TEXTS } from '../../../sql/warehouse/duckdb/rows.ts';
import { GROUP_SEPARATOR } from '../../../sql/warehouse/rows/layout.ts';
import { openRowFile } from '../../../sql/warehouse/rows/reader.ts';
import { itemsOf, textsOf, type UnitTexts } from '../../../sql/warehouse/rows/texts.ts';
import { administratorClient } from '../../support/clickhouse.ts';
import { writeRowFile } from '../../support/row-file.ts';

/** A row returns every text of `units` unchanged, whatever its characters, and affects no other row. */

const TEXTS = STORED_FIELDS.filter(({ kind, name }) => (kind === 'text' || kind === 'label') && name !== 'einheitTyp');
const LISTS = STORED_FIELDS.filter(({ kind }) => kind === 'list');

type Text = string | readonly string[];
type Unit = Readonly<Record<string, Text>>;

/** Every control character, among letters of one to four bytes. */
const letter = fc.oneof(
  fc.integer({ min: 0, max: 0x1f }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(
    '\u001b',
    '\u001d',
    '\u001e',
    '\u001f',
    '\u007f',
    '\u0085',
    '[',
    ']',
    '"',
    "'",
    ',',
    '|',
    '\\',
    '^',
    '_',
    '!',
    'a',
    'ß',
    '€',
    '\u{1f300}',
  ),
);
const text = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''));

const unit: fc.Arbitrary<Unit> = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...TEXTS.map(({ name }) => name)), text, { maxKeys: 12 }),
    fc.dictionary(fc.constantFrom(...LISTS.map(({ name }) => name)), fc.array(text, { minLength: 1, maxLength: 3 })),
  )
  .map(([texts, lists]) => ({ ...texts, ...lists }));

/** Each control character in a unit of its own, then any units. */
const [...sampled] = fc.sample(unit, 300);
const UNITS: readonly Unit[] = [
  ...Array.from({ length: 0x20 }, (_, code) => ({ name: `Wind${String.fromCharCode(code)}rad`, ort: 'Ort' })),
  ...sampled,
];
const numberAt = (place: number): string => unitNumberOf(900_000_000_000 + place);

const columnsWanted = new Set(ROW_COLUMNS.map(({ name }) => name));

const NAMES: ReadonlySet<string> = new Set(TEXTS.map(({ name }) => name));
const LIST_NAMES: ReadonlySet<string> = new Set(LISTS.map(({ name }) => name));

/** Reads the texts of a row from the tables. */
const unitOf = (texts: UnitTexts | null): Unit =>
  Object.fromEntries(
    [...(texts ?? [])].flatMap(([name, value]): [string, Text][] => {
      if (LIST_NAMES.has(name)) return [[name, itemsOf(value)]];
      return NAMES.has(name) ? [[name, value]] : [];
    }),
  );

/** A text without characters counts as none in ClickHouse, and so does a list of nothing but one. */
const withoutEmptyTexts = (one: Unit): Unit =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => [value].flat().join(GROUP_SEPARATOR) !== ''));

/** Fails at the first unit that differs from what was written. */
function expectAll(read: readonly Unit[], written = UNITS): void {
  expect(read).toHaveLength(written.length);
  for (const [place, one] of written.entries()) expect(read[place], `unit ${place}`).toEqual(one);
}

const folder = mkdtempSync(join(tmpdir(), 'rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('through the row file', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE units (${duckdbUnitColumns()}\n)`);
  for (const [place, one] of UNITS.entries()) {
    const names = Object.keys(one);
    const values = Object.values(one).map((value) => (typeof value === 'string' ? value : listValue(value)));
    await connection.run(
      `INSERT INTO units (${['mastrNummer', 'nummer', 'einheitTyp', ...names].join(', ')})
       VALUES (${[numberAt(place), mastrBits(numberAt(place)), 'wind'].map((value) => `'${value}'`).join(', ')}${names.map((_, at) => `, $${at + 1}`).join('')})`,
      values,
    );
  }
  const path = join(folder, 'units.rows');
  await writeRowFile(connection, path);
  connection.closeSync();
  instance.closeSync();

  const read = openRowFile(path);
  const units = read.read(
    UNITS.map((_, place) => numberAt(place)),
    columnsWanted,
  );
  read.close();
  expectAll(units.map(unitOf));
});

test('through the texts of ClickHouse', async () => {
  const client = await administratorClient();
  const database = `texts_${process.pid}`;
  await client.command({ query: `CREATE DATABASE ${database}` });
  await client.command({
    query: `CREATE TABLE ${database}.units (${clickhouseColumns()}) ENGINE = MergeTree ORDER BY nummer`,
  });
  const values = UNITS.map((one, place) => ({
    ...one,
    mastrNummer: numberAt(place),
    nummer: String(mastrBits(numberAt(place))),
    einheitTyp: 'wind',
  }));
  await client.insert({ table: `${database}.units`, values, format: 'JSONEachRow' });
  const { liste, weitere } = UNIT_TEXTS;
  const rows = await queryRows(
    client,
    z.strictObject({ liste: z.string(), weitere: z.string() }),
    `SELECT ${clickhouseRowText(liste)} AS liste, ${clickhouseRowText(weitere)} AS weitere
     FROM ${database}.units ORDER BY nummer`,
  );
  await client.command({ query: `DROP DATABASE ${database}` });
  await client.close();
  const [listed, further] = [liste, weitere].map((columns) => columns.map(({ name }) => name));
  const read = rows.map((row) => unitOf(textsOf(row.weitere, further!, textsOf(row.liste, listed!))));
  expectAll(read, UNITS.map(withoutEmptyTexts));
});
