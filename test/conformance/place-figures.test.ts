import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildVersion, temporaryFolder } from '../support/fixture.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/**
 * Figures by inhabitants and area use places as they are on the official list, while units keep the keys of the register: Eisenach
 * was a district until 2021, Hanau left its district in 2026.
 */

const VERSION = '20260315-0001';

/** Number, state, district, municipality, its key, capacity, status, day. */
const UNITS = [
  ['1', 'Thüringen', 'Eisenach', 'Eisenach', '16056000', 1000, 35, '2020-05-01'],
  ['2', 'Thüringen', 'Wartburgkreis', 'Eisenach', '16063105', 549.57, 35, '2026-02-01'],
  ['3', 'Hessen', 'Main-Kinzig-Kreis', 'Hanau', '06435014', 3000, 35, '2020-05-01'],
  ['4', 'Hessen', 'Main-Kinzig-Kreis', 'Bad Orb', '06435001', 322.958, 35, '2020-05-01'],
  ['5', 'Hessen', 'Main-Kinzig-Kreis', 'Nirgendwo', '06435999', 5, 35, '2020-05-01'],
  ['6', 'Ausschließliche Wirtschaftszone', null, null, null, 8000, 31, null],
] as const;

const warehouse = temporaryFolder();
let service: OwnSubject;
beforeAll(async () => {
  await buildVersion(warehouse.path, VERSION, async (connection) => {
    const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`);
    for (const [number, state, district, municipality, key, kw, status, day] of UNITS) {
      await connection.run(`INSERT INTO units (mastrNummer, einheitTyp, bundesland, landkreis, gemeinde, gemeindeschluessel,
        bruttoleistungKw, statusId, betriebsStatus, inbetriebnahmedatum, region) VALUES ('SEE90000000000${number}', 'solar', '${state}',
        ${text(district)}, ${text(municipality)}, ${text(key)}, ${kw}, ${status}, '${status === 35 ? 'In Betrieb' : 'In Planung'}',
        ${text(day)}, ${number})`);
    }
  });
  publish(warehouse.path, VERSION, 'build', new Date('2026-03-15T03:30:00Z'));
  service = await serve(warehouse.path, { TODAY: '2026-03-15' });
});
afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

const get = async (path: string) => (await service.get(path)).json;

const WARTBURGKREIS = { einwohner: 154_957, flaecheKm2: 1367.17 };
const MAIN_KINZIG_KREIS = { einwohner: 322_958, flaecheKm2: 1321.05 };

describe('aggregations', () => {
  test.each(['', '&einheitTyp=solar'])('a district counts all units that lie in it today%s', async (filter) => {
    const { data, meta } = await get(`/v1/aggregations?groupBy=landkreis${filter}`);
    const figures = Object.fromEntries(
      data.groups.map((group: Record<string, unknown>) => [
        group.key,
        [group.count, group.einwohner, group.anzahlJe1000Einwohner, group.kwJe1000Einwohner],
      ]),
    );
    expect(figures).toEqual({
      Eisenach: [1, 154_957, 0.012907, 10],
      Wartburgkreis: [1, 154_957, 0.012907, 10],
      // Hanau is a district of its own, of which there is no group; a key that is on no list is known to lie here.
      'Main-Kinzig-Kreis': [3, 322_958, 0.006193, 1.015482],
      null: [1, null, null, null],
    });
    expect(meta.bezug).toEqual({
      quelle: '© Statistisches Bundesamt (Destatis), Gemeindeverzeichnis',
      gebietsstand: '2026-02-28',
      einwohnerAm: '2024-12-31',
      ohneOrt: { count: 2, bruttoleistungKw: 11_000 },
    });
  });

  test('a municipality that was merged has the figures of the one that it belongs to', async () => {
    const { data } = await get('/v1/aggregations?groupBy=gemeinde');
    const group = (key: string) => data.groups.find(({ schluessel }: { schluessel: string }) => schluessel === key);
    const eisenach = { einwohner: group('16063105').einwohner, kwJeKm2: group('16063105').kwJeKm2 };
    expect(group('16056000')).toMatchObject({ ...eisenach, bruttoleistungKw: 1000 });
    expect(eisenach.einwohner).toBeGreaterThan(40_000);
    expect(group('06435999')).toMatchObject({ einwohner: null, flaecheKm2: null, anzahlJeKm2: null });
  });

  test('states have theirs, and what is in none is counted', async () => {
    const { data, meta } = await get('/v1/aggregations?groupBy=bundesland');
    const hessen = data.groups.find(({ key }: { key: string }) => key === 'Hessen');
    expect(hessen.kwJe1000Einwohner).toBe(Math.round((3_327_958 / hessen.einwohner) * 1e6) / 1e6);
    expect(meta.bezug.ohneOrt).toEqual({ count: 1, bruttoleistungKw: 8000 });
  });

  test('groups that are no places have no such members, in JSON and in CSV', async () => {
    const { data, meta } = await get('/v1/aggregations?groupBy=plz');
    expect(Object.keys(data.groups[0])).toEqual([
      ...['key', 'count', 'bruttoleistungKw', 'durchschnittsleistungKw', 'speicherkapazitaetKwh'],
    ]);
    expect(meta).not.toHaveProperty('bezug');
    const header = async (groupBy: string) =>
      (await service.get(`/v1/aggregations?groupBy=${groupBy}&format=csv`)).text.split('\r\n')[0];
    expect(await header('plz')).not.toMatch(/einwohner/i);
    expect(await header('bundesland')).toMatch(/^key,count,.*,einwohner,flaecheKm2,anzahlJe1000Einwohner,/);
  });
});

describe('regions', () => {
  const momentaufnahme = (query: string) => get(`/v1/region/momentaufnahme?${query}`);
  const orte = ({ meta }: { meta: { bezug: { orte: { name: string }[] } } }) => meta.bezug.orte.map(({ name }) => name);

  test.each(['16056', '16063', 'Eisenach'])('%s is the district of today', async (region) => {
    const answer = await momentaufnahme(`ebene=landkreis&region=${region}`);
    expect(orte(answer)).toEqual(['Wartburgkreis']);
    expect(answer.data).toMatchObject({
      ...WARTBURGKREIS,
      zubau90Tage: { anzahl: region === '16063' ? 1 : 0, anzahlJe1000Einwohner: 0.006453, kwJeKm2: 0.401976 },
    });
  });

  test('a time series by year, which keeps its own figures', async () => {
    const { data, meta } = await get('/v1/region/zeitreihe?ebene=landkreis&region=06435&periode=jahr');
    expect(data).toEqual([
      expect.objectContaining({
        ...{ periode: '2020', zubauAnzahl: 3, zubauMw: 3.327958 },
        ...{ zubauAnzahlJe1000Einwohner: 0.006193, zubauKwJe1000Einwohner: 1.015482, zubauKwJeKm2: 0.248256 },
        ...{ pipelineKwJeKm2: 0 },
      }),
    ]);
    expect(meta.bezug).toMatchObject({
      ...MAIN_KINZIG_KREIS,
      orte: [{ schluessel: '06435', name: 'Main-Kinzig-Kreis' }],
    });
  });

  test('carriers of the register are counted in the same places', async () => {
    const { data } = await get(
      '/v1/region/zeitreihe?ebene=landkreis&region=06435&periode=jahr&registerEnergietraeger=Solare Strahlungsenergie',
    );
    expect(data).toEqual([]);
  });

  test('a state and the country are as they are counted, the economic zone included', async () => {
    const country = await momentaufnahme('');
    expect(country.data).toMatchObject({
      ...{ einwohner: 83_577_140, flaecheKm2: 357_683.94 },
      pipeline: { anzahl: 1, kwJe1000Einwohner: 0.09572 },
    });
    expect(orte(country)).toHaveLength(16);
    expect(orte(await momentaufnahme('ebene=bundesland&region=Hessen'))).toEqual(['Hessen']);
  });

  test.each([
    'ebene=plz&region=36433',
    'ebene=gemeinde&region=06435999',
    'ebene=bundesland&region=Ausschließliche Wirtschaftszone',
    'ebene=landkreis&region=Atlantis',
  ])('null where the list has nothing: %s', async (query) => {
    const { data, meta } = await momentaufnahme(query);
    expect(meta.bezug).toBeNull();
    expect(data).toMatchObject({ einwohner: null, flaecheKm2: null, pipeline: { kwJe1000Einwohner: null } });
  });
});
