import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { saveFilter } from '../support/saved-filters.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/**
 * The block eeg of a unit: its values for organisations with module eeg_verguetung, and every way by which another
 * organisation could learn one.
 */

const EEG = UNIT_FIELDS.filter(({ module }) => module === 'eeg_verguetung');
const NAMES = EEG.map(({ name }) => name);

/** A valid value of each filter by a support value. */
const FILTERS: Readonly<Record<string, string | number | readonly string[]>> = {
  eegFoerderendeVon: '2020-01-01',
  eegFoerderendeBis: '2046-12-31',
  eegEinspeiseverguetungMinCtKwh: 1,
  eegEinspeiseverguetungMaxCtKwh: 100,
  eegAnzulegenderWertMinCtKwh: 1,
  eegAnzulegenderWertMaxCtKwh: 100,
  eegReferenzertragVerhaeltnisMin: 0.1,
  eegReferenzertragVerhaeltnisMax: 1.5,
  eegPhasenwechselVon: '2000-01-01',
  eegPhasenwechselBis: '2046-12-31',
  eegAbleitbarkeit: ['exakt'],
};

let service: OwnSubject;
/** Headers of an organisation that has booked everything else. */
let without: Record<string, string>;
let organisation: string;
beforeAll(async () => {
  service = await serveSharedFixture();
  const modules = ['api', 'analysis', 'workspace', 'portfolio', 'connection', 'ausschreibungen'];
  const row = await makeOrganisation(service.store, { modules });
  organisation = row.id;
  without = withKey((await makeKey(service.store, row)).text);
});
afterAll(() => service.stop());

test('every filter by a support value is tried here', () => {
  expect(Object.keys(FILTERS).sort()).toEqual(EEG.flatMap(({ filters }) => filters.map(({ name }) => name)).sort());
});

describe('with the module', () => {
  test('a unit has the values of its EEG plant', async () => {
    const { json } = await service.get('/v1/units?include=eeg&mastrNummern=SEE900000000035,SEE900000000036');
    const valuesOf = (unit: Record<string, unknown>) => Object.fromEntries(NAMES.map((name) => [name, unit[name]]));
    expect(json.data.map(valuesOf)).toEqual([
      {
        eegFoerderbeginn: '2020-06-01',
        eegFoerderende: '2040-12-31',
        eegEinspeiseverguetungCtKwh: null,
        eegAnzulegenderWertCtKwh: 4.66,
        eegReferenzertragVerhaeltnis: 0.853412,
        eegPhasenwechsel: '2036-01-31',
        eegAbleitbarkeit: 'geschaetzt',
        eegGesetz: 'EEG 2017',
      },
      Object.fromEntries(NAMES.map((name) => [name, null])),
    ]);
  });

  test.each(Object.entries(FILTERS))(
    'filter %s finds units, in list, body and aggregation alike',
    async (name, value) => {
      const query = `${name}=${value}`;
      const { total } = (await service.get(`/v1/units?${query}&limit=1`)).json.meta.page;
      expect(total).toBeGreaterThan(0);
      const body = await service.send('POST', '/v1/units/search', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ [name]: value, limit: 1 }),
      });
      expect(body.json.meta.page.total).toBe(total);
      const groups = (await service.get(`/v1/aggregations?groupBy=eegAbleitbarkeit&${query}`)).json.data;
      expect(groups.totals.count).toBe(total);
    },
  );
});

