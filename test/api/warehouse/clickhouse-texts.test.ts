import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type RowFields, rowFieldsOf, unitReader } from '../../../api/warehouse/clickhouse/units.ts';
import type { VersionReader } from '../../../api/warehouse/version.ts';
import type { LoadServer } from '../../../ingest/load/server.ts';
import { withQueryParams } from '../../../sql/query/statement.ts';
import { mastrBits, unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { ONE_SERVER } from '../../../sql/warehouse/clickhouse/placement.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { clickhouseRowText, rowFields } from '../../../sql/warehouse/clickhouse/rows.ts';
import { schemaStatements } from '../../../sql/warehouse/clickhouse/schema.ts';
import { ROW_COLUMNS, UNIT_TEXTS } from '../../../sql/warehouse/duckdb/rows.ts';
import { textsOf } from '../../../sql/warehouse/rows/texts.ts';
import { loadServer } from '../../support/clickhouse.ts';

/** Texts of units: a version says which it has, and those of earlier releases have fewer. */

const METER = { statementEnded: () => {}, unitsRead: () => {} };

type Columns = Readonly<Record<string, string>>;

/** The texts of a version whose tables have these columns, each with its comment. */
function textsOfVersion(tables: Readonly<Record<string, Columns>>): Promise<RowFields> {
  const server = {
    query: async ({ query }: { query: string }) => {
      const columns = Object.entries(tables[query.replace('DESCRIBE TABLE ', '')] ?? {});
      return { json: async () => columns.map(([name, comment]) => ({ name, comment })) };
    },
  } as unknown as ClickHouseClient;
  return rowFieldsOf(server, new Set(Object.keys(tables)));
}

const FULL = { nummer: 'units.nummer', zeile: 'fields by their codes: mastrNummer, name, plz' };
const SPLIT = {
  liste: 'fields by their codes: mastrNummer, name',
  weitere: 'fields by their codes: plz, spannungsebene',
};

describe('pages from the sorted tables', () => {
  test('a version of an earlier release has no texts there, so its pages are read from the full ones', async () => {
    const fields = await textsOfVersion({ zeilen: FULL });
    expect(unitReader(async () => [], fields, METER).listed).toBeNull();
  });

  test('a page is answered from them when they have every field that it shows', async () => {
    const fields = await textsOfVersion({ zeilen: FULL, units_by_number: { zeile: SPLIT.liste } });
    const { listed } = unitReader(async () => [], fields, METER);
    expect(listed?.has(new Set(['name', 'mastrNummer']))).toBe(true);
    expect(listed?.has(new Set(['name', 'plz']))).toBe(false);
  });

  test('only the tables that have them in this version are asked for them', async () => {
    const fields = await textsOfVersion({
      zeilen: FULL,
      units_by_number: { zeile: SPLIT.liste },
      units_by_place: { mastrNummer: 'units.nummer' },
    });
    const { listed } = unitReader(async () => [], fields, METER);
    expect([...(listed?.tables ?? [])]).toEqual(['units_by_number']);
  });
});

describe('units by their numbers', () => {
  /** Returns the select list with which a version reads these fields. */
  async function selected(zeilen: Columns, ...fields: readonly string[]): Promise<string | undefined> {
    const statements: string[] = [];
    const reader = unitReader(
      async (_, { text }) => {
        statements.push(text);
        return [];
      },
      await textsOfVersion({ zeilen }),
      METER,
    );
    await reader.read([unitNumberOf(900_000_000_001)], new Set(fields));
    return /^SELECT toString\(nummer\) AS bits(.*) FROM zeilen /.exec(statements.join())?.[1];
  }

  test.each([
    [['name'], ', liste'],
    [['spannungsebene', 'plz'], ', weitere'],
    [['plz', 'name'], ', liste, weitere'],
    [['of a later release'], ''],
  ])('%j are read from the texts that have them', async (fields, texts) => {
    expect(await selected(SPLIT, ...fields)).toBe(texts);
  });

  test('a version of an earlier release has all of them in one', async () => {
    expect(await selected(FULL, 'plz', 'name')).toBe(', zeile');
  });

  test('a table without texts is no version', async () => {
    await expect(textsOfVersion({ zeilen: { nummer: 'units.nummer' } })).rejects.toThrow('zeilen');
  });
});

describe('on a server', () => {
  /** The database of a version, and one with the table as earlier releases made it. */
  const [VERSION, EARLIER] = ['energy_texts', 'energy_texts_earlier'];
  const NUMBERS = [1, 2].map((place) => unitNumberOf(900_000_000_000 + place));
  const VALUES = {
    ...{ einheitTyp: 'wind', plz: '24837', bruttoleistungKw: 4200.5, netzbetreiber: 'Netz\nGmbH' },
    ...{ windNabenhoeheM: 119.5, windHersteller: 'Enercon', weitereBrennstoffe: ['a', 'b'] },
  };
  let server: LoadServer;
  let clients: readonly ClickHouseClient[];

  beforeAll(async () => {
    server = await loadServer(VERSION);
    clients = [VERSION, EARLIER].map((database) => server.clientFor(database));
    for (const database of [VERSION, EARLIER]) {
      await server.client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
      await server.client.command({ query: `CREATE DATABASE ${database}` });
    }
    const [version, earlier] = clients;
    for (const query of schemaStatements(ONE_SERVER)) await version!.command({ query });
    const values = NUMBERS.map((mastrNummer) => ({ ...VALUES, mastrNummer, nummer: String(mastrBits(mastrNummer)) }));
    await version!.insert({ table: 'units', values, format: 'JSONEachRow' });
    await earlier!.command({
      query: `CREATE TABLE zeilen (nummer Int64, zeile String COMMENT '${rowFields(ROW_COLUMNS)}')
ENGINE = MergeTree ORDER BY nummer
AS SELECT nummer, ${clickhouseRowText(ROW_COLUMNS)} AS zeile FROM ${VERSION}.units`,
    });
    await earlier!.command({
      query: 'CREATE TABLE units_by_number (mastrNummer Int64) ENGINE = MergeTree ORDER BY mastrNummer',
    });
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await server.client.command({ query: `DROP DATABASE ${VERSION}` });
    await server.client.command({ query: `DROP DATABASE ${EARLIER}` });
    await server.close();
  });

  async function read(client: ClickHouseClient, numbers: readonly string[], fields: ReadonlySet<string>) {
    const query: VersionReader['query'] = (shape, statement) => {
      const { query: text, query_params } = withQueryParams(statement);
      return queryRows(client, shape, text, query_params);
    };
    const units = await unitReader(query, await rowFieldsOf(client, TABLES), METER).read(numbers, fields);
    return units.map((texts) => texts && Object.fromEntries([...texts].sort()));
  }

  /** Those with texts that both databases have. */
  const TABLES = new Set(['zeilen', 'units_by_number']);

  const allFields = new Set(ROW_COLUMNS.map(({ name }) => name));
  const whole = {
    ...VALUES,
    bruttoleistungKw: '4200.500',
    windNabenhoeheM: '119.500',
    weitereBrennstoffe: 'a\u001db',
  };

  test.each([
    ['in two texts', 0],
    ['in one text, as of an earlier release', 1],
  ])('every value of a unit is read, %s', async (_, place) => {
    const [, second] = NUMBERS;
    const units = await read(clients[place]!, [second!, unitNumberOf(1), ...NUMBERS], allFields);
    const expected = NUMBERS.map((mastrNummer) => expect.objectContaining({ mastrNummer, ...whole }));
    expect(units).toEqual([expected[1], null, ...expected]);
  });

  test('some of them are the same from both', async () => {
    for (const names of [['name', 'einheitTyp'], ['windHersteller'], ['plz', 'windNabenhoeheM'], []]) {
      const [version, earlier] = await Promise.all(clients.map((client) => read(client, NUMBERS, new Set(names))));
      expect(version).toEqual(earlier);
      expect(version).not.toContain(null);
    }
  });

  test('a sorted table has the text of `units`, which readers of all its columns do not see', async () => {
    const [version] = clients;
    const row = z.looseObject({ zeile: z.string().optional() });
    const inOrder = (table: string, columns: string) =>
      queryRows(version!, row, `SELECT ${columns} FROM ${table} ORDER BY mastrNummer`);
    const texts = await inOrder('units', 'zeile');
    expect(
      texts.map(({ zeile }) =>
        textsOf(
          zeile ?? '',
          UNIT_TEXTS.liste.map(({ name }) => name),
        ).get('plz'),
      ),
    ).toEqual(['24837', '24837']);
    expect(await inOrder('units_by_capacity', 'zeile')).toEqual(texts);
    expect((await inOrder('units', '*')).map(({ zeile }) => zeile)).toEqual([undefined, undefined]);
  });
});
