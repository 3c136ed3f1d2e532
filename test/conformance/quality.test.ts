import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSPICUOUS, RULE_IDS, ruleMask } from '../../sql/catalogue/anomalies.ts';
import type { RuleId } from '../../sql/catalogue/plausibility.ts';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildVersion, temporaryFolder } from '../support/fixture.ts';
import { makeCaller } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** What callers see of units whose values cannot be right: three of five are conspicuous, one has a hint alone. */

const VERSION = '20260315-0001';
const PROPOSAL = [{ feld: 'bruttoleistungKw', wert: 119.52, regel: 'modulleistung_hoch', begruendung: 'in Watt' }];

const mask = (ids: readonly RuleId[], isConspicuous = true) => ruleMask(ids) + (isConspicuous ? CONSPICUOUS : 0);

/** Number, state, carrier, capacity, day of commissioning, what was found. */
const UNITS = [
  ['SEE900000000001', 'Bayern', 'solar', 119_520, '2020-05-01', mask(['modulleistung_hoch', 'dach_leistung_hoch'])],
  ['SEE900000000002', 'Bayern', 'solar', 10, '2020-06-01', 'NULL'],
  ['SEE900000000003', 'Berlin', 'solar', 20, '2021-05-01', mask(['leistung_je_flaeche_hoch'], false)],
  ['SEE900000000004', 'Berlin', 'wind', 3000, '2001-05-01', mask(['wind_rotor_typ'])],
  ['SEE900000000005', 'Bayern', 'wind', 2000, '2001-06-01', mask(['wind_rotor_typ'])],
] as const;

const warehouse = temporaryFolder();
let service: OwnSubject;
beforeAll(async () => {
  await buildVersion(warehouse.path, VERSION, async (connection) => {
    for (const [number, state, carrier, kw, day, found] of UNITS) {
      await connection.run(`INSERT INTO units (mastrNummer, bundesland, einheitTyp, bruttoleistungKw, inbetriebnahmedatum,
        betriebsStatus, statusId, region, auffaelligkeiten) VALUES ('${number}', '${state}', '${carrier}', ${kw}, '${day}',
        'In Betrieb', 35, ${state === 'Bayern' ? 1 : 2}, ${found})`);
    }
    await connection.run(`UPDATE units SET vorschlag = '${JSON.stringify(PROPOSAL)}' WHERE bruttoleistungKw > 100000`);
    await connection.run('UPDATE units SET signals = 8192 WHERE auffaelligkeiten > 1000000000000');
    await connection.run(`INSERT INTO auffaelligkeiten_verlauf VALUES ('2026-03-14', 'auffaellig', 2, 124.5), ('2026-03-15', 'auffaellig', 3, 124520),
      ('2026-03-14', 'wind_rotor_typ', 0, 0), ('2026-03-15', 'wind_rotor_typ', 2, 5000)`);
  });
  publish(warehouse.path, VERSION, 'build', new Date('2026-03-15T03:30:00Z'));
  service = await serve(warehouse.path);
});
afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

const numbersOf = async (query: string): Promise<string> =>
  (await service.get(`/v1/units?fields=mastrNummer&${query}`)).json.data
    .map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer.slice(-1))
    .join(' ');

describe('a unit', () => {
  test('has what was found about it, and the value that is meant beside the one of the register', async () => {
    const { json } = await service.get('/v1/units/SEE900000000001');
    expect(json.data.auffaelligkeiten).toEqual([
      {
        regel: 'modulleistung_hoch',
        felder: ['bruttoleistungKw', 'solarAnzahlModule'],
        schwere: 'fehler',
        hinweis: expect.stringContaining('800 W je Modul'),
        note: expect.stringContaining('800 W per module'),
      },
      {
        regel: 'dach_leistung_hoch',
        felder: ['bruttoleistungKw', 'solarLage'],
        schwere: 'warnung',
        hinweis: expect.stringContaining('20.000 kW'),
        note: expect.stringContaining('20,000 kW'),
      },
    ]);
    expect(json.data).toMatchObject({ vorschlag: PROPOSAL, bruttoleistungKw: 119_520 });
  });

  test('of which nothing was found has an empty list', async () => {
    const { json } = await service.get('/v1/units/SEE900000000002');
    expect(json.data).toMatchObject({ auffaelligkeiten: [], vorschlag: null });
  });

  test('has the block in a list where it is included', async () => {
    const { json } = await service.get('/v1/units?include=qualitaet&limit=1');
    expect(json.data[0].auffaelligkeiten).toHaveLength(2);
    expect((await service.get('/v1/units?limit=1')).json.data[0]).not.toHaveProperty('auffaelligkeiten');
  });
});

