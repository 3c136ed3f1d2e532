import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { makeCaller } from '../support/organisation.ts';
import { type OwnSubject, type ServiceResponse, serveSharedFixture, shortNumbers } from '../support/service.ts';

/** The form of a unit in a list: `fields`, `include`, `expand`, `format`, and what the organisation is entitled to. */

let service: OwnSubject;
/** Keys of organisations without module eeg_verguetung, and with one signal only. */
let withoutEeg: string;
let oneSignal: string;
beforeAll(async () => {
  service = await serveSharedFixture();
  withoutEeg = await makeCaller(service.store, { modules: ['api', 'analysis'] });
  oneSignal = await makeCaller(service.store, { signals: ['wind_ueber_20_jahre'] });
});
afterAll(() => service.stop());

const list = (query: string, headers: Record<string, string> = {}): Promise<ServiceResponse> =>
  service.get(`/v1/units?${query}`, headers);
const as = (key: string) => ({ Authorization: `Bearer ${key}` });

const FIRST = 'mastrNummern=SEE900000000001';
const keysOf = async (query: string): Promise<string[]> => Object.keys((await list(`${FIRST}&${query}`)).json.data[0]);
const BASE = `mastrNummer einheitTyp name betriebsStatus bruttoleistungKw inbetriebnahmedatum
  geplantesInbetriebnahmedatum bundesland plz ort latitude longitude signals`.split(/\s+/);

