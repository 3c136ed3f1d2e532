import { addingTo, type Example, testExamples } from './examples.ts';
import { award, geothermal, hydro, landfillGas, mineGas, sewageGas, wood } from './plants.ts';

/** Hydro, gases, biomass and geothermal energy under each law that has a rate for them, computed by hand. */

const EXAMPLES: Example[] = [];
const example = addingTo(EXAMPLES);

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
  { anzulegenderWert: null, foerderbeginn: '2025-01-01', gruende: ['biomasse_vor_2014_08', 'umstellung_angenommen'] },
  '2024-12-31',
);
example(
  'existing biomass while the month of its switch is only assumed',
  wood(90, '2004-03-01', { zuschlaege: [SMALL_BID] }),
  { anzulegenderWert: 19.49, ableitbarkeit: 'geschaetzt', gruende: ['umstellung_angenommen'] },
  '2025-01-01',
);
for (const [today, ableitbarkeit] of [
  ['2026-05-31', 'geschaetzt'],
  ['2026-06-01', 'exakt'],
] as const) {
  example(
    `existing biomass around the last month of its switch, ${today}`,
    wood(90, '2004-03-01', { zuschlaege: [SMALL_BID] }),
    { anzulegenderWert: 19.49, ableitbarkeit },
    today,
  );
}
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
example('geothermal of 2009', geothermal(3000, '2009-06-01'), { gesetz: 'EEG 2009', verguetung: 20 });
example('geothermal of 2010', geothermal(3000, '2010-06-01'), { gesetz: 'EEG 2009', verguetung: 19.8 });
// 10 MW at 19.60 and 2 MW at 14.21.
example('geothermal of 2011 above 10 MW', geothermal(12_000, '2011-06-01'), { gesetz: 'EEG 2009', verguetung: 18.7 });
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

testExamples(EXAMPLES);