describe('filters', () => {
  test.each([
    ['auffaellig=true', '1 4 5'],
    ['auffaellig=false', '2 3'],
    ['auffaelligkeit=wind_rotor_typ', '4 5'],
    ['auffaelligkeit=dach_leistung_hoch,leistung_je_flaeche_hoch', '1 3'],
    ['auffaellig=true&bundesland=Bayern', '1 5'],
    ['signals=daten_auffaellig', '1 4 5'],
  ])('%s finds %s', async (query, numbers) => expect(await numbersOf(query)).toBe(numbers));

  test('a rule that there is not is refused, with the one that was meant', async () => {
    const response = await service.get('/v1/units?auffaelligkeit=wind_rotor_tip');
    expectProblem(response, 400, 'INVALID_PARAMETER');
    expect(response.text).toContain('wind_rotor_typ');
  });

  test('the signal needs to be granted, the filter does not', async () => {
    const caller = await makeCaller(service.store, { signals: [] });
    const refused = await service.get('/v1/units?signals=daten_auffaellig', withKey(caller));
    expectProblem(refused, 403, 'SIGNAL_NOT_ENTITLED');
    expect((await service.get('/v1/units?auffaellig=true', withKey(caller))).status).toBe(200);
  });
});

test('groupBy=auffaelligkeit counts a unit in each rule, and once in the totals', async () => {
  for (const query of ['groupBy=auffaelligkeit', 'groupBy=auffaelligkeit&betriebsStatus=In%20Betrieb']) {
    const { json } = await service.get(`/v1/aggregations?${query}`);
    expect(json.data.totals.count).toBe(5);
    expect(json.data.groups.map(({ key, count }: { key: string; count: number }) => `${key} ${count}`)).toEqual([
      'wind_rotor_typ 2',
      'dach_leistung_hoch 1',
      'leistung_je_flaeche_hoch 1',
      'modulleistung_hoch 1',
    ]);
  }
});

test('the rules that may be asked for are listed with their names and meanings', async () => {
  const { json } = await service.get('/v1/reference/auffaelligkeit');
  expect(json.data[0]).toEqual({
    value: 'wind_rotor_typ',
    count: 2,
    name: 'Rotordurchmesser weicht vom Typ ab',
    beschreibung: expect.stringContaining('3 %'),
    title: expect.any(String),
    description: expect.stringContaining('3 %'),
  });
});

