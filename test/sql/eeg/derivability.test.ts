import { beforeAll, describe, expect, test } from 'vitest';
import { REASONS } from '../../../sql/eeg/reasons.ts';
import {
  award,
  geothermal,
  ground,
  hydro,
  LAGE,
  landfillGas,
  type Plant,
  roof,
  type Support,
  supportRules,
  wind,
  wood,
} from './plants.ts';

/** Why a value is missing or an estimate: a plant for each reason, and the order in which reasons count. */

const TODAY = '2026-11-22';

const UNDATED = award('SOLAR_FREIFLAECHE', '2015-12-01', 8, { einheitspreis: true, flurstueckGleich: true });
const FFA = { ...UNDATED, bekanntgabe: '2016-02-01' };
const PAY_AS_BID = award('SOLAR_FREIFLAECHE', '2019-03-01', 6.59);

/** Plants by their reason in `gruende`, which has all reasons for an estimate, or the first against a value and those that its days rest on. */
const BY_REASON: Readonly<Record<string, readonly Plant[]>> = {
  anderer_energietraeger: [
    roof(10, '2020-05-01', { passt: false }),
    ground(2000, '2016-11-01', { passt: false, zuschlaege: [FFA] }),
    roof(10, '2020-05-01', { passt: false, zahlung: false }),
  ],
  kein_eeg_anspruch: [
    { ...roof(10, '2020-05-01'), energietraegerId: 2496 },
    { ...roof(10, '2020-05-01'), energietraegerId: 2410 },
    { ...roof(10, '2020-05-01'), energietraegerId: 2412, zahlung: false },
  ],
  keine_zahlung: [roof(10, '2020-05-01', { zahlung: false })],
  nicht_in_betrieb: [
    roof(10, '2020-05-01', { statusId: 38 }),
    roof(10, null, { statusId: 31 }),
    roof(10, '2020-05-01', { statusId: 37, lageId: null }),
  ],
  leistung_fehlt: [roof(0, '2020-05-01'), { ...roof(1, '2020-05-01'), kw: null }, roof(2e7, '2020-05-01')],
  datum_fehlt: [roof(10, null), roof(10, '1899-12-31'), roof(10, '2026-11-23')],
  lage_fehlt: [roof(10, '2020-05-01', { lageId: null })],
  zuschlag_fehlt: [
    ground(10, '2016-05-01'),
    ground(750.001, '2018-05-01'),
    roof(1000.001, '2024-05-01'),
    wind(3000, '2020-05-01'),
    wood(200, '2022-05-01'),
    wood(20, '2023-05-01', { hauptbrennstoffId: 2446 }),
    wind(8000, '2023-05-01', { seelageId: 640 }),
    ground(6000.001, '2024-05-01', { buergerenergie: true }),
    wind(18_000.001, '2023-05-01', { buergerenergie: true }),
    wind(900, '2022-05-01', { buergerenergie: true }),
  ],
  seewind_ausschreibung: [
    wind(8000, '2022-05-01', { seelageId: 640, zuschlaege: [award('WIND_SEE', '2018-04-01', 4.66)] }),
    wind(8000, '2022-05-01', { seelageId: 639, hatZuschlag: true }),
  ],
  feste_praemie: [
    ground(2000, '2022-05-01', { zuschlaege: [award('INNOVATION', '2021-04-01', 4.29, { festePraemie: true })] }),
  ],
  kwk_anlage: [wood(2000, '2022-05-01', { zuschlaege: [award('KWK', '2021-06-01', 5.64)] })],
  biomasse_vor_2014_08: [wood(100, '2014-07-31')],
  rundenwert_fehlt: [
    ground(2000, '2019-05-01', { zuschlaege: [award('SOLAR_FREIFLAECHE', '2017-06-01', null)] }),
    ground(2000, '2019-05-01', { zuschlaege: [PAY_AS_BID, award('SOLAR_FREIFLAECHE', '2017-06-01', null)] }),
    ground(2000, '2019-05-01', { hatZuschlag: true }),
    ground(2000, null, { statusId: 31, hatZuschlag: true }),
    ground(2000, '2019-05-01', { zuschlaege: [award('WIND', '2019-05-01', 6.13)] }),
  ],
  foerderung_beendet: [roof(10, '2005-05-01'), wind(500, '1998-05-01')],
  leistung_davor_fehlt: [roof(10, '2020-05-01', { davorKw: null }), roof(10, '2020-05-01', { davorKw: 2e7 })],
  keine_rate: [
    roof(10_000.001, '2014-05-01'),
    wind(40, '2020-05-01'),
    wind(5000, '2008-05-01', { seelageId: 640 }),
    landfillGas(5000.001, '2015-05-01'),
  ],
  gebotspreis: [ground(2000, '2020-05-01', { zuschlaege: [PAY_AS_BID] })],
  zuschlag_spaet: [ground(2000, '2017-08-02', { zuschlaege: [FFA] })],
  flurstueck_abweichend: [ground(2000, '2017-08-01', { zuschlaege: [{ ...FFA, flurstueckGleich: false }] })],
  bekanntgabe_angenommen: [
    ground(2000, '2017-06-02', { zuschlaege: [UNDATED] }),
    roof(900, '2022-12-01', { zuschlaege: [award('SOLAR_DACH', '2022-04-01', 8.53)] }),
    wind(3000, '2024-09-01', { zuschlaege: [award('WIND', '2021-05-01', 5.91)] }),
  ],
  mehrere_zuschlaege: [ground(2000, '2016-11-01', { zuschlaege: [FFA, FFA] })],
  umstellung_angenommen: [
    wood(90, '2004-03-01', {
      zuschlaege: [award('BIOMASSE', '2024-04-01', 17, { hoechstes: 18.48, bekanntgabe: '2024-06-20' })],
    }),
  ],
  zuschlag_unbelegt: [roof(10, '2020-05-01', { hatZuschlag: true })],
  in_planung: [ground(2000, null, { statusId: 31, zuschlaege: [FFA] })],
  rate_unsicher: [hydro(400, '2010-05-01')],
  fremdes_datum: [roof(10, '2020-05-01', { eigenesDatum: false })],
  einheiten_verschieden: [
    roof(10, '2020-05-01', { verschieden: true }),
    roof(10, '2020-05-01', { eigenesDatum: false, verschieden: true }),
  ],
  uebergangsregel: [roof(10, '2012-04-01'), roof(10, '2012-06-30'), ground(2000, '2012-09-30')],
  mehrere_anlagen: [roof(10, '2020-05-01', { davorKw: 0.5 })],
  bemessungsleistung: [hydro(500.001, '2023-05-01')],
  brennstoff_unsicher: [
    wood(100, '2023-05-01', { hauptbrennstoffId: 2445, biomasseartId: 721 }),
    wood(100, '2023-05-01', { hauptbrennstoffId: null, biomasseartId: null }),
  ],
  bonus_unbekannt: [
    wind(2000, '2013-05-01', { ertrag5: 90 }),
    wind(2000, '2014-07-31', { ertrag5: 90 }),
    geothermal(2000, '2013-05-01'),
  ],
  teilmenge: [roof(300.001, '2021-04-01'), roof(750, '2022-12-31')],
  gebaeude_aussenbereich: [
    roof(10, '2012-07-01', { nutzungsbereichId: 716 }),
    roof(10, '2020-05-01', { nutzungsbereichId: null }),
  ],
  konversionsflaeche: [ground(2000, '2011-05-01'), ground(2000, '2012-03-31')],
  wasserkraft_ertuechtigt: [hydro(400, '2006-05-01', { ertuechtigt: true })],
  einspeisungsart_fehlt: [roof(10, '2022-07-30', { einspeisungsartId: null })],
  buergerenergie: [],
  standortertrag: [
    wind(2000, '2016-05-01'),
    wind(2000, '2016-05-01', { ertragSchaetzung: 90 }),
    wind(500, '2023-05-01', { ertragSchaetzung: 90 }),
    // No site has the yield that the operator typed.
    wind(2000, '2006-05-01', { ertrag5: 5 }),
    wind(2000, '2006-05-01', { ertrag5: 201 }),
  ],
  seewind: [],
};

