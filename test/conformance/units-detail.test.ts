import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODULES } from '../../sql/org/rights.ts';
import { type Subject, serveFixture } from '../support/service.ts';

/** GET /v1/units/{id} and /v1/units/fields (interface.md, Assets). */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

describe('detail form', () => {
  test('base form, blocks flat, and betreiber', async () => {
    const { json } = await service.get('/v1/units/SEE900000000008');
    expect(json.meta).toEqual({});
    expect(json.data).toMatchObject({
      mastrNummer: 'SEE900000000008',
      landkreis: 'Uckermark',
      gemeinde: 'Prenzlau',
      betreiberName: 'Bürgerwind Südheide GmbH & Co. KG',
      betreiber: 'Bürgerwind Südheide GmbH & Co. KG',
      betreiberMastrNummer: 'ABR900000000001',
      registrierungsdatum: '2019-02-03',
      // Planned for 2026-01-31, not commissioned on 2026-03-15; first planned 40 days earlier.
      ibnVerspaetungTage: 43,
      ibnVerschiebungTage: 40,
      nettonennleistungKw: 6800,
      mitKwk: false,
      datumLetzteAktualisierung: '2026-03-01T04:05:06.789Z',
      signals: [],
    });
  });

  test('no address and no column of the warehouse that is not of the catalogue', async () => {
    const { json } = await service.get('/v1/units/SEE900000000008');
    const catalogue = (await service.get('/v1/units/fields')).json.data;
    const readable = catalogue.filter(
      (field: { lesbar: boolean; verfuegbar: boolean }) => field.lesbar && field.verfuegbar,
    );
    const names = readable.map((field: { name: string }) => field.name);
    expect(Object.keys(json.data).sort()).toEqual([...names, 'betreiber'].sort());
    for (const name of ['strasse', 'hausnummer', 'flurstueck', 'region', 'statusId']) {
      expect(json.data).not.toHaveProperty(name);
    }
  });

  test('include=standort: the other units at its location, with what each says of itself', async () => {
    const { json } = await service.get('/v1/units/SEE900000000013?include=standort');
    expect(json.data.standortEnergietraeger).toEqual(['solar', 'storage']);
    const { anzahl, einheiten } = json.data.nachbarn;
    expect([anzahl, einheiten.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer.slice(-2))]).toEqual([
      3,
      ['14', '24', '25'],
    ]);
    for (const short of einheiten) {
      expect((await service.get(`/v1/units/${short.mastrNummer}`)).json.data).toMatchObject(short);
    }
  });

  test('include=standort: none where it is alone, or has no location', async () => {
    for (const number of ['32', '01']) {
      const { json } = await service.get(`/v1/units/SEE9000000000${number}?include=standort`);
      expect(json.data.nachbarn).toEqual({ anzahl: 0, einheiten: [] });
    }
  });

  test.each(['include=netz', 'include=standort,', 'include=', 'fields=name'])('400 for %s', async (query) => {
    expect((await service.get(`/v1/units/SEE900000000013?${query}`)).status).toBe(400);
  });

  test('404 for numbers that are no unit', async () => {
    for (const id of ['SEE999999999999', 'ABR900000000001']) {
      const response = await service.get(`/v1/units/${id}`);
      expect([response.status, response.json.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test.each(['see900000000001', 'SEE90000000001', 'SEE9000000000011', '1', 'SEE90000000000%2F1', '%00'])(
    '400 for %s, which no number can be',
    async (id) => {
      const response = await service.get(`/v1/units/${id}`);
      expect([response.status, response.json.errors[0].parameter]).toEqual([400, 'id']);
    },
  );
});

describe('field catalogue', () => {
  test('sorted by name, with its meta', async () => {
    const { json } = await service.get('/v1/units/fields');
    const names = json.data.map((field: { name: string }) => field.name);
    expect(names).toEqual([...names].sort(new Intl.Collator('de').compare));
    expect(json.meta).toEqual({ count: names.length, module: Object.keys(MODULES).sort(), gesperrt: 0 });
    expect(names).toEqual(expect.arrayContaining(['signals', 'links', 'mastrNummer', 'ibnVerspaetungTage']));
  });

  test('its properties of a field are true', async () => {
    const { json } = await service.get('/v1/units/fields');
    const field = (name: string) => json.data.find((entry: { name: string }) => entry.name === name);
    expect(field('bruttoleistungKw')).toEqual({
      name: 'bruttoleistungKw',
      typ: 'number',
      beschreibung: expect.any(String),
      description: expect.any(String),
      einheit: 'kW',
      werte: null,
      lesbar: true,
      filterbar: true,
      sortierbar: true,
      summierbar: true,
      filter: ['leistungMinKw', 'leistungMaxKw'],
      block: null,
      modul: null,
      verfuegbar: true,
      personenbezug: 'none',
      hinweis: null,
      note: null,
    });
    expect(field('mastrNummern')).toMatchObject({ lesbar: false, filterbar: true, hinweis: expect.any(String) });
    expect(field('einheitTyp').werte).toContain('wind');
    expect(field('landkreis').block).toBe('standort');
  });

  test('summierbar is what each unit has for itself: power and its share of a plant, not what the plant has', async () => {
    const { json } = await service.get('/v1/units/fields');
    const may = (names: readonly string[]) =>
      names.map((name) => json.data.find((entry: { name: string }) => entry.name === name).summierbar);
    expect(
      may(['bruttoleistungKw', 'nettonennleistungKw', 'solarAnzahlModule', 'speicherkapazitaetAnteilKwh']),
    ).toEqual([true, true, true, true]);
    expect(may(['speicherkapazitaetKwh', 'speicherdauerStunden', 'kwkElektrischeLeistungKw', 'plz'])).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('sortierbar is what sort accepts, filter is what the list accepts', async () => {
    const { json } = await service.get('/v1/units/fields');
    for (const { name, sortierbar, filter } of json.data) {
      expect((await service.get(`/v1/units?limit=1&sort=${name}:asc`)).status, name).toBe(sortierbar ? 200 : 400);
      for (const parameter of filter) {
        expect((await service.get(`/v1/units?limit=1&${parameter}=`)).json.code, parameter).toBe('INVALID_PARAMETER');
      }
    }
  });

  test('nurVerfuegbare accepts true or false', async () => {
    expect((await service.get('/v1/units/fields?nurVerfuegbare=true')).json.meta.gesperrt).toBe(0);
    expect((await service.get('/v1/units/fields?nurVerfuegbare=1')).status).toBe(400);
  });
});
