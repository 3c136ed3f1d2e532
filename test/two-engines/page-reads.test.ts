import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { UNIT_FIELDS, UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { withQueryParams } from '../../sql/query/bound.ts';
import { clickhouseProjections } from '../../sql/query/clickhouse.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import type { KeyValue, SortKey } from '../../sql/query/keyset.ts';
import { type CountedPageRequest, pageParts, pageStatement } from '../../sql/query/units.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { schemaStatements } from '../../sql/warehouse/clickhouse/schema.ts';
import { clickhouseOfRun } from '../support/clickhouse-of-run.ts';
import type { ClickHouseAccess } from '../support/clickhouse-server.ts';

/** A page reads a few granules of a sorted table on a ClickHouse server, wherever it lies and in whichever direction. */

const UNITS = 400_000;

/** Rows of a granule, the least that is read. */
const GRANULE = 8192;

const DATABASE = 'energy_page_reads';

/** The sorted tables; none has a column but these filled. */
const KEYS = ['bruttoleistungKw', 'inbetriebnahmedatum', 'registrierungsdatum'] as const;
type Key = (typeof KEYS)[number];

/** One unit of fifty has no value of the key; capacities and days come often, as in the register. */
const VALUES: Readonly<Record<Key, string>> = {
  bruttoleistungKw: 'CAST(intDiv(number * 7919 % 400000, 40) / 10 AS Decimal(18, 3))',
  inbetriebnahmedatum: 'toInt32(number * 7919 % 20000)',
  registrierungsdatum: 'toInt32(number * 7919 % 3000)',
};

/** A value in the middle of the table, as a cursor has it. */
const MIDDLE: Readonly<Record<Key, KeyValue>> = {
  bruttoleistungKw: 500,
  inbetriebnahmedatum: '1997-05-19',
  registrierungsdatum: '1974-02-09',
};

const fieldNamed = (name: string) => UNIT_FIELDS.find((field) => field.name === name)!;
const tableOf = (key: Key) =>
  Object.entries(PROJECTIONS).find(([, [first]]) => first === key)?.[0] ?? 'units_by_number';

const storage: Condition = { ...UNIT_FILTERS.get('einheitTyp')!, value: ['storage'] };

const page = (key: Key, direction: SortKey['direction'], after: KeyValue | undefined): CountedPageRequest => ({
  conditions: [],
  sort: [
    { field: fieldNamed(key), direction },
    { field: fieldNamed('mastrNummer'), direction: 'asc' },
  ],
  after: after === undefined ? null : [after, unitNumberOf(900_000_200_000)],
  delivered: after === undefined ? 0 : 100_000,
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
      const [create] = schemaStatements({ cluster: null, shards: 1 }).filter((text) =>
        text.includes(`CREATE TABLE ${table} `),
      );
      await server.run(create!.replace(`TABLE ${table} `, `TABLE ${DATABASE}.${table} `));
      await server.run(`INSERT INTO ${DATABASE}.${table} (mastrNummer, einheitTyp, ${key})
        SELECT 13498504742578176 + number, ['solar', 'storage', 'wind'][number % 3 + 1], if(number % 50 = 7, NULL, ${VALUES[key]})
        FROM numbers(${UNITS})`);
      await server.run(`OPTIMIZE TABLE ${DATABASE}.${table} FINAL`);
    }
  });
  afterAll(() => server?.run(`DROP DATABASE IF EXISTS ${DATABASE}`));

  /** Asks for the first part of a page. @returns the numbers, and the rows that the server has read for them */
  async function read(request: CountedPageRequest): Promise<{ digits: number[]; rows: number }> {
    const [part] = pageParts(request, clickhouseProjections);
    const statement = pageStatement(part!, clickhouseProjections);
    const { query, query_params } = withQueryParams(statement);
    expect(statement.readsInOrder).toBe(true);
    const url = new URL(`http://127.0.0.1:${server.port}`);
    url.searchParams.set('database', DATABASE);
    url.searchParams.set('wait_end_of_query', '1');
    // As of a reader (api/warehouse/clickhouse/session.ts).
    url.searchParams.set('max_threads', '1');
    url.searchParams.set('default_format', 'JSONCompactColumns');
    for (const [name, value] of Object.entries(query_params)) {
      const text = Array.isArray(value) ? `[${value.map((one) => `'${one}'`).join(',')}]` : String(value);
      url.searchParams.set(`param_${name}`, text);
    }
    const response = await fetch(url, { method: 'POST', body: query });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, text]);
    const summary = JSON.parse(response.headers.get('x-clickhouse-summary')!) as { read_rows: string };
    return { digits: JSON.parse(text)[0], rows: Number(summary.read_rows) };
  }

  const places = [
    ['the first', () => undefined],
    ['one in the middle', (key: Key) => MIDDLE[key]],
  ] as const;

  describe.each(KEYS)('in the order of %s', (key) => {
    describe.each(['asc', 'desc'] as const)('%s', (direction) => {
      test.each(places)('%s reads a few granules', async (_, valueAt) => {
        const { digits, rows } = await read(page(key, direction, valueAt(key)));
        expect(digits).toHaveLength(100);
        expect(rows).toBeLessThanOrEqual(4 * GRANULE);
      });

      test.each(places)('%s that few units meet reads no more than a few granules', async (_, valueAt) => {
        const request = page(key, direction, valueAt(key));
        const { digits, rows } = await read({ ...request, conditions: [storage], total: UNITS / 3 });
        expect(digits).toHaveLength(100);
        expect(rows).toBeLessThanOrEqual(6 * GRANULE);
      });
    });
  });
});