/** Reasons that come with another one. */
const TOGETHER: readonly (readonly [string, Plant, readonly string[]])[] = [
  ['a citizens’ company', ground(4000, '2024-05-01', { buergerenergie: true }), ['rate_unsicher', 'buergerenergie']],
  ['a wind farm offshore by law', wind(5000, '2018-05-01', { seelageId: 640 }), ['seewind']],
  [
    'a biogas plant above the first band, by the date of its unit',
    wood(200, '2017-05-01', { hauptbrennstoffId: 2445, biomasseartId: 721, eigenesDatum: false }),
    ['fremdes_datum', 'bemessungsleistung', 'brennstoff_unsicher'],
  ],
  [
    'a plant with awards of two laws, of which one is not for its carrier',
    wood(2000, '2022-05-01', {
      zuschlaege: [award('BIOMASSE', '2019-11-01', 12.47), award('KWK', '2021-06-01', 5.64)],
    }),
    ['gebotspreis', 'mehrere_zuschlaege'],
  ],
  [
    'a barn in the months of the transition rule',
    roof(10, '2012-05-01', { nutzungsbereichId: 716, davorKw: 5 }),
    ['uebergangsregel', 'mehrere_anlagen', 'gebaeude_aussenbereich'],
  ],
];

/** Nothing is in doubt. */
const EXACT: readonly (readonly [string, Plant])[] = [
  ['a roof of 2004 to 2008, whose façade bonus is rare', roof(10, '2008-05-01')],
  ['a roof of 2009 by a table that a second source confirms', roof(10, '2009-05-01')],
  ['a commercial roof before April 2012', roof(10, '2012-03-31', { nutzungsbereichId: 714 })],
  ['a household’s roof', roof(10, '2020-05-01')],
  ['a roof of today', roof(10, TODAY)],
  ['a roof of 300 kW in 2021', roof(300, '2021-04-01')],
  ['a roof above 300 kW before April 2021', roof(301, '2021-03-31')],
  ['a roof without kind of feed-in before that mattered', roof(10, '2022-07-29', { einspeisungsartId: null })],
  ['a plug-in device', roof(0.8, '2025-05-01', { lageId: LAGE.plugIn })],
  ['a ground-mounted plant after the transition rule', ground(2000, '2012-10-01')],
  ['a ground-mounted plant up to the threshold', ground(750, '2018-05-01')],
  ['wind with a measured yield', wind(2000, '2018-05-01', { ertrag5: 90 })],
  ['hydro in the first band, although another plant comes before', hydro(200, '2023-05-01', { davorKw: 300 })],
  ['wood in the first band', wood(150, '2017-05-01')],
  ['a ground-mounted plant eighteen months after its award', ground(2000, '2017-08-01', { zuschlaege: [FFA] })],
  ['one that was in time whenever its award was announced', ground(2000, '2017-06-01', { zuschlaege: [UNDATED] })],
];

