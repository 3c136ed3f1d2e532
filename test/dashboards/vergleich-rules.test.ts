import { describe, expect, test } from 'vitest';
import { spread, ticksAround } from '../../dashboards/web/charts/ticks.ts';
import { type Comparison, columnsOf, panelsOf } from '../../dashboards/web/pages/vergleich/panels.ts';
import {
  comparedRange,
  isAdditive,
  knownRange,
  type Measure,
  valuesOf,
} from '../../dashboards/web/pages/vergleich/series.ts';
import { comparedTitle, comparedUnit, openPeriod, shortUnit } from '../../dashboards/web/pages/vergleich/words.ts';
import { places } from '../../dashboards/web/regions/region.ts';
import type { SeriesPerPlace } from '../../dashboards/web/v1/answers.ts';

/** Figures are checked against sums that are written out here. */

const BEZUG = { einwohner: 2000, flaecheKm2: 50, gebietsstand: '2026-02-28', einwohnerAm: '2024-12-31' };

const rowOf =
  (hasPlace: boolean) =>
  (periode: string, energietraeger: string, zubauMw: number, abbauMw = 0, pipelineMw = 0) => {
    const per = (value: number, by: number) => (hasPlace ? value / by : null);
    const isStorage = energietraeger === 'storage';
    return {
      ...{ periode, energietraeger, zubauMw, abbauMw, pipelineMw },
      ...{ zubauAnzahl: zubauMw > 0 ? 1 : 0, abbauAnzahl: abbauMw > 0 ? 1 : 0, pipelineAnzahl: Math.sign(pipelineMw) },
      ...{ zubauMwh: isStorage ? 2 * zubauMw : 0, abbauMwh: isStorage ? 2 * abbauMw : 0, pipelineMwh: 0 },
      zubauAnzahlJe1000Einwohner: per(zubauMw > 0 ? 1 : 0, 2),
      zubauKwJe1000Einwohner: per(zubauMw * 1000, 2),
      zubauAnzahlJeKm2: per(zubauMw > 0 ? 1 : 0, 50),
      zubauKwJeKm2: per(zubauMw * 1000, 50),
      abbauAnzahlJe1000Einwohner: per(abbauMw > 0 ? 1 : 0, 2),
      abbauKwJe1000Einwohner: per(abbauMw * 1000, 2),
      abbauAnzahlJeKm2: per(abbauMw > 0 ? 1 : 0, 50),
      abbauKwJeKm2: per(abbauMw * 1000, 50),
      pipelineAnzahlJe1000Einwohner: per(Math.sign(pipelineMw), 2),
      pipelineKwJe1000Einwohner: per(pipelineMw * 1000, 2),
      pipelineAnzahlJeKm2: per(Math.sign(pipelineMw), 50),
      pipelineKwJeKm2: per(pipelineMw * 1000, 50),
    };
  };

const answerOf = (data: SeriesPerPlace['data'], bezug: typeof BEZUG | null = BEZUG): SeriesPerPlace => ({
  data,
  meta: { ebene: null, region: null, periode: 'jahr', bezug },
});

const row = rowOf(true);
const ANSWER = answerOf([
  row('2018', 'solar', 10),
  row('2019', 'wind', 30, 4),
  row('2020', 'solar', 4, 1),
  row('2021', 'storage', 3),
  row('2022', 'solar', 6),
  row('2022', 'wind', 2, 12),
]);
const COUNTRY = answerOf([row('2020', 'solar', 40), row('2021', 'solar', 10), row('2022', 'solar', 12)]);
const WINDOW = { kind: 'jahr', range: { first: 2020, last: 2023 }, now: 2022 } as const;

const values = (measure: Partial<Measure>, carriers: readonly ('solar' | 'wind' | 'storage')[], answer = ANSWER) =>
  valuesOf(answer, { reihe: 'zubau', wert: 'mw', bezug: 'absolut', ...measure }, carriers, WINDOW, COUNTRY);

