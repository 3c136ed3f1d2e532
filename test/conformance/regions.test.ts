import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutPerPlace } from '../support/per-place.ts';
import { type Subject, serveFixture } from '../support/service.ts';

/** Regional analyses (interface.md; the numbers can be counted in fixture/units.sql). */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const get = async (analysis: string, query: Record<string, string> = {}) =>
  withoutPerPlace((await service.get(`/v1/region/${analysis}?${new URLSearchParams(query)}`)).json);

describe('place', () => {
  const storageRows = async (query: Record<string, string>) =>
    (await get('zeitreihe', { energietraeger: 'storage', periode: 'jahr', ...query })).meta.count;
  const solar = async (query: Record<string, string>) =>
    (await get('altersstruktur', { energietraeger: 'solar', ...query })).data[0]?.anzahl ?? 0;

  test.each([
    ['bundesland', 'Bayern', 5],
    ['bundesland', '09', 5],
    ['bundesland', 'bayern', 0],
    ['bundesland', 'Bay', 0],
    ['landkreis', 'Landkreis Neustadt', 7],
    ['landkreis', 'Landkreis Neustadt, Bayern', 3],
    ['landkreis', 'Landkreis Neustadt, Thüringen', 4],
    ['landkreis', 'Landkreis Neustadt, Hessen', 0],
    ['landkreis', '09575', 3],
    ['landkreis', '9575', 0],
    ['gemeinde', 'Neustadt', 9],
    ['gemeinde', 'Neustadt, Thüringen', 4],
    ['gemeinde', '16074064', 4],
    ['gemeinde', '16074', 0],
    ['plz', '85579', 2],
    ['plz', '8', 2],
    ['plz', '80', 0],
    ['plz', '%', 0],
  ])('%s %s', async (ebene, region, expected) => {
    expect(await solar({ ebene, region })).toBe(expected);
  });

  test('a name that holds a comma is met as a whole before it is split', async () => {
    expect(await storageRows({ ebene: 'landkreis', region: 'Köln, Stadt' })).toBe(2);
    expect(await storageRows({ ebene: 'landkreis', region: 'Köln, Stadt, Nordrhein-Westfalen' })).toBe(2);
  });

  test('the country includes units without a state, and the economic zone', async () => {
    expect(await solar({})).toBe(10);
    const awz = await get('zeitreihe', { ebene: 'bundesland', region: 'Ausschließliche Wirtschaftszone' });
    expect(awz.data).toMatchObject([{ periode: '2020-06', zubauMw: 8 }]);
  });

  test('the sum over the states and without state is the country', async () => {
    const country = await get('momentaufnahme');
    expect(country.meta).toEqual({
      auffaellig: { count: 0, bruttoleistungKw: 0 },
      ebene: null,
      region: null,
      fenster: { tage: 90, von: '2025-12-16', bis: '2026-03-15' },
    });
    let pipeline = 0;
    for (const region of ['Niedersachsen', 'Brandenburg', 'Bayern', 'Nordrhein-Westfalen']) {
      pipeline += (await get('momentaufnahme', { ebene: 'bundesland', region })).data.pipeline.anzahl;
    }
    expect(pipeline).toBe(country.data.pipeline.anzahl);
  });

  test('carriers in the words of the register, which a hint corrects', async () => {
    const query = { periode: 'jahr', registerEnergietraeger: 'Solarthermie' };
    const planned = { periode: '2028', energietraeger: 'geothermal', pipelineAnzahl: 1, pipelineMw: 3.3 };
    expect((await get('zeitreihe', query)).data).toEqual([expect.objectContaining(planned)]);
    expect((await get('zeitreihe', { ...query, ebene: 'landkreis', region: 'Aurich, Bayern' })).meta.count).toBe(1);
    expect((await get('zeitreihe', { ...query, ebene: 'bundesland', region: 'Hessen' })).data).toEqual([]);
    expect((await get('zeitreihe', { ...query, energietraeger: 'wind' })).data).toEqual([]);
    expect((await get('momentaufnahme', { registerEnergietraeger: 'Solarthermie' })).data.pipeline).toMatchObject({
      anzahl: 1,
      mw: 3.3,
    });
    const { data, meta } = await get('altersstruktur', { registerEnergietraeger: 'solarthermie' });
    expect([data, meta.hinweise]).toEqual([
      [],
      [expect.objectContaining({ parameter: 'registerEnergietraeger', vorschlag: 'Solarthermie' })],
    ]);
  });

  test.each(['zeitreihe', 'altersstruktur', 'momentaufnahme'])('%s: ebene and region only together', async (name) => {
    for (const [query, parameter] of [
      ['ebene=plz', 'ebene'],
      ['region=Bayern', 'region'],
    ] as const) {
      const response = await service.get(`/v1/region/${name}?${query}`);
      expect([response.status, response.json.errors[0].parameter]).toEqual([400, parameter]);
    }
  });

  test.each([
    'ebene=kreis&region=x',
    'ebene=plz&region=',
    'energietraeger=Wind',
    'energietraeger=wind,',
    'energietraeger=',
    'registerEnergietraeger=',
  ])('400: %s', async (query) => {
    for (const name of ['zeitreihe', 'altersstruktur', 'momentaufnahme']) {
      expect((await service.get(`/v1/region/${name}?${query}`)).status).toBe(400);
    }
  });
});