describe('field catalogue', () => {
  test('is answered with 304 until the release or the booked modules change', async () => {
    const response = await service.get('/v1/units/fields');
    const tag = response.headers.get('etag') ?? '';
    const again = await service.get('/v1/units/fields', { 'If-None-Match': tag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    const other = await service.get('/v1/units/fields?nurVerfuegbare=true', { 'If-None-Match': tag });
    expect(other.status).toBe(200);
    const bare = await makeCaller(service.store, { modules: ['api'] });
    expect((await service.get('/v1/units/fields', { 'If-None-Match': tag, ...as(bare) })).status).toBe(200);
  });
});

const EEG_FIELDS = UNIT_FIELDS.filter(({ block }) => block === 'eeg').map(({ name }) => name);

describe('fields', () => {
  test.each([
    ['fields=name', ['mastrNummer', 'name', 'links']],
    ['fields=mastrNummer', ['mastrNummer', 'links']],
    ['fields=links,signals', ['mastrNummer', 'signals', 'links']],
    [
      'fields=windHersteller,landkreis,netzbetreiber',
      ['mastrNummer', 'landkreis', 'netzbetreiber', 'windHersteller', 'links'],
    ],
    // Given alone or not, `fields` determines the scope.
    ['fields=landkreis&include=technik', ['mastrNummer', 'landkreis', 'links']],
    ['fields=ausschreibungen,eegFoerderende', ['mastrNummer', 'eegFoerderende', 'ausschreibungen', 'links']],
  ])('%s', async (query, keys) => {
    expect(await keysOf(query)).toEqual(keys);
  });

  test('the links do not depend on the choice', async () => {
    const { json } = await list(`${FIRST}&fields=name`);
    expect(Object.keys(json.data[0].links)).toEqual(['self', 'app', 'map']);
  });

  test.each([
    ['fields=nam', /"nam".*did you mean name\?/],
    ['fields=name,region', /"region"/],
    ['fields=suche', /filtered by but not read/],
    ['fields=hatKoordinaten', /filtered by but not read/],
  ])('400: %s', async (query, detail) => {
    const { status, json } = await list(query);
    expect([status, json.code]).toEqual([400, 'UNKNOWN_FIELD']);
    expect(json.errors[0]).toMatchObject({ parameter: 'fields', detail: expect.stringMatching(detail) });
  });

  test('it unlocks no field, and no locked field is refused', async () => {
    const response = await list(`${FIRST}&fields=name,eegFoerderende`, as(withoutEeg));
    expect(Object.keys(response.json.data[0])).toEqual(['mastrNummer', 'name', 'links']);
  });
});

describe('include', () => {
  test.each([
    ['standort', 'landkreis gemeinde gemeindeschluessel kreisschluessel standortEnergietraeger'],
    ['betreiber', 'betreiberName betreiberMastrNummer'],
    ['termine', 'stilllegungsdatum registrierungsdatum ibnVerspaetungTage ibnVerschiebungTage'],
    [
      'register',
      `nettonennleistungKw eegMastrNummer eegZuschlagsnummer mitKwk kwkMastrNummer kwkZuschlagsnummer einspeisungsart weic
       kraftwerksnummer bnetzaNummer anlagenschluesselEeg nepGelistet datumLetzteAktualisierung`,
    ],
    [
      'netz',
      `netzbetreiber netzbetreiberMastrNummer netzbetreiberpruefung netzbetreiberpruefungDatum spannungsebene
       netzanschlusspunktMastrNummer bilanzierungsgebiet regelzone lokationMastrNummer
       netzanschlussEnergietraeger`,
    ],
    [
      'genehmigung',
      `genehmigungMastrNummer genehmigungArt genehmigungDatum genehmigungBehoerde genehmigungAktenzeichen genehmigungFrist`,
    ],
    [
      'eeg',
      `eegFoerderbeginn eegFoerderende eegEinspeiseverguetungCtKwh eegAnzulegenderWertCtKwh eegReferenzertragVerhaeltnis
       eegPhasenwechsel eegAbleitbarkeit eegGesetz`,
    ],
    ['ausschreibungen', 'ausschreibungen'],
  ])('%s', async (block, fields) => {
    const added = fields.split(/\s+/).filter((name) => name !== '');
    expect(await keysOf(`include=${block}`)).toEqual([...BASE, ...added, 'links']);
  });

  test('technik: the fields of other carriers are null', async () => {
    const { json } = await list(`${FIRST}&include=technik`);
    expect(json.data[0]).toMatchObject({ windHersteller: 'ENERCON GmbH', speichertechnologie: null, solarLage: null });
  });

  test('several, and the whole catalogue is a block or the base form', async () => {
    const blocks = 'standort,betreiber,termine,eeg,netz,register,genehmigung,technik,ausschreibungen,qualitaet';
    const whole = (await service.get('/v1/units/SEE900000000001')).json.data;
    const { json } = await list(`${FIRST}&include=${blocks}`);
    const { betreiber, ...unit } = whole;
    expect(json.data[0]).toEqual(unit);
    expect(betreiber).toBe(unit.betreiberName);
  });

  test('eeg is refused without its module; never for lack of a value', async () => {
    const response = await list('include=eeg', as(withoutEeg));
    expect([response.status, response.json.code]).toEqual([403, 'MISSING_MODULE']);
    expect(response.json.detail).toMatch(/block eeg needs the module eeg_verguetung/);
    expect((await list('include=standorte')).json.errors[0].detail).toMatch(/did you mean standort\?/);
  });
});

describe('expand', () => {
  const operator = {
    mastrNummer: 'ABR900000000001',
    name: 'Bürgerwind Südheide GmbH & Co. KG',
    marktfunktion: 'Anlagenbetreiber',
    bundesland: 'Niedersachsen',
    ort: 'Celle',
    anlagenAnzahl: 36,
  };

  test('both, in addition to the chosen fields', async () => {
    const { json } = await list(`${FIRST}&fields=name&expand=marktakteur,netzbetreiber`);
    expect(json.data[0].expanded).toEqual({
      marktakteur: operator,
      netzbetreiber: {
        mastrNummer: 'SNB900000000001',
        name: 'Netz Nord AG',
        marktfunktion: 'Stromnetzbetreiber',
        bundesland: 'Hamburg',
        ort: 'Hamburg',
        anlagenAnzahl: 0,
      },
    });
    expect(Object.keys(json.data[0])).toEqual(['mastrNummer', 'name', 'links', 'expanded']);
  });

  test('null for a natural person, and where no grid operator is known', async () => {
    const { json } = await list('mastrNummern=SEE900000000036,SEE900000000035&expand=marktakteur,netzbetreiber');
    expect(json.data.map(({ expanded }: { expanded: unknown }) => expanded)).toEqual([
      { marktakteur: operator, netzbetreiber: null },
      { marktakteur: null, netzbetreiber: null },
    ]);
  });

  test('an empty page expands nothing; others only what exists', async () => {
    expect((await list('bundesland=Nirgendwo&expand=marktakteur')).json.data).toEqual([]);
    expect((await list('expand=betreiber')).json.code).toBe('INVALID_PARAMETER');
  });
});

describe('GeoJSON', () => {
  const GEO = 'application/geo+json';

  test('answers a feature for each unit, with the point next to the properties', async () => {
    const response = await list('mastrNummern=SEE900000000001,SEE900000000036&format=geojson&fields=name,latitude');
    expect(response.headers.get('content-type')).toBe(`${GEO}; charset=utf-8`);
    expect(response.json).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'SEE900000000001',
          geometry: { type: 'Point', coordinates: [9.123456, 47.51] },
          properties: { mastrNummer: 'SEE900000000001', name: 'WEA Nordsee 1', links: expect.any(Object) },
        },
        {
          type: 'Feature',
          id: 'SEE900000000036',
          geometry: null,
          properties: { mastrNummer: 'SEE900000000036', name: 'Ohne Ort', links: expect.any(Object) },
        },
      ],
      meta: {
        page: { count: 2, hasMore: false, cursor: null, truncated: false, total: 2 },
        sync: { token: expect.any(String), watermark: expect.any(String) },
      },
    });
  });

  test.each([
    ['', GEO, GEO],
    ['', `application/json;q=0.5, ${GEO}`, GEO],
    ['', '*/*', 'application/json'],
    ['', `${GEO};q=0.5, application/json`, 'application/json'],
    ['format=json', GEO, 'application/json'],
    ['format=geojson', 'application/json', GEO],
  ])('%s with Accept %s is %s', async (query, accept, media) => {
    const response = await list(`${query}&limit=1`, { Accept: accept });
    expect(response.headers.get('content-type')).toBe(`${media}; charset=utf-8`);
    expect(response.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
  });

  test('the entity tags of the forms differ', async () => {
    const [json, geo] = await Promise.all([list('limit=1'), list('limit=1', { Accept: GEO })]);
    expect(json.headers.get('etag')).not.toBe(geo.headers.get('etag'));
    const again = await list('limit=1', { Accept: GEO, 'If-None-Match': geo.headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('no form that is not available', async () => {
    expect((await list('format=pdf')).json.code).toBe('INVALID_PARAMETER');
    expect((await list('format=geojson', { Accept: 'text/html' })).json.code).toBe('NOT_ACCEPTABLE');
  });

  test('the links of its pages keep the form', async () => {
    const response = await list('format=geojson&limit=20');
    expect(response.headers.get('link')).toContain('format=geojson');
    const next = await list(`format=geojson&limit=20&cursor=${response.json.meta.page.cursor}`);
    expect(next.json.features).toHaveLength(16);
  });
});

describe('entitlements', () => {
  test('a unit shows the signals that the organisation is entitled to', async () => {
    const query = 'mastrNummern=SEE900000000003';
    expect((await list(query)).json.data[0].signals).toEqual(['wind_ueber_20_jahre', 'repowering_kandidat']);
    expect((await list(query, as(oneSignal))).json.data[0].signals).toEqual(['wind_ueber_20_jahre']);
    const detail = await service.get('/v1/units/SEE900000000003', as(oneSignal));
    expect(detail.json.data.signals).toEqual(['wind_ueber_20_jahre']);
  });

  test('a filter by another signal is refused, not ignored', async () => {
    expect(shortNumbers(await list('signals=wind_ueber_20_jahre', as(oneSignal)))).toEqual(['01', '03', '04', '12']);
    const response = await list('signals=wind_ueber_20_jahre,repowering_kandidat', as(oneSignal));
    expect([response.status, response.json.code]).toEqual([403, 'SIGNAL_NOT_ENTITLED']);
    expect(response.json.detail).toMatch(/repowering_kandidat; it is entitled to wind_ueber_20_jahre$/);
    const body = {
      headers: { ...as(oneSignal), 'Content-Type': 'application/json' },
      body: '{"signals":["grossspeicher"]}',
    };
    expect((await service.send('POST', '/v1/units/search', body)).json.code).toBe('SIGNAL_NOT_ENTITLED');
  });

  test('the detail form shows the blocks that are booked; those of the register need no module', async () => {
    const [some, all] = await Promise.all(
      [as(withoutEeg), {}].map((headers) => service.get('/v1/units/SEE900000000001', headers)),
    );
    const booked = Object.entries(all!.json.data).filter(([name]) => !EEG_FIELDS.includes(name));
    expect(some!.json.data).toEqual(Object.fromEntries(booked));
  });
});

describe('field catalogue', () => {
  const fields = async (query = '', headers = {}) => (await service.get(`/v1/units/fields${query}`, headers)).json;

  test('seven fields are filterable and not readable, with the reason', async () => {
    const { data } = await fields();
    const filterOnly = data.filter(({ lesbar }: { lesbar: boolean }) => !lesbar);
    expect(filterOnly.map(({ name }: { name: string }) => name)).toEqual([
      'auffaellig',
      'bbox',
      'hatKoordinaten',
      'mastrNummern',
      'polygon',
      'suche',
      'umkreis',
    ]);
    for (const field of filterOnly) {
      expect(field).toMatchObject({ filterbar: true, verfuegbar: true, hinweis: expect.any(String) });
    }
  });

  test('an organisation that has booked every module gets every field', async () => {
    const { data, meta } = await fields();
    expect(data.filter(({ verfuegbar }: { verfuegbar: boolean }) => !verfuegbar)).toEqual([]);
    expect(meta.gesperrt).toBe(0);
  });

  test('computed values say their unit, and what they are not', async () => {
    const { data } = await fields();
    const eeg = data.filter(({ block }: { block: string }) => block === 'eeg');
    for (const { name, hinweis } of eeg)
      expect([name, hinweis]).toEqual([name, expect.stringMatching(/\p{Lu}.{20,}/u)]);
    const units = eeg
      .filter(({ name }: { name: string }) => name.endsWith('CtKwh'))
      .map(({ einheit }: { einheit: string }) => einheit);
    expect(units).toEqual(['ct/kWh', 'ct/kWh']);
  });

  test('without the module the fields of eeg are locked', async () => {
    const { data, meta } = await fields('', as(withoutEeg));
    const locked = data.filter(({ modul }: { modul: string | null }) => modul !== null);
    expect(locked.map(({ block }: { block: string }) => block)).toEqual(Array(8).fill('eeg'));
    expect(meta).toMatchObject({ gesperrt: 8, module: ['analysis', 'api'] });
  });

  test('every filter of the list belongs to one field', async () => {
    const { data } = await fields();
    const named = data.flatMap(({ filter }: { filter: string[] }) => filter);
    const document = (await service.get('/v1/openapi.json')).json;
    const shaping = ['limit', 'cursor', 'sort', 'fields', 'include', 'expand', 'format', 'dialekt', 'quelle'];
    const own = ['portfolio', 'portfolioRelationType', 'portfolioExternalRef', 'portfolioCustomField'];
    const control = [...shaping, ...own, 'savedFilterId', 'eventId', 'updatedSince', 'syncToken', 'stand'];
    const parameters = document.paths['/v1/units'].get.parameters
      .filter(
        (parameter: { in: string; name: string }) => parameter.in === 'query' && !control.includes(parameter.name),
      )
      .map(({ name }: { name: string }) => name);
    expect(named.toSorted()).toEqual(parameters.toSorted());
  });
});
