import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PERIODS, readSums, sumsRow, sumsStatement } from '../../../api/regions/sums.ts';
import { openDuckdbVersion } from '../../../api/warehouse/duckdb/version.ts';
import type { OpenVersion } from '../../../api/warehouse/version.ts';
import { CARRIERS } from '../../../sql/catalogue/carriers.ts';
import { currentPublication, regionDaysFile, rowFile, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishSample, warehouseFolder } from '../../support/built.ts';
import { cases } from '../../support/cases.ts';

/** Sums over months that the version keeps are those that the engine adds up. */

const warehouse = warehouseFolder();
let version: OpenVersion;
let statements = 0;

beforeAll(async () => {
  await publishSample(warehouse.path);
  const id = currentPublication(warehouse.path)?.version ?? '';
  version = await openDuckdbVersion(
    {
      tables: versionFile(warehouse.path, id),
      rows: rowFile(warehouse.path, id),
      search: null,
      orders: null,
      regionDays: regionDaysFile(warehouse.path, id),
    },
    { threads: 1, memoryMb: 128 },
    {
      statementEnded() {
        statements += 1;
      },
      unitsRead() {},
    },
  );
});
afterAll(() => {
  version?.close();
  warehouse.remove();
});

const month = fc
  .date({ min: new Date('1985-01-01'), max: new Date('2032-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 7));

/** The last day of a month. */
const lastDay = (name: string): string => {
  const [year = 0, number = 0] = name.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
};

const question = fc.record({
  periode: fc.constantFrom(...(Object.keys(PERIODS) as (keyof typeof PERIODS)[])),
  energietraeger: fc.subarray([...CARRIERS], { minLength: 1 }),
  von: fc.option(
    month.map((name) => `${name}-01`),
    { nil: undefined },
  ),
  bis: fc.option(month.map(lastDay), { nil: undefined }),
});

test('for every period, choice of carriers and span of whole months, without another statement', async () => {
  const reader = version.reader({ operation: 'test', request: null, trace: null });
  expect((await readSums({ periode: 'monat', energietraeger: CARRIERS }, reader)).length).toBeGreaterThan(500);
  await fc.assert(
    fc.asyncProperty(question, async (asked) => {
      const before = statements;
      const sums = await readSums(asked, reader);
      expect(statements).toBe(before);
      expect(sums).toEqual(await reader.query(sumsRow, sumsStatement(asked, reader)));
    }),
    { numRuns: cases(30) },
  );
});

test('spans that cut a month are read day by day', async () => {
  const reader = version.reader({ operation: 'test', request: null, trace: null });
  const before = statements;
  await readSums({ periode: 'jahr', energietraeger: CARRIERS, von: '2020-01-02' }, reader);
  await readSums({ periode: 'jahr', energietraeger: CARRIERS, ebene: 'bundesland', region: 'Bayern' }, reader);
  expect(statements).toBe(before + 2);
});
