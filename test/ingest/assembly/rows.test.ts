import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRows, type Rows, type RowsOptions } from '../../../ingest/assembly/rows.ts';
import { openReadWrite, type WarehouseConnection } from '../../../ingest/duckdb/connection.ts';
import { UNIT_COLUMN_NAMES } from '../../../sql/catalogue/unit-columns.ts';
import { mastrBits, type NumberRange, unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { duckdbUnitColumns } from '../../../sql/warehouse/duckdb/columns.ts';
import { passingUnits } from '../../../sql/warehouse/duckdb/rows.ts';
import { openRowFile } from '../../../sql/warehouse/rows/reader.ts';
import { folderOfTests } from '../../support/exports.ts';

/** The row file while a build fills it, slice by slice. */

const UNITS = 300;
const SLICES = 6;
const FIRST = 900_000_000_000;
const UNITS_OF_SLICE = UNITS / SLICES;
const numberAt = (place: number): string => unitNumberOf(FIRST + place);
const sliceAt = (slice: number) => ({
  from: FIRST + slice * UNITS_OF_SLICE,
  to: FIRST + (slice + 1) * UNITS_OF_SLICE - 1,
});

const folder = folderOfTests();
let engine: WarehouseConnection;

const FIRST_BUILD = { sequence: 1, before: null, engineVersion: 'test', appended() {}, note() {} };

const unitAt = (place: number, name: string, build: number): string =>
  `('${numberAt(place)}', ${mastrBits(numberAt(place))}, 'wind', '${name}', ${build})`;

const insert = (units: readonly string[]): string =>
  `INSERT INTO units (mastrNummer, nummer, einheitTyp, name, inhaltSeit) VALUES ${units.join(', ')}`;

beforeAll(async () => {
  engine = await openReadWrite(join(folder.path, 'units.duckdb'), {
    memoryMb: 256,
    threads: 2,
    temporaryFolder: join(folder.path, 'temporary'),
  });
  const units = Array.from({ length: UNITS }, (_, place) => unitAt(place, `Windrad ${place}`, 1));
  // They lie in the table in no order.
  await engine.run(`CREATE TABLE units (${duckdbUnitColumns()}\n); ${insert(units.toSorted().reverse())}`);
});

afterAll(async () => {
  await engine.close();
  folder.remove();
});

const namesIn = (path: string): (string | undefined)[] => {
  const file = openRowFile(path);
  try {
    return file
      .read(
        Array.from({ length: file.units }, (_, place) => numberAt(place)),
        new Set(['name']),
      )
      .map((texts) => texts?.get('name'));
  } finally {
    file.close();
  }
};

const NAMES = Array.from({ length: UNITS }, (_, place) => `Windrad ${place}`);

describe.each([
  ['in a thread', true],
  ['without a thread', false],
])('%s', (name, inThread) => {
  const path = join(folder.path, `${name}.rows`);
  const fill = async (work: (rows: Rows) => Promise<void>): Promise<number[]> => {
    const appended: number[] = [];
    const rows = await openRows({
      ...FIRST_BUILD,
      path,
      inThread,
      units: UNITS,
      appended: (count) => appended.push(count),
    });
    try {
      await work(rows);
    } finally {
      await rows.abort();
    }
    return appended;
  };

  it('has every unit, and no piece is left', async () => {
    const appended = await fill(async (rows) => {
      for (let slice = 0; slice < SLICES; slice++) await rows.addSlice(engine, sliceAt(slice));
      await rows.finish(engine);
    });
    expect(appended).toEqual(Array.from({ length: SLICES }, () => UNITS_OF_SLICE));
    expect(namesIn(path)).toEqual(NAMES);
    expect(readdirSync(folder.path).filter((file) => file.startsWith(`${name}.rows.`))).toEqual([]);
  });

  it('is the same file when slices are written at once', async () => {
    const whole = readFileSync(path);
    await fill(async (rows) => {
      await Promise.all(Array.from({ length: SLICES }, (_, slice) => rows.addSlice(engine, sliceAt(slice))));
      await rows.finish(engine);
    });
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  it('takes a slice without units', async () => {
    const nothing = { from: FIRST - 10, to: FIRST - 1 };
    const appended = await fill(async (rows) => {
      await rows.addSlice(engine, nothing);
      await rows.addSlice(engine, { from: FIRST, to: FIRST + UNITS });
      await rows.finish(engine);
    });
    expect(appended).toEqual([0, UNITS]);
    expect(namesIn(path)).toEqual(NAMES);
  });

  it('fails when the engine does', async () => {
    const failing = { ...engine, run: () => Promise.reject(new Error('No space left')) };
    await expect(fill((rows) => rows.addSlice(failing, sliceAt(0)))).rejects.toThrow('No space left');
  });

  it('fails at the end when units are missing', async () => {
    await expect(
      fill(async (rows) => {
        await rows.addSlice(engine, sliceAt(0));
        await rows.finish(engine);
      }),
    ).rejects.toThrow(`The row file has ${UNITS_OF_SLICE} units instead of ${UNITS}`);
  });

  it('fails at a later slice, or at the end, when a piece cannot be appended', async () => {
    await expect(
      fill(async (rows) => {
        await rows.addSlice(engine, sliceAt(1));
        await rows.addSlice(engine, sliceAt(0));
        await rows.finish(engine);
      }),
    ).rejects.toThrow(`${numberAt(0)} does not come after the unit before it`);
  });

  it('cannot be read when it was given up', async () => {
    await fill((rows) => rows.addSlice(engine, sliceAt(0)));
    expect(existsSync(path)).toBe(true);
    expect(() => openRowFile(path)).toThrow('it is no complete row file');
  });
});

it('names the file when it cannot be written', async () => {
  const path = join(folder.path, 'missing', 'units.rows');
  const rows = await openRows({ ...FIRST_BUILD, path, inThread: true, units: 0 });
  await expect(rows.finish(engine)).rejects.toThrow(/ENOENT.*units\.rows/);
  await rows.abort();
});

describe('with a version before', () => {
  const before = join(folder.path, 'before', 'units.rows');
  const RANGES: readonly NumberRange[] = [
    { from: 0, to: FIRST + 49 },
    { from: FIRST + 50, to: FIRST + 99 },
    { from: FIRST + 100, to: 10 ** 12 - 1 },
  ];
  /** The file of the night: with the rows that have not changed, and with all rows from nothing. */
  let copied: Buffer;
  let anew: Buffer;
  /** The file before, without one unit. */
  let fewer: Buffer;

  /** Writes the row file of the units as they are. */
  async function fileOf(options: Partial<RowsOptions>): Promise<Buffer> {
    const path = join(folder.path, 'night.rows');
    const [{ units }] = (await engine.rows<{ units: number }>('SELECT count(*)::INTEGER AS units FROM units')) as [
      { units: number },
    ];
    const rows = await openRows({ ...FIRST_BUILD, path, units, ...options });
    try {
      await Promise.all(RANGES.map((range) => rows.addSlice(engine, range)));
      await rows.finish(engine);
    } finally {
      await rows.abort();
    }
    expect(readdirSync(folder.path).filter((file) => file.startsWith('night.rows.'))).toEqual([]);
    return readFileSync(path);
  }

  beforeAll(async () => {
    const plan = (place: number, day: string | null): string =>
      `UPDATE units SET letzterPlantagVom = ${day === null ? 'NULL' : `DATE '${day}'`} WHERE mastrNummer = '${numberAt(place)}'`;
    mkdirSync(dirname(before));
    await engine.run(`DELETE FROM units WHERE mastrNummer = '${numberAt(150)}'`);
    fewer = await fileOf({});
    await engine.run(insert([unitAt(150, 'Windrad 150', 1)]));
    await engine.run([plan(50, '2026-11-01'), plan(70, '2026-11-01')].join(';'));
    writeFileSync(before, await fileOf({}));
    await engine.run(`ATTACH ':memory:' AS previous_version; CREATE TABLE previous_version.units AS FROM units;
      CREATE TABLE units_departed AS SELECT 0::INTEGER AS abgangSeit, * FROM units LIMIT 0;
      INSERT INTO units_departed SELECT 2, * FROM units WHERE mastrNummer IN ('${numberAt(20)}', '${numberAt(120)}');
      DELETE FROM units WHERE mastrNummer IN (SELECT mastrNummer FROM units_departed);
      UPDATE units SET name = 'Windpark', inhaltSeit = 2 WHERE mastrNummer IN ('${numberAt(0)}', '${numberAt(299)}');
      ${insert([unitAt(-7, 'neu', 2), unitAt(UNITS + 7, 'neu', 2)])};
      ${[plan(50, '2026-11-02'), plan(60, '2026-11-02'), plan(70, null)].join(';')}`);
    await engine.run(passingUnits(new Set(UNIT_COLUMN_NAMES)));
    copied = await fileOf({});
    // No build changes a name without counting the unit as changed. Done here, it shows from where its row comes.
    await engine.run(`UPDATE units SET name = 'written anew' WHERE mastrNummer = '${numberAt(80)}'`);
    anew = await fileOf({});
  });

  describe.each([
    ['in a thread', true],
    ['without a thread', false],
  ])('%s', (_, inThread) => {
    /** Writes the file of the night with the help of the file before. @returns whether it is the right one, and the notes */
    async function night(options: Partial<RowsOptions> = {}, expected = copied): Promise<[boolean, ...string[]]> {
      const notes: string[] = [];
      const file = await fileOf({ sequence: 2, before, inThread, note: (text) => notes.push(text), ...options });
      return [file.equals(expected), ...notes];
    }

    const damaging = async (at: number, work: () => Promise<void>): Promise<void> => {
      const whole = readFileSync(before);
      const bytes = Buffer.from(whole);
      bytes[at < 0 ? bytes.length + at : at]! ^= 1;
      writeFileSync(before, bytes);
      try {
        await work();
      } finally {
        writeFileSync(before, whole);
      }
    };

    it('copies the rows of units that have not changed, byte for byte', async () => {
      expect(await night()).toEqual([true]);
    });

    it.each([0, 10_000])('writes all rows anew when a row is not as it was written, and says so', (at) =>
      damaging(at, async () => {
        const [isAnew, ...notes] = await night({}, anew);
        expect([isAnew, notes.length]).toEqual([true, 1]);
        expect(notes[0]).toMatch(
          /^All rows are written anew .*units\.rows is damaged: the rows from SEE9\d+ on are not/,
        );
      }),
    );

    it('writes all rows anew when the index is not as it was written, and says so', () =>
      damaging(-5000, async () => {
        const [isAnew, ...notes] = await night({}, anew);
        expect([isAnew, notes.length]).toEqual([true, 1]);
        expect(notes[0]).toContain('units.rows is damaged: its index is not as it was written');
      }));

    it('writes all rows anew when the file before lacks a unit, and says so', async () => {
      const whole = readFileSync(before);
      writeFileSync(before, fewer);
      const [isAnew, ...notes] = await night({}, anew);
      writeFileSync(before, whole);
      expect([isAnew, notes.length]).toEqual([true, 1]);
      expect(notes[0]).toContain('The row file has 299 units instead of 300');
    });

    it('writes all rows anew when another engine has written those before', async () => {
      const byAnother = await fileOf({ engineVersion: 'another' });
      expect(await night({ engineVersion: 'another' }, byAnother)).toEqual([true]);
    });

    it('writes all rows anew when the version before has no row file here', async () => {
      expect(await night({ before: join(folder.path, 'elsewhere', 'units.rows') }, anew)).toEqual([true]);
    });
  });
});
