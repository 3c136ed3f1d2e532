import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSPICUOUS, ruleMask } from '../../sql/catalogue/anomalies.ts';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildVersion, TODAY, temporaryFolder } from '../support/fixture.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** The grid of an operator: seven units at three points and at none, beside units of two others. */

const VERSION = '20260315-0001';
const NORTH = 'Nordnetz Ost, GmbH';
const FOUND = ruleMask(['leistung_null']) + CONSPICUOUS;

const COLUMNS = `netzbetreiber, netzbetreiberMastrNummer, spannungsebene, netzanschlusspunktMastrNummer, einheitTyp, statusId, bruttoleistungKw,
  nettonennleistungKw, fernsteuerbarNetzbetreiber, fernsteuerbarDirektvermarkter, genehmigungMastrNummer, geplantesInbetriebnahmedatum, auffaelligkeiten, plz, ort, bundesland`;

/** In the order of the columns, behind operator and number of the operator. */
const UNITS = [
  "'Mittelspannung', 'SAN900000000001', 'wind', 35, 3000, 2900, true, true, 'SGE900000000001', NULL, NULL, '17033', 'Neubrandenburg', 'Mecklenburg-Vorpommern'",
  "'Mittelspannung', 'SAN900000000001', 'wind', 31, 4000.5, 4000, NULL, NULL, 'SGE900000000002', '2027-01-01', NULL, '17033', 'Neubrandenburg', 'Mecklenburg-Vorpommern'",
  "'Mittelspannung', 'SAN900000000002', 'solar', 35, 750.125, 700, false, true, NULL, NULL, NULL, '17033', 'Neubrandenburg', 'Mecklenburg-Vorpommern'",
  "'Niederspannung (= Hausanschluss/Haushaltsstrom)', 'SAN900000000003', 'solar', 35, 10, 9, NULL, NULL, NULL, NULL, NULL, '17034', 'Neubrandenburg', 'Mecklenburg-Vorpommern'",
  `'Niederspannung (= Hausanschluss/Haushaltsstrom)', 'SAN900000000003', 'solar', 35, 0, NULL, false, false, NULL, NULL, ${FOUND}, '17034', 'Neubrandenburg', 'Mecklenburg-Vorpommern'`,
  "'Niederspannung (= Hausanschluss/Haushaltsstrom)', 'SAN900000000003', 'solar', 38, 5, 5, NULL, NULL, NULL, NULL, NULL, '17034', 'Neubrandenburg', 'Mecklenburg-Vorpommern'",
  "NULL, NULL, 'storage', 31, 100, 100, NULL, NULL, NULL, NULL, NULL, '17034', 'Neubrandenburg', 'Mecklenburg-Vorpommern'",
].map((values) => `'${NORTH}', 'SNB900000000001', ${values}`);

const OTHERS = [
  "'Stadtwerke Nord', 'SNB900000000002', 'Hochspannung', 'SAN900000000004', 'wind', 35, 9000, 9000, true, false, NULL, NULL, NULL, '25524', 'Itzehoe', 'Schleswig-Holstein'",
  "'Stadtwerke Nord', 'SNB900000000003', 'Mittelspannung', 'SAN900000000004', 'solar', 35, 1, 1, true, false, NULL, NULL, NULL, '25524', 'Itzehoe', 'Schleswig-Holstein'",
  "'Stadtwerke Nord', 'SNB900000000003', 'Umspannebene Hochspannung/Mittelspannung', 'SAN900000000005', 'solar', 35, 2, 2, true, false, NULL, NULL, NULL, '25524', 'Itzehoe', 'Schleswig-Holstein'",
  "NULL, NULL, NULL, NULL, 'wind', 31, 6000, 5900, NULL, NULL, 'SGE900000000003', NULL, NULL, '17033', 'Neubrandenburg', 'Mecklenburg-Vorpommern'",
  "NULL, NULL, NULL, NULL, 'solar', 35, 1, 1, NULL, NULL, NULL, NULL, NULL, '25524', 'Itzehoe', 'Schleswig-Holstein'",
];

