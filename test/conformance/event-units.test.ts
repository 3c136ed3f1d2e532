import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runJob } from '../../api/jobs/jobs.ts';
import { readSettings } from '../../runtime/settings.ts';
import { sql } from '../../sql/org/statement.ts';
import { storeAlertEvent } from '../support/events.ts';
import { makeCaller, makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { saveFilter } from '../support/saved-filters.ts';
import { type OwnSubject, serveSharedFixture, shortNumbers } from '../support/service.ts';

/** The units of an event: `eventId` of GET /v1/units and POST /v1/units/search. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

let organisation: { readonly id: string };
let key: string;
beforeEach(async () => {
  organisation = await makeOrganisation(service.store);
  key = (await makeKey(service.store, organisation)).text;
});

const unit = (number: number) => `SEE900000${String(number).padStart(6, '0')}`;
const units = (query: string, as = key) => service.get(`/v1/units?${query}`, withKey(as));
const search = (body: object) =>
  service.send('POST', '/v1/units/search', {
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
const eventOf = async (...mastrNumbers: string[]): Promise<string> =>
  (await storeAlertEvent(service.store, organisation, { mastrNumbers })).id;

test('eventId lists exactly the units of the event, by GET and by POST', async () => {
  const id = await eventOf(unit(2), unit(7), unit(9));
  const response = await units(`eventId=${id}`);
  expect(shortNumbers(response)).toEqual(['02', '07', '09']);
  expect(response.json.meta.page.total).toBe(3);
  expect(shortNumbers(await search({ eventId: id }))).toEqual(['02', '07', '09']);
});

test('the link of the event leads to its units', async () => {
  const settings = { BASE_URL: service.url, APP_URL: `${service.url}/app` };
  await storeAlertEvent(service.store, organisation, { mastrNumbers: [unit(3)], settings });
  const { data } = (await service.get('/v1/events', withKey(key))).json.data[0];
  expect(shortNumbers(await service.get(data.links.self.slice(service.url.length), withKey(key)))).toEqual(['03']);
});

test('units that are no longer served are left out', async () => {
  const response = await units(`eventId=${await eventOf(unit(1), unit(999_999))}`);
  expect([shortNumbers(response), response.json.meta.page.total]).toEqual([['01'], 1]);
  expect(response.json.meta.hinweise).toBeUndefined();
  expect((await units(`eventId=${await eventOf(unit(999_999))}`)).json).toMatchObject({
    data: [],
    meta: { page: { total: 0 } },
  });
});

test('an event without units has none', async () => {
  const id = await eventOf();
  expect((await units(`eventId=${id}&einheitTyp=wind`)).json.meta.page.total).toBe(0);
  expect((await units(`eventId=${id}`)).json.meta.page.total).toBe(0);
});

describe('the units of an event can be narrowed', () => {
  test('by filters, sorted, page by page', async () => {
    const wind = shortNumbers(await units('einheitTyp=wind'));
    const id = await eventOf(...Array.from({ length: 60 }, (_, index) => unit(index + 1)));
    expect(shortNumbers(await units(`eventId=${id}&einheitTyp=wind&limit=250`))).toEqual(wind);
    const chosen = await eventOf(unit(35), unit(7), unit(9));
    const query = `eventId=${chosen}&einheitTyp=wind&sort=bruttoleistungKw:desc&fields=mastrNummer&limit=2`;
    const first = await units(query);
    expect(shortNumbers(first)).toEqual(['35', '09']);
    expect(first.headers.get('link')).toContain(`eventId=${chosen}`);
    const { cursor } = first.json.meta.page;
    expect(shortNumbers(await units(`${query}&cursor=${cursor}`))).toEqual(['07']);
    expectProblem(
      await units(`eventId=${id}&einheitTyp=wind&sort=bruttoleistungKw:desc&cursor=${cursor}`),
      400,
      'INVALID_CURSOR',
    );
  });

  test('by numbers of units, of which only those of the event are listed', async () => {
    const id = await eventOf(unit(2), unit(7));
    expect(shortNumbers(await units(`eventId=${id}&mastrNummern=${unit(7)},${unit(9)}`))).toEqual(['07']);
  });

  test('in an event of thousands of units as the filters alone do', async () => {
    const id = await eventOf(...Array.from({ length: 10_000 }, (_, index) => unit(index + 1)));
    const all = 'limit=250&sort=bruttoleistungKw:desc';
    for (const query of [all, `${all}&suche=wind`, `${all}&bundesland=Bayern`, 'updatedSince=2026-08-11T00:00:00Z']) {
      const [narrowed, plain] = [await units(`${query}&eventId=${id}`), await units(query)];
      expect(shortNumbers(narrowed), query).toEqual(shortNumbers(plain));
      expect(narrowed.json.meta.page.total, query).toBe(plain.json.meta.page.total);
    }
  });

  test('to those that changed since the last read', async () => {
    const id = await eventOf(unit(2), unit(7));
    const { token } = (await units(`eventId=${id}`)).json.meta.sync;
    expect((await units(`eventId=${id}&syncToken=${token}`)).json.data).toEqual([]);
    expectProblem(await units(`eventId=${await eventOf(unit(2))}&syncToken=${token}`), 410, 'SYNC_TOKEN_INVALID');
  });
});

test('the units are also answered as CSV and GeoJSON', async () => {
  const id = await eventOf(unit(2), unit(7));
  const csv = await units(`eventId=${id}&fields=mastrNummer&format=csv`);
  expect(csv.text.split('\r\n')).toEqual(expect.arrayContaining(['mastrNummer', unit(2), unit(7)]));
  expect((await units(`eventId=${id}&format=geojson`)).json.features).toHaveLength(2);
});

test('the answer follows the event: it has no entity tag', async () => {
  const { headers } = await units(`eventId=${await eventOf(unit(2))}`);
  expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
});

test('eventId needs no scope beyond that of units, like a saved filter', async () => {
  const { text } = await makeKey(service.store, organisation, { scopes: ['units:read'] });
  expect((await units(`eventId=${await eventOf(unit(2))}`, text)).status).toBe(200);
});

describe('eventId is refused', () => {
  test('for an event that is unknown, of another organisation, or no id', async () => {
    const id = await eventOf(unit(2));
    expectProblem(await units(`eventId=${id}`, await makeCaller(service.store)), 404, 'NOT_FOUND');
    for (const unknown of [randomUUIDv7(), 'abc', `${id}x`]) {
      expectProblem(await units(`eventId=${unknown}`), 404, 'NOT_FOUND');
      expectProblem(await search({ eventId: unknown }), 404, 'NOT_FOUND');
    }
  });

  test('for an event that is forgotten', async () => {
    const id = await eventOf(unit(2));
    await service.store.asOperator((session) =>
      session.run(sql`UPDATE events SET occurred_at = now() - interval '31 days' WHERE id = ${id}::uuid`),
    );
    await runJob('sweep', service.store, readSettings({}));
    const response = await units(`eventId=${id}`);
    expectProblem(response, 404, 'NOT_FOUND');
    expect(response.json.detail).toContain('30 days');
  });

  test('beside a saved filter, which replaces every filter', async () => {
    const { id } = await saveFilter(service.store, organisation.id, {});
    const response = await units(`eventId=${await eventOf(unit(2))}&savedFilterId=${id}`);
    expectProblem(response, 400, 'FILTER_CONFLICT');
    expect(response.json.errors).toMatchObject([{ parameter: 'eventId' }]);
  });

  test('within a saved filter, and where units are counted', async () => {
    const eventId = await eventOf(unit(2));
    const { id } = await saveFilter(service.store, organisation.id, { criteria: { eventId } });
    expectProblem(await units(`savedFilterId=${id}`), 400, 'FILTER_CONFLICT');
    const counted = await service.get(`/v1/aggregations?groupBy=bundesland&eventId=${eventId}`, withKey(key));
    expectProblem(counted, 400, 'UNKNOWN_PARAMETER');
  });
});
