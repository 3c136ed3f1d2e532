import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { putPortfolio } from '../../sql/org/records/portfolio.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { entry, portfolioOf, unit } from '../support/portfolio.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { serveSharedFixture } from '../support/service.ts';

/** `portfolio=true`: lists, sums and rules of the units in the own portfolio. */

/** An organisation with these units, and the requests that it sends. */
async function owning(numbers: readonly number[], choices: { readonly modules?: string[] } = {}) {
  const service = await serveSharedFixture();
  const organisation = await makeOrganisation(service.store, choices);
  const key = (await makeKey(service.store, organisation)).text;
  const portfolio = portfolioOf(service, key);
  if (numbers.length > 0) await portfolio.put(numbers.map((number) => entry(number)));
  return { service, organisation, portfolio, key, get: (path: string) => service.get(path, withKey(key)) };
}

const numbersIn = ({ data }: { data: readonly { mastrNummer: string }[] }) =>
  data.map(({ mastrNummer }) => mastrNummer);

test('lists the units that are in the portfolio now, with every other filter', async () => {
  const { get, portfolio } = await owning([3, 5, 13, 14]);
  await portfolio.remove([unit(5)]);
  const all = (await get('/v1/units?portfolio=true')).json;
  expect([numbersIn(all), all.meta.page.total]).toEqual([[3, 13, 14].map(unit), 3]);
  const solar = (await get('/v1/units?portfolio=true&einheitTyp=solar')).json;
  expect(numbersIn(solar).every((number) => numbersIn(all).includes(number))).toBe(true);
  expect(solar.meta.page.total).toBeLessThan(3);
  const some = (await get(`/v1/units?portfolio=true&mastrNummern=${unit(3)},${unit(4)}`)).json;
  expect(numbersIn(some)).toEqual([unit(3)]);
});

test('is the same in a body, in sums and among the rules of plausibility', async () => {
  const { service, key, get } = await owning([3, 5, 13]);
  const searched = await service.send('POST', '/v1/units/search', {
    headers: { 'Content-Type': 'application/json', ...withKey(key) },
    body: JSON.stringify({ portfolio: true }),
  });
  expect(numbersIn(searched.json)).toEqual([3, 5, 13].map(unit));
  const { data, meta } = (await get('/v1/aggregations?groupBy=einheitTyp&portfolio=true')).json;
  expect(data.totals.count).toBe(3);
  expect(meta.auffaellig.count).toBe(0);
  expect((await get('/v1/qualitaet?portfolio=true')).json.meta.einheiten).toBe(3);
  expect((await get('/v1/qualitaet/gruppen?groupBy=einheitTyp&portfolio=true')).json.meta.einheiten).toBe(3);
});

test('GET /v1/search finds its units alone, in the order of the whole register, by role and number, too', async () => {
  const all = Array.from({ length: 36 }, (_, index) => index + 1);
  const { get, service, portfolio } = await owning(all);
  const found = async (query: string) => (await get(`/v1/search?${query}`)).json;
  const ids = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id);
  for (const query of [
    'q=park',
    'q=so',
    'q=an&einheitTyp=wind',
    'q=park&bundesland=Niedersachsen',
    `q=${unit(5)}`,
    'q=wi&limit=2',
  ]) {
    const whole = await found(`${query}&typ=anlage`);
    expect(await found(`${query}&portfolio=true`), query).toEqual(whole);
  }
  expect(ids(await found('q=an&typ=anlage')).length).toBeGreaterThan(1);
  await portfolio.put([entry(3, { relationType: 'OWNER' })]);
  expect(ids(await found(`q=${unit(3)}&portfolioRelationType=OWNER`))).toEqual([unit(3)]);
  expect(ids(await found(`q=${unit(5)}&portfolioRelationType=OWNER`))).toEqual([]);
  expect((await found('q=park&typ=marktakteur&portfolio=true')).data).toEqual([]);
  const { text } = await makeKey(service.store, await makeOrganisation(service.store), { scopes: ['units:read'] });
  expectProblem(await service.get('/v1/search?q=park&portfolio=true', withKey(text)), 403, 'MISSING_SCOPE');
});

