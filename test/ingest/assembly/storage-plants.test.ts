import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { openReadWrite } from '../../../ingest/duckdb/connection.ts';
import { macroStatements, warehouseSql } from '../../../ingest/duckdb/sql-files.ts';

/** What units of storage get from their plants (storage-plants.sql), from staged records by hand. */

/** Numbers of the units begin with this. */
const UNIT = 'SEE90000000000';

interface Plant {
  readonly kwh: number | string | null;
  /** Units that it names. */
  readonly names?: readonly number[];
}

interface Unit {
  readonly plant?: number;
  readonly kw?: number;
  readonly pumped?: boolean;
}

/** @returns by unit: plant, shares and hours, and the segment */
async function storageOf(plants: Record<number, Plant>, units: Record<number, Unit>) {
  const engine = await openReadWrite(':memory:', { memoryMb: 500, threads: 1, temporaryFolder: tmpdir() });
  try {
    await engine.run(macroStatements());
    await engine.run(`
      CREATE TABLE scratch.served_units (EinheitMastrNummer BIGINT, SpeMastrNummer BIGINT, Bruttoleistung DECIMAL(18, 3),
        Technologie_id INTEGER, _art VARCHAR);
      CREATE TABLE scratch.speicher (MaStRNummer BIGINT, NutzbareSpeicherkapazitaet DECIMAL(18, 3),
        VerknuepfteEinheitenMaStRNummern VARCHAR);`);
    for (const [number, { plant = null, kw = null, pumped = false }] of Object.entries(units)) {
      await engine.run(`INSERT INTO served_units VALUES (mastr_bits('${UNIT}${number}'), ${plant}, ${kw},
        ${pumped ? 1537 : 'NULL'}, 'EinheitenStromSpeicher')`);
    }
    for (const [number, { kwh, names = [] }] of Object.entries(plants)) {
      const list = names.map((unit) => UNIT + unit).join('\u001f');
      await engine.run(`INSERT INTO speicher VALUES (${number}, ${kwh}, nullif('${list}', ''))`);
    }
    await engine.run(warehouseSql('storage-plants.sql'));
    const rows = await engine.rows<Record<string, unknown>>(`
      SELECT mastr(einheit) AS einheit, anlage.nummer::INTEGER AS nummer, anlage.kapazitaet::VARCHAR AS kapazitaet,
        anlage.anteil::VARCHAR AS anteil, anlage.stunden::DOUBLE AS stunden, anlage.segment AS segment
      FROM referenced_speicher ORDER BY einheit`);
    return new Map(rows.map(({ einheit, ...row }) => [Number(String(einheit).slice(UNIT.length)), row]));
  } finally {
    await engine.close();
  }
}

const sharesOf = async (plants: Record<number, Plant>, units: Record<number, Unit>) =>
  [...(await storageOf(plants, units)).values()].map(({ anteil }) => anteil);

