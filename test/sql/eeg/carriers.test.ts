import { beforeAll, expect, test } from 'vitest';
import {
  award,
  geothermal,
  ground,
  hydro,
  LAGE,
  landfillGas,
  mineGas,
  type Plant,
  roof,
  type Support,
  sewageGas,
  supportRules,
  wind,
  wood,
} from './plants.ts';

/** Each carrier under each law that has a rate for it, computed by hand. */

interface Example {
  readonly title: string;
  readonly today: string;
  readonly plant: Plant;
  readonly expected: Partial<Support>;
}

const EXAMPLES: Example[] = [];

const example = (title: string, plant: Plant, expected: Partial<Support>, today = '2026-11-22'): void => {
  EXAMPLES.push({ title, plant, expected, today });
};

const offshore = (kw: number, day: string, more: Plant = {}): Plant => wind(kw, day, { seelageId: 640, ...more });

// 50.62 for every size; counts as begun on 1 April 2000.
example(
  'solar before the EEG 2000',
  roof(3, '1999-07-01'),
  { gesetz: 'EEG 2000', verguetung: 50.62, foerderbeginn: '1999-07-01', foerderende: '2020-12-31' },
  '2020-06-01',
);
// (30 · 57.40 + 10 · 54.60) / 40 = 2268 / 40
example(
  'solar in the spring of 2004 has the rates of the next law',
  roof(40, '2004-02-01'),
  { gesetz: 'EEG 2004', verguetung: 56.7, anzulegenderWert: 57.1, foerderende: '2024-12-31' },
  '2024-12-31',
);
// (30 · 43.01 + 70 · 40.91 + 900 · 39.58 + 200 · 33.00) / 1200 = 46376 / 1200 = 38.647
example('solar, EEG 2009', roof(1200, '2009-05-01'), { gesetz: 'EEG 2009', verguetung: 38.65, ableitbarkeit: 'exakt' });
example('solar, EEG 2012', ground(2000, '2012-01-15'), {
  gesetz: 'EEG 2012',
  verguetung: 17.94,
  anzulegenderWert: 18.34,
  gruende: ['konversionsflaeche'],
});
// (10 · 12.70 + 30 · 12.36 + 960 · 11.09 + 200 · 8.91) / 1200 = 12926.2 / 1200 = 10.772
example('solar, EEG 2014', roof(1200, '2016-03-01'), {
  gesetz: 'EEG 2014',
  verguetung: null,
  anzulegenderWert: 10.77,
});
example('solar, EEG 2017, on another structure', roof(80, '2018-01-10', { lageId: LAGE.other }), {
  gesetz: 'EEG 2017',
  verguetung: 8.44,
  anzulegenderWert: 8.84,
});
// Tariff (10 · 8.16 + 30 · 7.93 + 50 · 6.22) / 90 = 7.006, value (10 · 8.56 + 30 · 8.33 + 50 · 6.62) / 90 = 7.406
example('solar, EEG 2021', roof(90, '2021-01-31'), { gesetz: 'EEG 2021', verguetung: 7.01, anzulegenderWert: 7.41 });
example('solar, EEG 2023', ground(700, '2023-05-01'), { gesetz: 'EEG 2023', verguetung: null, anzulegenderWert: 7 });
// (7.30 + 6.65 + 5.47) / 3 = 6.473
example('solar of a citizens’ company above the threshold', ground(4000, '2024-03-01', { buergerenergie: true }), {
  anzulegenderWert: 6.47,
  ableitbarkeit: 'geschaetzt',
  gruende: ['rate_unsicher', 'buergerenergie'],
});