/** A roof whose round has no mean value, with an unknown day of announcement. */
const WITHOUT_MEAN = roof(900, '2022-12-01', { zuschlaege: [award('SOLAR_DACH', '2021-12-01', null)] });

const byPlant = new Map<Plant, Support>();

beforeAll(async () => {
  const plants = [
    ...Object.values(BY_REASON).flat(),
    ...TOGETHER.map(([, plant]) => plant),
    ...EXACT.map(([, plant]) => plant),
    WITHOUT_MEAN,
  ];
  const rules = await supportRules();
  const support = await rules.supportOf(plants, TODAY);
  for (const [index, plant] of plants.entries()) byPlant.set(plant, support[index]!);
  rules.close();
});

describe('each reason', () => {
  const single = Object.entries(BY_REASON).flatMap(([code, plants]) =>
    plants.map((plant, index) => ({ code, plant, index })),
  );

  test.each(single)('$code ($index)', ({ code, plant }) => {
    const { gruende, ableitbarkeit, verguetung, anzulegenderWert } = byPlant.get(plant)!;
    const { leadsTo } = REASONS.find((reason) => reason.code === code)!;
    expect(ableitbarkeit).toBe(leadsTo);
    if (leadsTo === 'nicht_ableitbar') {
      expect({ gruende, verguetung, anzulegenderWert }).toEqual({
        gruende: [code],
        verguetung: null,
        anzulegenderWert: null,
      });
    } else {
      expect(gruende).toContain(code);
      expect(anzulegenderWert).not.toBeNull();
    }
  });

  test('has a plant here', () => {
    const seen = new Set([...byPlant.values()].flatMap(({ gruende }) => gruende));
    expect(REASONS.map(({ code }) => code).filter((code) => !seen.has(code))).toEqual([]);
  });
});

