import { addingTo, type Example, testExamples } from './examples.ts';
import { award, ground, LAGE, type Plant, roof, wind } from './plants.ts';

/** Solar and wind under each law that has a rate for them, computed by hand. */

const EXAMPLES: Example[] = [];
const example = addingTo(EXAMPLES);

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
// 60 + ⌊45 / 0.36⌋ + ⌊15 / 0.48⌋ = 60 + 125 + 31 = 216 months
example('wind on a poor site, EEG 2014', wind(3000, '2016-01-10', { ertrag5: 85 }), {
  phasenwechsel: '2034-01-10',
  anzulegenderWert: 8.79,
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
// 5.97 · 1.07 = 6.388; none of the three needs an award.
for (const exempt of [
  { pilot: true, kw: 5000 },
  { prototyp: true, kw: 5000 },
  { buergerenergie: true, kw: 18_000 },
]) {
  example(`wind above the threshold, ${Object.keys(exempt)[0]}`, wind(0, '2023-08-01', { ertrag5: 90, ...exempt }), {
    anzulegenderWert: 6.39,
    verguetung: null,
    ableitbarkeit: 'exakt',
  });
}
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
example('wind offshore, EEG 2009, at first', offshore(5000, '2010-05-01'), { verguetung: 15 }, '2015-05-01');
example('wind from before the law, of unknown yield', wind(600, '1995-06-01'), { phasenwechsel: null }, '2019-05-01');
// 60 and 2 · 93 months, less 29, from April 2000 on.
example(
  'wind from before the law, of measured yield',
  wind(600, '1995-06-01', { ertrag5: 80 }),
  { phasenwechsel: '2018-05-01' },
  '2019-05-01',
);
example('wind offshore, EEG 2012', offshore(5000, '2013-05-01'), { gesetz: 'EEG 2012', verguetung: 3.5 });
example('wind offshore, EEG 2014', offshore(5000, '2015-06-01'), {
  gesetz: 'EEG 2014',
  anzulegenderWert: 15.4,
  verguetung: null,
  phasenwechsel: '2027-06-01',
  ableitbarkeit: 'geschaetzt',
});
example('wind offshore, EEG 2017', offshore(8000, '2019-06-01'), { gesetz: 'EEG 2017', anzulegenderWert: 14.9 });

testExamples(EXAMPLES);