describe('a value of a comparison', () => {
  test('adds up carriers, has 0 where nothing happened, and is not known after the end of the data', () => {
    expect(values({}, ['solar', 'wind'])).toEqual([4, 0, 8, null]);
    expect(values({ wert: 'anzahl' }, ['solar', 'wind'])).toEqual([1, 0, 2, null]);
    expect(values({ reihe: 'abbau' }, ['wind'])).toEqual([0, 0, 12, null]);
    expect(values({ reihe: 'netto' }, ['solar', 'wind'])).toEqual([3, 0, -4, null]);
  });

  test('of a stock is all that came minus all that went, also before the range', () => {
    expect(values({ reihe: 'bestand' }, ['solar'])).toEqual([13, 13, 19, null]);
    expect(values({ reihe: 'bestand' }, ['solar', 'wind'])).toEqual([39, 39, 35, null]);
    expect(values({ reihe: 'bestand', wert: 'anzahl' }, ['wind'])).toEqual([0, 0, 0, null]);
  });

  test('of plans is known for later periods, too', () => {
    const planned = answerOf([row('2021', 'solar', 0, 0, 4), row('2023', 'solar', 0, 0, 6)]);
    expect(values({ reihe: 'pipeline' }, ['solar'], planned)).toEqual([0, 4, 0, 6]);
    expect(values({ reihe: 'pipeline', bezug: 'kopf' }, ['solar'], planned)).toEqual([0, 2000, 0, 3000]);
  });

  test('by inhabitants and area is that of the interface; energy is divided by the same', () => {
    expect(values({ bezug: 'kopf' }, ['solar'])).toEqual([2000, 0, 3000, null]);
    expect(values({ bezug: 'flaeche' }, ['solar'])).toEqual([80, 0, 120, null]);
    expect(values({ bezug: 'kopf', wert: 'anzahl' }, ['solar'])).toEqual([0.5, 0, 0.5, null]);
    expect(values({ bezug: 'kopf', wert: 'mwh' }, ['storage'])).toEqual([0, 3000, 0, null]);
    expect(values({ bezug: 'flaeche', wert: 'mwh' }, ['storage'])).toEqual([0, 120, 0, null]);
    expect(values({ bezug: 'kopf', reihe: 'bestand' }, ['solar'])).toEqual([6500, 6500, 9500, null]);
  });

  test('by inhabitants and area is not known where the list has no such place', () => {
    const unlisted = answerOf([rowOf(false)('2021', 'solar', 1)], null);
    expect(values({ bezug: 'kopf' }, ['solar'], unlisted)).toEqual([null, null, null, null]);
    expect(values({ bezug: 'kopf', wert: 'mwh' }, ['storage'], unlisted)).toEqual([null, null, null, null]);
    expect(values({}, ['solar'], unlisted)).toEqual([0, 1, 0, null]);
  });

  test('of energy by inhabitants is not known where the units are not those of the places on the list', () => {
    const merged = answerOf([row('2021', 'storage', 3), { ...row('2022', 'solar', 6), zubauKwJe1000Einwohner: 3500 }]);
    expect(values({ bezug: 'kopf', wert: 'mwh' }, ['storage'], merged)).toEqual([null, null, null, null]);
    expect(values({ bezug: 'kopf' }, ['solar'], merged)).toEqual([0, 0, 3500, null]);
  });

  test('is a share of all carriers, or of the country, where there is something to be a share of', () => {
    expect(values({ bezug: 'anteil' }, ['solar'])).toEqual([100, 0, 75, null]);
    expect(values({ bezug: 'anteil', reihe: 'bestand' }, ['solar'])).toEqual([33.333333, 30.952381, 50, null]);
    expect(values({ bezug: 'deutschland' }, ['solar'])).toEqual([10, 0, 50, null]);
    expect(values({ bezug: 'anteil' }, ['solar'], answerOf([]))).toEqual([null, null, null, null]);
    expect(valuesOf(ANSWER, { reihe: 'zubau', wert: 'mw', bezug: 'deutschland' }, ['solar'], WINDOW, null)).toEqual(
      new Array(4).fill(null),
    );
  });

  test('of an index is 100 at the beginning, and none where that was not above 0', () => {
    expect(values({ bezug: 'index' }, ['solar'])).toEqual([100, 0, 150, null]);
    expect(values({ bezug: 'index', reihe: 'bestand' }, ['solar'])).toEqual([100, 100, 146.153846, null]);
    expect(values({ bezug: 'index' }, ['wind'])).toEqual([null, null, null, null]);
  });

  test('of energy is not known in a version that has none', () => {
    const earlier = answerOf([{ ...row('2021', 'storage', 1), zubauMwh: null }]);
    expect(values({ wert: 'mwh' }, ['storage'], earlier)).toEqual([0, null, 0, null]);
    expect(values({ wert: 'mwh', reihe: 'bestand' }, ['storage'], earlier)).toEqual([0, null, null, null]);
  });
});