// 60 + 2 · ⌊50 / 0.75⌋ = 192 months, less half of the 48 before April 2000: 168 months from then.
example(
  'wind before the EEG 2000',
  wind(500, '1996-04-01', { ertrag5: 100 }),
  { gesetz: 'EEG 2000', phasenwechsel: '2014-04-01', verguetung: 6.19, foerderende: '2020-12-31' },
  '2020-06-01',
);
// 60 months less 24 would be 36; four years remain.
example(
  'wind before the EEG 2000 on a good site',
  wind(500, '1996-04-01', { ertrag5: 150 }),
  { phasenwechsel: '2004-04-01' },
  '2020-06-01',
);
example('wind, EEG 2004', wind(1500, '2006-08-01', { ertrag5: 100 }), {
  gesetz: 'EEG 2004',
  phasenwechsel: '2022-08-01',
  verguetung: 5.28,
  anzulegenderWert: 5.68,
  ableitbarkeit: 'exakt',
});
// 60 + 2 · ⌊67.5 / 0.75⌋ = 240 months
example('wind, EEG 2009', wind(2000, '2010-05-01', { ertrag5: 82.5 }), {
  gesetz: 'EEG 2009',
  phasenwechsel: '2030-05-01',
  verguetung: 9.11,
  anzulegenderWert: 9.51,
  referenzertrag: 0.825,
});
example('wind, EEG 2012, without a yield', wind(2000, '2012-02-01'), {
  gesetz: 'EEG 2012',
  verguetung: 8.93,
  phasenwechsel: null,
  gruende: ['bonus_unbekannt', 'standortertrag'],
});
// Q counts as 75: 60 + ⌊55 / 0.36⌋ + ⌊25 / 0.48⌋ = 60 + 152 + 52 = 264 months, after the end.
example('wind up to 50 kW, EEG 2014', wind(40, '2015-06-01'), {
  gesetz: 'EEG 2014',
  phasenwechsel: null,
  anzulegenderWert: 8.9,
  verguetung: 8.5,
});
// 60 + ⌊20 / 0.36⌋ = 115 months
example('wind by law, EEG 2017', wind(3000, '2018-11-15', { ertrag5: 110 }), {
  gesetz: 'EEG 2017',
  phasenwechsel: '2028-06-15',
  anzulegenderWert: 6.97,
  verguetung: null,
  ableitbarkeit: 'exakt',
});
// 5.97 · 1.42, as Q counts as 60; less 0.40
example('wind up to 50 kW, EEG 2023', wind(30, '2023-08-01'), {
  gesetz: 'EEG 2023',
  anzulegenderWert: 8.48,
  verguetung: 8.08,
  phasenwechsel: null,
  ableitbarkeit: 'exakt',
});
// 6.13 · (1.07 + 1.00) / 2 = 6.34455; support began thirty months after the announcement.
example(
  'wind by tender, EEG 2017',
  wind(3000, '2022-09-01', {
    ertragSchaetzung: 0.95,
    zuschlaege: [award('WIND', '2019-05-01', 6.13, { bekanntgabe: '2019-07-08' })],
  }),
  {
    gesetz: 'EEG 2017',
    anzulegenderWert: 6.34,
    verguetung: null,
    foerderbeginn: '2022-01-08',
    foerderende: '2042-01-08',
    referenzertrag: 0.95,
    gruende: ['gebotspreis', 'standortertrag'],
  },
);
// 7.34 · (1.55 + 1.42) / 2 = 10.8999
example(
  'wind by tender in the south, EEG 2023',
  wind(3000, '2025-02-28', { ertragSchaetzung: 55, suedregion: true, zuschlaege: [award('WIND', '2023-02-01', 7.34)] }),
  { gesetz: 'EEG 2023', anzulegenderWert: 10.9, foerderende: '2045-02-28' },
);
// Thirty months after 29 August 2021 is 29 February 2024, and twenty years later there is one again.
example(
  'wind by tender, begun on 29 February',
  wind(3000, '2024-09-01', { zuschlaege: [award('WIND', '2021-05-01', 5.91, { bekanntgabe: '2021-08-29' })] }),
  { gesetz: 'EEG 2021', foerderbeginn: '2024-02-29', foerderende: '2044-02-29', anzulegenderWert: 5.91 },
);

example(
  'wind offshore, EEG 2004, after twelve years',
  offshore(4500, '2005-06-01'),
  { gesetz: 'EEG 2004', verguetung: 6.19, phasenwechsel: '2017-06-01' },
  '2020-06-01',
);
example('wind offshore, EEG 2009', offshore(5000, '2010-05-01'), { gesetz: 'EEG 2009', verguetung: 3.5 });
example('wind offshore, EEG 2012', offshore(5000, '2013-05-01'), { gesetz: 'EEG 2012', verguetung: 3.5 });
example('wind offshore, EEG 2014', offshore(5000, '2015-06-01'), {
  gesetz: 'EEG 2014',
  anzulegenderWert: 15.4,
  verguetung: null,
  phasenwechsel: '2027-06-01',
  ableitbarkeit: 'geschaetzt',
});
example('wind offshore, EEG 2017', offshore(8000, '2019-06-01'), { gesetz: 'EEG 2017', anzulegenderWert: 14.9 });

