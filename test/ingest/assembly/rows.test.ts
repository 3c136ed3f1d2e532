import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRows, type Rows } from '../../../ingest/assembly/rows.ts';
import { openReadWrite, type WarehouseConnection } from '../../../ingest/duckdb/connection.ts';
import { mastrBits, unitNumberOf } from '../../../sql/register/mastr-number.ts';
import { duckdbUnitColumns } from '../../../sql/warehouse/duckdb/columns.ts';
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

/** As many units as are worth a thread. */
const MANY = 1_000_000;

const folder = folderOfTests();
let engine: WarehouseConnection;

beforeAll(async () => {
  engine = await openReadWrite(join(folder.path, 'units.duckdb'), {
    memoryMb: 256,
    threads: 2,
    temporaryFolder: join(folder.path, 'temporary'),
  });
  const rows = Array.from(
    { length: UNITS },
    (_, place) => `('${numberAt(place)}', ${mastrBits(numberAt(place))}, 'wind', 'Windrad ${place}')`,
  );
  // They lie in the table in no order.
  await engine.run(`CREATE TABLE units (${duckdbUnitColumns()}\n);
    INSERT INTO units (mastrNummer, nummer, einheitTyp, name) VALUES ${rows.toSorted().reverse().join(', ')};
    CREATE VIEW failing AS SELECT * REPLACE (error('it fails') AS name) FROM units`);
});

afterAll(() => {
  engine.close();
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
  ['in a thread', MANY],
  ['without a thread', UNITS],
])('%s', (name, units) => {
  const path = join(folder.path, `${name}.rows`);
  const fill = async (work: (rows: Rows) => Promise<void>): Promise<number[]> => {
    const appended: number[] = [];
    const rows = openRows(path, units, (count) => appended.push(count));
    try {
      await work(rows);
    } finally {
      await rows.abort();
    }
    return appended;
  };

  it('has every unit, and no piece is left', async () => {
    const appended = await fill(async (rows) => {
      for (let slice = 0; slice < SLICES; slice++) await rows.addSlice(engine, 'units', sliceAt(slice));
      await rows.finish(UNITS);
    });
    expect(appended).toEqual(Array.from({ length: SLICES }, () => UNITS_OF_SLICE));
    expect(namesIn(path)).toEqual(NAMES);
    expect(readdirSync(folder.path).filter((file) => file.startsWith(`${name}.rows.`))).toEqual([]);
  });

  it('is the same file when slices are written at once', async () => {
    const whole = readFileSync(path);
    await fill(async (rows) => {
      await Promise.all(Array.from({ length: SLICES }, (_, slice) => rows.addSlice(engine, 'units', sliceAt(slice))));
      await rows.finish(UNITS);
    });
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  it('takes a slice without units', async () => {
    const nothing = { from: FIRST - 10, to: FIRST - 1 };
    const appended = await fill(async (rows) => {
      await rows.addSlice(engine, 'units', nothing);
      await rows.addSlice(engine, 'units', { from: FIRST, to: FIRST + UNITS });
      await rows.finish(UNITS);
    });
    expect(appended).toEqual([0, UNITS]);
    expect(namesIn(path)).toEqual(NAMES);
  });

  it('fails when the engine does', async () => {
    await expect(fill((rows) => rows.addSlice(engine, 'failing', sliceAt(0)))).rejects.toThrow('Invalid Input Error');
  });

  it('fails at the end when units are missing', async () => {
    await expect(
      fill(async (rows) => {
        await rows.addSlice(engine, 'units', sliceAt(0));
        await rows.finish(UNITS);
      }),
    ).rejects.toThrow(`The row file has ${UNITS_OF_SLICE} units instead of ${UNITS}`);
  });

  it('fails at a later slice, or at the end, when a piece cannot be appended', async () => {
    await expect(
      fill(async (rows) => {
        await rows.addSlice(engine, 'units', sliceAt(1));
        await rows.addSlice(engine, 'units', sliceAt(0));
        await rows.finish(2 * UNITS_OF_SLICE);
      }),
    ).rejects.toThrow(`${numberAt(0)} does not come after the unit before it`);
  });

  it('cannot be read when it was given up', async () => {
    await fill((rows) => rows.addSlice(engine, 'units', sliceAt(0)));
    expect(existsSync(path)).toBe(true);
    expect(() => openRowFile(path)).toThrow('it is no complete row file');
  });
});

it('names the file when it cannot be written', async () => {
  const path = join(folder.path, 'missing', 'units.rows');
  const rows = openRows(path, MANY, () => {});
  await expect(rows.finish(0)).rejects.toThrow(/ENOENT.*units\.rows/);
  await rows.abort();
});