test('sums mean something of amounts and shares of the country, and of carriers of one place', () => {
  const additive = (bezug: Measure['bezug'], isOverCarriers: boolean) =>
    isAdditive({ reihe: 'zubau', wert: 'mw', bezug }, isOverCarriers);
  expect((['absolut', 'deutschland', 'kopf', 'anteil', 'index'] as const).map((one) => additive(one, false))).toEqual([
    ...[true, true, false, false, false],
  ]);
  expect([additive('kopf', true), additive('anteil', true), additive('index', true)]).toEqual([true, true, false]);
});

describe('the range of a comparison', () => {
  const BY_DEFAULT = { reihe: 'zubau', zeitraum: '10jahre', von: null, bis: null } as const;
  const KNOWN = { first: 2004, last: 2032 };
  const range = (choice: Partial<Parameters<typeof comparedRange>[1]>, asOf = '2026-08-22', known = KNOWN) =>
    comparedRange('jahr', { ...BY_DEFAULT, ...choice }, asOf, known);

  test('ends with the last period that is over, unless a later day is asked for', () => {
    expect(range({})).toEqual({ first: 2016, last: 2025 });
    expect(range({}, '2026-12-31')).toEqual({ first: 2017, last: 2026 });
    expect(range({ zeitraum: 'alles' })).toEqual({ first: 2004, last: 2025 });
    expect(range({ von: '2020-01-01', bis: '2026-12-31' })).toEqual({ first: 2020, last: 2026 });
    expect(range({ bis: '2010-05-05' })).toEqual({ first: 2010, last: 2010 });
    expect(comparedRange('monat', { ...BY_DEFAULT, zeitraum: '5jahre' }, '2026-08-22', KNOWN)).toEqual({
      first: 2021 * 12 + 7,
      last: 2026 * 12 + 6,
    });
  });

  test('of plans begins now, and ends with the last of them', () => {
    expect(range({ reihe: 'pipeline' })).toEqual({ first: 2026, last: 2032 });
    expect(range({ reihe: 'pipeline', zeitraum: '5jahre' })).toEqual({ first: 2026, last: 2030 });
    expect(range({ reihe: 'pipeline', von: '2020-01-01' })).toEqual({ first: 2020, last: 2032 });
  });

  test('of all years begins with the first growth of the carriers, and is short where nothing ever grew', () => {
    const never = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
    const planned = answerOf([row('2031', 'wind', 0, 0, 3)]);
    expect(knownRange([ANSWER, COUNTRY, planned], 'jahr', ['wind'])).toEqual({ first: 2019, last: 2031 });
    expect(knownRange([ANSWER], 'jahr', ['hydro'])).toEqual(never);
    expect(range({ zeitraum: 'alles' }, '2026-08-22', never)).toEqual({ first: 2025, last: 2025 });
    expect(range({ reihe: 'pipeline' }, '2026-08-22', never)).toEqual({ first: 2026, last: 2026 });
  });
});