const warehouse = temporaryFolder();
let service: OwnSubject;
beforeAll(async () => {
  await buildVersion(warehouse.path, VERSION, async (connection) => {
    for (const [index, values] of [...UNITS, ...OTHERS].entries()) {
      await connection.run(
        `INSERT INTO units (mastrNummer, ${COLUMNS}) VALUES ('SEE${900000000001 + index}', ${values})`,
      );
    }
    await connection.run(`UPDATE units SET gemeinde = ort, landkreis = 'Kreis ' || ort,
      gemeindeschluessel = CASE ort WHEN 'Itzehoe' THEN '01061046' ELSE '13071107' END,
      region = CASE plz WHEN '25524' THEN 1 WHEN '17033' THEN 2 ELSE 3 END,
      betriebsStatus = CASE statusId WHEN 35 THEN 'In Betrieb' WHEN 31 THEN 'In Planung' ELSE 'Endgültig stillgelegt' END`);
  });
  publish(warehouse.path, VERSION, 'build', new Date('2026-03-15T03:30:00Z'));
  service = await serve(warehouse.path);
});
afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

/** A name with a comma stands in quotes, as in every list. */
const asked = (path: string, query: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams({ netzbetreiber: `"${NORTH}"`, ...query })}`;

const grid = async (query: Readonly<Record<string, string>> = {}) => (await service.get(asked('/v1/netz', query))).json;

const WIND = {
  spannungsebene: 'Mittelspannung',
  einheitTyp: 'wind',
  bestand: { anzahl: 1, bruttoleistungKw: 3000, nettonennleistungKw: 2900, speicherkapazitaetKwh: 0 },
  pipeline: {
    ...{ anzahl: 1, bruttoleistungKw: 4000.5, nettonennleistungKw: 4000, speicherkapazitaetKwh: 0 },
    ...{ genehmigtAnzahl: 1, genehmigtKw: 4000.5, mitDatumAnzahl: 1 },
  },
  stillgelegt: { anzahl: 0, bruttoleistungKw: 0 },
  fernsteuerbar: {
    ...{ anzahl: 1, bruttoleistungKw: 3000, anteilAnzahl: 1, anteilLeistung: 1 },
    netzbetreiber: { anzahl: 1, bruttoleistungKw: 3000 },
    direktvermarkter: { anzahl: 1, bruttoleistungKw: 3000 },
    ohneAngabe: { anzahl: 0, bruttoleistungKw: 0 },
  },
};

describe('the grid of an operator', () => {
  test('is counted by voltage level, the highest first, and by carrier', async () => {
    const { data, meta } = await grid();
    const rows = data.spannungsebenen.map((row: typeof WIND) => [
      row.spannungsebene,
      row.einheitTyp,
      row.bestand.anzahl,
    ]);
    expect(rows).toEqual([
      ['Mittelspannung', 'wind', 1],
      ['Mittelspannung', 'solar', 1],
      ['Niederspannung (= Hausanschluss/Haushaltsstrom)', 'solar', 2],
      [null, 'storage', 0],
    ]);
    expect(data.spannungsebenen[0]).toEqual(WIND);
    expect(meta).toEqual({ count: 4, einheiten: 7, auffaellig: { count: 1, bruttoleistungKw: 0 } });
  });

  test('has a transformer beneath its upper level', async () => {
    const { json } = await service.get('/v1/netz?netzbetreiber=Stadtwerke Nord');
    expect(json.data.spannungsebenen.map((row: typeof WIND) => row.spannungsebene)).toEqual([
      ...['Hochspannung', 'Umspannebene Hochspannung/Mittelspannung', 'Mittelspannung'],
    ]);
  });

  test('adds up: a unit is in operation, planned or shut down, and what says nothing of remote control is told apart', async () => {
    const { data } = await grid();
    expect(data.totals).toMatchObject({
      bestand: { anzahl: 4, bruttoleistungKw: 3760.125, nettonennleistungKw: 3609 },
      pipeline: { anzahl: 2, bruttoleistungKw: 4100.5, genehmigtAnzahl: 1, mitDatumAnzahl: 1 },
      stillgelegt: { anzahl: 1, bruttoleistungKw: 5 },
      fernsteuerbar: {
        ...{ anzahl: 2, bruttoleistungKw: 3750.125, anteilAnzahl: 0.5, anteilLeistung: 0.9973 },
        netzbetreiber: { anzahl: 1 },
        direktvermarkter: { anzahl: 2 },
        ohneAngabe: { anzahl: 1, bruttoleistungKw: 10 },
      },
    });
  });

  test('tells of planned units whose grid nobody knows, in municipalities where the operator has units', async () => {
    const known = { genehmigtAnzahl: 1, genehmigtKw: 6000 };
    const { data } = await grid();
    expect(data.geplantOhneNetz).toEqual([{ einheitTyp: 'wind', anzahl: 1, bruttoleistungKw: 6000, ...known }]);
    expect((await grid({ einheitTyp: 'solar' })).data.geplantOhneNetz).toEqual([]);
    const { json } = await service.get('/v1/netz?netzbetreiber=Stadtwerke Nord');
    expect(json.data.geplantOhneNetz).toEqual([]);
  });

  test('has the rules that apply to its units, which can be left out', async () => {
    const { data } = await grid();
    expect(data.qualitaet).toEqual([
      {
        ...{ regel: 'leistung_null', name: expect.any(String), schwere: 'fehler', title: expect.any(String) },
        ...{ einheitTyp: 'solar', count: 1, bruttoleistungKw: 0 },
      },
    ]);
    const without = await grid({ auffaellige: 'ohne' });
    expect([without.data.qualitaet, without.meta.einheiten]).toEqual([[], 6]);
  });

  test('takes the filters of units', async () => {
    const { data, meta } = await grid({ einheitTyp: 'wind', leistungMinKw: '3500' });
    expect([meta.einheiten, data.totals.pipeline.anzahl, data.totals.bestand.anzahl]).toEqual([1, 1, 0]);
    expect(data.totals.fernsteuerbar.anteilLeistung).toBeNull();
  });

  test('says since a day how its sum moved', async () => {
    const { data } = await grid({ seit: TODAY });
    const { json } = await service.get(asked('/v1/aenderungen/summe', { von: TODAY }));
    expect(data.aenderungen).toEqual(json.data);
    expect((await grid()).data.aenderungen).toBeUndefined();
  });

  test('is a table of its levels', async () => {
    const { text } = await service.get(asked('/v1/netz', { format: 'csv' }));
    expect(text.split('\r\n')[0]).toMatch(/^spannungsebene,einheitTyp,bestand\.anzahl,bestand\.bruttoleistungKw,/);
    expect(text.split('\r\n')[1]).toMatch(/^Mittelspannung,wind,1,3000,2900,0,1,4000\.5,/);
  });

  test('is asked of a name, and one that no unit has is told what may be meant', async () => {
    for (const path of ['/v1/netz', '/v1/netz/netzanschlusspunkte']) {
      expectProblem(await service.get(path), 400, 'INVALID_PARAMETER');
      const { json } = await service.get(`${path}?netzbetreiber=Stadtwerk Nord`);
      expect(json.meta.hinweise).toMatchObject([{ parameter: 'netzbetreiber', vorschlag: 'Stadtwerke Nord' }]);
    }
  });

  test.each([
    [{ seit: '2026-03-14', stand: '2026-03-13' }, 'FILTER_CONFLICT'],
    [{ seit: '2026-03-14', suche: 'park' }, 'INVALID_PARAMETER'],
  ])('refuses %o', async (query, code) => {
    expectProblem(await service.get(asked('/v1/netz', query)), 400, code as 'FILTER_CONFLICT');
  });
});

test.each(['2020-01-01', '2099-01-01'])(
  'a day since which nothing is known is refused by its own name: %s',
  async (seit) => {
    const response = await service.get(asked('/v1/netz', { seit }));
    expectProblem(response, 400, 'INVALID_PARAMETER');
    expect(response.json.errors).toEqual([
      { parameter: 'seit', code: 'INVALID_PARAMETER', detail: expect.stringMatching(/^seit lies/) },
    ]);
  },
);

test('the number of an operator leads to its name, or to where numbers are found', async () => {
  const hint = async (number: string) => (await service.get(`/v1/netz?netzbetreiber=${number}`)).json.meta.hinweise[0];
  expect(await hint('SNB900000000003')).toMatchObject({ vorschlag: 'Stadtwerke Nord' });
  expect((await hint('SNB999999999999')).hinweis).toContain('GET /v1/netz/netzbetreiber?q=');
});

test('a part of the map says how its units were found, in lists too', async () => {
  for (const path of ['/v1/netz/netzbetreiber', '/v1/netz/netzanschlusspunkte']) {
    const { json } = await service.get(asked(path, { umkreis: '13.3,53.6,50' }));
    const grid = await service.get(asked('/v1/netz', { umkreis: '13.3,53.6,50' }));
    expect(json.meta.raum).toEqual(grid.json.meta.raum);
    expect(json.meta.raum).toBeDefined();
  }
});

describe('connection points', () => {
  const points = async (query: Readonly<Record<string, string>> = {}) =>
    (await service.get(asked('/v1/netz/netzanschlusspunkte', query))).json;

  test('come by capacity, those of units shut down are not among them', async () => {
    const { data, meta } = await points();
    expect(data.map((row: { bruttoleistungKw: number }) => row.bruttoleistungKw)).toEqual([7000.5, 750.125, 10]);
    expect(data[0]).toEqual({
      ...{ netzanschlusspunktMastrNummer: 'SAN900000000001', spannungsebene: 'Mittelspannung' },
      ...{ plz: '17033', ort: 'Neubrandenburg', bundesland: 'Mecklenburg-Vorpommern' },
      ...{ energietraeger: ['wind'], bruttoleistungKw: 7000.5 },
      bestand: { anzahl: 1, bruttoleistungKw: 3000, nettonennleistungKw: 2900 },
      pipeline: { anzahl: 1, bruttoleistungKw: 4000.5, nettonennleistungKw: 4000 },
      fernsteuerbarNetzbetreiber: { anzahl: 1, bruttoleistungKw: 3000 },
    });
    expect(meta).toEqual({ count: 3, hasMore: false, cursor: null, truncated: false });
  });

  test('are read page by page', async () => {
    const whole = (await points()).data;
    const read: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof points>> = await points({
        limit: '1',
        ...(cursor === '' ? {} : { cursor }),
      });
      read.push(...page.data);
      cursor = page.meta.cursor;
    }
    expect(read).toEqual(whole);
  });
});

describe('the list of grid operators', () => {
  const operators = async (query: string) => (await service.get(`/v1/netz/netzbetreiber${query}`)).json;

  test('has the sums of each, the largest stock first, and its numbers', async () => {
    const { data, meta } = await operators('');
    expect(data.map(({ netzbetreiber }: { netzbetreiber: string }) => netzbetreiber)).toEqual([
      'Stadtwerke Nord',
      NORTH,
    ]);
    expect(data[0]).toEqual({
      ...{ netzbetreiber: 'Stadtwerke Nord', mastrNummern: ['SNB900000000002', 'SNB900000000003'], einheiten: 3 },
      bestand: { anzahl: 3, bruttoleistungKw: 9003, nettonennleistungKw: 9003 },
      pipeline: { anzahl: 0, bruttoleistungKw: 0, nettonennleistungKw: 0 },
    });
    expect(meta).toEqual({ count: 2, truncated: false });
  });

  test.each([
    ['?q=NORD', [NORTH, 'Stadtwerke Nord']],
    ['?q=snb900000000003', ['Stadtwerke Nord']],
    ['?q=unbekannt', []],
    ['?einheitTyp=storage', [NORTH]],
    ['?limit=1', ['Stadtwerke Nord']],
  ])('%s finds %j', async (query, names) => {
    const { data, meta } = await operators(query);
    expect(data.map(({ netzbetreiber }: { netzbetreiber: string }) => netzbetreiber)).toEqual(names);
    expect(meta.truncated).toBe(query === '?limit=1');
  });
});
