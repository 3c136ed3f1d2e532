import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../support/requests.ts';
import { type ServiceResponse, type Subject, serveFixture, shortNumbers } from '../support/service.ts';

/** GET /v1/units (interface.md, Assets). */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const list = (query: string): Promise<ServiceResponse> => service.get(`/v1/units?${query}`);
const numbers = async (query: string) => shortNumbers(await list(query)).join(' ');

describe('list form', () => {
  test('exactly the fields of the base form', async () => {
    const { json } = await list('mastrNummern=SEE900000000001');
    expect(json.data).toEqual([
      {
        mastrNummer: 'SEE900000000001',
        einheitTyp: 'wind',
        name: 'WEA Nordsee 1',
        betriebsStatus: 'In Betrieb',
        bruttoleistungKw: 3000,
        inbetriebnahmedatum: '2006-03-15',
        geplantesInbetriebnahmedatum: null,
        bundesland: 'Niedersachsen',
        plz: '26506',
        ort: 'Norden',
        latitude: 47.51,
        longitude: 9.123456,
        signals: ['wind_ueber_20_jahre'],
        links: {
          self: `${service.url}/v1/units/SEE900000000001`,
          app: `${service.url}/app/einheiten/SEE900000000001`,
          map: `${service.url}/app/karte?einheit=SEE900000000001`,
        },
      },
    ]);
    expect(json.meta).toEqual({
      page: { count: 1, hasMore: false, cursor: null, total: 1, truncated: false },
      sync: { token: expect.any(String), watermark: '2026-03-15T03:30:00.000Z' },
    });
  });

  test('pages of a list of numbers are full where some have no unit, and every page has the total', async () => {
    const asked = [0, 1, 2, 18, 19, 36].map(
      (number) => `SEE${number === 0 ? '000000000000' : 900_000_000_000 + number}`,
    );
    const query = `limit=2&mastrNummern=${['SEE000000000001', ...asked, asked[3]].join(',')}`;
    const pages = [await list(query)];
    for (let page = pages[0]!.json.meta.page; page.hasMore; page = pages.at(-1)!.json.meta.page) {
      pages.push(await list(`${query}&cursor=${encodeURIComponent(page.cursor)}`));
    }
    expect(pages.map((page) => shortNumbers(page).join(' '))).toEqual(['01 02', '18 19', '36']);
    expect(pages.map(({ json }) => json.meta.page.total)).toEqual([5, 5, 5]);
  });

  test('below 30 kW, and without a known capacity, no coordinates and no link to the map', async () => {
    const { json } = await list('mastrNummern=SEE900000000018,SEE900000000019,SEE900000000020');
    const seen = json.data.map((unit: { latitude: unknown; longitude: unknown; links: object }) => [
      unit.latitude === null,
      unit.longitude === null,
      Object.keys(unit.links),
    ]);
    expect(seen).toEqual([
      [false, false, ['self', 'app', 'map']],
      [true, true, ['self', 'app']],
      [true, true, ['self', 'app']],
    ]);
  });
});