describe('the energy of a plant', () => {
  test('is that of its only unit', async () => {
    expect((await storageOf({ 7: { kwh: 12.5 } }, { 1: { plant: 7, kw: 5 } })).get(1)).toEqual({
      ...{ nummer: 7, kapazitaet: '12.500', anteil: '12.500', stunden: 2.5, segment: 'heim' },
    });
  });

  test('is shared by gross power, and each unit has the whole of it beside its share', async () => {
    const found = await storageOf({ 7: { kwh: 400 } }, { 1: { plant: 7, kw: 150 }, 2: { plant: 7, kw: 50 } });
    expect([...found.values()]).toMatchObject([
      { kapazitaet: '400.000', anteil: '300.000', stunden: 2 },
      { kapazitaet: '400.000', anteil: '100.000', stunden: 2 },
    ]);
  });

  test('goes to units of known power, if there is one', async () => {
    expect(await sharesOf({ 7: { kwh: 10 } }, { 1: { plant: 7 }, 2: { plant: 7, kw: 3 } })).toEqual([
      '0.000',
      '10.000',
    ]);
  });

  test('is shared equally where no power is known, which leaves no hours', async () => {
    const found = await storageOf({ 7: { kwh: 10 } }, { 1: { plant: 7 }, 2: { plant: 7, kw: 0 } });
    expect([...found.values()]).toMatchObject([
      { anteil: '5.000', stunden: null },
      { anteil: '5.000', stunden: null },
    ]);
  });

  test('is shared without a rest: what rounding leaves has the most powerful unit, or the one of the smallest number', async () => {
    const thirds = { 1: { plant: 7, kw: 1 }, 2: { plant: 7, kw: 1 }, 3: { plant: 7, kw: 1 } };
    expect(await sharesOf({ 7: { kwh: 100.001 } }, thirds)).toEqual(['33.335', '33.333', '33.333']);
    const larger = { ...thirds, 3: { plant: 7, kw: 1.001 } };
    expect(await sharesOf({ 7: { kwh: 100.001 } }, larger)).toEqual(['33.322', '33.322', '33.357']);
  });

  test('that has as many digits as a decimal can is shared to the last of them; hours beyond them are unknown', async () => {
    const largest = { 7: { kwh: '999999999999999.999' } };
    const units = { 1: { plant: 7, kw: 999_999.999 }, 2: { plant: 7, kw: 0.001 } };
    expect(await sharesOf(largest, units)).toEqual(['999999999000000.000', '999999.999']);
    expect((await storageOf(largest, { 1: { plant: 7, kw: 0.001 } })).get(1)).toMatchObject({ stunden: null });
  });

  test('that is not known is no energy', async () => {
    expect((await storageOf({ 7: { kwh: null } }, { 1: { plant: 7, kw: 5 } })).get(1)).toEqual({
      ...{ nummer: 7, kapazitaet: null, anteil: null, stunden: null, segment: null },
    });
  });
});

describe('the plant of a unit', () => {
  test('is the one that it names, whatever other plants say', async () => {
    const plants = { 7: { kwh: 10, names: [1] }, 8: { kwh: 20, names: [1, 2] } };
    const found = await storageOf(plants, { 1: { plant: 8, kw: 1 }, 2: { plant: 8, kw: 1 } });
    expect([...found.values()].map(({ nummer, anteil }) => [nummer, anteil])).toEqual([
      [8, '10.000'],
      [8, '10.000'],
    ]);
  });

  test.each([
    ['names none', {}],
    ['names one that the export does not have', { plant: 99 }],
  ])('is one that names it, of several that of the smallest number, where it %s', async (_, unit) => {
    const plants = { 8: { kwh: 20, names: [1] }, 7: { kwh: 30, names: [2, 1] } };
    expect((await storageOf(plants, { 1: { ...unit, kw: 1 } })).get(1)).toMatchObject({ nummer: 7, anteil: '30.000' });
  });

  test('may be none', async () => {
    expect((await storageOf({}, { 1: { kw: 1 } })).get(1)).toMatchObject({ nummer: null, anteil: null, segment: null });
  });
});

describe('the segment', () => {
  test.each([
    [0, null],
    [0.001, 'heim'],
    [30, 'heim'],
    [30.001, 'gewerbe'],
    [1000, 'gewerbe'],
    [1000.001, 'gross'],
  ])('of %d kWh is %s', async (kwh, segment) => {
    // It is that of the plant, not of the share.
    const units = { 1: { plant: 7, kw: 1 }, 2: { plant: 7, kw: 1 } };
    expect((await storageOf({ 7: { kwh } }, units)).get(1)).toMatchObject({ segment });
  });

  test('of pumped storage is its own, with a plant and without', async () => {
    const found = await storageOf({ 7: { kwh: 5 } }, { 1: { plant: 7, pumped: true }, 2: { pumped: true } });
    expect([...found.values()].map(({ segment }) => segment)).toEqual(['pumpspeicher', 'pumpspeicher']);
  });
});
