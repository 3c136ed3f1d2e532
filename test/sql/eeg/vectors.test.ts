import { beforeAll, expect, test } from 'vitest';
import {
  award,
  FULL,
  geothermal,
  ground,
  hydro,
  type Plant,
  roof,
  type Support,
  supportRules,
  wind,
} from './plants.ts';

/** Test vectors of the rules (docs/decisions/0016-support-values.md): plants with their expected values. */

interface Vector {
  readonly title: string;
  readonly plant: Plant;
  readonly expected: Partial<Support>;
  /** The day of the version. */
  readonly today?: string;
}

const TODAY = '2022-12-31';

const vector = (title: string, plant: Plant, expected: Partial<Support>, today = TODAY): Vector => ({
  title,
  plant,
  expected,
  today,
});

const UNIFORM = award('SOLAR_FREIFLAECHE', '2015-12-01', 8, { einheitspreis: true, flurstueckGleich: true });

const VECTORS: readonly Vector[] = [
  vector('roof 4.5 kW of 2002', roof(4.5, '2002-05-01'), {
    verguetung: 48.1,
    anzulegenderWert: 48.5,
    foerderende: '2022-12-31',
  }),
  vector(
    'the same once its support has ended',
    roof(4.5, '2002-05-01'),
    { verguetung: null, anzulegenderWert: null, foerderende: '2022-12-31', ableitbarkeit: 'nicht_ableitbar' },
    '2023-01-01',
  ),
  vector('roof 50 kW of 2004', roof(50, '2004-06-01'), { verguetung: 56.28, foerderende: '2024-12-31' }),
  vector('roof 45 kW of 2008', roof(45, '2008-05-02'), {
    verguetung: 45.99,
    anzulegenderWert: 46.39,
    foerderende: '2028-12-31',
  }),
  vector('roof 9.8 kW of 2009', roof(9.8, '2009-12-31'), { verguetung: 43.01, foerderende: '2029-12-31' }),
  vector('roof 120 kW on the last day of June 2010', roof(120, '2010-06-30'), { verguetung: 37.37 }),
  vector('roof 120 kW on the first day of July 2010', roof(120, '2010-07-01'), { verguetung: 32.52 }),
  vector('roof 30 kW on the last day of March 2012', roof(30, '2012-03-31'), { verguetung: 24.43 }),
  vector('roof 30 kW on the first day of April 2012', roof(30, '2012-04-01'), { verguetung: 18.83 }),
  vector('roof 150 kW of May 2013', roof(150, '2013-05-05'), { verguetung: 13.71, anzulegenderWert: 14.11 }),
  vector('ground 5 MW of May 2012', ground(5000, '2012-05-15'), {
    verguetung: 13.37,
    ableitbarkeit: 'geschaetzt',
    gruende: ['uebergangsregel'],
  }),
  vector('roof 30 kW of September 2014', roof(30, '2014-09-15'), { verguetung: 12.46, anzulegenderWert: 12.85 }),
  vector('roof 400 kW of 2015', roof(400, '2015-10-01'), { verguetung: 10.84, anzulegenderWert: 11.23 }),
  vector('roof 400 kW of 2016', roof(400, '2016-05-01'), { verguetung: null, anzulegenderWert: 11.23 }),
  vector('roof 99 kW of February 2019', roof(99, '2019-02-10'), { verguetung: 10.13, anzulegenderWert: 10.53 }),
  vector('roof 99 kW of April 2019', roof(99, '2019-04-10'), { verguetung: 9.46, anzulegenderWert: 9.86 }),
  vector('roof 10 kW on 29 July 2022', roof(10, '2022-07-29'), { verguetung: 6.24, anzulegenderWert: 6.64 }),
  vector('roof 10 kW on 30 July 2022', roof(10, '2022-07-30'), { verguetung: 8.2, anzulegenderWert: 8.6 }),
  vector(
    'roof 60 kW, full feed-in, of 2024',
    roof(60, '2024-09-01', { einspeisungsartId: FULL }),
    { verguetung: 11.02, anzulegenderWert: 11.42, foerderende: '2044-12-31' },
    '2026-11-22',
  ),
  vector(
    'roof 500 kW, full feed-in, of 2025',
    roof(500, '2025-09-01', { einspeisungsartId: FULL }),
    { verguetung: null, anzulegenderWert: 9.18 },
    '2026-11-22',
  ),
  vector('hydro 400 kW of 2006', hydro(400, '2006-05-01'), {
    verguetung: 9.67,
    foerderende: '2036-12-31',
    ableitbarkeit: 'exakt',
  }),
  vector('hydro 400 kW of 2012', hydro(400, '2012-06-01'), {
    verguetung: 12.7,
    anzulegenderWert: 12.9,
    foerderende: '2032-12-31',
  }),
  vector(
    'geothermal 5 MW of 2024',
    geothermal(5000, '2024-05-01'),
    { verguetung: null, anzulegenderWert: 25.07 },
    '2026-11-22',
  ),
  vector('wind of 2003, Q 100', wind(2000, '2003-06-15', { ertrag5: 100 }), {
    phasenwechsel: '2019-06-15',
    foerderende: '2023-12-31',
  }),
  vector('wind of 2006, Q 80', wind(2000, '2006-03-10', { ertrag5: 80 }), {
    phasenwechsel: '2026-09-10',
    foerderende: '2026-12-31',
  }),
  vector('wind of 2006, Q 75', wind(2000, '2006-03-10', { ertrag5: 75 }), { phasenwechsel: null }),
  vector(
    'wind of 2015, Q 90, on the day before the change',
    wind(3000, '2015-03-01', { ertrag5: 90 }),
    { phasenwechsel: '2031-02-01', anzulegenderWert: 8.9 },
    '2031-01-31',
  ),
  vector(
    'wind of 2015, Q 90, on the day of the change',
    wind(3000, '2015-03-01', { ertrag5: 90 }),
    { phasenwechsel: '2031-02-01', anzulegenderWert: 4.95 },
    '2031-02-01',
  ),
  vector('wind 10 kW of 2013', wind(10, '2013-08-01'), { phasenwechsel: null, verguetung: 8.8 }),
  vector(
    'wind, award of October 2018, Q 83',
    wind(4200, '2020-09-01', { ertragSchaetzung: 83, zuschlaege: [award('WIND', '2018-10-01', 6.26)] }),
    { anzulegenderWert: 7.09, verguetung: null, ableitbarkeit: 'geschaetzt' },
  ),
  vector(
    'wind, award of February 2021, Q 55',
    wind(4200, '2022-09-01', { ertragSchaetzung: 55, zuschlaege: [award('WIND', '2021-02-01', 6)] }),
    { anzulegenderWert: 8.1 },
  ),
  vector(
    'wind, award of February 2023, Q 55, not in the south',
    wind(4200, '2025-01-15', {
      ertragSchaetzung: 55,
      suedregion: false,
      zuschlaege: [award('WIND', '2023-02-01', 7.34)],
    }),
    { anzulegenderWert: 10.42 },
    '2026-11-22',
  ),
  vector('ground 5 MW, uniform price, in time', ground(5000, '2016-11-20', { zuschlaege: [UNIFORM] }), {
    anzulegenderWert: 8,
    ableitbarkeit: 'exakt',
    foerderende: '2036-11-20',
  }),
  vector('ground 5 MW, uniform price, late', ground(5000, '2017-09-20', { zuschlaege: [UNIFORM] }), {
    anzulegenderWert: 8,
    ableitbarkeit: 'geschaetzt',
    gruende: ['zuschlag_spaet', 'bekanntgabe_angenommen'],
  }),
  vector(
    'roof with an award announced in August 2022',
    roof(900, '2022-12-01', { zuschlaege: [award('SOLAR_DACH', '2022-04-01', 8.53, { bekanntgabe: '2022-08-09' })] }),
    { foerderende: '2043-08-31' },
  ),
];

let results: readonly Support[];

beforeAll(async () => {
  const rules = await supportRules();
  const found = new Map<Vector, Support>();
  for (const today of new Set(VECTORS.map((v) => v.today!))) {
    const ofDay = VECTORS.filter((v) => v.today === today);
    const support = await rules.supportOf(
      ofDay.map((v) => v.plant),
      today,
    );
    for (const [index, v] of ofDay.entries()) found.set(v, support[index]!);
  }
  results = VECTORS.map((v) => found.get(v)!);
  rules.close();
});

test.each(VECTORS.map((v, index) => ({ ...v, index })))('$title', ({ index, expected }) => {
  expect(results[index]).toMatchObject(expected);
});