example('hydro, EEG 2000, has no end', hydro(300, '1950-01-01'), {
  gesetz: 'EEG 2000',
  verguetung: 7.67,
  anzulegenderWert: 7.87,
  foerderende: null,
  gruende: ['rate_unsicher'],
});
// (500 · 7.59 + 7500 · 6.58) / 8000 = 6.643; fifteen years above 5 MW
example(
  'hydro above 5 MW, EEG 2004',
  hydro(8000, '2005-06-01'),
  { gesetz: 'EEG 2004', verguetung: 6.64, foerderende: '2020-12-31' },
  '2020-01-01',
);
// (500 · 12.67 + 1500 · 8.65 + 1000 · 7.65) / 3000 = 8.987
example('hydro, EEG 2009', hydro(3000, '2010-04-01'), {
  gesetz: 'EEG 2009',
  verguetung: 8.99,
  gruende: ['rate_unsicher', 'bemessungsleistung'],
});
// (500 · 11.67 + 500 · 8.65) / 1000
example('hydro, modernised, EEG 2009', hydro(1000, '2010-04-01', { ertuechtigt: true }), { verguetung: 10.16 });
// (500 · 7.29 + 5500 · 6.32) / 6000 = 6.401
example(
  'hydro above 5 MW, EEG 2009',
  hydro(6000, '2009-03-01'),
  { verguetung: 6.4, foerderende: '2024-12-31' },
  '2024-12-31',
);
// (500 · 12.70 + 1500 · 8.30) / 2000
example('hydro, EEG 2012', hydro(2000, '2012-06-01'), { gesetz: 'EEG 2012', verguetung: 9.4, anzulegenderWert: 9.6 });
example('hydro, EEG 2014', hydro(90, '2015-06-01'), {
  gesetz: 'EEG 2014',
  anzulegenderWert: 12.52,
  verguetung: 12.32,
  ableitbarkeit: 'geschaetzt',
});
// (500 · 12.40 + 100 · 8.17) / 600 = 11.695, half up
example('hydro, EEG 2017', hydro(600, '2017-05-01'), { gesetz: 'EEG 2017', anzulegenderWert: 11.7, verguetung: null });
example('hydro, EEG 2021', hydro(60, '2021-05-01'), { gesetz: 'EEG 2021', anzulegenderWert: 12.15, verguetung: 11.95 });
example('hydro, EEG 2023', hydro(60, '2023-05-01'), {
  gesetz: 'EEG 2023',
  anzulegenderWert: 12.03,
  verguetung: 11.83,
  ableitbarkeit: 'exakt',
});

// (500 · 7.67 + 200 · 6.65) / 700 = 7.379
example(
  'landfill gas, EEG 2000',
  landfillGas(700, '2001-05-01'),
  { gesetz: 'EEG 2000', verguetung: 7.38, foerderende: '2021-12-31' },
  '2021-06-01',
);
// (500 · 7.67 + 100 · 6.65) / 600
example(
  'mine gas, EEG 2004',
  mineGas(600, '2004-09-01'),
  { gesetz: 'EEG 2004', verguetung: 7.5, anzulegenderWert: 7.7 },
  '2024-12-31',
);
// (1000 · 7.16 + 1000 · 5.16) / 2000
example('mine gas, EEG 2009', mineGas(2000, '2009-06-01'), { gesetz: 'EEG 2009', verguetung: 6.16 });
example('sewage gas, EEG 2012', sewageGas(400, '2012-06-01'), {
  gesetz: 'EEG 2012',
  verguetung: 6.79,
  anzulegenderWert: 6.99,
  ableitbarkeit: 'exakt',
});
example('landfill gas, EEG 2014', landfillGas(400, '2015-06-01'), {
  gesetz: 'EEG 2014',
  anzulegenderWert: 8.42,
  verguetung: 8.22,
});
example('sewage gas, EEG 2017', sewageGas(80, '2017-06-01'), {
  gesetz: 'EEG 2017',
  anzulegenderWert: 6.49,
  verguetung: 6.29,
});
// (1000 · 6.16 + 4000 · 3.93 + 1000 · 3.47) / 6000 = 4.225, half up
example('mine gas, EEG 2021', mineGas(6000, '2021-06-01'), { gesetz: 'EEG 2021', anzulegenderWert: 4.23 });
example('landfill gas, EEG 2023', landfillGas(100, '2023-06-01'), {
  gesetz: 'EEG 2023',
  anzulegenderWert: 7.46,
  verguetung: 7.26,
});

for (const [law, day] of [
  ['EEG 2000', '2003-05-01'],
  ['EEG 2004', '2004-05-01'],
  ['EEG 2009', '2010-05-01'],
  ['EEG 2012', '2013-05-01'],
] as const) {
  example(
    `biomass, ${law}`,
    wood(100, day),
    { gesetz: law, verguetung: null, anzulegenderWert: null, gruende: ['biomasse_vor_2014_08'] },
    '2022-01-01',
  );
}
// (150 · 13.66 + 250 · 11.78) / 400 = 12.485, half up
example('biomass, EEG 2014', wood(400, '2015-06-01'), {
  gesetz: 'EEG 2014',
  anzulegenderWert: 12.49,
  verguetung: 12.29,
  gruende: ['rate_unsicher', 'bemessungsleistung'],
});
example('biomass, EEG 2017', wood(100, '2017-02-01'), {
  gesetz: 'EEG 2017',
  anzulegenderWert: 13.32,
  verguetung: 13.12,
  ableitbarkeit: 'exakt',
});
example('biomass, EEG 2021', wood(120, '2021-02-01'), { gesetz: 'EEG 2021', anzulegenderWert: 12.8, verguetung: null });
example('biomass, EEG 2023', wood(60, '2023-02-01'), {
  gesetz: 'EEG 2023',
  anzulegenderWert: 12.67,
  verguetung: 12.47,
});

