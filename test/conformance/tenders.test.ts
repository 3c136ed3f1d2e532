import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../support/requests.ts';
import { type ServiceResponse, type Subject, serveFixture } from '../support/service.ts';

/** GET /v1/ausschreibungen and the awards of a tender date, over the tenders of the small register. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const rounds = async (query = ''): Promise<number[]> =>
  (await service.get(`/v1/ausschreibungen?${query}`)).json.data.map(({ id }: { id: number }) => id);

const awards = (id: number | string, query = '') => service.get(`/v1/ausschreibungen/${id}/zuschlaege?${query}`);

const WIND_2023 = 2023050110;
const SOLAR_2020 = 2020020120;

describe('tender dates', () => {
  test('come newest first, all of them', async () => {
    const { json } = await service.get('/v1/ausschreibungen');
    expect(
      json.data.map(({ datum, technologie, status, ergebnis }: Record<string, string>) => [
        datum,
        technologie,
        status,
        ergebnis,
      ]),
    ).toEqual([
      ['2026-07-01', 'SOLAR_FREIFLAECHE', 'PENDING', 'ANGEKUENDIGT'],
      ['2026-05-01', 'WIND', 'PENDING', 'ANGEKUENDIGT'],
      ['2024-10-01', 'BIOMASSE', 'FAILED', 'NICHT_LESBAR'],
      ['2023-05-01', 'WIND', 'IMPORTED', 'VORHANDEN'],
      ['2020-02-01', 'SOLAR_FREIFLAECHE', 'IMPORTED', 'VORHANDEN'],
      ['2018-06-01', 'KWK', 'IMPORTED', 'VORHANDEN'],
      ['2017-05-01', 'WIND', 'IMPORTED', 'VORHANDEN'],
    ]);
    expect(json.meta).toEqual({ count: 7, complete: true });
  });

  test('with results have all published figures', async () => {
    const { json } = await service.get('/v1/ausschreibungen?von=2017-05-01&bis=2017-05-01');
    expect(json.data).toEqual([
      {
        id: 2017050110,
        technologie: 'WIND',
        datum: '2017-05-01',
        status: 'IMPORTED',
        bezeichnung: 'Windenergie an Land, Gebotstermin 1.5.2017',
        zuschlaege: 70,
        volumenBeworbenKw: 2_137_000,
        volumenBezuschlagtKw: 806_660,
        volumenAusgeschriebenKw: 800_000,
        gebotNiedrigstesCtKwh: 4.2,
        gebotHoechstesCtKwh: 5.78,
        zuschlagswertDurchschnittCtKwh: 5.71,
        hoechstwertCtKwh: 7,
        ergebnis: 'VORHANDEN',
      },
    ]);
  });

  test('that are only announced carry technology, date and status, even where a volume is known', async () => {
    const { json } = await service.get('/v1/ausschreibungen?status=PENDING&technologie=WIND');
    const stated = Object.entries(json.data[0]).filter(([, value]) => value !== null);
    expect(Object.fromEntries(stated)).toEqual({
      id: 2026050110,
      technologie: 'WIND',
      datum: '2026-05-01',
      status: 'PENDING',
      ergebnis: 'ANGEKUENDIGT',
    });
  });

  test.each([
    ['technologie=KWK', [2018060171]],
    ['technologie=BIOMASSE,KWK', [2024100140, 2018060171]],
    ['status=FAILED,PENDING&technologie=WIND,BIOMASSE', [2026050110, 2024100140]],
    ['von=2020-02-01&bis=2023-05-01&status=IMPORTED', [WIND_2023, SOLAR_2020]],
    ['von=2026-05-02', [2026070120]],
    ['technologie=WIND_SEE', []],
  ])('%s', async (query, expected) => {
    expect(await rounds(query)).toEqual(expected);
  });

  test.each([
    ['technologie=wind', 'INVALID_PARAMETER'],
    ['technologie=WIND,SONNE', 'INVALID_PARAMETER'],
    ['technologie=', 'INVALID_PARAMETER'],
    ['status=DONE', 'INVALID_PARAMETER'],
    ['von=2026-02-30', 'INVALID_PARAMETER'],
    ['von=2026-02-01T00:00:00Z', 'INVALID_PARAMETER'],
    ['von=2026-02-02&bis=2026-02-01', 'FILTER_CONFLICT'],
    ['limit=5', 'UNKNOWN_PARAMETER'],
    ['cursor=x', 'UNKNOWN_PARAMETER'],
  ] as const)('%s is refused', async (query, code) => {
    expectProblem(await service.get(`/v1/ausschreibungen?${query}`), 400, code);
  });

  test('as CSV have the attribution of the tenders, and no licence of the register', async () => {
    const { text, headers } = await service.get('/v1/ausschreibungen?technologie=KWK&format=csv');
    expect(text.split('\r\n')[1]).toBe(
      '2018060171,KWK,2018-06-01,IMPORTED,"Innovative KWK-Systeme, Gebotstermin 1.6.2018",5,,20900.5,25000,8.47,10.94,10.27,12,VORHANDEN',
    );
    expect(headers.get('quelle')).toMatch(
      /^Bundesnetzagentur, Ergebnisse der Ausschreibungen \(Paragraf 35 EEG\), Stand 28\.06\.2023\. Daten veraendert/,
    );
  });
});

describe('awards', () => {
  test('come in the order of their numbers, with place, units and where both are from', async () => {
    const { json } = await awards(SOLAR_2020);
    expect(json.meta).toEqual({ count: 4, hasMore: false, cursor: null, truncated: false });
    expect(json.data[0]).toEqual({
      id: 202002012000001,
      zuschlagsnummer: 'SOL20-1/001',
      gebotsmengeKw: null,
      bundesland: 'Bayern',
      landkreis: null,
      plz: null,
      gemeinde: 'Neustadt',
      gemarkung: 'Neustadt',
      flurstueck: '12/3',
      flurstueckRoh: 'Gem. Neustadt, Flur 1, Flst. 12/3',
      mastrNummern: ['SEE900000000017'],
      foerderNummern: ['EEG900000000001'],
      foerderNummernAbgeleitet: ['EEG900000000001'],
      latitude: 47.67,
      longitude: 9.123456,
      geoGenauigkeit: 'EINHEIT',
      standortQuelle: 'PUBLIKATION',
    });
    // Lists are empty instead of null, and an award without any place is one of the round.
    expect(json.data[3]).toMatchObject({
      mastrNummern: [],
      foerderNummern: [],
      bundesland: null,
      standortQuelle: null,
    });
  });

  test('over all states, plus those without one, are the awards of the round', async () => {
    const { json: all } = await awards(SOLAR_2020);
    const [round] = (await service.get('/v1/ausschreibungen?von=2020-02-01&bis=2020-02-01')).json.data;
    expect(all.data).toHaveLength(round.zuschlaege);
    const states = [...new Set(all.data.map(({ bundesland }: { bundesland: string | null }) => bundesland))];
    const counts = await Promise.all(
      states
        .filter((state) => state !== null)
        .map(
          async (state) =>
            (await awards(SOLAR_2020, `bundesland=${encodeURIComponent(String(state))}`)).json.data.length,
        ),
    );
    const without = all.data.filter(({ bundesland }: { bundesland: string | null }) => bundesland === null).length;
    expect(counts.reduce((sum, count) => sum + count, without)).toBe(round.zuschlaege);
  });

  test('page by page are each award once; Link leads on, and a cursor belongs to its question', async () => {
    const seen: number[] = [];
    let path: string | null = `/v1/ausschreibungen/${SOLAR_2020}/zuschlaege?limit=2&bundesland=Bayern,Th%C3%BCringen`;
    let cursor = '';
    while (path !== null) {
      const page = await service.get(path);
      seen.push(...page.json.data.map(({ id }: { id: number }) => id % 100));
      cursor = page.json.meta.cursor ?? cursor;
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      path = next === undefined ? null : next.slice(next.indexOf('/v1/'));
    }
    expect(seen).toEqual([1, 2, 3]);
    const elsewhere = await awards(WIND_2023, `cursor=${cursor}&bundesland=Bayern,Th%C3%BCringen`);
    expectProblem(elsewhere, 400, 'INVALID_CURSOR');
    expectProblem(await awards(SOLAR_2020, `cursor=${cursor}`), 400, 'INVALID_CURSOR');
  });

  test('of a date without a list are none; a state that no unit has is pointed out', async () => {
    expect((await awards(2026050110)).json).toEqual({
      data: [],
      meta: { count: 0, hasMore: false, cursor: null, truncated: false },
    });
    const { json } = await awards(WIND_2023, 'bundesland=Brandenburk');
    expect(json.meta.hinweise).toEqual([
      {
        parameter: 'bundesland',
        wert: 'Brandenburk',
        hinweis: expect.stringContaining('did you mean "Brandenburg"?'),
        vorschlag: 'Brandenburg',
      },
    ]);
    expect((await awards(WIND_2023, 'bundesland=Bayern')).json.meta).not.toHaveProperty('hinweise');
  });

  test.each([
    ['1', '', 404, 'NOT_FOUND'],
    ['999999999999999', '', 404, 'NOT_FOUND'],
    ['WIND', '', 400, 'INVALID_PARAMETER'],
    ['-1', '', 400, 'INVALID_PARAMETER'],
    ['2023050110.0', '', 400, 'INVALID_PARAMETER'],
    [String(WIND_2023), 'limit=251', 400, 'INVALID_PARAMETER'],
    [String(WIND_2023), 'bundesland=', 400, 'INVALID_PARAMETER'],
    [String(WIND_2023), 'technologie=WIND', 400, 'UNKNOWN_PARAMETER'],
  ] as const)('%s?%s is %i %s', async (id, query, status, code) => {
    expectProblem(await awards(id, query), status, code);
  });

  test('as CSV, a text that a spreadsheet would take for a formula is harmless', async () => {
    const { text } = await awards(SOLAR_2020, 'format=csv&bundesland=Bayern');
    expect(text).toContain(",'=Wehr,");
  });

  test('as CSV, pages keep form and dialect, make up the list, and each ends with the attribution', async () => {
    const numbers: (string | undefined)[] = [];
    let path: string | undefined =
      `/v1/ausschreibungen/${SOLAR_2020}/zuschlaege?format=csv&dialekt=excel&quelle=true&limit=3`;
    while (path !== undefined) {
      const page: ServiceResponse = await service.get(path);
      const [names, ...rows] = parse(page.text, { delimiter: ';', bom: true });
      expect(names?.slice(0, 2)).toEqual(['id', 'zuschlagsnummer']);
      expect(rows.pop()?.[0]).toMatch(
        /^Quelle: Bundesnetzagentur, Ergebnisse der Ausschreibungen \(§ 35 EEG\), Stand /,
      );
      numbers.push(...rows.map(([id]) => id));
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]?.slice(service.url.length);
    }
    const { json } = await awards(SOLAR_2020);
    expect(numbers).toEqual(json.data.map(({ id }: { id: number }) => String(id)));
  });

  test('carry an entity tag', async () => {
    const first = await awards(SOLAR_2020);
    const tag = first.headers.get('etag') ?? '';
    const again = await service.get(`/v1/ausschreibungen/${SOLAR_2020}/zuschlaege`, { 'If-None-Match': tag });
    expect([tag === '', again.status]).toEqual([false, 304]);
  });
});

describe('tenders of units', () => {
  const numbers = async (query: string): Promise<string> => {
    const { json } = await service.get(`/v1/units?${query}`);
    return json.data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer.slice(-2)).join(' ');
  };

  test.each([
    [`gebotstermin=${WIND_2023}`, '07 08'],
    ['gebotstermin=2017050110', '08'],
    [`gebotstermin=${SOLAR_2020},2017050110`, '08 17'],
    [`gebotstermin=${WIND_2023}&leistungMinKw=6800&ibnVerspaetungMinTage=1`, '08'],
    // There is none, and there cannot be one.
    ['gebotstermin=1', ''],
    ['gebotstermin=2147483647,2147483648', ''],
    ['gebotstermin=99999999999999999999', ''],
    [`gebotstermin=99999999999999999999,${SOLAR_2020}`, '17'],
    ['hatEegZuschlagsnummer=true', '07 08 17'],
  ])('%s', async (query, expected) => {
    expect(await numbers(query)).toBe(expected);
  });

  test.each(['gebotstermin=WIND', 'gebotstermin=1.5', 'gebotstermin=-1', 'gebotstermin='])(
    '%s is refused',
    async (query) => {
      expectProblem(await service.get(`/v1/units?${query}`), 400, 'INVALID_PARAMETER');
    },
  );

  test('the search body takes the ids as texts', async () => {
    const search = (gebotstermin: unknown) =>
      service.send('POST', '/v1/units/search', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ gebotstermin }),
      });
    expect((await search([String(WIND_2023)])).json.meta.page.total).toBe(2);
    expectProblem(await search(['x']), 400, 'INVALID_PARAMETER');
    expectProblem(await search([WIND_2023]), 400, 'INVALID_BODY');
  });

  test('include=ausschreibungen shows them newest first, and null where there is none', async () => {
    const { json } = await service.get(
      '/v1/units?include=ausschreibungen&mastrNummern=SEE900000000001,SEE900000000008',
    );
    expect(json.data[0].ausschreibungen).toBeNull();
    expect(json.data[1].ausschreibungen).toEqual([
      {
        gebotsterminId: WIND_2023,
        technologie: 'WIND',
        datum: '2023-05-01',
        zuschlagsnummer: 'WIN23-2/008',
        gebotsmengeKw: 6800.5,
        zuordnung: 'register',
        regel: 'registernummer',
        sicherheit: 'sicher',
      },
      {
        gebotsterminId: 2017050110,
        technologie: 'WIND',
        datum: '2017-05-01',
        zuschlagsnummer: 'WIN17-1/003',
        gebotsmengeKw: null,
        zuordnung: 'register',
        regel: 'registernummer',
        sicherheit: 'sicher',
      },
    ]);
    expect((await service.get('/v1/units/SEE900000000008')).json.data.ausschreibungen).toEqual(
      json.data[1].ausschreibungen,
    );
  });

  test('as CSV they are JSON, in GeoJSON a property', async () => {
    const query = 'mastrNummern=SEE900000000017&fields=ausschreibungen';
    const { json } = await service.get(`/v1/units?${query}`);
    const { text } = await service.get(`/v1/units?${query}&format=csv`);
    const cell = (text.split('\r\n')[1] ?? '').slice('SEE900000000017,"'.length, -1).replaceAll('""', '"');
    expect(JSON.parse(cell)).toEqual(json.data[0].ausschreibungen);
    const geo = await service.get(`/v1/units?${query}&format=geojson`);
    expect(geo.json.features[0].properties.ausschreibungen).toEqual(json.data[0].ausschreibungen);
  });
});
