import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SavedFilterRow } from '../../sql/org/saved-filters.ts';
import { openFresh, POSTGRES } from '../org/engines.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, withKey } from './requests.ts';
import { saveFilter } from './saved-filter.ts';
import { type OwnSubject, serveOwnFixture } from './service.ts';

/** Saved filters: interface.md, SavedFilter. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveOwnFixture();
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

  test('passes over filters of the map', async () => {
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