describe('zeitreihe', () => {
  test('each series counts on its own date field; rows only where one is not zero', async () => {
    const { data, meta } = await get('zeitreihe', { periode: 'jahr', energietraeger: 'wind', von: '2026-01-01' });
    expect(data).toEqual([
      row('2026', 'wind', [1, 5.6], [1, 0.6], [1, 6.8]),
      row('2027', 'wind', [0, 0], [0, 0], [1, 6.8]),
    ]);
    expect(meta).toEqual({
      auffaellig: { count: 0, bruttoleistungKw: 0 },
      count: 2,
      periode: 'jahr',
      ebene: null,
      region: null,
      datumsfelder: {
        zubau: 'inbetriebnahmedatum',
        abbau: 'stilllegungsdatum',
        pipeline: 'geplantesInbetriebnahmedatum',
      },
    });
  });

  test('zubau counts every unit with a commissioning day, in any status', async () => {
    const { data } = await get('zeitreihe', { periode: 'jahr', energietraeger: 'nuclear' });
    expect(data).toEqual([
      row('1988', 'nuclear', [1, 1400], [0, 0], [0, 0]),
      row('2023', 'nuclear', [0, 0], [1, 1400], [0, 0]),
    ]);
  });

  test.each([
    ['monat', '2025-12', '2026-03'],
    ['quartal', '2025-Q4', '2026-Q1'],
    ['jahr', '2025', '2026'],
  ])('periode %s', async (periode, first, second) => {
    const query = { periode, energietraeger: 'solar', von: '2025-12-15', bis: '2026-03-16' };
    const { data } = await get('zeitreihe', query);
    expect(data).toEqual([
      row(first, 'solar', [2, 0.0198], [2, 0.0014], [0, 0]),
      row(second, 'solar', [3, 0.769923], [0, 0], [0, 0]),
    ]);
  });

  test('von and bis are inclusive', async () => {
    const { data } = await get('zeitreihe', { energietraeger: 'solar', von: '2025-12-16', bis: '2026-03-15' });
    expect(data.map((each: { zubauAnzahl: number }) => each.zubauAnzahl)).toEqual([1, 2]);
  });

  test('the default is monat; sorted by period, then carrier', async () => {
    const { data, meta } = await get('zeitreihe');
    expect(meta.periode).toBe('monat');
    const keys = data.map(
      (each: { periode: string; energietraeger: string }) => `${each.periode} ${each.energietraeger}`,
    );
    expect(keys).toEqual([...keys].sort());
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(['2025-06-30', '2026-03-15', '2026-12-31'])('a span cut after %s has the same sums', async (cut) => {
    const [from, to] = ['2020-01-01', '2027-12-31'];
    const behind = new Date(Date.parse(cut) + 24 * 3_600_000).toISOString().slice(0, 10);
    const spans = [
      { von: from, bis: to },
      { von: from, bis: cut },
      { von: behind, bis: to },
    ];
    const [whole, ...parts] = await Promise.all(
      spans.map(async (span) => sumsOf((await get('zeitreihe', { periode: 'jahr', ...span })).data)),
    );
    expect(parts[0]!.map((sum, index) => sum + parts[1]![index]!)).toEqual(whole);
    expect(whole!.every((sum) => sum > 0)).toBe(true);
  });

  test('the last day that can be written is a bound like any other', async () => {
    const place = { ebene: 'bundesland', region: 'Bayern', von: '9999-12-31', bis: '9999-12-31' };
    expect((await get('zeitreihe', place)).data).toEqual([]);
  });

  test('an empty answer is no error', async () => {
    const { data, meta } = await get('zeitreihe', { von: '1800-01-01', bis: '1800-12-31' });
    expect([data, meta.count]).toEqual([[], 0]);
  });

  test.each([
    ['von=2025-02-29', 'INVALID_PARAMETER'],
    ['von=2025-2-1', 'INVALID_PARAMETER'],
    ['bis=2025-01-01T00:00:00Z', 'INVALID_PARAMETER'],
    ['periode=woche', 'INVALID_PARAMETER'],
    ['von=2025-02-01&bis=2025-01-31', 'FILTER_CONFLICT'],
  ])('400: %s', async (query, code) => {
    const response = await service.get(`/v1/region/zeitreihe?${query}`);
    expect([response.status, response.json.code]).toEqual([400, code]);
  });

  const row = (periode: string, energietraeger: string, zubau: number[], abbau: number[], pipeline: number[]) => ({
    periode,
    energietraeger,
    zubauAnzahl: zubau[0],
    zubauMw: zubau[1],
    abbauAnzahl: abbau[0],
    abbauMw: abbau[1],
    pipelineAnzahl: pipeline[0],
    pipelineMw: pipeline[1],
    ...{ zubauMwh: 0, abbauMwh: 0, pipelineMwh: 0 },
  });
});

describe('altersstruktur', () => {
  test('completed years: lower bound inclusive, upper exclusive, the future among the young', async () => {
    const { data, meta } = await get('altersstruktur', { energietraeger: 'wind' });
    expect(data).toEqual([
      { kohorte: '0-20', energietraeger: 'wind', anzahl: 3, mw: 16.6, mwh: 0 },
      { kohorte: '20-25', energietraeger: 'wind', anzahl: 3, mw: 6.5005, mwh: 0 },
      { kohorte: '25+', energietraeger: 'wind', anzahl: 1, mw: 1.5005, mwh: 0 },
    ]);
    expect(meta).toEqual({
      auffaellig: { count: 0, bruttoleistungKw: 0 },
      count: 3,
      ebene: null,
      region: null,
      kohorten: [
        { name: '0-20', vonJahre: 0, bisJahre: 20 },
        { name: '20-25', vonJahre: 20, bisJahre: 25 },
        { name: '25+', vonJahre: 25, bisJahre: null },
      ],
      stichtag: '2026-03-15',
    });
  });

  test('only units in operation with a commissioning day; empty cohorts are missing', async () => {
    expect((await get('altersstruktur', { energietraeger: 'nuclear' })).data).toEqual([]);
    expect((await get('altersstruktur', { energietraeger: 'hydro,biomass' })).data).toEqual([
      { kohorte: '25+', energietraeger: 'biomass', anzahl: 1, mw: 0.499, mwh: 0 },
      { kohorte: '25+', energietraeger: 'hydro', anzahl: 1, mw: 0.0125, mwh: 0 },
    ]);
  });

  test('periode, von and bis are no parameters', async () => {
    expect((await service.get('/v1/region/altersstruktur?periode=jahr')).json.code).toBe('UNKNOWN_PARAMETER');
  });
});

describe('momentaufnahme', () => {
  test('90 days up to and including today', async () => {
    const { data } = await get('momentaufnahme');
    expect(data).toEqual({
      zubau90Tage: { anzahl: 4, mw: 4.2297, mwh: 0 },
      abbau90Tage: { anzahl: 2, mw: 0.6006, mwh: 0 },
      netto90TageMw: 3.6291,
      pipeline: { anzahl: 6, mw: 78.1, mwh: 100, mitDatumAnzahl: 5, mitDatumAnteil: 0.8333 },
      windUeber20Jahre: { anzahl: 4, gesamt: 8, anteil: 0.5 },
    });
  });

  test('the 90 days up to another day are those of the time series', async () => {
    const { data, meta } = await get('momentaufnahme', { bis: '2025-06-30' });
    const { von, bis } = meta.fenster;
    expect(meta.fenster).toEqual({ tage: 90, von: '2025-04-02', bis: '2025-06-30' });
    const [grown, , gone] = sumsOf((await get('zeitreihe', { von, bis })).data);
    expect([data.zubau90Tage.anzahl, data.abbau90Tage.anzahl]).toEqual([grown, gone]);
    expect((await service.get('/v1/region/momentaufnahme?bis=2025-06-31')).json.code).toBe('INVALID_PARAMETER');
  });

  test('shares are null, not 0, where there is nothing to share', async () => {
    const { data } = await get('momentaufnahme', { energietraeger: 'nuclear' });
    expect(data).toEqual({
      zubau90Tage: { anzahl: 0, mw: 0, mwh: 0 },
      abbau90Tage: { anzahl: 0, mw: 0, mwh: 0 },
      netto90TageMw: 0,
      pipeline: { anzahl: 0, mw: 0, mwh: 0, mitDatumAnzahl: 0, mitDatumAnteil: null },
      windUeber20Jahre: { anzahl: 0, gesamt: 0, anteil: null },
    });
  });

  test('a region without any unit answers zeros', async () => {
    const { data } = await get('momentaufnahme', { ebene: 'gemeinde', region: 'Nirgends' });
    expect(data.zubau90Tage).toEqual({ anzahl: 0, mw: 0, mwh: 0 });
  });
});

/** Units and kW of all rows of a time series, series by series. */
const sumsOf = (rows: readonly Readonly<Record<string, number>>[]): number[] =>
  ['zubau', 'abbau', 'pipeline'].flatMap((series) => [
    rows.reduce((sum, each) => sum + each[`${series}Anzahl`]!, 0),
    Math.round(rows.reduce((sum, each) => sum + each[`${series}Mw`]! * 1e6, 0)),
  ]);