test.each(TOGETHER)('all reasons for an estimate: %s', (_, plant, gruende) => {
  expect(byPlant.get(plant)).toMatchObject({ ableitbarkeit: 'geschaetzt', gruende });
});

test.each(EXACT)('exact: %s', (_, plant) => {
  expect(byPlant.get(plant)).toMatchObject({ ableitbarkeit: 'exakt', gruende: [] });
});

test('the end of support stands even where no value can be derived', () => {
  const [plant] = BY_REASON.keine_zahlung!;
  expect(byPlant.get(plant!)).toMatchObject({ foerderende: '2040-12-31', ableitbarkeit: 'nicht_ableitbar' });
});

test('a plant without a value says what its days rest on', () => {
  expect(byPlant.get(WITHOUT_MEAN)).toMatchObject({
    ...{ foerderende: '2043-02-28', anzulegenderWert: null, ableitbarkeit: 'nicht_ableitbar' },
    gruende: ['rundenwert_fehlt', 'bekanntgabe_angenommen'],
  });
});

test('a plant of another carrier gives the unit nothing, not even days', () => {
  for (const plant of BY_REASON.anderer_energietraeger!) {
    expect(byPlant.get(plant)).toMatchObject({ foerderbeginn: null, foerderende: null, gesetz: null });
  }
});

test('without the award that it needs, a plant has an end where the award does not decide it', () => {
  const ends = BY_REASON.zuschlag_fehlt!.map((plant) => byPlant.get(plant)!.foerderende);
  expect(ends).toEqual(['2036-05-01', '2038-05-01', null, null, null, null, null, '2044-05-01', null, null]);
});

test('a planned plant with an award has a value and no days', () => {
  const [plant] = BY_REASON.in_planung!;
  expect(byPlant.get(plant!)).toMatchObject({
    anzulegenderWert: 8,
    foerderbeginn: null,
    foerderende: null,
    gesetz: 'EEG 2014',
  });
});

test('several awards weigh by volume, or alike where a volume is missing', async () => {
  const rules = await supportRules();
  const awards = (first: number | null, second: number | null) => [
    award('SOLAR_FREIFLAECHE', '2019-10-01', 4.9, { mengeKw: first }),
    award('SOLAR_FREIFLAECHE', '2019-03-01', 6.59, { mengeKw: second }),
  ];
  const support = await rules.supportOf(
    [awards(1000, 3000), awards(1000, null), awards(null, null)].map((zuschlaege) =>
      ground(4000, '2021-05-01', { zuschlaege }),
    ),
    TODAY,
  );
  rules.close();
  // (1 · 4.90 + 3 · 6.59) / 4 = 6.1675; (4.90 + 6.59) / 2 = 5.745, half up
  expect(support.map(({ anzulegenderWert }) => anzulegenderWert)).toEqual([6.17, 5.75, 5.75]);
});

test('of the yields the newest measured one is shown, factors as percent and errors as nothing', async () => {
  const rules = await supportRules();
  const yields: readonly (readonly [Plant, number | null])[] = [
    [{ ertragSchaetzung: 70, ertrag5: 80, ertrag10: 90, ertrag15: 100 }, 1],
    [{ ertragSchaetzung: 70, ertrag5: 80, ertrag10: 90 }, 0.9],
    [{ ertragSchaetzung: 70, ertrag5: 80 }, 0.8],
    [{ ertragSchaetzung: 70 }, 0.7],
    [{ ertragSchaetzung: 0.855 }, 0.855],
    [{ ertragSchaetzung: 0.2 }, 0.2],
    [{ ertragSchaetzung: 2 }, 2],
    [{ ertragSchaetzung: 200 }, 2],
    [{ ertragSchaetzung: 85.125 }, 0.85125],
    [{ ertragSchaetzung: 0.199 }, null],
    [{ ertragSchaetzung: 2.001 }, null],
    [{ ertragSchaetzung: 19.999 }, null],
    [{ ertragSchaetzung: 200.001 }, null],
    [{ ertragSchaetzung: 0 }, null],
    [{ ertragSchaetzung: 80, ertrag5: 1000 }, 0.8],
    [{}, null],
  ];
  const support = await rules.supportOf(
    yields.map(([plant]) => wind(2000, '2006-05-01', plant)),
    TODAY,
  );
  rules.close();
  expect(support.map(({ referenzertrag }) => referenzertrag)).toEqual(yields.map(([, ratio]) => ratio));
});
