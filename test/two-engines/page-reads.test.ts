import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pageByStatements } from '../../api/units/read.ts';
import { IN_ORDER } from '../../api/warehouse/clickhouse/session.ts';
import type { VersionReader } from '../../api/warehouse/version.ts';
import { PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { UNIT_FIELDS, UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { clickhouse, clickhouseProjections } from '../../sql/query/clickhouse.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { KeyValue, SortKey } from '../../sql/query/keyset.ts';
import { type WarehouseStatement, withQueryParams } from '../../sql/query/statement.ts';
import { type CountedPageRequest, countedPageStatement, pageStatement } from '../../sql/query/units.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { schemaStatements } from '../../sql/warehouse/clickhouse/schema.ts';
import { clickhouseOfRun } from '../support/clickhouse-of-run.ts';
import type { ClickHouseAccess } from '../support/clickhouse-server.ts';

/** A page reads a few granules of a sorted table on a ClickHouse server, wherever it lies and in whichever direction. */

const UNITS = 400_000;

/** Rows of a few granules of 1,024, the least that is read. */
const FEW = 16_384;

const DATABASE = 'energy_page_reads';

/** The sorted tables; none has a column but these filled. */
const KEYS = ['bruttoleistungKw', 'inbetriebnahmedatum', 'registrierungsdatum'] as const;
type Key = (typeof KEYS)[number];

/** Values of the key below 10,000: capacities and days come often, as in the register. */
const VALUES: Readonly<Record<Key, string>> = {
  bruttoleistungKw: 'CAST(intDiv(number * 7919 % 400000, 40) AS Decimal(18, 3))',
  inbetriebnahmedatum: 'toInt32(number * 7919 % 10000)',
  registrierungsdatum: 'toInt32(number * 7919 % 3000)',
};

/** A value of the key as a cursor has it. */
const asKey = (key: Key, value: number): KeyValue =>
  key === 'bruttoleistungKw' ? value : new Date(value * 86_400_000).toISOString().slice(0, 10);

/** Of four units one has this value, and one the last value of all. Of eight, one has none. */
const FREQUENT = 2000;
const LAST = 10_000;
const MIDDLE = 1500;

const fieldNamed = (name: string) => UNIT_FIELDS.find((field) => field.name === name)!;
const tableOf = (key: Key) =>
  Object.entries(PROJECTIONS).find(([, [first]]) => first === key)?.[0] ?? 'units_by_number';

/** Districts, each with ten municipalities, which have two postal codes each. Their numbers are in the order of their names. */
const DISTRICTS = 100;

const condition = (filter: string, value: string): Condition => ({ ...UNIT_FILTERS.get(filter)!, value });

const storage: Condition = { ...UNIT_FILTERS.get('einheitTyp')!, value: ['storage'] };

const page = (
  key: Key,
  direction: SortKey['direction'],
  ofNumber: SortKey['direction'],
  value: number | null | undefined,
): CountedPageRequest => ({
  conditions: [],
  sort: [
    { field: fieldNamed(key), direction },
    { field: fieldNamed('mastrNummer'), direction: ofNumber },
  ],
  after: value === null ? null : [value === undefined ? null : asKey(key, value), unitNumberOf(900_000_200_000)],
  delivered: value === null ? 0 : 100_000,
  limit: 100,
  total: UNITS,
  today: '2026-11-23',
});

describe('a page', () => {
  let server: ClickHouseAccess;

  beforeAll(async () => {
    server = await clickhouseOfRun();
    await server.run(`DROP DATABASE IF EXISTS ${DATABASE}`);
    await server.run(`CREATE DATABASE ${DATABASE}`);
    for (const key of KEYS) {
      const table = tableOf(key);
      await create(table);
      const value = `multiIf(number % 8 = 7, NULL, number % 4 = 0, ${LAST}, number % 4 = 1, ${FREQUENT}, ${VALUES[key]})`;
      await server.run(`INSERT INTO ${DATABASE}.${table} (mastrNummer, einheitTyp, ${key})
        SELECT 13498504742578176 + number, ['solar', 'storage', 'wind'][number % 3 + 1], ${value}
        FROM numbers(${UNITS})`);
      await server.run(`OPTIMIZE TABLE ${DATABASE}.${table} FINAL`);
    }
    for (const table of ['units_by_place', 'gebiete']) await create(table);
    await server.run(`INSERT INTO ${DATABASE}.units_by_place
        (mastrNummer, einheitTyp, bundesland, landkreis, gemeinde, landkreisgebiet, gemeindegebiet, plz, bruttoleistungKw, zeile)
      SELECT 13498504742578176 + number, ['solar', 'storage'][number % 2 + 1], concat('Land ', toString(intDiv(kreis, 10))),
        concat('Kreis ', leftPad(toString(kreis), 2, '0')), concat('Ort ', leftPad(toString(ort), 3, '0')), kreis, ort,
        leftPad(toString(ort * 2 + intDiv(number, 2000) % 2), 5, '0'), number % 1000, 'text'
      FROM (SELECT number, toInt32(intDiv(number, 2) % ${DISTRICTS}) AS kreis, toInt32(kreis * 10 + intDiv(number, 200) % 10) AS ort
        FROM numbers(${UNITS}))`);
    await server.run(`OPTIMIZE TABLE ${DATABASE}.units_by_place FINAL`);
    await server.run(
      `INSERT INTO ${DATABASE}.gebiete (ebene, gebiet, wert, schluessel) VALUES ('landkreis', 77, 'Kreis 77', '08077')`,
    );
  });
  afterAll(() => server?.run(`DROP DATABASE IF EXISTS ${DATABASE}`));

  async function create(table: string): Promise<void> {
    const [statement = ''] = schemaStatements({ cluster: null, shards: 1 }).filter((text) =>
      text.includes(`CREATE TABLE ${table} `),
    );
    await server.run(statement.replace(`TABLE ${table} `, `TABLE ${DATABASE}.${table} `));
  }

  /** Asks for a page as the service does. @returns the numbers, and the rows that the server has read for them */
  async function read(request: CountedPageRequest): Promise<{ numbers: string[]; rows: number }> {
    let rows = 0;
    const query: VersionReader['query'] = async (shape, statement) => {
      expect(statement.readsInOrder).toBe(true);
      const answer = await run(statement);
      rows += answer.rows;
      return z.array(shape).parse(answer.found);
    };
    const dialects = { units: clickhouse, projections: clickhouseProjections };
    const found = await pageByStatements({ dialects, query }, request);
    return { numbers: found.map(({ digits }) => unitNumberOf(digits)), rows };
  }

  async function run(statement: WarehouseStatement): Promise<{ found: unknown[]; rows: number }> {
    const { query, query_params } = withQueryParams(statement);
    const url = new URL(`http://127.0.0.1:${server.port}`);
    url.searchParams.set('database', DATABASE);
    url.searchParams.set('wait_end_of_query', '1');
    for (const [name, value] of Object.entries(IN_ORDER)) url.searchParams.set(name, String(value));
    url.searchParams.set('default_format', 'JSONEachRow');
    for (const [name, value] of Object.entries(query_params)) {
      const text = Array.isArray(value) ? `[${value.map((one) => `'${one}'`).join(',')}]` : String(value);
      url.searchParams.set(`param_${name}`, text);
    }
    const response = await fetch(url, { method: 'POST', body: query });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, text]);
    const summary = JSON.parse(response.headers.get('x-clickhouse-summary')!) as { read_rows: string };
    const found = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    return { found, rows: Number(summary.read_rows) };
  }

  /** A page begins there: behind a unit with this value, about in the middle of those with the same. */
  const places = [
    ['the first', null],
    ['one in the middle', MIDDLE],
    ['one among units of a frequent value', FREQUENT],
    ['one before units of a frequent value, upwards', FREQUENT - 1],
    ['one before units of a frequent value, downwards', FREQUENT + 1],
    ['one among units of the last value', LAST],
    ['one among units without a value', undefined],
  ] as const;

  describe.each(KEYS)('in the order of %s', (key) => {
    describe.each(['asc', 'desc'] as const)('%s', (direction) => {
      describe.each(['asc', 'desc'] as const)('and of the number %s', (ofNumber) => {
        test.each(places)('%s reads a few granules, whoever meets it', async (_, value) => {
          for (const conditions of [[], [storage]]) {
            const request = { ...page(key, direction, ofNumber, value), conditions };
            const { numbers, rows } = await read(request);
            const { found } = await run(pageStatement(request, clickhouseProjections));
            expect(numbers).toEqual(found.map((row) => unitNumberOf((row as { digits: number }).digits)));
            expect(numbers).toHaveLength(100);
            expect(rows).toBeLessThanOrEqual(FEW);
          }
        });
      });
    });
  });

  describe('of a place, with its total and the texts of its units', () => {
    test.each([
      ['a district by its name', 'landkreis', 'Kreis 77', UNITS / DISTRICTS],
      ['a district by its key', 'landkreis', '08077', UNITS / DISTRICTS],
      ['a municipality', 'gemeinde', 'Ort 777', UNITS / DISTRICTS / 10],
      ['a postal code', 'plz', '01543', UNITS / DISTRICTS / 20],
      ['the beginning of postal codes', 'plz', '0154', UNITS / DISTRICTS / 2],
    ])('%s reads the granules of the place', async (_, filter, value, total) => {
      const request = {
        ...page('bruttoleistungKw', 'desc', 'asc', null),
        conditions: [condition(filter, value)],
        textsIn: new Set(['units_by_place']),
      };
      const { found, rows } = await run(countedPageStatement(request, clickhouseProjections));
      expect(found).toHaveLength(Math.min(100, total));
      expect(found[0]).toMatchObject({ total, zeile: 'text' });
      expect(rows).toBeLessThanOrEqual(FEW);
    });
  });
});
