import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SavedFilterRow } from '../../sql/org/records/saved-filters.ts';
import { makeAlert } from '../support/alerts.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { saveFilter } from '../support/saved-filters.ts';
import { type OwnSubject, serveOwnFixture, serveSharedFixture, shortNumbers } from '../support/service.ts';
import { openFresh, POSTGRES } from '../support/store-engines.ts';

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

describe('writing', () => {
  const send = (method: string, path: string, body?: object, caller = key, headers = {}) =>
    service.send(method, `/v1/saved-filters${path}`, {
      headers: { ...withKey(caller), 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const WIND = { einheitTyp: ['wind'], bundesland: ['Brandenburg'], leistungMinKw: 6800 };
  const create = async (body: object = { name: 'Wind', criteria: WIND }) => (await send('POST', '', body)).json.data;
  const executed = async (id: string) => shortNumbers(await service.get(`/v1/units?savedFilterId=${id}`, withKey(key)));

  test('a new filter is listed and can be executed, and its criteria are not told', async () => {
    const answer = await send('POST', '', { name: 'Wind', criteria: WIND });
    expect(answer.status).toBe(201);
    expect(answer.text).not.toContain('Brandenburg');
    const { id, name, angelegtAm, geaendertAm } = answer.json.data;
    expect([name, geaendertAm]).toEqual(['Wind', angelegtAm]);
    expect((await list()).json.data).toEqual([answer.json.data]);
    expect(await executed(id)).toEqual(['07', '08', '09']);
  });

  test('a view is kept with a filter, comes back, is changed and taken away', async () => {
    const ansicht = { page: 'karte', query: 'ebene=bundesland&traeger=wind' };
    const { id } = await create({ name: 'Windkarte', criteria: WIND, ansicht });
    expect((await list()).json.data).toMatchObject([{ id, ansicht }]);
    expect(await executed(id)).toEqual(['07', '08', '09']);
    await send('PATCH', `/${id}`, { name: 'Karte' });
    expect((await list()).json.data).toMatchObject([{ name: 'Karte', ansicht }]);
    const other = { page: 'vergleich', query: '' };
    expect((await send('PATCH', `/${id}`, { ansicht: other })).json.data.ansicht).toEqual(other);
    expect((await send('PATCH', `/${id}`, { ansicht: null })).json.data).not.toHaveProperty('ansicht');
    expect(await executed(id)).toEqual(['07', '08', '09']);
  });

  test.each([
    ['https://example.org', ''],
    ['../../docs', ''],
    ['konto', ''],
    ['karte', '?ebene=bundesland'],
    ['karte', 'a=1&a=2'],
    ['karte', 'a-b=1'],
    ['karte', 'ebene=bundesland#key=x'],
    ['karte', `suche=${'x'.repeat(4000)}`],
  ])('a view of %j with %j is refused', async (page, query) => {
    const answer = await send('POST', '', { name: 'Ansicht', criteria: {}, ansicht: { page, query } });
    expect(answer.status).toBe(400);
    expect(answer.json.errors[0].pointer).toMatch(/^#\/ansicht\/(page|query)$/);
    expect((await list()).json.data).toEqual([]);
  });

  test.each([
    [{ name: '', criteria: {} }, '#/name', 'INVALID_BODY'],
    [{ name: ' Wind', criteria: {} }, '#/name', 'INVALID_PARAMETER'],
    [{ name: 'W'.repeat(201), criteria: {} }, '#/name', 'INVALID_BODY'],
    [{ name: 'a\nb', criteria: {} }, '#/name', 'INVALID_PARAMETER'],
    [{ criteria: {} }, '#/name', 'INVALID_BODY'],
    [{ name: 'Wind' }, '#/criteria', 'INVALID_BODY'],
    [{ name: 'Wind', criteria: [] }, '#/criteria', 'INVALID_BODY'],
    [{ name: 'Wind', criteria: { einheitTyp: ['wint'] } }, '#/criteria/einheitTyp/0', 'INVALID_PARAMETER'],
    [{ name: 'Wind', criteria: { bruttoleistungKw: 1 } }, '#/criteria/bruttoleistungKw', 'INVALID_PARAMETER'],
    [{ name: 'Wind', criteria: { limit: 5 } }, '#/criteria/limit', 'INVALID_PARAMETER'],
  ] as const)('%j is refused at %s', async (body, pointer, code) => {
    const answer = await send('POST', '', body);
    expectProblem(answer, 400, code);
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
    expect((await list()).json.meta.count).toBe(0);
  });

  test('criteria that would be long to read each time are refused', async () => {
    const betreiber = Array.from({ length: 400 }, (_, index) => `Betreiber ${'x'.repeat(90)} ${index}`);
    const refused = await send('POST', '', { name: 'Lang', criteria: { betreiber } });
    expectProblem(refused, 422, 'UNPROCESSABLE');
    expect(refused.json.errors).toMatchObject([{ pointer: '#/criteria' }]);
    const mastrNummern = Array.from({ length: 500 }, (_, index) => `SEE9${String(index).padStart(11, '0')}`);
    expect((await send('POST', '', { name: 'Nummern', criteria: { mastrNummern } })).status).toBe(201);
  });

  test('a name belongs to one filter, and one of the map has one, too', async () => {
    await save({ name: 'Karte', kind: 'map' });
    const { id } = await create();
    for (const name of ['Wind', 'Karte'])
      expectProblem(await send('POST', '', { name, criteria: {} }), 409, 'CONFLICT');
    expectProblem(await send('PATCH', `/${id}`, { name: 'Karte' }), 409, 'CONFLICT');
    expect((await send('PATCH', `/${id}`, { name: 'Wind' })).status).toBe(200);
  });

  test('a change keeps what it leaves out, and replaces criteria entirely', async () => {
    const { id, angelegtAm } = await create();
    const renamed = (await send('PATCH', `/${id}`, { name: 'Windparks' })).json.data;
    expect(renamed).toMatchObject({ id, name: 'Windparks', angelegtAm });
    expect(await executed(id)).toEqual(['07', '08', '09']);
    await send('PATCH', `/${id}`, { criteria: { einheitTyp: ['nuclear'] } });
    expect(await executed(id)).toEqual(['34']);
    const before = (await list()).json.data;
    expect((await send('PATCH', `/${id}`, {})).json.data).toEqual(before[0]);
  });

  test('a deleted filter is gone, unless an alert asks by it', async () => {
    const { id } = await create();
    const alert = await makeAlert(service.store, organisation, {
      name: 'Neuer Wind',
      criteria: null,
      savedFilterId: id,
    });
    const refused = await send('DELETE', `/${id}`);
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.json.detail).toContain('Neuer Wind');
    await makeAlert(service.store, organisation, { ...alert, criteria: {}, savedFilterId: null });
    expect((await send('DELETE', `/${id}`)).json).toEqual({ data: null, meta: { deleted: id } });
    expectProblem(await send('DELETE', `/${id}`), 404, 'NOT_FOUND');
    expectProblem(await service.get(`/v1/units?savedFilterId=${id}`, withKey(key)), 404, 'NOT_FOUND');
  });

  test('a filter of the map, of another organisation or with another id is not found', async () => {
    const foreign = await saveFilter(service.store, (await makeOrganisation(service.store)).id, {});
    const { id: map } = await save({ kind: 'map' });
    for (const id of [foreign.id, map, randomUUIDv7(), 'abc']) {
      expectProblem(await send('PATCH', `/${id}`, { name: 'Fremd' }), 404, 'NOT_FOUND');
      expectProblem(await send('DELETE', `/${id}`), 404, 'NOT_FOUND');
    }
  });

  test('the same key makes one filter, and a dry run none', async () => {
    const body = { name: 'Wind', criteria: WIND };
    const once = { 'Idempotency-Key': 'k' };
    const first = await send('POST', '', body, key, once);
    expect((await send('POST', '', body, key, once)).json).toEqual(first.json);
    expect((await send('POST', '?dryRun=true', { name: 'Probe', criteria: {} })).status).toBe(201);
    expect((await list()).json.meta.count).toBe(1);
  });

  test('needs the scope saved_filters:write', async () => {
    const { text } = await makeKey(service.store, organisation, { scopes: ['saved_filters:read'] });
    expectProblem(await send('POST', '', { name: 'Wind', criteria: {} }, text), 403, 'MISSING_SCOPE');
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