describe('without the module', () => {
  const refuse = async (path: string) => {
    const response = await service.get(path, without);
    expectProblem(response, 403, 'MISSING_MODULE');
    expect(response.json.detail).toContain('eeg_verguetung');
    return response;
  };

  test.each(Object.entries(FILTERS))('no filter %s: list, GeoJSON, CSV, body, aggregation', async (name, value) => {
    const query = `${name}=${value}`;
    await refuse(`/v1/units?${query}`);
    await refuse(`/v1/units?${query}&format=geojson`);
    await refuse(`/v1/units?${query}&format=csv`);
    await refuse(`/v1/aggregations?groupBy=bundesland&${query}`);
    const body = await service.send('POST', '/v1/units/search', {
      headers: { ...without, 'Content-Type': 'application/json' },
      body: JSON.stringify({ [name]: value }),
    });
    expectProblem(body, 403, 'MISSING_MODULE');
  });

  test('no saved filter that has such a criterion', async () => {
    for (const [name, value] of Object.entries(FILTERS)) {
      const { id } = await saveFilter(service.store, organisation, { name, criteria: { [name]: value } });
      await refuse(`/v1/units?savedFilterId=${id}`);
      const body = await service.send('POST', '/v1/units/search', {
        headers: { ...without, 'Content-Type': 'application/json' },
        body: JSON.stringify({ savedFilterId: id }),
      });
      expectProblem(body, 403, 'MISSING_MODULE');
    }
    expectProblem(await service.get(`/v1/units?savedFilterId=${randomUUIDv7()}`, without), 404, 'NOT_FOUND');
  });

  test('no block, in no form', async () => {
    for (const form of ['', '&format=geojson', '&format=csv']) await refuse(`/v1/units?include=standort,eeg${form}`);
    const body = await service.send('POST', '/v1/units/search', {
      headers: { ...without, 'Content-Type': 'application/json' },
      body: JSON.stringify({ include: ['eeg'] }),
    });
    expectProblem(body, 403, 'MISSING_MODULE');
  });

  test('no value by its name: fields are accepted and absent, with a delta too', async () => {
    const fields = `fields=name,${NAMES.join(',')}`;
    for (const query of [fields, `${fields}&updatedSince=2026-08-11T00:00:00Z`, `${fields}&include=register`]) {
      const { json } = await service.get(`/v1/units?${query}`, without);
      for (const unit of json.data) expect(Object.keys(unit).filter((name) => name.startsWith('eeg'))).toEqual([]);
    }
    const { text } = await service.get(`/v1/units?${fields}&format=csv&limit=1`, without);
    expect(text.split('\r\n')[0]).toBe('mastrNummer,name');
    const geo = await service.get(`/v1/units?${fields}&format=geojson&limit=1`, without);
    expect(Object.keys(geo.json.features[0].properties)).toEqual(['mastrNummer', 'name', 'links']);
  });

  test('no order by it, with the module or without', async () => {
    for (const name of NAMES) {
      expectProblem(await service.get(`/v1/units?sort=${name}:desc`, without), 400, 'NOT_SORTABLE');
      expectProblem(await service.get(`/v1/units?sort=${name}:desc`), 400, 'NOT_SORTABLE');
    }
  });

  test('no dimension, neither counted before nor with a filter, and no reference values', async () => {
    await refuse('/v1/aggregations?groupBy=eegAbleitbarkeit');
    await refuse('/v1/aggregations?groupBy=eegAbleitbarkeit&einheitTyp=wind');
    await refuse('/v1/aggregations?groupBy=eegAbleitbarkeit&format=csv');
    await refuse('/v1/reference/eegAbleitbarkeit');
    await refuse('/v1/reference/eegAbleitbarkeit?einheitTyp=wind&format=csv');
  });

  test('no value in the detail form', async () => {
    const { json } = await service.get('/v1/units/SEE900000000035', without);
    expect(NAMES.filter((name) => name in json.data)).toEqual([]);
  });

  test('the catalogue names the fields and says which module is missing', async () => {
    const { json } = await service.get('/v1/units/fields', without);
    const locked = json.data.filter(({ verfuegbar }: { verfuegbar: boolean }) => !verfuegbar);
    expect(locked.map(({ name }: { name: string }) => name).sort()).toEqual([...NAMES].sort());
    for (const { modul } of locked) expect(modul).toBe('eeg_verguetung');
    const own = await service.get('/v1/units/fields?nurVerfuegbare=true', without);
    expect(own.json.data.filter(({ block }: { block: string }) => block === 'eeg')).toEqual([]);
  });

  test('the awards of a unit need no module beyond analysis', async () => {
    const { json } = await service.get('/v1/units?gebotstermin=2023050110&include=ausschreibungen', without);
    expect(json.data.map(({ ausschreibungen }: { ausschreibungen: unknown[] }) => ausschreibungen.length)).toEqual([
      1, 2,
    ]);
  });

  test('GET /v1/search has no support value', async () => {
    const found = await service.get('/v1/search?q=wea', without);
    expect(NAMES.filter((name) => found.text.includes(name))).toEqual([]);
  });
});

test('tenders need their module and scope', async () => {
  const key = async (modules: string[], scopes: string[]) => {
    const row = await makeOrganisation(service.store, { modules });
    return withKey((await makeKey(service.store, row, { scopes })).text);
  };
  for (const path of ['/v1/ausschreibungen', '/v1/ausschreibungen/2023050110/zuschlaege']) {
    const noModule = await key(['api', 'analysis', 'eeg_verguetung'], ['ausschreibungen:read']);
    expectProblem(await service.get(path, noModule), 403, 'MISSING_MODULE');
    expectProblem(await service.get(path, await key(['api', 'ausschreibungen'], ['units:read'])), 403, 'MISSING_SCOPE');
    expect((await service.get(path, await key(['api', 'ausschreibungen'], ['ausschreibungen:read']))).status).toBe(200);
  }
});
