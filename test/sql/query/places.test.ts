import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeStatements } from '../../../ingest/assembly/places.ts';
import { macroStatements } from '../../../ingest/duckdb/sql-files.ts';
import { clickhouse } from '../../../sql/query/clickhouse.ts';
import { duckdb } from '../../../sql/query/duckdb.ts';
import {
  coveredPlacesStatement,
  PLACE_LEVELS,
  type PlaceLevel,
  PlacesUnknown,
  placeSql,
  withoutPlaces,
} from '../../../sql/query/places.ts';
import { binder, withLiterals } from '../../../sql/query/statement.ts';
import { cases } from '../../support/cases.ts';
import { coverage, type Located, type Place, placesOf } from '../../support/places.ts';

/** The spelling of places, and the places that a build finds, against plain code (test/support/places.ts). */

let instance: DuckDBInstance;
let rows: (sql: string) => Promise<Record<string, unknown>[]>;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`ATTACH ':memory:' AS scratch; SET search_path = 'memory,scratch'`);
  rows = async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJS();
  await connection.run(`
    CREATE TABLE units (id INTEGER, landkreis VARCHAR, gemeinde VARCHAR, bundesland VARCHAR, gemeindeschluessel VARCHAR,
      region INTEGER, landkreisgebiet INTEGER, gemeindegebiet INTEGER);
    CREATE TABLE regionen (region INTEGER, bundesland VARCHAR, landkreis VARCHAR, gemeinde VARCHAR,
      gemeindeschluessel VARCHAR, plz VARCHAR, landkreisgebiet INTEGER, gemeindegebiet INTEGER);
    CREATE TABLE gebiete (ebene VARCHAR, gebiet INTEGER, wert VARCHAR, schluessel VARCHAR, name VARCHAR, bundesland VARCHAR,
      suchname VARCHAR, ort VARCHAR);
    CREATE TABLE orte (schluessel VARCHAR, name VARCHAR, einwohner INTEGER, flaecheKm2 DOUBLE, gebietsstand DATE,
      einwohnerAm DATE);`);
  await connection.run(macroStatements());
});
afterAll(() => instance.closeSync());

/** Few names and keys, so that they meet: names with commas and of digits, keys of wrong form, units without either. */
const name = fc.option(fc.constantFrom('Hof', 'Rosenheim', 'Hof, Bayern', 'Köln, Stadt', '09475', '09475111', ''));
const register: fc.Arbitrary<Located[]> = fc.array(
  fc.record({
    landkreis: name,
    gemeinde: name,
    bundesland: fc.option(fc.constantFrom('Bayern', 'Hessen', 'Stadt', 'A, B')),
    gemeindeschluessel: fc.option(
      fc.constantFrom('09475111', '09475112', '09464000', '06633001', '0947511', '0947x112', '09475abc'),
    ),
  }),
  { maxLength: 14 },
);

/** Fills the tables from units as a build does. */
async function fill(units: readonly Located[]): Promise<void> {
  const json = JSON.stringify(units.map((unit, id) => ({ id, ...unit }))).replaceAll("'", "''");
  await rows('DELETE FROM units');
  await rows('DELETE FROM regionen');
  await rows('DELETE FROM gebiete');
  await rows('DELETE FROM orte');
  await rows(`INSERT INTO units BY NAME SELECT unnest(from_json('${json}', '[{"id":"INTEGER","landkreis":"VARCHAR",
    "gemeinde":"VARCHAR","bundesland":"VARCHAR","gemeindeschluessel":"VARCHAR"}]'), recursive := true)`);
  await rows(`CREATE OR REPLACE TEMP TABLE unit_regions AS
    SELECT row_number() OVER (ORDER BY bundesland, landkreis, gemeinde, gemeindeschluessel)::INTEGER AS region, * FROM (
      SELECT bundesland, landkreis, gemeinde, gemeindeschluessel, NULL::VARCHAR AS plz, count(*) AS units FROM units GROUP BY ALL)`);
  for (const table of ['regionen', 'gebiete']) {
    await rows(
      `CREATE OR REPLACE TABLE scratch.${table}_before AS SELECT 0 AS seit, NULL::INTEGER AS bis, * FROM ${table} LIMIT 0`,
    );
  }
  for (const text of placeStatements(null)) await rows(text);
  await rows(`UPDATE units SET region = regionen.region, landkreisgebiet = regionen.landkreisgebiet,
    gemeindegebiet = regionen.gemeindegebiet FROM regionen
    WHERE regionen.landkreis IS NOT DISTINCT FROM units.landkreis AND regionen.gemeinde IS NOT DISTINCT FROM units.gemeinde
      AND regionen.bundesland IS NOT DISTINCT FROM units.bundesland
      AND regionen.gemeindeschluessel IS NOT DISTINCT FROM units.gemeindeschluessel`);
}

const dialects = { combinations: duckdb, numbers: { ...duckdb, places: 'numbers' } } as const;

/** The ids of the units that a spelling covers. */
async function found(level: PlaceLevel, text: string, how: keyof typeof dialects): Promise<number[]> {
  const values = binder();
  const condition = placeSql({ level, text }, 'units', dialects[how], values);
  const statement = { text: `SELECT id FROM units WHERE ${condition} ORDER BY id`, values: values.values };
  return (await rows(withLiterals(statement))).map(({ id }) => Number(id));
}

