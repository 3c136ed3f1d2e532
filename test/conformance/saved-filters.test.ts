import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SavedFilterRow } from '../../sql/org/records/saved-filters.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture, serveSharedFixture, shortNumbers } from '../support/service.ts';
import { openFresh, POSTGRES } from '../support/store-engines.ts';
import { saveFilter } from './saved-filter.ts';

/** Saved filters: interface.md, SavedFilter. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

let organisation: { readonly id: string };
let key: string;
beforeEach(async () => {
  const made = await makeOrganisation(service.store);
  organisation = made;
  key = (await makeKey(service.store, made)).text;
});

const save = (choices: Partial<SavedFilterRow>) => saveFilter(service.store, organisation.id, choices);
const list = () => service.get('/v1/saved-filters', withKey(key));

describe('the list', () => {
  test('has id, name and times, and nothing of the criteria', async () => {
    const times = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-02-03T04:05:06.789Z' };
    const { id } = await save({ name: 'Alte Windräder', criteria: { suche: 'verraten' }, ...times });
    const { json, text } = await list();
    expect(json).toEqual({
      data: [{ id, name: 'Alte Windräder', angelegtAm: times.createdAt, geaendertAm: times.updatedAt }],
      meta: { count: 1 },
    });
    expect(text).not.toContain('verraten');
  });

  test('is empty while nothing is saved', async () => {
    expect((await list()).json).toEqual({ data: [], meta: { count: 0 } });
  });

  test('omits filters of the map', async () => {
    await save({ name: 'Karte', kind: 'map' });
    await save({ name: 'Tabelle' });
    const { json } = await list();
    expect(json.data.map(({ name }: { name: string }) => name)).toEqual(['Tabelle']);
    expect(json.meta.count).toBe(1);
  });

  test('comes in German order, whatever store it is in', async () => {
    const ordered = ['äbc', 'Abd', 'Öl', 'Ost', 'straße', 'Strasse A', 'Zoo'];
    for (const name of ordered.toReversed()) await save({ name });
    expect((await list()).json.data.map(({ name }: { name: string }) => name)).toEqual(ordered);
  });

  test('shows no filter of another organisation', async () => {
    await saveFilter(service.store, (await makeOrganisation(service.store)).id, { name: 'Fremd' });
    expect((await list()).json.data).toEqual([]);
  });

  test('needs no module but api', async () => {
    const bare = await makeOrganisation(service.store, { modules: ['api'] });
    const { text } = await makeKey(service.store, bare);
    expect((await service.get('/v1/saved-filters', withKey(text))).status).toBe(200);
  });

  test('needs the scope saved_filters:read', async () => {
    const { text } = await makeKey(service.store, organisation, { scopes: ['units:read'] });
    expectProblem(await service.get('/v1/saved-filters', withKey(text)), 403, 'MISSING_SCOPE');
  });

  test('takes no parameters', async () => {
    expectProblem(await service.get('/v1/saved-filters?limit=5', withKey(key)), 400, 'UNKNOWN_PARAMETER');
  });
});

describe('savedFilterId', () => {
  const numbers = async (query: string) => shortNumbers(await service.get(`/v1/units?${query}`, withKey(key)));
  const search = (body: object) =>
    service.send('POST', '/v1/units/search', {
      headers: { ...withKey(key), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('lists the units that meet the criteria, by GET and by POST', async () => {
    const { id } = await save({ criteria: { einheitTyp: ['wind'], bundesland: ['Brandenburg'], leistungMinKw: 6800 } });
    const plain = await numbers('einheitTyp=wind&bundesland=Brandenburg&leistungMinKw=6800');
    expect(plain).toEqual(['07', '08', '09']);
    expect(await numbers(`savedFilterId=${id}`)).toEqual(plain);
    expect(shortNumbers(await search({ savedFilterId: id }))).toEqual(plain);
  });

  test.each([
    [{}, ''],
    [{ suche: 'WEA Süd' }, 'suche=WEA%20S%C3%BCd'],
    [{ hatKoordinaten: false }, 'hatKoordinaten=false'],
    [{ plz: '26', inbetriebnahmeVon: '2001-03-16' }, 'plz=26&inbetriebnahmeVon=2001-03-16'],
    [{ signals: ['grossspeicher'] }, 'signals=grossspeicher'],
  ])('%j selects the same as %s', async (criteria, query) => {
    const { id } = await save({ criteria });
    const [saved, plain] = [await numbers(`savedFilterId=${id}`), await numbers(query)];
    expect(saved).toEqual(plain);
  });

  test('can be combined with limit, sort, fields, include, expand and format', async () => {
    const { id } = await save({ criteria: { einheitTyp: ['wind'] } });
    const more = 'limit=2&sort=bruttoleistungKw:desc&fields=name,betreiberMastrNummer&expand=marktakteur';
    const response = await service.get(`/v1/units?savedFilterId=${id}&${more}`, withKey(key));
    expect(shortNumbers(response)).toEqual(['35', '09']);
    const features = await service.get(`/v1/units?savedFilterId=${id}&include=standort&format=geojson`, withKey(key));
    expect(features.json.type).toBe('FeatureCollection');
  });

  test('every other filter together with it is a conflict, and is named', async () => {
    const { id } = await save({ criteria: { einheitTyp: ['wind'] } });
    const query = `savedFilterId=${id}&plz=2&einheitTyp=wind`;
    const response = await service.get(`/v1/units?${query}`, withKey(key));
    expectProblem(response, 400, 'FILTER_CONFLICT');
    expect(response.json.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'einheitTyp',
      'plz',
    ]);
    const body = await search({ savedFilterId: id, hatKoordinaten: true });
    expectProblem(body, 400, 'FILTER_CONFLICT');
    expect(body.json.errors).toMatchObject([{ pointer: '#/hatKoordinaten' }]);
  });

  test('a filter of another organisation, of the map, or with an unknown id is not found', async () => {
    const foreign = await saveFilter(service.store, (await makeOrganisation(service.store)).id, {});
    const { id: map } = await save({ kind: 'map' });
    for (const id of [foreign.id, map, randomUUIDv7(), 'abc']) {
      expectProblem(await service.get(`/v1/units?savedFilterId=${id}`, withKey(key)), 404, 'NOT_FOUND');
      expectProblem(await search({ savedFilterId: id }), 404, 'NOT_FOUND');
    }
  });

  test('a cursor is valid until the criteria change', async () => {
    const filter = await save({ criteria: { einheitTyp: ['wind'] } });
    const path = `/v1/units?savedFilterId=${filter.id}&limit=3`;
    const first = await service.get(path, withKey(key));
    const next = `${path}&cursor=${first.json.meta.page.cursor}`;
    expect(shortNumbers(await service.get(next, withKey(key)))).toEqual(['04', '05', '06']);
    expect(first.headers.get('link')).toContain(`savedFilterId=${filter.id}`);
    await save({ ...filter, criteria: { einheitTyp: ['wind'], leistungMinKw: 1 } });
    expectProblem(await service.get(next, withKey(key)), 400, 'INVALID_CURSOR');
  });

  test('the answer follows the filter: it has no entity tag', async () => {
    const filter = await save({ criteria: { einheitTyp: ['wind'] } });
    const response = await service.get(`/v1/units?savedFilterId=${filter.id}`, withKey(key));
    expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([null, 'no-store']);
    await save({ ...filter, criteria: { einheitTyp: ['nuclear'] } });
    expect(await numbers(`savedFilterId=${filter.id}`)).toEqual(['34']);
  });

  test('criteria that the organisation may no longer use are refused', async () => {
    const poor = await makeOrganisation(service.store, { modules: ['api', 'analysis'], signals: ['neu_registriert'] });
    const { text } = await makeKey(service.store, poor);
    const refusal = async (criteria: Record<string, unknown>) => {
      const { id } = await saveFilter(service.store, poor.id, { name: JSON.stringify(criteria), criteria });
      return service.get(`/v1/units?savedFilterId=${id}`, withKey(text));
    };
    expectProblem(await refusal({ signals: ['grossspeicher'] }), 403, 'SIGNAL_NOT_ENTITLED');
    expectProblem(await refusal({ eegAbleitbarkeit: ['exakt'] }), 403, 'MISSING_MODULE');
  });

  test('criteria that this release does not know are refused, never ignored', async () => {
    const { id } = await save({ criteria: { einheitTyp: ['wind'], abgeschafft: true } });
    expectProblem(await service.get(`/v1/units?savedFilterId=${id}`, withKey(key)), 400, 'FILTER_CONFLICT');
  });
});

test.skipIf(!POSTGRES.here)('a server orders alike', async () => {
  const store = await openFresh(POSTGRES);
  const other = await serveOwnFixture({}, store);
  const made = await makeOrganisation(store);
  const { text } = await makeKey(store, made);
  for (const name of ['Zoo', 'Öl', 'äbc', 'Abd']) await saveFilter(store, made.id, { name, id: randomUUIDv7() });
  const { json } = await other.get('/v1/saved-filters', withKey(text));
  expect(json.data.map(({ name }: { name: string }) => name)).toEqual(['äbc', 'Abd', 'Öl', 'Zoo']);
  await other.stop();
  await store.close();
});