describe('charts of a comparison', () => {
  const place = (name: string) =>
    ({ region: { level: 'bundesland', value: name }, name, color: 'red', answer: ANSWER }) as const;
  const comparison: Comparison = {
    places: [place('Bayern'), place('Hessen'), { ...place(''), region: null, name: 'Deutschland' }],
    carriers: ['solar', 'wind'],
    isSplit: false,
    measure: { reihe: 'zubau', wert: 'mw', bezug: 'absolut' },
    window: WINDOW,
    country: null,
  };
  const shape = (one: Partial<Comparison>, form: Parameters<typeof panelsOf>[1]) =>
    panelsOf({ ...comparison, ...one }, form).map(({ heading, series }) => [heading, series.map(({ name }) => name)]);
  const all = ['Bayern', 'Hessen', 'Deutschland'];

  test('have the places in one, carriers by themselves in one each, and stacks by place', () => {
    expect(shape({}, 'linien')).toEqual([[null, all]]);
    expect(shape({ isSplit: true }, 'linien')).toEqual([
      ['Solar', all],
      ['Wind', all],
    ]);
    expect(shape({ isSplit: true }, 'gestapelt')).toEqual(all.map((name) => [name, ['Solar', 'Wind']]));
    expect(shape({ isSplit: true, places: [place('Bayern')] }, 'linien')).toEqual([[null, ['Solar', 'Wind']]]);
  });

  test('have bars of many periods in one for each place', () => {
    const window = { ...WINDOW, range: { first: 1970, last: 2023 } };
    expect(shape({ window }, 'balken')).toEqual(all.map((name) => [name, [name]]));
    expect(shape({ window }, 'linien')).toEqual([[null, all]]);
  });

  test('have the same values as the columns of the table', () => {
    expect(columnsOf({ ...comparison, isSplit: true }).map(({ name, values }) => [name, values[0]])).toEqual(
      all.flatMap((name) => [
        [`${name}, Solar`, 4],
        [`${name}, Wind`, 0],
      ]),
    );
    expect(columnsOf(comparison).map(({ values }) => values)).toEqual(
      panelsOf(comparison, 'balken')[0]?.series.map(({ values }) => values),
    );
  });
});

describe('words of a comparison', () => {
  const measure = { reihe: 'zubau', wert: 'mw', bezug: 'kopf' } as const;
  test('say what is measured, of which places, in which periods', () => {
    expect(comparedTitle(measure, ['solar'], ['Bayern', 'Hessen'], WINDOW)).toBe(
      'Zubau Solar je 1.000 Einwohner, 2020 bis 2023: Bayern, Hessen',
    );
    expect(comparedTitle({ reihe: 'bestand', wert: 'mwh', bezug: 'absolut' }, ['storage'], ['Bayern'], WINDOW)).toBe(
      'Bestand Speicher (Speicherkapazität), 2020 bis 2023: Bayern',
    );
    expect(comparedUnit({ ...measure, bezug: 'index' }, WINDOW)).toBe(
      'Index der Leistung, 2020 = 100, in Betrieb genommen',
    );
    expect([
      shortUnit(measure),
      shortUnit({ ...measure, bezug: 'absolut' }),
      shortUnit({ ...measure, bezug: 'anteil' }),
    ]).toEqual([...['kW je 1.000 Einwohner', 'MW', '%']]);
  });

  test('say of a period that has not ended how far it is counted', () => {
    expect(openPeriod(WINDOW, '2022-08-22')).toBe('2022 ist bis zum Stand 22.08.2022 gezählt.');
    expect([openPeriod(WINDOW, '2022-12-31'), openPeriod({ ...WINDOW, now: 2024 }, '2024-08-22')]).toEqual([
      null,
      null,
    ]);
  });
});

test('places of an address may be the country, once for all pages', () => {
  const eight = places(8, [null]);
  const chosen = eight.read('landkreis:08118,deutschland,gemeinde:Neustadt, Hessen');
  expect(chosen).toEqual([
    { level: 'landkreis', value: '08118' },
    null,
    { level: 'gemeinde', value: 'Neustadt, Hessen' },
  ]);
  expect(eight.write(chosen ?? [])).toBe('landkreis:08118,deutschland,gemeinde:Neustadt, Hessen');
  expect([eight.write([null]), eight.write([])]).toEqual([null, null]);
  expect([eight.read('deutschland'), eight.read('Deutschland'), eight.read('plz:1,')]).toEqual([
    [null],
    undefined,
    undefined,
  ]);
  expect(eight.places?.(chosen ?? [])).toHaveLength(2);
});

test('an axis has round values around what it shows', () => {
  expect(ticksAround(0, 287, 5)).toEqual([0, 100, 200, 300]);
  expect(ticksAround(-30, 95, 5)).toEqual([-50, 0, 50, 100]);
  expect(ticksAround(0, 0, 5)).toEqual([0, 1]);
  expect(ticksAround(0, 0.0021, 5).at(-1)).toBe(0.0025);
});

test('labels move apart as far as they must, and stay above the bottom', () => {
  expect(spread([10, 50, 90], 15, 100)).toEqual([10, 50, 90]);
  expect(spread([10, 12, 14], 15, 100)).toEqual([10, 25, 40]);
  expect(spread([90, 95, 99], 15, 100)).toEqual([70, 85, 100]);
});
