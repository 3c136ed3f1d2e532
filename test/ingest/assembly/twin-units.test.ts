import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { openReadWrite } from '../../../ingest/duckdb/connection.ts';
import { macroStatements, warehouseSql } from '../../../ingest/duckdb/sql-files.ts';

/** Which units stand at the very point of another, or are another once more (twin-units.sql), from staged records by hand. */

const [CHECKED, WAITS] = [2954, 2955];

const TURBINE = { art: 'EinheitenWind', x: 10.123456, y: 50.1, kw: 3000 };
const ROOF = { art: 'EinheitenSolar', x: 9.124782, y: 48.829635, kw: 91.43, modules: 223, day: '2023-12-20' };
const KNOWN = { ...ROOF, operator: 1, check: CHECKED };
const AGAIN = { ...ROOF, operator: 2, check: WAITS };

type Unit = Readonly<
  { art: string; x: number | null; y: number; kw: number } & Partial<{
    net: number | null;
    modules: number | null;
    day: string | null;
    operator: number | null;
    check: number;
    status: number;
  }>
>;

const literal = (value: string | number | null): string =>
  typeof value === 'string' ? `'${value}'` : String(value ?? 'NULL');

/** @returns the places of the units that were found, in their order */
async function found(units: readonly Unit[]): Promise<{ atPoint: Record<number, number>; again: number[] }> {
  const engine = await openReadWrite(':memory:', { memoryMb: 200, threads: 1, temporaryFolder: tmpdir() });
  try {
    await engine.run(macroStatements());
    await engine.run(`CREATE TABLE scratch.served_units (EinheitMastrNummer BIGINT, _art VARCHAR, Laengengrad DECIMAL(9, 6),
      Breitengrad DECIMAL(9, 6), Bruttoleistung DECIMAL(18, 3), ab30Kw BOOLEAN, Nettonennleistung DECIMAL(18, 3),
      AnzahlModule INTEGER, Inbetriebnahmedatum DATE, AnlagenbetreiberMastrNummer BIGINT,
      NetzbetreiberpruefungStatus_id INTEGER, EinheitBetriebsstatus_id INTEGER)`);
    for (const [place, { art, x, y, kw, ...unit }] of units.entries()) {
      const { net = kw, modules = null, day = null, operator = 1, check = CHECKED, status = 35 } = unit;
      const values = [place, art, x, y, kw, String(kw >= 30), net, modules, day, operator, check, status];
      await engine.run(`INSERT INTO served_units VALUES (${values.map(literal)})`);
    }
    await engine.run(warehouseSql('twin-units.sql', { samePointM: 30 }));
    const rows = await engine.rows<{ einheit: bigint; abstandTurbineM: number | null; doppelt: boolean | null }>(
      'FROM twin_units ORDER BY einheit',
    );
    return {
      atPoint: Object.fromEntries(
        rows.flatMap(({ einheit, abstandTurbineM: metres }) =>
          metres === null ? [] : [[Number(einheit), Math.round(metres * 10) / 10]],
        ),
      ),
      again: rows.flatMap(({ einheit, doppelt }) => (doppelt ? Number(einheit) : [])),
    };
  } finally {
    await engine.close();
  }
}

describe('turbines in operation at one point', () => {
  test('are found, each of them', async () => {
    const other = { ...TURBINE, x: 10.2 };
    expect(await found([TURBINE, other, TURBINE, { ...TURBINE, kw: 2000 }])).toEqual({
      atPoint: { 0: 0, 2: 0, 3: 0 },
      again: [],
    });
  });

  test('are found up to the bound, by their distance on the ground, across the squares of the search', async () => {
    // 0.0001 degrees are 11.1 metres to the north, and 7.1 to the east here.
    const north = (metres: number) => ({ ...TURBINE, y: 50.1 + Math.round(metres * 8.983) / 1e6 });
    const east = (metres: number) => ({ ...TURBINE, x: 10.123456 + Math.round(metres * 14.004) / 1e6 });
    expect((await found([TURBINE, north(29.9)])).atPoint).toEqual({ 0: 29.9, 1: 29.9 });
    expect((await found([TURBINE, north(-29.9), east(29.9)])).atPoint).toEqual({ 0: 29.9, 1: 29.9, 2: 29.9 });
    expect((await found([TURBINE, east(-29.9), east(10)])).atPoint).toEqual({ 0: 10, 1: 29.9, 2: 10 });
    expect((await found([TURBINE, north(30.2), east(30.2), east(-30.2)])).atPoint).toEqual({});
  });

  test.each([
    ['one is planned, or was dismantled', [TURBINE, { ...TURBINE, status: 31 }, { ...TURBINE, status: 38 }]],
    ['the other is a solar plant', [TURBINE, { ...TURBINE, art: 'EinheitenSolar' }]],
    ['one lacks a coordinate', [TURBINE, { ...TURBINE, x: null }, { ...TURBINE, x: null }]],
    [
      'they have no coordinates that are served',
      [
        { ...TURBINE, kw: 29.999 },
        { ...TURBINE, kw: 29.999 },
      ],
    ],
  ])('are not where %s', async (_, units) => expect(await found(units)).toEqual({ atPoint: {}, again: [] }));
});

describe('a solar plant entered twice', () => {
  test('is the one that the grid operator does not know', async () => {
    expect(await found([KNOWN, AGAIN])).toEqual({ atPoint: {}, again: [1] });
    expect(await found([AGAIN, KNOWN, { ...AGAIN, operator: 3 }])).toEqual({ atPoint: {}, again: [0, 2] });
  });

  test('is found beside one of its own operator', async () => {
    expect(await found([KNOWN, { ...KNOWN, operator: 2 }, AGAIN])).toEqual({ atPoint: {}, again: [2] });
  });

  test.each([
    ['both are checked', { ...AGAIN, check: CHECKED }],
    ['the operator is the same', { ...AGAIN, operator: 1 }],
    ['no operator is named', { ...AGAIN, operator: null }],
    ['the gross capacity is another', { ...AGAIN, kw: 91.431, net: 91.43 }],
    ['the net capacity is another', { ...AGAIN, net: 91 }],
    ['the net capacity is unknown', { ...AGAIN, net: null }],
    ['the number of modules is another', { ...AGAIN, modules: 224 }],
    ['the number of modules is unknown', { ...AGAIN, modules: null }],
    ['the day is another', { ...AGAIN, day: '2023-12-21' }],
    ['the point is another', { ...AGAIN, y: 48.829636 }],
    ['it is not in operation', { ...AGAIN, status: 31 }],
  ])('is none where %s', async (_, unit) => expect(await found([KNOWN, unit])).toEqual({ atPoint: {}, again: [] }));
});