const SMALL_BID = award('BIOMASSE', '2023-04-01', 18.92, { hoechstes: 19.49, bekanntgabe: '2023-06-20' });
// Its old support ends with 2024, inside of September 2023 to June 2026; ten years from then.
example('small existing biomass has the highest awarded bid', wood(90, '2004-03-01', { zuschlaege: [SMALL_BID] }), {
  gesetz: 'EEG 2023',
  anzulegenderWert: 19.49,
  verguetung: 19.29,
  foerderbeginn: '2025-01-01',
  foerderende: '2035-01-01',
  ableitbarkeit: 'exakt',
});
example(
  'existing biomass until it switches',
  wood(90, '2004-03-01', { zuschlaege: [SMALL_BID] }),
  { anzulegenderWert: null, foerderbeginn: '2025-01-01', gruende: ['biomasse_vor_2014_08'] },
  '2024-12-31',
);
example(
  'existing biomass while the month of its switch is only assumed',
  wood(90, '2004-03-01', { zuschlaege: [SMALL_BID] }),
  { anzulegenderWert: 19.49, ableitbarkeit: 'geschaetzt', gruende: ['umstellung_angenommen'] },
  '2025-01-01',
);
// 17.33 + 0.50 up to 500 kW; the old support ended in 2021, so the first month allowed: 3 after an announcement in December.
example(
  'existing biomass with an award of 2024',
  wood(400, '2001-03-01', { zuschlaege: [award('BIOMASSE', '2024-10-01', 17.33)] }),
  { anzulegenderWert: 17.83, verguetung: null, foerderbeginn: '2025-03-01', foerderende: '2035-03-01' },
);
// The old support ends after the window of 42 months; twelve years from October 2025 on.
example(
  'existing biomass with an award of October 2025',
  wood(600, '2012-03-01', { zuschlaege: [award('BIOMASSE', '2025-10-01', 17, { bekanntgabe: '2025-12-20' })] }),
  { anzulegenderWert: null, foerderbeginn: '2029-06-01', foerderende: '2041-06-01' },
);
example(
  'new biomass by tender, commissioned late',
  wood(600, '2022-09-01', { zuschlaege: [award('BIOMASSE', '2019-04-01', 15, { bekanntgabe: '2019-06-10' })] }),
  { anzulegenderWert: 15, foerderbeginn: '2022-06-10', foerderende: '2042-06-10', gruende: ['gebotspreis'] },
);

example('geothermal, EEG 2000', geothermal(500, '2002-06-01'), { gesetz: 'EEG 2000', verguetung: 8.95 }, '2022-06-01');
// (5000 · 15.00 + 5000 · 14.00 + 2000 · 8.95) / 12000 = 13.575, half up
example('geothermal, EEG 2004', geothermal(12_000, '2007-06-01'), { gesetz: 'EEG 2004', verguetung: 13.58 });
example('geothermal, EEG 2009', geothermal(3000, '2010-06-01'), { gesetz: 'EEG 2009', verguetung: 16 });
example('geothermal, EEG 2012', geothermal(3000, '2013-06-01'), {
  gesetz: 'EEG 2012',
  verguetung: 25,
  gruende: ['bonus_unbekannt'],
});
example('geothermal, EEG 2014', geothermal(3000, '2015-06-01'), { gesetz: 'EEG 2014', anzulegenderWert: 25.2 });
example('geothermal, EEG 2017', geothermal(3000, '2018-06-01'), {
  gesetz: 'EEG 2017',
  anzulegenderWert: 25.2,
  ableitbarkeit: 'exakt',
});
example('geothermal, EEG 2021', geothermal(90, '2021-06-01'), { gesetz: 'EEG 2021', verguetung: 25 });
example('geothermal, EEG 2023', geothermal(3000, '2025-06-01'), { gesetz: 'EEG 2023', anzulegenderWert: 24.95 });

let results: Map<Example, Support>;

beforeAll(async () => {
  const rules = await supportRules();
  results = new Map();
  for (const today of new Set(EXAMPLES.map((one) => one.today))) {
    const ofDay = EXAMPLES.filter((one) => one.today === today);
    const support = await rules.supportOf(
      ofDay.map(({ plant }) => plant),
      today,
    );
    for (const [index, one] of ofDay.entries()) results.set(one, support[index]!);
  }
  rules.close();
});

test.each(EXAMPLES)('$title', (one) => {
  expect(results.get(one)).toMatchObject(one.expected);
});
