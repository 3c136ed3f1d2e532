import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cases } from '../../support/cases.ts';
import { bandsOn, meanRate, RATES } from './oracle.ts';
import {
  FULL,
  geothermal,
  ground,
  hydro,
  LAGE,
  landfillGas,
  mineGas,
  type Plant,
  roof,
  sewageGas,
  supportRules,
  wind,
  wood,
} from './plants.ts';

/** Bands are marginal: every border of every rate from both sides, and what holds for any power. */

let rules: Awaited<ReturnType<typeof supportRules>>;

beforeAll(async () => {
  rules = await supportRules();
});

afterAll(() => rules.close());

type Make = (kw: number, day: string, more?: Plant) => Plant;

/** Series whose class follows from carrier, day and power, with a plant of each. */
const SERIES: Readonly<Record<string, Make>> = {
  'solar/grund/gebaeude': roof,
  'solar/volleinspeisung/gebaeude': (kw, day, more) => roof(kw, day, { einspeisungsartId: FULL, ...more }),
  'solar/grund/freiflaeche': ground,
  'wasser/grund/alle': hydro,
  'wasser/grund/bis_5_mw_neu': hydro,
  'wasser/grund/bis_5_mw_modernisiert': (kw, day, more) => hydro(kw, day, { ertuechtigt: true, ...more }),
  'deponiegas/grund/alle': landfillGas,
  'klaergas/grund/alle': sewageGas,
  'grubengas/grund/alle': mineGas,
  'geothermie/grund/alle': geothermal,
  'biomasse/grund/allgemein': wood,
};

const needsAward = (series: string, kw: number, day: string): boolean =>
  (series.startsWith('biomasse') && kw > 150 && day >= '2019-01-01') ||
  (series.startsWith('solar') && kw > (day >= '2023-01-01' ? 1000 : day >= '2017-01-01' ? 750 : 1e9));

function expectedOf(series: string, kw: number, day: string, belowKw = 0) {
  const nothing = { verguetung: null, anzulegenderWert: null };
  if (needsAward(series, belowKw + kw, day)) return nothing;
  if (series.startsWith('biomasse') && day < '2014-08-01') return nothing;
  // In 2022 a roof above 300 kW got no supplement for full feed-in.
  const plain = series.startsWith('solar/voll') && day < '2023-01-01' && belowKw + kw > 300;
  const bands = bandsOn(plain ? 'solar/grund/gebaeude' : series, day);
  const cents = series.startsWith('solar') ? 40 : 20;
  const tariff = meanRate(bands, kw, 'tariff', belowKw);
  const plus = (rate: number | null, more: number) => (rate === null ? null : Math.round(rate * 100 + more) / 100);
  if (day < '2014-08-01') return { verguetung: tariff, anzulegenderWert: plus(tariff, cents) };
  const value = meanRate(bands, kw, 'value', belowKw);
  const limit = day < '2016-01-01' ? 500 : 100;
  const fixed = series.startsWith('solar') ? tariff : plus(value, -cents);
  return { verguetung: belowKw + kw <= limit ? fixed : null, anzulegenderWert: value };
}

describe('at each border of a band', () => {
  const borders = RATES.filter(({ series, upper }) => series in SERIES && Number.isFinite(upper)).flatMap(
    ({ series, from, to, upper }) =>
      [upper - 1, upper, upper + 1].flatMap((watts) => [from, to].map((day) => ({ series, day, kw: watts / 1000 }))),
  );

  test.each([
    ['2000-04-01', '2008-01-01', '2008-12-31'],
    ['2008-01-01', '2028-01-01', '2027-12-31'],
  ])('of the rates from %s to before %s', async (from, before, today) => {
    const plants = borders.filter(({ series, day, kw }) => {
      // Hydro above 5 MW is of another class.
      if (series.includes('bis_5_mw') && kw > 5000) return false;
      return day >= from && day < before;
    });
    const support = await rules.supportOf(
      plants.map(({ series, kw, day }) => SERIES[series]!(kw, day)),
      today,
    );
    const differences = plants.flatMap((plant, index) => {
      const { verguetung, anzulegenderWert } = support[index]!;
      const expected = expectedOf(plant.series, plant.kw, plant.day);
      return verguetung === expected.verguetung && anzulegenderWert === expected.anzulegenderWert
        ? []
        : [{ ...plant, verguetung, anzulegenderWert, expected }];
    });
    expect(differences.slice(0, 5)).toEqual([]);
    expect(plants.length).toBeGreaterThan(100);
  });
});