const SPELLINGS = [
  ...['Hof', 'Hof, Bayern', 'Hof, Hessen', 'Rosenheim', 'Köln, Stadt', 'Köln, Stadt, Bayern', 'Hof, Bayern, Bayern'],
  ...['09475', '09475111', '09464', '06633001', '0947x', '0947', 'Hof, A, B', 'Hof,Bayern', "'; DROP TABLE units; --"],
];

test('a spelling covers the same units in the projections, in former rows and in plain code', async () => {
  await fc.assert(
    fc.asyncProperty(register, fc.constantFrom(...PLACE_LEVELS), async (units, level) => {
      await fill(units);
      const covered = coverage(units, level);
      for (const text of SPELLINGS) {
        const expected = covered(text).map((unit) => units.indexOf(unit));
        expect(await found(level, text, 'combinations'), text).toEqual(expected);
        expect(await found(level, text, 'numbers'), text).toEqual(expected);
      }
    }),
    { numRuns: cases(10) },
  );
});

test('the places of a build: each with the shortest spelling that covers it and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(register, fc.constantFrom(...PLACE_LEVELS), async (units, level) => {
      await fill(units);
      const places = await rows(`SELECT wert, schluessel, gebiete.name, gebiete.bundesland, list(id ORDER BY id) AS ids
        FROM gebiete JOIN units ON units.${level}gebiet = gebiet WHERE ebene = '${level}' GROUP BY ALL`);
      const ofRow = ({ ids, ...place }: Record<string, unknown>) => ({
        ...place,
        ids,
      });
      const ofPlace = ({ units: members, ...place }: Place<Located>) => ({
        ...place,
        ids: members.map((unit) => units.indexOf(unit)),
      });
      const expected = placesOf(units, level).filter(({ wert }) => wert !== null);
      const byValue = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
      expect(places.map(ofRow).sort(byValue)).toEqual(expected.map(ofPlace).sort(byValue));
      for (const { wert, ids } of places.map(ofRow) as { wert: string; ids: number[] }[]) {
        expect(await found(level, wert, 'numbers'), wert).toEqual(ids);
      }
    }),
    { numRuns: cases(15) },
  );
});

test('units without a key belong to the only place of their state with their name, or are a group of their own', async () => {
  const keyed = {
    landkreis: 'Sömmerda',
    gemeinde: 'Weißensee',
    bundesland: 'Thüringen',
    gemeindeschluessel: '16068058',
  };
  const keyless = { ...keyed, gemeinde: null, gemeindeschluessel: null };
  const town = { landkreis: 'Rosenheim', gemeinde: 'Rosenheim', bundesland: 'Bayern', gemeindeschluessel: '09163000' };
  const district = { ...town, gemeinde: 'Kolbermoor', gemeindeschluessel: '09187150' };
  const neither = { ...town, gemeinde: null, gemeindeschluessel: null };
  await fill([keyed, keyless, town, district, neither]);
  const groups = await rows(`SELECT wert, schluessel, list(id ORDER BY id) AS ids FROM gebiete
    JOIN units ON units.landkreisgebiet = gebiet WHERE ebene = 'landkreis' GROUP BY ALL ORDER BY wert`);
  expect(groups.map(({ wert, schluessel, ids }) => [wert, schluessel, ids])).toEqual([
    ['09163', '09163', [2]],
    ['09187', '09187', [3]],
    ['Rosenheim, Bayern, ohne Schlüssel', null, [4]],
    ['Sömmerda', '16068', [0, 1]],
  ]);
  for (const how of ['combinations', 'numbers'] as const) {
    expect(await found('landkreis', '16068', how)).toEqual([0, 1]);
    expect(await found('landkreis', '09163', how)).toEqual([2]);
    expect(await found('landkreis', 'Rosenheim, Bayern', how)).toEqual([2, 3, 4]);
    expect(await found('landkreis', 'Rosenheim, Bayern, ohne Schlüssel', how)).toEqual([4]);
  }
  expect(await rows(withLiterals(coveredPlacesStatement({ level: 'landkreis', text: 'Sömmerda' }, duckdb)))).toEqual([
    { schluessel: '16068', name: 'Sömmerda', bundesland: 'Thüringen' },
  ]);
});

test('the places that a name covers', async () => {
  const town = { landkreis: 'Rosenheim', gemeinde: 'Rosenheim', bundesland: 'Bayern', gemeindeschluessel: '09163000' };
  const district = { ...town, gemeinde: 'Kolbermoor', gemeindeschluessel: '09187150' };
  await fill([town, district, { ...district, gemeindeschluessel: '09187122' }]);
  expect(await rows(withLiterals(coveredPlacesStatement({ level: 'landkreis', text: 'Rosenheim' }, duckdb)))).toEqual([
    { schluessel: '09163', name: 'Rosenheim', bundesland: 'Bayern' },
    { schluessel: '09187', name: 'Rosenheim', bundesland: 'Bayern' },
  ]);
});

test('a version of an earlier release knows places by name, and says so when it is asked by key', () => {
  const { projections } = withoutPlaces({ units: clickhouse, projections: { ...clickhouse, places: 'numbers' } });
  const condition = (text: string) => placeSql({ level: 'landkreis', text }, 'units', projections, binder());
  expect(condition('Hof, Bayern')).toContain('units."landkreis"');
  expect(() => condition('09475')).toThrow(PlacesUnknown);
});