test('is that of the organisation that asks, also beside another one that asks the same', async () => {
  const [one, other, none] = [await owning([3]), await owning([5]), await owning([])];
  for (const path of ['/v1/units?portfolio=true', '/v1/aggregations?groupBy=einheitTyp&portfolio=true']) {
    const answers = [];
    for (const { get } of [one, other, none, one]) answers.push((await get(path)).json.data);
    expect(answers[0]).not.toEqual(answers[1]);
    expect(answers[3]).toEqual(answers[0]);
  }
  expect(numbersIn((await none.get('/v1/units?portfolio=true')).json)).toEqual([]);
});

test('a cursor belongs to the portfolio as it was: once that has changed, the list begins anew', async () => {
  const { get, portfolio } = await owning([3, 5, 13, 14]);
  const first = (await get('/v1/units?portfolio=true&limit=2')).json;
  const second = `/v1/units?portfolio=true&limit=2&cursor=${encodeURIComponent(first.meta.page.cursor)}`;
  expect(numbersIn((await get(second)).json)).toEqual([13, 14].map(unit));
  await portfolio.remove([unit(3)]);
  expectProblem(await get(second), 400, 'INVALID_CURSOR');
});

test('stands beside a saved filter, which may be of everybody', async () => {
  const { service, key, get } = await owning([3, 13, 14]);
  const { json } = await service.send('POST', '/v1/saved-filters', {
    headers: { 'Content-Type': 'application/json', ...withKey(key) },
    body: JSON.stringify({ name: 'Solar', criteria: { einheitTyp: ['solar'] } }),
  });
  const both = (await get(`/v1/units?portfolio=true&savedFilterId=${json.data.id}`)).json;
  const own = (await get('/v1/units?portfolio=true&einheitTyp=solar')).json;
  expect(numbersIn(both)).toEqual(numbersIn(own));
});

test('asks for the module, and for the scope of those who may read the portfolio', async () => {
  const without = await owning([], { modules: ['api', 'analysis'] });
  const module = await without.get('/v1/units?portfolio=true');
  expectProblem(module, 403, 'MISSING_MODULE');
  const { service, organisation } = await owning([3]);
  const { text } = await makeKey(service.store, organisation, { scopes: ['units:read'] });
  for (const path of [
    'units?',
    'aggregations?groupBy=einheitTyp&',
    'qualitaet?',
    'qualitaet/gruppen?groupBy=einheitTyp&',
  ]) {
    const refused = await service.get(`/v1/${path}portfolio=true`, withKey(text));
    expectProblem(refused, 403, 'MISSING_SCOPE');
    expect(refused.json.detail).toBe('The parameter portfolio needs the scope portfolio:read; the key has units:read');
  }
});

/** An organisation that owns 3, services 5 and 13, and has identifiers and values of its own for some of them. */
async function described() {
  const organisation = await owning([]);
  const { service, key, portfolio } = organisation;
  await portfolio.put([
    { ...entry(3), relationType: 'OWNER', externalRefs: { crm: 'A:17' } },
    { ...entry(5), relationType: 'SERVICE_CONTRACT', externalRefs: { crm: 'B-1', sap: '9' } },
    { ...entry(13), relationType: 'SERVICE_CONTRACT' },
  ]);
  const send = (method: string, path: string, body: object) =>
    service.send(method, path, {
      headers: { 'Content-Type': 'application/json', ...withKey(key) },
      body: JSON.stringify(body),
    });
  const values = [
    [3, { name: 'Pächter', typ: 'TEXT' }, { text: 'Jürgen Müller' }],
    [5, { name: 'Pächter: Konto', typ: 'NUMBER' }, { zahl: 12.5 }],
    [13, { name: 'Vertrag bis', typ: 'DATE' }, { datum: '2031-05-31' }],
  ] as const;
  for (const [number, field, value] of values) {
    const { id } = (await send('POST', '/v1/custom-fields', field)).json.data;
    const written = await send('PUT', `/v1/units/${unit(number)}/custom-fields`, { values: [{ defId: id, ...value }] });
    expect(written.status).toBe(200);
  }
  return organisation;
}

test.each([
  ['portfolioRelationType=SERVICE_CONTRACT', [5, 13]],
  ['portfolioRelationType=OWNER,SERVICE_CONTRACT&einheitTyp=solar,wind,storage,biomass', [3, 5, 13]],
  ['portfolioExternalRef=crm', [3, 5]],
  ['portfolioExternalRef=crm:A:17', [3]],
  ['portfolioExternalRef=crm:a:17', []],
  ['portfolio=true&portfolioRelationType=SERVICE_CONTRACT&portfolioExternalRef=crm', [5]],
  ['portfolioCustomField=Pächter', [3]],
  ['portfolioCustomField=Pächter:jurgen muller', [3]],
  ['portfolioCustomField=Pächter:Meier', []],
  ['portfolioCustomField=Pächter: Konto', [5]],
  ['portfolioCustomField=Pächter: Konto:12.50', [5]],
  ['portfolioCustomField=Vertrag bis:2031-05-31', [13]],
])('%s narrows the portfolio to %j', async (query, expected) => {
  const { get } = await described();
  const answer = await get(`/v1/units?${query}`);
  expect(numbersIn(answer.json)).toEqual(expected.map(unit));
});