const BONUS_OF_BIOMASS = 'biomass before August 2014 has no value';
const NOT_FED_IN = 'the values are of what is fed in';

/** Series that no rule asks for, with the reason. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  'biomasse/bonus_einsatzstoff_1/allgemein': BONUS_OF_BIOMASS,
  'biomasse/bonus_einsatzstoff_2/allgemein': BONUS_OF_BIOMASS,
  'biomasse/bonus_kwk/allgemein': BONUS_OF_BIOMASS,
  'biomasse/bonus_nawaro/allgemein': BONUS_OF_BIOMASS,
  'biomasse/bonus_technologie/allgemein': BONUS_OF_BIOMASS,
  'biomasse/grund/altholz_a3_a4': BONUS_OF_BIOMASS,
  'biomasse/grund/bioabfall': 'organic waste cannot be told from other biogas',
  'biomasse/grund/guelle': 'manure cannot be told from other biogas',
  'geothermie/bonus_petrothermal/alle': 'hot rock is not in the register',
  'geothermie/bonus_waerme/alle': 'use of heat is not in the register',
  'solar/bonus_fassade/gebaeude_fassade': 'façades are not in the register',
  'solar/eigenverbrauch/gebaeude': NOT_FED_IN,
  'solar/eigenverbrauch_bis_30_prozent/gebaeude': NOT_FED_IN,
  'solar/eigenverbrauch_ueber_30_prozent/gebaeude': NOT_FED_IN,
  'solar/grund/freiflaeche_konversion': 'converted land is not in the register',
  'solar/mieterstromzuschlag/gebaeude': NOT_FED_IN,
  'wind/bonus_repowering/onshore': 'repowering is not in the register',
  'wind/bonus_systemdienstleistung/onshore': 'system services are not in the register',
  'wind_see/anfang_gestaucht/offshore': 'the choice of eight years is not in the register',
};

const SOLAR: readonly Make[] = [
  roof,
  (kw, day) => roof(kw, day, { einspeisungsartId: FULL }),
  ground,
  (kw, day) => ground(kw, day, { lageId: LAGE.other }),
];

const BY_CARRIER: Readonly<Record<string, readonly Make[]>> = {
  solar: [
    ...SOLAR,
    ...SOLAR.map(
      (make): Make =>
        (kw, day) => ({ ...make(kw, day), buergerenergie: true }),
    ),
  ],
  wind: [50, 150].map((ertrag5) => (kw, day) => wind(kw, day, { ertrag5 })),
  wind_see: [(kw, day) => wind(kw, day, { seelageId: 640 })],
  wasser: [hydro, (kw, day) => hydro(kw, day, { ertuechtigt: true })],
  deponiegas: [landfillGas],
  klaergas: [sewageGas],
  grubengas: [mineGas],
  geothermie: [geothermal],
  biomasse: [wood],
};

test('every row of the rate table is used by a rule, or its series is named with the reason', async () => {
  // Above 150 kW biomass needs an award from 2019 on.
  const isTendered = ({ series, lower, from }: (typeof RATES)[number]): boolean =>
    series.startsWith('biomasse/') && lower >= 150_000 && from >= '2019-01-01';
  const wanted = RATES.filter((rate) => !(rate.series in NOT_ASKED) && !isTendered(rate));
  const plants = wanted.flatMap(({ series, from, lower, upper }) =>
    [Number.isFinite(upper) ? upper / 1000 : lower / 1000 + 1, 400, 2000, 60_000].flatMap((kw) =>
      (BY_CARRIER[series.split('/')[0]!] ?? []).map((make) => make(kw, from)),
    ),
  );
  const unique = [...new Map(plants.map((plant) => [JSON.stringify(plant), plant])).values()];
  const used = new Set<number>();
  for (const today of ['2012-01-01', '2021-01-01', '2040-01-01']) {
    for (const { raten } of await rules.supportOf(unique, today)) for (const line of raten) used.add(line);
  }
  expect(wanted.filter(({ line }) => !used.has(line))).toEqual([]);
  expect(Object.keys(NOT_ASKED).filter((series) => !RATES.some((rate) => rate.series === series))).toEqual([]);
});

test('no rule calls a function that skips what is unknown without a word', () => {
  const folder = new URL('../../../sql/eeg/', import.meta.url);
  const calls = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .flatMap((file) => {
      const sql = readFileSync(new URL(file, folder), 'utf8').replaceAll(/--.*/g, '');
      return [...sql.matchAll(/\b(?:greatest|least|concat|concat_ws)\(/gi)].map(([call]) => `${file}: ${call}`);
    });
  expect(calls).toEqual([]);
});

