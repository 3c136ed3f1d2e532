import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tokenSigner } from '../../api/wire/signed-token.ts';
import { putOrganisation } from '../../sql/org/organisations.ts';
import { sql } from '../../sql/org/statement.ts';
import { makeField } from '../support/custom-fields.ts';
import { ownFields } from '../support/custom-fields-client.ts';
import { TODAY } from '../support/fixture.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem, NO_KEY, withKey } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';

/** Public links over HTTP: who makes them, what they show, and what they refuse. */

const SIGNING_KEY = 'a key that signs the links of this test';
const END = '2027-01-31';

let service: OwnSubject;
const logged: string[] = [];
beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  service = await serveOwnFixture({ SIGNING_KEY, METRICS_PORT: '0' }, undefined, log);
});
afterAll(() => service.stop());

interface Made {
  readonly id: string;
  readonly url: string;
  readonly token: string;
}

const create = (body: object, key = service.key) =>
  service.send('POST', '/v1/shares', {
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ein Link', page: 'zeitreihe', endsOn: END, ...body }),
  });

async function made(body: object, key = service.key): Promise<Made> {
  const { status, json, text } = await create(body, key);
  expect(status, text).toBe(201);
  const { id, url } = json.data;
  return { id, url, token: url.replace(/^.*\//, '') };
}

/** Asks in the name of a visitor. */
const visit = (token: string, path: string, headers: Record<string, string> = {}) =>
  service.get(path, { Authorization: `Share ${token}`, ...headers });

const open = async (url: string) => {
  const response = await fetch(url, { redirect: 'manual', headers: { 'Accept-Language': 'de' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('POST /v1/shares', () => {
  test('gives a link to a view', async () => {
    const { json } = await create({ query: 'region=bundesland:Bayern', frameAncestors: ['https://www.example.org'] });
    expect(json).toEqual({
      data: {
        id: expect.any(String),
        name: 'Ein Link',
        page: 'zeitreihe',
        query: 'region=bundesland%3ABayern',
        url: expect.stringMatching(new RegExp(`^${service.url}/share/[\\w-]{60,90}$`)),
        pictureUrl: `${json.data.url}/bild.svg`,
        frameAncestors: ['https://www.example.org'],
        keyPrefix: service.key.split('_')[2],
        createdAt: expect.any(String),
        endsOn: END,
        state: 'live',
        revokedAt: null,
        views: 0,
        calls: 0,
        lastUsedAt: null,
      },
      meta: {},
    });
  });

  test.each([
    ['a page of the organisation', { page: 'konto' }, 400],
    ['a page that there is not', { page: '../konto' }, 400],
    ['the portfolio', { page: 'einheiten', query: 'portfolio=true' }, 422],
    ['the portfolio on another page', { query: 'portfolio=ja' }, 422],
    ['the portfolio by a field of it', { page: 'karte', query: 'portfolioCustomField=x:y' }, 422],
    ['a saved filter', { page: 'einheiten', query: 'savedFilterId=019a0f6e-7c1b-7d52-9f0e-00000000f001' }, 422],
    ['an event', { page: 'einheiten', query: 'eventId=019a0f6e-7c1b-7d52-9f0e-00000000f001' }, 422],
    ['an event on the map', { page: 'karte', query: 'eventId=x' }, 422],
    ['the position in a list', { page: 'einheiten', query: 'cursor=x' }, 422],
    ['a choice that there is not', { query: 'constructor=x' }, 422],
    ['a choice twice', { query: 'region=bundesland:Bayern&region=bundesland:Hessen' }, 422],
    ['too many places', { page: 'vergleich', query: `orte=${Array(9).fill('plz:1').join(',')}` }, 422],
    ['a choice that the map does not have', { page: 'karte', query: 'ebene=foo' }, 422],
    ['a carrier that there is not', { page: 'vergleich', query: 'orte=deutschland&traeger=foo' }, 422],
    ['a technology that there is not', { page: 'ausschreibungen', query: 'technologie=FOO' }, 422],
    ['a filter of the map that is no number', { page: 'karte', query: 'leistungMinKw=abc' }, 422],
    ['a filter that is no number', { page: 'einheiten', query: 'leistungMinKw=abc' }, 422],
    ['an order that there is not', { page: 'einheiten', query: 'sort=foo' }, 422],
    ['a day that there is not', { page: 'einheiten', query: 'inbetriebnahmeVon=2020-13-40' }, 422],
    ['a port that there is not', { frameAncestors: ['https://a.example:99999'] }, 400],
    ['a long origin', { frameAncestors: [`https://${'a'.repeat(200)}.example`] }, 400],
    ['what is no place', { query: 'region=mond:1' }, 422],
    ['NUL in a place of Vergleich', { page: 'vergleich', query: 'orte=bundesland:Bayern%00' }, 422],
    ['NUL in a region', { page: 'region', query: 'region=bundesland:Bayern%00' }, 422],
    ['NUL in a place of the map', { page: 'karte', query: 'region=bundesland:Bayern%00' }, 422],
    ['NUL in a filter', { page: 'einheiten', query: 'suche=a%00b' }, 422],
    ['a district that there is not', { query: 'region=landkreis:99999' }, 422],
    ['a district that there is not, compared', { page: 'vergleich', query: 'orte=deutschland,landkreis:99999' }, 422],
    ['a state that there is not', { page: 'region', query: 'region=bundesland:Baiern' }, 422],
    ['a municipality that there is not', { page: 'karte', query: 'region=gemeinde:99999999' }, 422],
    ['a postal code of letters', { query: 'region=plz:x' }, 422],
    ['a day that there is not, of a series', { query: 'von=9999-99-99' }, 422],
    ['a day far away', { page: 'vergleich', query: 'bis=9999-12-31' }, 422],
    ['a measure that there is not', { page: 'karte', query: 'wert=aenderungLeistung' }, 422],
    ['a year that the map does not have', { page: 'karte', query: 'jahr=1066' }, 422],
    ['a series that there is not', { page: 'vergleich', query: 'reihe=foo' }, 422],
    ['a filter of Vergleich that is no number', { page: 'vergleich', query: 'filter=leistungMinKw%3Dabc' }, 422],
    ['a last day that is over', { endsOn: '2026-03-14' }, 422],
    ['a last day far away', { endsOn: '2027-03-17' }, 422],
    ['a day that is none', { endsOn: '2027-02-30' }, 400],
    ['an origin without TLS', { frameAncestors: ['http://www.example.org'] }, 400],
    ['any origin', { frameAncestors: ['*'] }, 400],
    ['any subdomain', { frameAncestors: ['https://*.example.org'] }, 400],
    ['an address for an origin', { frameAncestors: ['https://example.org/page'] }, 400],
    ['more of a policy', { frameAncestors: ["https://example.org; script-src 'unsafe-inline'"] }, 400],
    ['a line more', { frameAncestors: ['https://example.org\nX: y'] }, 400],
    ['too many origins', { frameAncestors: Array.from({ length: 11 }, (_, n) => `https://a${n}.example`) }, 400],
  ])('refuses %s', async (_, body, status) => {
    const { json } = await create(body);
    expect([json.status, json.data]).toEqual([status, undefined]);
  });

  test('needs shares:write, and what the view itself is read by', async () => {
    const keyWith = async (...scopes: string[]) =>
      (await makeKey(service.store, service.organisation, { scopes })).text;
    expectProblem(await create({}, await keyWith('region:read', 'reference:read')), 403, 'MISSING_SCOPE');
    expectProblem(await create({}, await keyWith('shares:write', 'reference:read')), 403, 'MISSING_SCOPE');
    expect((await create({}, await keyWith('shares:write', 'reference:read', 'region:read'))).status).toBe(201);
  });

  test('makes at most 50 that are live; a dry run makes none', async () => {
    const organisation = await makeOrganisation(service.store);
    const key = (await makeKey(service.store, organisation)).text;
    const ids = [];
    for (let count = 0; count < 50; count++) ids.push((await made({}, key)).id);
    expectProblem(await create({}, key), 422, 'UNPROCESSABLE');
    expect((await service.send('DELETE', `/v1/shares/${ids[0]}`, { headers: withKey(key) })).status).toBe(200);
    const dry = await service.send('POST', '/v1/shares?dryRun=true', {
      headers: { ...withKey(key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Probe', page: 'karte', endsOn: END }),
    });
    expect([dry.status, (await service.get('/v1/shares', withKey(key))).json.meta.count]).toEqual([201, 50]);
  });

  test('gives the same link again for the same Idempotency-Key', async () => {
    const send = () =>
      service.send('POST', '/v1/shares', {
        headers: { ...withKey(service.key), 'Content-Type': 'application/json', 'Idempotency-Key': 'share-1' },
        body: JSON.stringify({ name: 'Einmal', page: 'karte', endsOn: END }),
      });
    expect((await send()).text).toBe((await send()).text);
  });
});

describe('a visitor', () => {
  let link: Made;
  beforeAll(async () => {
    link = await made({ query: 'region=bundesland:Bayern' });
  });

  test('reads what the view needs, as a key reads it', async () => {
    const path = '/v1/region/zeitreihe?ebene=bundesland&region=Bayern&periode=jahr';
    const [visitor, owner] = [await visit(link.token, path), await service.get(path)];
    expect([visitor.status, visitor.json]).toEqual([200, owner.json]);
    expect((await visit(link.token, '/v1/datasets')).status).toBe(200);
    expect((await visit(link.token, '/v1/reference/bundesland')).status).toBe(200);
  });

  test.each([
    '/v1/region/zeitreihe?ebene=bundesland&region=Hessen&periode=jahr',
    '/v1/region/zeitreihe?periode=jahr',
    '/v1/region/zeitreihe',
    '/v1/region/zeitreihe?ebene=bundesland&region=Bayern&region=Hessen',
    '/v1/region/zeitreihe?ebene=bundesland&region=Bayern&registerEnergietraeger=Biogas',
    '/v1/region/zeitreihe?ebene=bundesland&region=Bayern&format=csv',
    '/v1/region/zeitreihe?ebene=bundesland&region=Bayern&portfolio=true',
    '/v1/region/altersstruktur?ebene=bundesland&region=Bayern',
    '/v1/aggregations?groupBy=einheitTyp&bundesland=Bayern',
    '/v1/aggregations?groupBy=einheitTyp&bundesland=Bayern&portfolio=true',
    '/v1/units?bundesland=Bayern',
    '/v1/units?portfolio=true',
    '/v1/units/fields',
    '/v1/reference/landkreis?q=m',
    '/v1/reference/betreiber?q=m',
    '/v1/reference',
    '/v1/ausschreibungen',
  ])('is refused %s', async (path) => {
    expectProblem(await visit(link.token, path), 403, 'NOT_SHARED');
  });

  test('is nobody where a link cannot be used', async () => {
    for (const path of [
      '/v1/me',
      '/v1/usage',
      '/v1/portfolio',
      '/v1/contacts',
      '/v1/shares',
      '/v1/saved-filters',
      '/v1/custom-fields',
      '/v1/keys',
      '/v1/audit-log',
      '/v1/qualitaet',
      '/v1/search?q=wind',
      '/v1/units/SEE900000000001',
      '/v1/datasets/version',
      '/v1/events',
    ]) {
      expect([path, (await visit(link.token, path)).json.code]).toEqual([path, 'INVALID_API_KEY']);
    }
    const sent = await service.send('POST', '/v1/units/search', {
      headers: { Authorization: `Share ${link.token}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expectProblem(sent, 401, 'INVALID_API_KEY');
    const revoked = await service.send('DELETE', `/v1/shares/${link.id}`, {
      headers: { Authorization: `Share ${link.token}` },
    });
    expectProblem(revoked, 401, 'INVALID_API_KEY');
  });

  test('does not come with a key as well, nor with the token as one', async () => {
    const path = '/v1/region/zeitreihe?ebene=bundesland&region=Bayern';
    expectProblem(await visit(link.token, path, { 'X-API-Key': service.key }), 403, 'NOT_SHARED');
    expectProblem(await service.get(path, withKey(link.token)), 401, 'INVALID_API_KEY');
    expectProblem(await service.get(path, { ...NO_KEY, 'X-API-Key': link.token }), 401, 'INVALID_API_KEY');
    expectProblem(await service.get(`${path}&token=${link.token}`, NO_KEY), 401, 'MISSING_API_KEY');
  });

  test('is no more with the session of a browser', async () => {
    const response = await fetch(`${service.url}/app/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key: service.key }),
    });
    const session = { Cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'X-App-Session': 'app' };
    expect((await service.get('/v1/me', { ...NO_KEY, ...session })).status).toBe(200);
    expectProblem(await visit(link.token, '/v1/units', session), 403, 'NOT_SHARED');
    expectProblem(await visit(link.token, '/v1/me', session), 401, 'INVALID_API_KEY');
    expectProblem(await visit(`${link.token}x`, '/v1/units', session), 410, 'LINK_EXPIRED');
  });

  test('of a list sees its filters, columns and first thousand rows alone', async () => {
    const { token } = await made({
      page: 'einheiten',
      query: 'einheitTyp=wind&fields=name,bruttoleistungKw&sort=bruttoleistungKw:asc',
    });
    const list = (query: string) => visit(token, `/v1/units?${query}`);
    const good = 'einheitTyp=wind&fields=mastrNummer,name,bruttoleistungKw&sort=bruttoleistungKw:asc&limit=2';
    const first = await list(good);
    expect(first.status).toBe(200);
    expect((await list(`${good}&cursor=${first.json.meta.page.cursor}`)).status).toBe(200);
    for (const query of [
      'fields=mastrNummer,name,bruttoleistungKw&limit=2',
      good.replace('wind', 'solar'),
      good.replace('name', 'betreiberName'),
      good.replace('fields=mastrNummer,name,bruttoleistungKw&', ''),
      good.replace('limit=2', 'limit=250'),
      good.replace('&limit=2', ''),
      good.replace('bruttoleistungKw:asc', 'inbetriebnahmedatum:desc'),
      `${good}&include=eeg`,
      `${good}&expand=betreiber`,
      `${good}&portfolio=true`,
      `${good}&updatedSince=2026-10-01`,
      `${good}&einheitTyp=solar`,
      `${good}&format=geojson`,
    ]) {
      expect([query, (await list(query)).json.code]).toEqual([query, 'NOT_SHARED']);
    }
    for (const Accept of ['application/geo+json', 'text/csv']) {
      expect((await visit(token, `/v1/units?${good}`, { Accept })).json.code).toBe('NOT_SHARED');
    }
  });

  test('finds nothing in texts of the organisation', async () => {
    const { token } = await made({ page: 'einheiten', query: 'suche=Geheimakte' });
    const field = await makeField(service.store, service.organisation, { type: 'LONG_TEXT' });
    await ownFields(service, service.key).put(1, [{ defId: field.id, text: 'Geheimakte' }]);
    const path = '/v1/units?suche=Geheimakte&fields=mastrNummer,name&limit=100';
    expect((await service.get(path)).json.data).toHaveLength(1);
    expect((await visit(token, path)).json.data).toEqual([]);
  });

  test('costs the organisation nothing of its limits, and leaves no row in its audit log', async () => {
    const organisation = await makeOrganisation(service.store, { limits: { standard: 50, mutation: 5, expensive: 1 } });
    const key = (await makeKey(service.store, organisation)).text;
    const { token, id } = await made({ page: 'zeitreihe' }, key);
    for (let count = 0; count < 8; count++) {
      const answer = await visit(token, '/v1/region/zeitreihe');
      expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null]);
    }
    await visit(token, '/v1/units');
    expect((await service.get('/v1/region/zeitreihe', withKey(key))).status).toBe(200);
    await vi.waitFor(async () => {
      const log = await service.get('/v1/audit-log', withKey(key));
      expect(log.json.data.filter(({ pfad }: { pfad: string }) => pfad === '/v1/region/zeitreihe')).toHaveLength(1);
    });
    const [listed] = (await service.get('/v1/shares', withKey(key))).json.data;
    expect(listed).toMatchObject({ id, calls: 8, views: 0, lastUsedAt: expect.any(String) });
  });
});

describe('a link that does not hold', () => {
  const path = '/v1/region/zeitreihe';
  const refused = async ({ token, url }: Made) => {
    expectProblem(await visit(token, path), 410, 'LINK_EXPIRED');
    const page = await open(url);
    expect([page.status, page.text]).toEqual([410, expect.stringContaining('Dieser Link gilt nicht mehr')]);
    expect((await open(`${url}/bild.svg`)).status).toBe(410);
  };
  const soon = () => new Promise((resolve) => setTimeout(resolve, 950));

  test('was revoked', async () => {
    const link = await made({});
    expect((await visit(link.token, path)).status).toBe(200);
    const { json } = await service.send('DELETE', `/v1/shares/${link.id}`);
    expect(json.data).toMatchObject({ id: link.id, state: 'revoked', revokedAt: expect.any(String) });
    await soon();
    await refused(link);
    const again = await service.send('DELETE', `/v1/shares/${link.id}`);
    expect(again.json.data.revokedAt).toBe(json.data.revokedAt);
  });

  test('has ended', async () => {
    const link = await made({ endsOn: TODAY });
    expect((await visit(link.token, path)).status).toBe(200);
    await service.store.asOperator((session) =>
      session.run(sql`UPDATE shares SET ends_on = ${TODAY}::date - 1 WHERE id = ${link.id}::uuid`),
    );
    await soon();
    await refused(link);
    const { json } = await service.get('/v1/shares');
    expect(json.data.find(({ id }: { id: string }) => id === link.id).state).toBe('ended');
  });

  test.each([
    ['whose trial has ended', { trialEndsAt: '2026-01-01T00:00:00.000Z' }],
    ['without module api', { modules: ['analysis'] }],
  ])('is of an organisation %s', async (_, change) => {
    const organisation = await makeOrganisation(service.store);
    const link = await made({}, (await makeKey(service.store, organisation)).text);
    await service.store.asOperator((session) => session.run(putOrganisation({ ...organisation, ...change })));
    await soon();
    await refused(link);
  });

  test('was altered, cut off, or signed for something else', async () => {
    const { token, id, url } = await made({});
    const other = (await makeOrganisation(service.store)).id;
    const bad = [
      token.slice(0, -1),
      `${token}A`,
      (token.startsWith('A') ? 'B' : 'A') + token.slice(1),
      tokenSigner('share', 'another key').sign(id),
      tokenSigner('cursor', SIGNING_KEY).sign(id),
      tokenSigner('share', SIGNING_KEY).sign(other),
      tokenSigner('share', SIGNING_KEY).sign({ id }),
      tokenSigner('share', SIGNING_KEY).sign("' OR true --"),
      id,
    ];
    for (const one of bad) await refused({ token: one, id, url: url.replace(token, one) });
  });

  test('of another organisation is not there to be revoked or seen', async () => {
    const { id } = await made({});
    const key = (await makeKey(service.store, await makeOrganisation(service.store))).text;
    expectProblem(await service.send('DELETE', `/v1/shares/${id}`, { headers: withKey(key) }), 404, 'NOT_FOUND');
    expectProblem(await service.send('DELETE', '/v1/shares/x', { headers: withKey(key) }), 404, 'NOT_FOUND');
    expect((await service.get('/v1/shares', withKey(key))).json.data).toEqual([]);
  });

  test('stays when the key is revoked that made it', async () => {
    const { text, row } = await makeKey(service.store, service.organisation);
    const link = await made({}, text);
    await service.store.asOperator((session) =>
      session.run(sql`UPDATE shares SET ends_on = '2999-12-31' WHERE id = ${link.id}::uuid`),
    );
    const { json } = await service.send('DELETE', `/v1/keys/${row.prefix}`);
    expect(json.meta).toMatchObject({ revoked: row.prefix, liveShares: 1 });
    expect((await visit(link.token, path)).status).toBe(200);
  });
});

describe('the page', () => {
  test('may be framed by the chosen origins alone, and tells no other site where it was', async () => {
    const framed = await made({ frameAncestors: ['https://www.example.org', 'https://b.example:8443'] });
    const plain = await made({});
    const policy = async ({ url }: Made) => (await open(url)).headers.get('content-security-policy') ?? '';
    expect(await policy(framed)).toMatch(/; frame-ancestors https:\/\/www\.example\.org https:\/\/b\.example:8443$/);
    expect(await policy(plain)).toMatch(/; frame-ancestors 'none'$/);
    const { headers, status } = await open(framed.url);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    });
    // Who framed the view is told so there, too.
    await service.send('DELETE', `/v1/shares/${framed.id}`);
    await new Promise((resolve) => setTimeout(resolve, 950));
    expect(await policy(framed)).toContain('frame-ancestors https://www.example.org');
  });

  test('has the view, and nothing of the organisation', async () => {
    const organisation = await makeOrganisation(service.store, { name: 'Geheimwerke AG' });
    const { text: key, row } = await makeKey(service.store, organisation);
    const link = await made({ name: 'Geheimname', page: 'karte', query: 'ebene=bundesland&wert=anzahl' }, key);
    const page = await open(link.url);
    expect(page.text).toContain('data-view="karte" data-choices="ebene=bundesland&amp;wert=anzahl"');
    expect(page.text).toContain(`<noscript><p><img src="${link.token}/bild.svg?sprache=de"`);
    const picture = await open(`${link.url}/bild.svg`);
    for (const text of [page.text, picture.text, JSON.stringify([...page.headers])]) {
      for (const secret of ['Geheim', organisation.id, link.id, row.prefix, key]) expect(text).not.toContain(secret);
    }
    const [listed] = (await service.get('/v1/shares', withKey(key))).json.data;
    expect(listed).toMatchObject({ views: 1, calls: 1 });
  });

  test('takes whatever others append to the address, and no path behind it', async () => {
    const { url } = await made({});
    const page = await open(`${url}?utm_source=x&region=bundesland:Hessen&page=konto&redirect=https://evil.example`);
    expect([page.status, page.text.includes('Hessen'), page.text.includes('evil')]).toEqual([200, false, false]);
    for (const path of ['/../../v1/me', '/..%2f..%2fv1%2fme', '/konto', '/bild.svg/x', '%2f..%2fapp', '/bild.png']) {
      const { status, headers } = await open(url + path);
      expect([path, [401, 404, 410].includes(status), headers.get('location')]).toEqual([path, true, null]);
    }
    const slash = await open(`${url}/`);
    expect([slash.status, slash.headers.get('location')]).toEqual([308, expect.stringMatching(/^\.\.\/[\w-]+$/)]);
  });

  test('is a picture, too: of every page', async () => {
    for (const [page, query, title] of [
      ['ueberblick', '', 'Leistung in Betrieb: Deutschland'],
      ['region', 'region=bundesland:Bayern', 'Leistung in Betrieb: Bayern'],
      ['vergleich', 'orte=bundesland:Bayern,deutschland&traeger=wind', 'Zubau Wind, 2016 bis 2025'],
      ['zeitreihe', 'region=landkreis:03452&traeger=solar', 'Zubau, Abbau, Nettozubau, Pipeline: '],
      ['altersstruktur', 'region=plz:80', 'Alter der Anlagen in Betrieb: PLZ 80'],
      ['karte', 'ebene=bundesland', 'Leistung nach Bundesländern: Deutschland'],
      ['einheiten', 'einheitTyp=wind&sort=bruttoleistungKw:desc', 'Einheiten: Anfang der Liste'],
      ['ausschreibungen', '', 'Ausschreibungen: bezuschlagte Menge je Gebotstermin'],
    ] as const) {
      const { url } = await made({ page, query });
      const { status, headers, text } = await open(`${url}/bild.svg`);
      expect([page, status, headers.get('content-type')]).toEqual([
        page,
        200,
        expect.stringContaining('image/svg+xml'),
      ]);
      expect(text).toContain(`<title>${title}`);
      expect(text).toContain('Bundesnetzagentur');
      expect(text).not.toMatch(/<script|<style|href=|onload/);
    }
  });
});

test('an address without a link is a page for people in a browser', async () => {
  for (const path of ['/share/', '/share', '/share/x']) {
    const response = await fetch(service.url + path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([path, response.headers.get('content-type')]).toEqual([path, expect.stringContaining('text/html')]);
  }
});

test('neither log nor audit log has a token', async () => {
  const { token, url } = await made({});
  await open(url);
  await open(`${url}/nowhere`);
  await visit(token, '/v1/region/zeitreihe');
  await visit(token, `/v1/units?suche=${service.url}/share/${token}`);
  for (const path of ['/v1/share/', '/share;', '/share=', '/share/x/', '/shares/', '/v1/units/', '/app/', '/share/%20'])
    expect(await (await fetch(service.url + path + token)).text()).not.toContain(token);
  const audit = await service.get('/v1/audit-log?limit=250');
  expect(audit.text + logged.join('')).not.toContain(token);
  expect(logged.join('')).toContain('/share/***');
});
