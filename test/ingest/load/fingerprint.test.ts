import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReadOnly, type WarehouseConnection } from '../../../ingest/duckdb/connection.ts';
import { differences, figuresOf, type LocalTable, together } from '../../../ingest/load/fingerprint.ts';
import type { LoadServer } from '../../../ingest/load/server.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { type ClickhouseColumn, UNIT_COLUMNS } from '../../../sql/warehouse/clickhouse/columns.ts';
import { COPIED_TABLES } from '../../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { listVersions, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishRegister } from '../../support/built.ts';
import { drawn } from '../../support/cases.ts';
import { loadServer, serverTarget } from '../../support/clickhouse.ts';
import { folderOfTests } from '../../support/exports.ts';

/** The units of a version in its file, compared with rows of the server in which one thing is wrong. */

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');
const SOURCE = `(SELECT ${COPIED_TABLES.units} FROM units)`;
let server: LoadServer;
let client: ClickHouseClient;
let engine: WarehouseConnection;
let local: LocalTable;

beforeAll(async () => {
  await publishRegister(warehouse);
  const version = listVersions(warehouse)[0]!.id;
  const published = await serverTarget(warehouse, 'energy_faults');
  const work = join(folder.path, 'work');
  await published.load(version, { folder: work, memoryMb: 300, progress: silentProgress });
  await published.close();
  server = await loadServer('energy_faults');
  client = server.clientFor(databaseOf('energy_faults', version));
  const limits = { memoryMb: 300, threads: 1, temporaryFolder: join(folder.path, 'temporary') };
  engine = await openReadOnly(versionFile(warehouse, version), limits);
  local = { engine, source: SOURCE, figures: await figuresOf(engine, SOURCE) };
});

afterAll(async () => {
  await engine.close();
  await client.close();
  await server.close();
  folder.remove();
});

const ONE = '(SELECT max(nummer) FROM units WHERE name IS NOT NULL)';
const OTHER = '(SELECT min(nummer) FROM units WHERE name IS NOT NULL)';
const replaced = (column: string, value: string, unit = ONE) =>
  `SELECT * REPLACE (if(nummer = ${unit}, ${value}, ${column}) AS ${column}) FROM units`;

/** The figures in which rows of the server differ, without their values. */
async function differing(rows: string): Promise<string[]> {
  const sentences = await differences(local, client, `(${rows})`);
  return sentences.map((one) =>
    one.slice(`(${rows}): `.length).replace(/ -?[0-9.]+ in the file, -?[0-9.]+ in ClickHouse$/, ''),
  );
}

test('equal rows do not differ, in whatever order', async () => {
  expect(await differing('SELECT * FROM units ORDER BY cityHash64(nummer)')).toEqual([]);
});

test.each([
  ['a row is missing', `SELECT * FROM units WHERE nummer <> ${ONE}`],
  ['a row is there twice', `SELECT * FROM units UNION ALL SELECT * FROM units WHERE nummer = ${ONE}`],
])('%s', async (_, rows) => {
  expect(await differing(rows)).toEqual(['rows']);
});

test('a row is there instead of another one', async () => {
  const rows = `SELECT * FROM units WHERE nummer <> ${ONE} UNION ALL SELECT * FROM units WHERE nummer = ${OTHER}`;
  expect(await differing(rows)).toEqual(
    expect.arrayContaining(['sum of nummer', 'sum of inhalt', 'content of the texts', 'content of mastrNummer']),
  );
});

test.each([
  [
    'a character of one text',
    replaced('name', `concat(substring(name, 1, length(name) - 1), '~')`),
    ['content of name'],
  ],
  [
    'the order of two characters',
    replaced('mastrNummer', `concat(substring(mastrNummer, 1, 3), reverse(substring(mastrNummer, 4)))`),
    ['content of mastrNummer'],
  ],
  [
    'a text instead of NULL',
    replaced('weic', `ifNull(weic, '')`, '(SELECT max(nummer) FROM units WHERE weic IS NULL)'),
    ['values of weic', 'content of weic'],
  ],
  ['NULL instead of a text', replaced('name', 'NULL'), ['values of name', 'content of name']],
  [
    'zero instead of NULL',
    replaced('windNabenhoeheM', '0', '(SELECT max(nummer) FROM units WHERE windNabenhoeheM IS NULL)'),
    ['values of windNabenhoeheM'],
  ],
  [
    'a thousandth',
    replaced('bruttoleistungKw', 'bruttoleistungKw + toDecimal64(0.001, 3)'),
    ['sum of bruttoleistungKw'],
  ],
  ['a bit of a hash', replaced('inhalt', 'bitXor(inhalt, 1)'), ['sum of inhalt']],
])('%s', async (_, rows, figures) => {
  const found = await differing(rows);
  expect(found.filter((one) => one !== 'content of the texts')).toEqual(figures);
});

test('texts that two units have exchanged', async () => {
  const nameOf = (unit: string) => `(SELECT any(name) FROM units WHERE nummer = ${unit})`;
  const rows = `SELECT * REPLACE (multiIf(nummer = ${ONE}, ${nameOf(OTHER)}, nummer = ${OTHER}, ${nameOf(ONE)}, name) AS name) FROM units`;
  expect(await differing(rows)).toEqual(['content of the texts']);
});

const CHANGED: Readonly<Record<ClickhouseColumn['kind'], (column: string) => string>> = {
  ...{ text: otherText, label: otherText, number: otherText, objects: otherText },
  ...{ decimal: otherNumber, degree: otherNumber, integer: otherNumber, day: otherNumber, time: otherNumber },
  ...{ carriers: otherNumber, signals: otherNumber, anomalies: otherNumber, bits: otherNumber },
  boolean: (column) => `NOT ifNull(${column}, false)`,
  list: (column) => `arrayPushBack(${column}, 'x')`,
  integers: (column) => `arrayPushBack(${column}, 1)`,
};

function otherText(column: string): string {
  return `concat(ifNull(${column}, ''), 'x')`;
}

function otherNumber(column: string): string {
  return `ifNull(${column}, 0) + 1`;
}

test('a value of any column is named by its column', async () => {
  for (const { name, kind } of drawn(UNIT_COLUMNS, 30)) {
    const found = await differing(replaced(name, CHANGED[kind](name)));
    expect(found.length, name).toBeGreaterThan(0);
    expect(found.filter((one) => one !== 'content of the texts' && !one.endsWith(` of ${name}`))).toEqual([]);
  }
});

test('figures of parts add up to those of the whole', async () => {
  const part = (remainder: number) => figuresOf(engine, `(FROM ${SOURCE} WHERE nummer % 3 = ${remainder})`);
  const parts = [await part(0), await part(1), await part(2)] as const;
  expect(together(...parts).values).toEqual(local.figures.values);
  expect(await differences({ ...local, figures: together(parts[0], parts[1]) }, client, 'units')).toEqual([
    expect.stringMatching(/^units: rows \d+ in the file, \d+ in ClickHouse$/),
  ]);
});