describe('sums', () => {
  const answerOf = async (path: string) => (await service.get(path)).json;
  const NONE = { count: 0, bruttoleistungKw: 0 };

  test.each([
    ['groupBy=bundesland', { count: 3, bruttoleistungKw: 124_520 }],
    ['groupBy=bundesland&einheitTyp=wind', { count: 2, bruttoleistungKw: 5000 }],
    ['groupBy=bundesland&bundesland=Berlin&einheitTyp=solar', NONE],
  ])('of %s tell how many of the units are conspicuous, counted or left out', async (query, auffaellig) => {
    const all = await answerOf(`/v1/aggregations?${query}`);
    const without = await answerOf(`/v1/aggregations?${query}&auffaellige=ohne`);
    expect(all.meta.auffaellig).toEqual(auffaellig);
    expect(without.meta.auffaellig).toEqual(auffaellig);
    expect(all.data.totals.count - without.data.totals.count).toBe(auffaellig.count);
    expect(all.data.totals.bruttoleistungKw - without.data.totals.bruttoleistungKw).toBe(auffaellig.bruttoleistungKw);
  });

  test('a group of which every unit is conspicuous is left out', async () => {
    const { data } = await answerOf('/v1/aggregations?groupBy=einheitTyp&auffaellige=ohne');
    expect(data.groups).toMatchObject([{ key: 'solar', count: 2, bruttoleistungKw: 30 }]);
  });

  test.each([
    ['', 'jahr', { count: 3, bruttoleistungKw: 124_520 }, '2020 solar 1 0.01, 2021 solar 1 0.02'],
    ['ebene=bundesland&region=Bayern&', 'jahr', { count: 2, bruttoleistungKw: 121_520 }, '2020 solar 1 0.01'],
    ['von=2020-01-01&', 'monat', { count: 1, bruttoleistungKw: 119_520 }, '2020-06 solar 1 0.01, 2021-05 solar 1 0.02'],
    ['energietraeger=wind&', 'quartal', { count: 2, bruttoleistungKw: 5000 }, ''],
  ])('of a time series, %s by %s', async (query, periode, auffaellig, rows) => {
    const { data, meta } = await answerOf(`/v1/region/zeitreihe?${query}periode=${periode}&auffaellige=ohne`);
    const all = await answerOf(`/v1/region/zeitreihe?${query}periode=${periode}`);
    expect(meta.auffaellig).toEqual(auffaellig);
    expect(all.meta.auffaellig).toEqual(auffaellig);
    const written = data.map((row: Record<string, unknown>) =>
      [row.periode, row.energietraeger, row.zubauAnzahl, row.zubauMw].join(' '),
    );
    expect(written.join(', ')).toBe(rows);
  });

  test('of ages and key figures, which count wind turbines in operation', async () => {
    const ages = await answerOf('/v1/region/altersstruktur?auffaellige=ohne');
    expect(ages.meta.auffaellig).toEqual({ count: 3, bruttoleistungKw: 124_520 });
    expect(ages.data).toEqual([{ kohorte: '0-20', energietraeger: 'solar', anzahl: 2, mw: 0.03, mwh: 0 }]);
    const figures = await answerOf('/v1/region/momentaufnahme');
    expect(figures.data.windUeber20Jahre).toEqual({ anzahl: 2, gesamt: 2, anteil: 1 });
    expect(figures.meta.auffaellig).toEqual({ count: 2, bruttoleistungKw: 5000 });
    const without = await answerOf('/v1/region/momentaufnahme?auffaellige=ohne');
    expect(without.data.windUeber20Jahre).toEqual({ anzahl: 0, gesamt: 0, anteil: null });
    expect(without.meta.auffaellig).toEqual(figures.meta.auffaellig);
  });

  test('refuse any other word', async () => {
    for (const path of [
      'aggregations?groupBy=plz&',
      'region/zeitreihe?',
      'region/altersstruktur?',
      'region/momentaufnahme?',
    ])
      expectProblem(await service.get(`/v1/${path}auffaellige=ja`), 400, 'INVALID_PARAMETER');
  });
});

describe('GET /v1/qualitaet', () => {
  const ruleNamed = (rules: readonly { regel: string }[], id: string) => rules.find(({ regel }) => regel === id);

  test('lists every rule with its bounds, its source and how many units it applies to', async () => {
    const { json } = await service.get('/v1/qualitaet');
    expect(json.data).toHaveLength(RULE_IDS.length);
    expect(ruleNamed(json.data, 'dach_leistung_hoch')).toEqual({
      regel: 'dach_leistung_hoch',
      name: 'Gebäudesolaranlage ungewöhnlich groß',
      title: expect.any(String),
      schwere: 'warnung',
      felder: ['bruttoleistungKw', 'solarLage'],
      beschreibung: expect.stringContaining('Mehr als 20.000 kW'),
      description: expect.stringContaining('More than 20,000 kW'),
      grenzen: { hoechstensKw: 20_000 },
      quelle: expect.stringContaining('12.800 kW'),
      source: expect.stringContaining('12,800 kW'),
      count: 1,
      bruttoleistungKw: 119_520,
    });
    expect(ruleNamed(json.data, 'leistung_null')).toMatchObject({ count: 0, bruttoleistungKw: 0 });
    const auffaellig = { count: 3, bruttoleistungKw: 124_520 };
    expect(json.meta).toEqual({ count: RULE_IDS.length, einheiten: 5, auffaellig });
  });

  test.each([
    ['einheitTyp=wind', 'wind_rotor_typ', 2, 2],
    ['einheitTyp=wind&bundesland=Berlin', 'wind_rotor_typ', 1, 1],
    ['einheitTyp=solar', 'wind_rotor_typ', 3, 0],
    ['auffaellig=true', 'leistung_je_flaeche_hoch', 3, 0],
    ['plz=99999', 'wind_rotor_typ', 0, 0],
  ])('of %s: %s', async (query, id, units, count) => {
    const { json } = await service.get(`/v1/qualitaet?${query}`);
    expect(json.meta.einheiten).toBe(units);
    expect(ruleNamed(json.data, id)).toMatchObject({ count });
  });
});