describe('filters', () => {
  test.each([
    ['einheitTyp=geothermal,nuclear', '31 34'],
    ['einheitTyp=wind&betriebsStatus=In Planung', '07 08 09 10'],
    ['betriebsStatus=in planung', ''],
    ['bundesland=Berlin,Sachsen', '22 23 24 32 33'],
    ['bundesland="Berlin",Sachsen', '22 23 24 32 33'],
    ['landkreis=Aurich', '01 02 03 04 05 06 11 29 30 31'],
    ['landkreis=Köln, Stadt', '25 26'],
    ['gemeinde=Lingen (Ems)', '34'],
    ['plz=8', '12 13 14 29 30 31'],
    ['plz=02826', '32 33'],
    ['plz=2826', ''],
    ['plz=%', ''],
    ['leistungMinKw=110000', '33 34'],
    ['leistungMinKw=999999999999999.999', ''],
    ['leistungMinKw=110000&leistungMaxKw=999999999999999.999', '33 34'],
    ['leistungMaxKw=-999999999999999.999', ''],
    ['landkreis=Aurich&bundesland= Niedersachsen', ''],
    ['leistungMinKw=29.999&leistungMaxKw=30', '18 19'],
    ['leistungMinKw=29.9991&leistungMaxKw=30', '18'],
    ['leistungMaxKw=0.001', '21'],
    ['leistungMaxKw=0.0009', ''],
    ['inbetriebnahmeVon=2026-03-15', '05 15 16 17'],
    ['inbetriebnahmeBis=1984-07-01', '29 33'],
    ['inbetriebnahmeVon=2004-02-29&inbetriebnahmeBis=2004-02-29', '12'],
    ['mastrNummern=SEE900000000036,SEE900000000001,SEE900000000001,SEE000000000000', '01 36'],
    ["gemeinde=' OR 1=1 --", ''],
    ['betreiberMastrNummer=ABR900000000001&einheitTyp=nuclear', '34'],
    ['betreiberMastrNummer=ABR900000000002', ''],
    ['betreiber=Bürgerwind', ''],
    ['windSeelage=Windkraft auf See', '35'],
    ['windHersteller=Adwen GmbH,ENERCON GmbH&leistungMinKw=5600', '05 35'],
    ['windpark=Südheide&inbetriebnahmeVon=2010-01-01', '05 35'],
    ['solarSpeicherVorhanden=ja,nein', '13 14 15 16 22 23 24'],
    ['solarSpeicherVorhanden=ka&leistungMaxKw=10', '21 36'],
    ['einspeisungsart=Volleinspeisung', '17 18 19'],
    ['hauptbrennstoff="Abfall, fest","Erdgas, Erdölgas"', '32 33'],
    ['energietraeger=Solarthermie,Wind', '31'],
    // Units beside those that are asked for count, and these themselves.
    ['amStandort=storage', '13 14 24 25'],
    ['amStandort=storage&einheitTyp=solar', '13 14 24'],
    ['amStandort=solar,combustion', '13 14 24 25 32'],
    ['amStandort=nuclear', ''],
    ['amNetzanschluss=storage', '13 25'],
    ['amNetzanschluss=combustion', ''],
    ['speicherkapazitaetMinKwh=2000&speicherkapazitaetMaxKwh=2000', '25'],
    ['geplanteInbetriebnahmeVon=2026-01-31&geplanteInbetriebnahmeBis=2026-10-01', '08 26'],
    // The first known registration counts, not the day that the register names now.
    ['registrierungBis=2019-01-30', '10'],
    ['registrierungVon=2019-02-04&leistungMinKw=5000', '09 34'],
    ['stilllegungVon=2024-03-31&stilllegungBis=2025-12-15', '23 33'],
    ['ibnVerspaetungMinTage=43', '08'],
    ['ibnVerschiebungMinTage=40&ibnVerschiebungMaxTage=40.5', '08 10 26'],
    ['hatKoordinaten=false&einheitTyp=solar', '13 14 15 16 19 20 21 22 23 24 36'],
    ['hatKoordinaten=true&einheitTyp=solar', '17 18'],
    ['buergerenergie=true', '03 06'],
    // Units of which it is not known are included.
    ['buergerenergie=false&einheitTyp=wind', '01 02 04 05 07 08 09 10 11 12 35'],
    ['mitKwk=true', '32 33'],
    ['hatKwkMastrNummer=true', '32'],
    ['hatKwkZuschlagsnummer=true', ''],
    ['hatEegZuschlagsnummer=true', '07 08 17'],
    ['hatEegMastrNummer=false&einheitTyp=solar,nuclear', '34'],
    ['hatGenehmigung=false&einheitTyp=wind', '07 08 09 10 11'],
    ['nepGelistet=true', '32'],
    ['nepGelistet=false&einheitTyp=combustion', '33'],
    ['signals=repowering_kandidat', '03 04 12'],
    ['signals=repowering_kandidat,wind_ueber_20_jahre,grossspeicher', '01 03 04 12 25 26'],
    ['signals=neu_registriert', ''],
    ['gebotstermin=12', ''],
    ['eegFoerderendeVon=2045-12-31&eegFoerderendeBis=2046-03-15', '17 18 19'],
    ['eegFoerderendeBis=2021-12-31', '03'],
    ['eegPhasenwechselVon=2015-08-28&eegPhasenwechselBis=2036-01-30', '12'],
    ['eegAbleitbarkeit=exakt,geschaetzt', '07 17 18 19 28 35'],
    ['eegEinspeiseverguetungMinCtKwh=6.92&eegEinspeiseverguetungMaxCtKwh=6.92', '18'],
    ['eegEinspeiseverguetungMinCtKwh=6.921', '19 28'],
    ['eegAnzulegenderWertMaxCtKwh=5.01', '17 35'],
    ['eegReferenzertragVerhaeltnisMin=0.82&eegReferenzertragVerhaeltnisMax=0.853412', '12 35'],
    ['eegReferenzertragVerhaeltnisMin=0.8534121', '03'],
  ])('%s', async (query, expected) => {
    // Encoded as a client would; the queries above can be read.
    expect(await numbers(query.replaceAll(/[^&=]+/g, encodeURIComponent))).toBe(expected);
  });

  test('an operator by its whole name', async () => {
    const name = encodeURIComponent('Bürgerwind Südheide GmbH & Co. KG');
    expect(await numbers(`betreiber=${name}&leistungMinKw=7000`)).toBe('09 35');
  });

  test.each([
    ['süd', '01 02 03 04 05 06 07 08 09 10 11 12 13 35'],
    ['SUDHEIDE zukunft', '05'],
    ['  zukunft\tkrummhorn ', '05'],
    ['Krummhörn', '04 05 06'],
    ['gorlitz BHKW', '32'],
    ['SEE900000000007', '07'],
    ['see90000000003 0002', ''],
    ['eeg9 balkon', '22 23 24'],
    ['02826', '32 33'],
    ['STRASSE', ''],
    ['%', ''],
    ['_', ''],
    ['mühle wehr', '29'],
    // Text of two fields that stand side by side is no text of the unit.
    ['"mühlewehr"', ''],
  ])('suche=%s', async (words, expected) => {
    expect(await numbers(`suche=${encodeURIComponent(words)}`)).toBe(expected);
  });

  test.each([
    ['suche=%20%09', 'INVALID_PARAMETER'],
    [`suche=${'x'.repeat(201)}`, 'INVALID_PARAMETER'],
    ['solarSpeicherVorhanden=vielleicht', 'INVALID_PARAMETER'],
    ['eegAbleitbarkeit=genau', 'INVALID_PARAMETER'],
    ['betreiberMastrNummer=ABR1', 'INVALID_PARAMETER'],
    ['hatKoordinaten=ja', 'INVALID_PARAMETER'],
    ['nepGelistet=1', 'INVALID_PARAMETER'],
    ['signals=neu', 'UNKNOWN_SIGNAL'],
    ['registrierungVon=2024-01-02&registrierungBis=2024-01-01', 'FILTER_CONFLICT'],
    ['eegReferenzertragVerhaeltnisMin=1.2&eegReferenzertragVerhaeltnisMax=1.1', 'FILTER_CONFLICT'],
    ['hatEegMastrnummer=true', 'UNKNOWN_PARAMETER'],
  ])('400: %s', async (query, code) => {
    const response = await list(query);
    expect([response.status, response.json.code]).toEqual([400, code]);
  });

  test('at most 500 numbers', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => `SEE9${String(index).padStart(11, '0')}`).join(',');
    expect((await list(`mastrNummern=${many(500)}`)).status).toBe(200);
    const response = await list(`mastrNummern=${many(501)}`);
    expect([response.status, response.json.code]).toEqual([400, 'TOO_MANY_VALUES']);
  });

  test.each([
    ['mastrNummern=SEE12', 'INVALID_PARAMETER'],
    ['einheitTyp=Wind', 'INVALID_PARAMETER'],
    ['einheitTyp=wind,,solar', 'INVALID_PARAMETER'],
    ['bundesland="Bayern', 'INVALID_PARAMETER'],
    ['leistungMinKw=10x', 'INVALID_PARAMETER'],
    ['leistungMinKw=1e3', 'INVALID_PARAMETER'],
    ['leistungMinKw=0x10', 'INVALID_PARAMETER'],
    ['leistungMinKw=1,5', 'INVALID_PARAMETER'],
    ['leistungMinKw=', 'INVALID_PARAMETER'],
    ['leistungMinKw=2&leistungMaxKw=1', 'FILTER_CONFLICT'],
    ['inbetriebnahmeVon=2023-02-29', 'INVALID_PARAMETER'],
    ['inbetriebnahmeVon=2024-01-02&inbetriebnahmeBis=2024-01-01', 'FILTER_CONFLICT'],
    ['limit=0', 'INVALID_PARAMETER'],
    ['limit=251', 'INVALID_PARAMETER'],
    ['limit=1.0', 'INVALID_PARAMETER'],
    ['limit=-1', 'INVALID_PARAMETER'],
    ['sort=ort:asc', 'NOT_SORTABLE'],
    ['sort=unbekannt:asc', 'NOT_SORTABLE'],
    ['sort=mastrNummer', 'INVALID_PARAMETER'],
    ['sort=mastrNummer:up', 'INVALID_PARAMETER'],
    ['sort=mastrNummer:asc,mastrNummer:desc', 'INVALID_PARAMETER'],
    ['sort=', 'INVALID_PARAMETER'],
    ['cursor=abc', 'INVALID_CURSOR'],
    ['include=strasse', 'INVALID_PARAMETER'],
  ])('400: %s', async (query, code) => {
    const response = await list(query);
    expect([response.status, response.json.code]).toEqual([400, code]);
  });
});

