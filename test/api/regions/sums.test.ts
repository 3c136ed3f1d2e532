import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PERIODS, readSums, sumsByStatement } from '../../../api/regions/sums.ts';
import { CARRIERS } from '../../../sql/catalogue/carriers.ts';
import { cases } from '../../support/cases.ts';
import { openSample, type SampleVersion } from '../../support/sample-version.ts';

/** Sums over months that the version keeps are those that the engine adds up. */

let sample: SampleVersion;

beforeAll(async () => {
  sample = await openSample('regionDays');
});
afterAll(() => sample?.close());

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
  const reader = sample.version.reader({ operation: 'test', request: null, trace: null });
  expect((await readSums({ periode: 'monat', energietraeger: CARRIERS }, reader)).length).toBeGreaterThan(500);
  await fc.assert(
    fc.asyncProperty(question, async (asked) => {
      const before = sample.statements();
      const sums = await readSums(asked, reader);
      expect(sample.statements()).toBe(before);
      expect(sums).toEqual(await sumsByStatement(asked, reader));
    }),
    { numRuns: cases(30) },
  );
});

test('spans that cut a month are read day by day', async () => {
  const reader = sample.version.reader({ operation: 'test', request: null, trace: null });
  const before = sample.statements();
  await readSums({ periode: 'jahr', energietraeger: CARRIERS, von: '2020-01-02' }, reader);
  await readSums({ periode: 'jahr', energietraeger: CARRIERS, ebene: 'bundesland', region: 'Bayern' }, reader);
  expect(sample.statements()).toBe(before + 2);
});