test.each(['qualitaet?', 'qualitaet/gruppen?groupBy=einheitTyp&'])('%s hints at what was meant', async (path) => {
  const { json } = await service.get(`/v1/${path}bundesland=bayern`);
  expect(json.meta).toMatchObject({ einheiten: 0, hinweise: [{ parameter: 'bundesland', vorschlag: 'Bayern' }] });
  expect((await service.get(`/v1/${path}bundesland=Bayern`)).json.meta).not.toHaveProperty('hinweise');
});

describe('GET /v1/qualitaet/gruppen', () => {
  const written = (row: Record<string, unknown>) =>
    [row.regel, row.key, row.count, row.einheiten, row.anteil].join(' ');

  test('counts units by rule and group, with their share of the units there', async () => {
    const { json } = await service.get('/v1/qualitaet/gruppen?groupBy=bundesland');
    expect(json.data.map(written)).toEqual([
      'dach_leistung_hoch Bayern 1 3 0.333333',
      'leistung_je_flaeche_hoch Berlin 1 2 0.5',
      'modulleistung_hoch Bayern 1 3 0.333333',
      'wind_rotor_typ Bayern 1 3 0.333333',
      'wind_rotor_typ Berlin 1 2 0.5',
    ]);
    expect(json.data[0]).toEqual({
      regel: 'dach_leistung_hoch',
      schwere: 'warnung',
      key: 'Bayern',
      count: 1,
      bruttoleistungKw: 119_520,
      einheiten: 3,
      anteil: 0.333333,
    });
    const auffaellig = { count: 3, bruttoleistungKw: 124_520 };
    expect(json.meta).toEqual({ count: 5, truncated: false, einheiten: 5, auffaellig });
  });

  test.each([
    ['groupBy=einheitTyp&regel=wind_rotor_typ', ['wind_rotor_typ wind 2 2 1']],
    ['groupBy=bundesland&regel=wind_rotor_typ&bundesland=Berlin', ['wind_rotor_typ Berlin 1 2 0.5']],
    ['groupBy=netzbetreiber&regel=wind_rotor_typ,leistung_null', ['wind_rotor_typ  2 5 0.4']],
    ['groupBy=energietraeger&plz=99999', []],
  ])('%s', async (query, rows) => {
    const { json } = await service.get(`/v1/qualitaet/gruppen?${query}`);
    expect(json.data.map(written)).toEqual(rows);
  });

  test('names places as aggregations do, and is a table', async () => {
    const { json } = await service.get('/v1/qualitaet/gruppen?groupBy=landkreis&regel=wind_rotor_typ');
    expect(json.data[0]).toMatchObject({ key: null, schluessel: null, name: null, bundesland: null });
    const { text } = await service.get('/v1/qualitaet/gruppen?groupBy=einheitTyp&regel=wind_rotor_typ&format=csv');
    expect(text).toBe(
      'regel,schwere,key,count,bruttoleistungKw,einheiten,anteil\r\nwind_rotor_typ,warnung,wind,2,5000,2,1\r\n',
    );
  });

  test.each(['', 'groupBy=plz', 'groupBy=bundesland&regel=wind'])('refuses %s', async (query) => {
    expectProblem(await service.get(`/v1/qualitaet/gruppen?${query}`), 400, 'INVALID_PARAMETER');
  });
});

describe('GET /v1/qualitaet/verlauf', () => {
  const rowsOf = async (query: string) =>
    (await service.get(`/v1/qualitaet/verlauf?${query}`)).json.data.map((row: object) => Object.values(row).join(' '));

  test.each([
    [
      '',
      [
        '2026-03-14 auffaellig 2 124.5',
        '2026-03-14 wind_rotor_typ 0 0',
        '2026-03-15 auffaellig 3 124520',
        '2026-03-15 wind_rotor_typ 2 5000',
      ],
    ],
    ['regel=auffaellig', ['2026-03-14 auffaellig 2 124.5', '2026-03-15 auffaellig 3 124520']],
    ['regel=wind_rotor_typ&von=2026-03-15', ['2026-03-15 wind_rotor_typ 2 5000']],
    ['bis=2026-03-13', []],
  ])('of %s', async (query, rows) => expect(await rowsOf(query)).toEqual(rows));

  test('refuses rules that there are not, and days in the wrong order', async () => {
    expectProblem(await service.get('/v1/qualitaet/verlauf?regel=auffallig'), 400, 'INVALID_PARAMETER');
    const wrong = await service.get('/v1/qualitaet/verlauf?von=2026-02-01&bis=2026-01-01');
    expectProblem(wrong, 400, 'FILTER_CONFLICT');
  });
});
