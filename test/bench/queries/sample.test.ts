import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { seeded } from './random.ts';
import { type SampledUnit, sampleOf } from './sample.ts';
import { SMALL_SAMPLE } from './small-sample.ts';

describe('random choices', () => {
  const drawn = (seed: number) => {
    const random = seeded(seed);
    return Array.from({ length: 50 }, () => random.below(1000));
  };

  test('are the same for the same seed, and others for another', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });

  test('reach every item', () => {
    const random = seeded(1);
    expect(new Set(Array.from({ length: 200 }, () => random.of(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
  });

  test('take some items, each once, and no more than there are', () => {
    const taken = seeded(1).some(5, [1, 2, 3]);
    expect(taken.sort()).toEqual([1, 2, 3]);
    expect(seeded(1).some(2, [1, 2, 3])).toHaveLength(2);
    expect(() => seeded(1).of([])).toThrow(RangeError);
  });
});

describe('a sample', () => {
  test('returns units that have all the requested values', () => {
    const random = seeded(3);
    for (let time = 0; time < 20; time++) {
      expect(SMALL_SAMPLE.unitWith(random, 'bundesland', 'plz').mastrNummer).not.toBe('SEE900000000002');
    }
  });

  test('returns words of one unit, of letters that need no folding', () => {
    const random = seeded(3);
    const pairs = new Set(Array.from({ length: 50 }, () => SMALL_SAMPLE.words(random).join(' ')));
    expect([...pairs].sort()).toEqual(['hohe fladungen', 'sonnenhof steben', 'windpark fladungen']);
  });

  test('returns the first three letters of words', () => {
    const random = seeded(3);
    expect(new Set(Array.from({ length: 50 }, () => SMALL_SAMPLE.beginning(random)))).toEqual(
      new Set(['son', 'win', 'hoh']),
    );
  });
});

describe('the sample of a version', () => {
  const SIZE = 40_000;
  const TEXTS = ['betriebsStatus', 'bundesland', 'landkreis', 'gemeinde', 'plz', 'inbetriebnahmedatum'];
  const MORE_TEXTS = ['betreiberMastrNummer', 'netzbetreiber', 'spannungsebene', 'name', 'ort', 'betreiberName'];

  /** A version of solar units, of which every fiftieth is a wind turbine. */
  async function versionFile(folder: string): Promise<string> {
    const file = join(folder, 'warehouse.duckdb');
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE units AS
      SELECT 'SEE' || (900000000000 + i) AS mastrNummer, if(i % 50 = 0, 'wind', 'solar') AS einheitTyp, 1.5 AS bruttoleistungKw,
        ${[...TEXTS, ...MORE_TEXTS].map((name) => `NULL::VARCHAR AS ${name}`).join(', ')}
      FROM range(${SIZE}) AS numbers (i)`);
    connection.closeSync();
    instance.closeSync();
    return file;
  }

  test('has the proportions of the register, and units of all of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sample-'));
    try {
      const { size, units, numbers } = await sampleOf(await versionFile(folder), { numbers: 8000, units: 4000 });
      expect([size, units.length, numbers.length]).toEqual([SIZE, 4000, 8000]);
      const wind = units.filter(({ einheitTyp }: SampledUnit) => einheitTyp === 'wind').length;
      expect(wind / units.length).toBeGreaterThan(0.015);
      expect(wind / units.length).toBeLessThan(0.025);
      const perTenth = new Array<number>(10).fill(0);
      for (const number of numbers) perTenth[Math.floor((Number(number.slice(3)) - 900000000000) / (SIZE / 10))]!++;
      expect(Math.min(...perTenth)).toBeGreaterThan(700);
      expect(Math.max(...perTenth)).toBeLessThan(900);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