describe('sort', () => {
  test.each([
    ['', '01 02 03'],
    ['sort=mastrNummer:desc', '36 35 34'],
    ['sort=bruttoleistungKw:desc', '34 33 26'],
    ['sort=bruttoleistungKw:asc', '21 24 22'],
    ['sort=inbetriebnahmedatum:asc', '29 33 34'],
    ['sort=geplantesInbetriebnahmedatum:desc,mastrNummer:asc', '31 07 26'],
    ['sort=registrierungsdatum:asc,mastrNummer:desc', '35 30 25'],
  ])('%s', async (query, expected) => {
    expect(await numbers(`${query}&limit=3`)).toBe(expected);
  });

  test.each(['asc', 'desc'])('nulls come last: %s', async (direction) => {
    const response = await list(`sort=bruttoleistungKw:${direction}`);
    expect(shortNumbers(response).at(-1)).toBe('20');
    const byDay = shortNumbers(await list(`sort=inbetriebnahmedatum:${direction}`));
    expect(byDay.slice(-7)).toEqual(['06', '07', '08', '09', '26', '30', '31']);
  });
});

describe('pages', () => {
  test.each(['mastrNummer:asc', 'bruttoleistungKw:desc', 'inbetriebnahmedatum:asc,bruttoleistungKw:desc'])(
    'following the Link headers returns every unit once: %s',
    async (sort) => {
      const whole = shortNumbers(await list(`sort=${sort}`));
      expect(whole).toHaveLength(36);
      const met: string[] = [];
      let next: string | null = `/v1/units?sort=${sort}&limit=7`;
      let pages = 0;
      while (next !== null) {
        const response: ServiceResponse = await service.get(next);
        const { page } = response.json.meta;
        met.push(...shortNumbers(response));
        expect(page).toMatchObject({ count: response.json.data.length, total: 36, truncated: false });
        const links = linksOf(response);
        expect(links.first === undefined).toBe(pages === 0);
        expect(page.hasMore).toBe(links.next !== undefined);
        expect(page.cursor).toBe(links.next === undefined ? null : new URL(links.next).searchParams.get('cursor'));
        next = links.next === undefined ? null : links.next.slice(service.url.length);
        pages += 1;
      }
      expect(met).toEqual(whole);
      expect(pages).toBe(6);
    },
  );

  test('the links are absolute and keep every parameter', async () => {
    const query = new URLSearchParams({ bundesland: '"Bayern",Hessen', sort: 'mastrNummer:desc', limit: '2' });
    const first = await list(query.toString());
    const next = new URL(linksOf(first).next ?? '');
    expect(next.origin).toBe(service.url);
    expect(Object.fromEntries(next.searchParams)).toEqual({
      ...Object.fromEntries(query),
      cursor: first.json.meta.page.cursor,
    });
    const second = await service.get(next.pathname + next.search);
    expect(Object.fromEntries(new URL(linksOf(second).first ?? '').searchParams)).toEqual(Object.fromEntries(query));
  });

  test('a page that is exactly full has no next one', async () => {
    const response = await list('limit=36');
    expect(response.json.meta.page).toMatchObject({ count: 36, hasMore: false, cursor: null });
    expect(response.headers.get('link')).toBeNull();
  });

  test('a set of values is one filter, however it is written: for the cursor and for the token', async () => {
    const written = ['einheitTyp=solar,wind', 'einheitTyp=wind,solar', 'einheitTyp=wind,solar,wind'];
    const { json } = await list(`${written[0]}&limit=2`);
    const whole = await list(`${written[0]}&limit=250`);
    for (const same of written) {
      expect((await list(`${same}&limit=2&cursor=${encodeURIComponent(json.meta.page.cursor)}`)).status).toBe(200);
      expect((await list(`${same}&syncToken=${encodeURIComponent(whole.json.meta.sync.token)}`)).status).toBe(200);
    }
    const other = await list(`einheitTyp=wind&cursor=${encodeURIComponent(json.meta.page.cursor)}`);
    expectProblem(other, 400, 'INVALID_CURSOR');
  });

  test('a cursor belongs to its filters and its sort, not to the page size', async () => {
    const cursor = encodeURIComponent((await list('einheitTyp=wind&limit=2')).json.meta.page.cursor);
    expect((await list(`einheitTyp=wind&limit=3&cursor=${cursor}`)).status).toBe(200);
    for (const other of ['einheitTyp=solar', 'einheitTyp=wind&sort=mastrNummer:desc', 'limit=2']) {
      const response = await list(`${other}&cursor=${cursor}`);
      expect([response.status, response.json.code]).toEqual([400, 'INVALID_CURSOR']);
    }
  });

  test('default page size', async () => {
    expect((await list('')).json.meta.page.count).toBe(36);
  });

  function linksOf(response: ServiceResponse): Record<string, string> {
    const header = response.headers.get('link') ?? '';
    return Object.fromEntries([...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]));
  }
});