const day = fc
  .integer({ min: Date.UTC(2009, 0, 1) / 86_400_000, max: Date.UTC(2026, 11, 31) / 86_400_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

const power = fc.oneof(
  fc.integer({ min: 1, max: 120_000 }).map((watts) => watts / 1000),
  fc.integer({ min: 1, max: 12_000_000 }).map((watts) => watts / 1000),
);

const plants = fc.array(
  fc.record({ series: fc.constantFrom('solar/grund/gebaeude', 'wasser/grund/alle'), day, kw: power, davor: power }),
  {
    minLength: 200,
    maxLength: 400,
  },
);

test('of several plants that count as one, the later has the bands above the earlier ones', async () => {
  await fc.assert(
    fc.asyncProperty(plants, async (some) => {
      const support = await rules.supportOf(
        some.map(({ series, day, kw, davor }) => SERIES[series]!(kw, day, { davorKw: davor })),
        '2026-12-31',
      );
      for (const [index, { series, day, kw, davor }] of some.entries()) {
        if (series === 'wasser/grund/alle' && day < '2012-01-01') continue;
        expect(support[index], JSON.stringify(some[index])).toMatchObject(expectedOf(series, kw, day, davor));
        if (series.startsWith('solar')) expect(support[index]!.ableitbarkeit).not.toBe('exakt');
      }
    }),
    { numRuns: cases(3) },
  );
});

test('a value lies between the lowest and the highest band and does not rise with power', async () => {
  await fc.assert(
    fc.asyncProperty(plants, async (some) => {
      const pairs = some.flatMap(({ series, day, kw, davor }) => [
        { series, day, kw: Math.min(kw, davor) },
        { series, day, kw: Math.max(kw, davor) },
      ]);
      const support = await rules.supportOf(
        pairs.map(({ series, kw, day }) => SERIES[series]!(kw, day)),
        '2026-12-31',
      );
      for (const [index, { anzulegenderWert, raten }] of support.entries()) {
        const values = raten.map((line) => {
          const { tariff, value, series } = RATES[line - 2]!;
          return (value ?? tariff! + (series.startsWith('solar') ? 40 : 20)) / 100;
        });
        if (anzulegenderWert === null) continue;
        expect(values.length, JSON.stringify(pairs[index])).toBeGreaterThan(0);
        expect(anzulegenderWert).toBeGreaterThanOrEqual(Math.min(...values));
        expect(anzulegenderWert).toBeLessThanOrEqual(Math.max(...values));
        const smaller = index % 2 === 1 ? support[index - 1]!.anzulegenderWert : null;
        if (smaller !== null && pairs[index]!.series.startsWith('solar'))
          expect(anzulegenderWert).toBeLessThanOrEqual(smaller);
      }
    }),
    { numRuns: cases(3) },
  );
});
