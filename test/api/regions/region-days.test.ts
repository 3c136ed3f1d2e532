import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cohortsStatement, readCohorts } from '../../../api/regions/altersstruktur.ts';
import { yearsBefore } from '../../../api/regions/figures.ts';
import * as snapshot from '../../../api/regions/momentaufnahme.ts';
import { type Region, regionQuestion } from '../../../api/regions/parameters.ts';
import { PERIODS, readSums, sumsByStatement } from '../../../api/regions/sums.ts';
import type { VersionReader } from '../../../api/warehouse/version.ts';
import { CARRIERS } from '../../../sql/catalogue/carriers.ts';
import { cases } from '../../support/cases.ts';
import { openSample, type SampleVersion } from '../../support/sample-version.ts';

/** Regional analyses without a statement have the answers of the statements, which versions without the file of days need. */

let sample: SampleVersion;
let reader: VersionReader;
let places: readonly Region[];

const placeRow = z.strictObject({
  landkreis: z.string(),
  gemeinde: z.string(),
  schluessel: z.string(),
  plz: z.string(),
});

beforeAll(async () => {
  sample = await openSample('regionDays');
  reader = sample.version.reader({ operation: 'test', request: null, trace: null });
  const rows = await reader.query(placeRow, {
    text: `SELECT landkreis, gemeinde, gemeindeschluessel AS schluessel, plz FROM regionen
      WHERE landkreis IS NOT NULL AND gemeinde IS NOT NULL AND gemeindeschluessel IS NOT NULL AND plz IS NOT NULL`,
    values: {},
  });
  places = rows.flatMap(({ landkreis, gemeinde, schluessel, plz }): Region[] => [
    { ebene: 'landkreis', region: landkreis },
    { ebene: 'landkreis', region: schluessel.slice(0, 5) },
    { ebene: 'gemeinde', region: gemeinde },
    { ebene: 'gemeinde', region: schluessel },
    ...[1, 2, 3, 4, 5].map((digits): Region => ({ ebene: 'plz', region: plz.slice(0, digits) })),
  ]);
});
afterAll(() => sample?.close());

const place = fc.oneof(
  { weight: 12, arbitrary: fc.nat().map((index) => places[index % places.length]!) },
  fc.constantFrom<Region>({ ebene: 'plz', region: '00000' }, { ebene: 'gemeinde', region: 'Nirgendwo' }),
);

const carriers = fc.oneof(fc.constant([...CARRIERS]), fc.subarray([...CARRIERS], { minLength: 1 }));

const day = fc
  .date({ min: new Date('1985-01-01'), max: new Date('2032-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** The question about a place that an analysis resolves a query to. */
const region = fc.tuple(place, carriers).map(([of, energietraeger]) => regionQuestion({ ...of, energietraeger }));

/** Answers twice, so that only the first has to look a place up. @returns the second answer */
async function withoutStatement<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
  await answer();
  const before = sample.statements();
  const answered = await answer();
  expect(sample.statements()).toBe(before);
  return answered;
}

test('time series: for any place, period, carriers and span', async () => {
  const spans = fc.record({
    periode: fc.constantFrom(...(Object.keys(PERIODS) as (keyof typeof PERIODS)[])),
    von: fc.option(day, { nil: undefined }),
    bis: fc.option(day, { nil: undefined }),
  });
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(region, spans, async (asked, span) => {
      const question = { ...asked, ...span };
      const sums = await withoutStatement(() => readSums(question, reader));
      expect(sums).toEqual(await sumsByStatement(question, reader));
      rows += sums.length;
    }),
    { numRuns: cases(80) },
  );
  expect(rows).toBeGreaterThan(0);
});

test('age structure: for any place, carriers and day', async () => {
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(region, day, async (question, today) => {
      const cohorts = await withoutStatement(() => readCohorts(question, today, reader));
      expect(cohorts).toEqual(await reader.query(z.any(), cohortsStatement(question, today, reader)));
      rows += cohorts.length;
    }),
    { numRuns: cases(50) },
  );
  expect(rows).toBeGreaterThan(50);
});

test('snapshot: for any place, carriers and window', async () => {
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(region, day, day, async (asked, one, other) => {
      const [von = one, bis = other] = [one, other].sort();
      const question = { ...asked, von, bis, years20Ago: yearsBefore(bis, 20) };
      const sums = await withoutStatement(() => snapshot.readSums(question, reader));
      expect([sums]).toEqual(await reader.query(z.any(), snapshot.sumsStatement(question, reader)));
      counted += sums.zubauAnzahl + sums.pipelineAnzahl + sums.windAlt;
    }),
    { numRuns: cases(50) },
  );
  expect(counted).toBeGreaterThan(50);
});

test('a version without the file answers by statements', async () => {
  const question = { ...regionQuestion({ ebene: 'plz', region: places.at(-1)!.region }), periode: 'jahr' } as const;
  const before = sample.statements();
  const sums = await readSums(question, { ...reader, regionDays: null });
  expect(sample.statements()).toBe(before + 1);
  expect(sums).toEqual(await readSums(question, reader));
});