test('an own field that is not there is named, with the one that was probably meant', async () => {
  const { get } = await described();
  const refused = await get('/v1/aggregations?groupBy=einheitTyp&portfolioCustomField=Pachter:x');
  expectProblem(refused, 404, 'NOT_FOUND');
  expect(refused.json.detail).toBe(
    'There is no own field "Pachter"; did you mean Pächter?; GET /v1/custom-fields lists them',
  );
});

test.each([
  'portfolioExternalRef=%00',
  'portfolioExternalRef=crm:%00',
  'portfolioCustomField=Pächter:%00',
  'portfolioExternalRef=',
])('400 for %s, which no store can keep', async (query) => {
  const { get } = await described();
  for (const path of ['/v1/units?', '/v1/region/zeitreihe?', '/v1/aggregations?groupBy=einheitTyp&'])
    expectProblem(await get(path + query), 400, 'INVALID_PARAMETER');
});

test('region analyses of the portfolio add up what its units are', async () => {
  const { get, service } = await owning([1, 2, 3, 4, 5, 13, 14]);
  const { data: units } = (await get('/v1/units?portfolio=true&limit=250')).json;
  const { data: series } = (await get('/v1/region/zeitreihe?periode=jahr&portfolio=true')).json;
  const sum = (rows: readonly Record<string, number>[], name: string) =>
    rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  const counted = units.filter(
    (one: Record<string, unknown>) => one.inbetriebnahmedatum !== null && one.inbetriebnahmedatum !== undefined,
  );
  expect(sum(series, 'zubauAnzahl')).toBe(counted.length);
  expect(sum(series, 'zubauMw')).toBeCloseTo(sum(counted, 'bruttoleistungKw') / 1000, 6);
  const ages = (await get('/v1/region/altersstruktur?portfolio=true')).json;
  const running = units.filter((one: Record<string, unknown>) => one.betriebsStatus === 'In Betrieb');
  expect(sum(ages.data, 'anzahl')).toBe(running.filter((one: Record<string, unknown>) => counted.includes(one)).length);
  const snapshot = (await get('/v1/region/momentaufnahme?portfolio=true')).json;
  const all = (await get('/v1/region/momentaufnahme')).json;
  expect(snapshot.data.pipeline.anzahl).toBeLessThanOrEqual(all.data.pipeline.anzahl);
  expect(snapshot.meta.auffaellig.count).toBeLessThanOrEqual(units.length);
  const nothing = await owning([]);
  expect((await nothing.get('/v1/region/zeitreihe?portfolio=true')).json.data).toEqual([]);
  const { text } = await makeKey(service.store, nothing.organisation, { scopes: ['region:read'] });
  expectProblem(await service.get('/v1/region/zeitreihe?portfolio=true', withKey(text)), 403, 'MISSING_SCOPE');
});

test('400 for anything but true, and where more units are in it than a filter can name', async () => {
  const { get } = await owning([]);
  for (const value of ['false', '', 'ja', 'true&portfolio=true'])
    expect((await get(`/v1/units?portfolio=${value}`)).status).toBe(400);
  const { service, organisation, key } = await owning([]);
  const rows = Array.from({ length: 10_001 }, (_, index) => ({
    ...ENTRY,
    id: randomUUIDv7(),
    mastrNumber: unit(index),
  }));
  await service.store.asOrganisation(organisation.id, (session) => session.run(putPortfolio(organisation.id, rows)));
  const refused = await service.get('/v1/units?portfolio=true', withKey(key));
  expectProblem(refused, 400, 'FILTER_CONFLICT');
  expect(refused.json.detail).toMatch(/more than 10,000 units, .* as mastrNummern$/);
});

const AT = '2026-01-01T00:00:00.000Z';
const ENTRY = { relationType: 'OWNER', externalRefs: {}, createdAt: AT, updatedAt: AT, removedAt: null } as const;
