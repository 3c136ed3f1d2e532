import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  award,
  FULL,
  ground,
  hydro,
  LAGE,
  type Plant,
  roof,
  type Support,
  supportRules,
  wind,
  wood,
} from './plants.ts';

/** Every row of the settings by date and of the correction factors of wind decides the support of some plant. */

let rules: Awaited<ReturnType<typeof supportRules>>;

beforeAll(async () => {
  rules = await supportRules();
});

afterAll(() => rules.close());

const rowsOf = (name: string): Record<string, string>[] =>
  parse(readFileSync(new URL(`../../../data/reference/${name}`, import.meta.url)), { columns: true });

/** The column of `eeg_law_months` that has a setting. */
const COLUMNS: Readonly<Record<string, string>> = {
  law: 'law',
  fixed_tariff_to_kw: 'tariffToW',
  solar_roof_tender_above_kw: 'solarRoofTenderAboveW',
  solar_ground_tender_above_kw: 'solarGroundTenderAboveW',
  solar_other_tender_above_kw: 'solarOtherTenderAboveW',
  solar_citizen_to_kw: 'solarCitizenToW',
  solar_full_feed_in_to_kw: 'solarFullFeedInToW',
  wind_tender_above_kw: 'windTenderAboveW',
  wind_citizen_to_kw: 'windCitizenToW',
  wind_small_yield_percent: 'windSmallYield',
  offshore_tender_above_kw: 'offshoreTenderAboveW',
  biomass_tender_above_kw: 'biomassTenderAboveW',
  biomethane_tender_above_kw: 'biomethaneTenderAboveW',
  biomass_existing_last_month: 'biomassLastMonth',
  biomass_existing_years: 'biomassYears',
  biomass_small_award_plus_ct: 'biomassSmallPlus',
  utilisation_percent: 'utilisationPercent',
};

/** Rows that change no value, with the reason. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'wind_small_yield_percent from 2014-08-01': 'a small turbine keeps the initial rate to the end, as before',
  'wind_small_yield_percent from 2017-01-01': 'a small turbine keeps the initial rate to the end, as before',
};

const TODAY = '2029-01-01';

/** Plants on which a setting may bear, whose law or award is of a day. */
const plantsOf = (day: string): Plant[] => [
  ...[40, 900, 20_000].map((kw) => wind(kw, day)),
  wind(2000, day, { buergerenergie: true }),
  wind(2000, day, { seelageId: 640 }),
  ...[400, 900, 2000].flatMap((kw) => [
    ground(kw, day),
    ground(kw, day, { buergerenergie: true }),
    ground(kw, day, { lageId: LAGE.other }),
    roof(kw, day, { einspeisungsartId: FULL }),
  ]),
  roof(200, day, { einspeisungsartId: FULL }),
  hydro(400, day),
  wood(400, day),
  wood(100, day, { hauptbrennstoffId: 2446 }),
  wood(400, '2004-03-01', { zuschlaege: [award('BIOMASSE', day, 17, { bekanntgabe: day })] }),
];

test('every row of the settings decides something, from its day on', async () => {
  const rows = rowsOf('eeg-settings.csv');
  const dated = rows.filter(({ valid_from }) => valid_from !== '');
  expect(Object.keys(COLUMNS).toSorted()).toEqual([...new Set(dated.map(({ setting }) => setting))].toSorted());
  // One that waits for its day has others before it.
  expect(rows.filter(({ setting }) => COLUMNS[String(setting)] === undefined)).toEqual([]);
  // The rates of small turbines begin within a span.
  const days = new Set([...dated.map(({ valid_from }) => String(valid_from)), '2024-06-01']);
  const plants = [...days].flatMap((day) => plantsOf(day).map((plant) => ({ day, plant })));
  const supportOf = (): Promise<Support[]> =>
    rules.supportOf(
      plants.map(({ plant }) => plant),
      TODAY,
    );
  const before = await supportOf();
  const idle: string[] = [];
  await rules.rows('CREATE TEMP TABLE law_months AS FROM eeg_law_months');
  for (const [setting, column] of Object.entries(COLUMNS)) {
    const ofSetting = dated.filter((row) => row.setting === setting).map(({ valid_from }) => String(valid_from));
    const next = (from: string): string => ofSetting.filter((day) => day > from).toSorted()[0] ?? '9999-12-31';
    // As if no row were there: the one before it goes on.
    for (const from of ofSetting) {
      await rules.rows(
        `UPDATE eeg_law_months SET ${column} = (SELECT max_by(${column}, firstDay) FROM law_months WHERE firstDay < DATE '${from}')
         WHERE firstDay >= DATE '${from}' AND firstDay < DATE '${next(from)}'`,
      );
    }
    const after = await supportOf();
    const changed = plants.filter((_, at) => JSON.stringify(after[at]) !== JSON.stringify(before[at]));
    for (const from of ofSetting) {
      if (!changed.some(({ day }) => day >= from && day < next(from))) idle.push(`${setting} from ${from}`);
    }
    await rules.rows('TRUNCATE eeg_law_months');
    await rules.rows('INSERT INTO eeg_law_months FROM law_months');
  }
  expect(idle).toEqual(Object.keys(WITHOUT_EFFECT));
});

test('every correction factor of wind is that of its yield, of awards from its day on', async () => {
  const rows = rowsOf('eeg-wind-factors.csv');
  const plants = rows.map(({ valid_from, south_only, yield_percent }) =>
    wind(3000, '2025-06-01', {
      ertrag5: Number(yield_percent),
      suedregion: south_only === 'true',
      zuschlaege: [award('WIND', String(valid_from), 10)],
    }),
  );
  const support = await rules.supportOf(plants, TODAY);
  const factors = support.map(({ anzulegenderWert }) => Math.round(Number(anzulegenderWert) * 10) / 100);
  expect(factors).toEqual(rows.map(({ factor }) => Number(factor)));
});
