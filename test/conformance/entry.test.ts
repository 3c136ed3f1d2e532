import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { temporaryFolder } from '../support/fixture.ts';
import { expectProblem, NO_KEY } from '../support/requests.ts';
import { type Subject, serve, serveFixture } from '../support/service.ts';

/** Whoever knows only the address of the service finds the way: by / and /v1, redirects, and problems that suggest. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe.each(['/', '/v1'])('GET %s without a key', (path) => {
  test('answers programs an index: state of the data, links, every operation', async () => {
    const { status, json, headers } = await service.get(path, NO_KEY);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('vary')).toContain('Accept');
    expect(json.data).toMatchObject({ asOf: '2026-03-14', units: expect.any(Number) });
    const paths = json.data.operations.map(
      ({ method, path: of }: { method: string; path: string }) => `${method} ${of}`,
    );
    const described = OPERATIONS.filter((operation) => operation.path.startsWith('/v1/'));
    expect(paths).toEqual(described.map((operation) => `${operation.method} ${operation.path}`));
  });

  test('counts the units as the list of units does', async () => {
    const { json } = await service.get(path, NO_KEY);
    const list = await service.get('/v1/units?limit=1');
    expect(json.data.units).toBe(list.json.meta.page.total);
  });

  test('answers a browser a page with the day, the units and links', async () => {
    const { text, headers } = await service.get(path, { ...NO_KEY, Accept: BROWSER });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const { json } = await service.get(path, NO_KEY);
    // The page for people writes days as the dashboards do.
    expect(text).toContain(path === '/' ? '<dd>14 Mar 2026</dd>' : json.data.asOf);
    expect(text).toContain(json.data.units.toLocaleString('en'));
    expect(text.match(/<pre /g) ?? []).toHaveLength(path === '/' ? 0 : 3);
    const first = /<ul class="cards">\s*<li><a href="([^"]+)">/.exec(text)?.[1] ?? '';
    expect(new URL(first, service.url + path).href, 'the first card leads to the dashboards').toBe(json.data.links.app);
  });

  test('refuses what it cannot deliver, and unknown parameters', async () => {
    expectProblem(await service.get(path, { ...NO_KEY, Accept: 'image/png' }), 406, 'NOT_ACCEPTABLE');
    expectProblem(await service.get(`${path}?x=1`, NO_KEY), 400, 'UNKNOWN_PARAMETER');
  });
});

describe('the page that greets people', () => {
  const page = (headers: Record<string, string>, path = '/') =>
    service.get(path, { ...NO_KEY, Accept: BROWSER, ...headers });

  test.each([
    [{ 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.8' }, '/', 'de', 'Energieanlagen in Deutschland'],
    [{ 'Accept-Language': 'fr,en;q=0.5,de;q=0.4' }, '/', 'en', 'Energy assets in Germany'],
    [{ 'Accept-Language': 'en-GB,de;q=0.9' }, '/', 'en', 'Energy assets in Germany'],
    [{ 'Accept-Language': 'de-AT;q=0, ,en ; q=0.1,x,,;q=' }, '/', 'en', 'Energy assets in Germany'],
    [{ 'Accept-Language': '*' }, '/', 'en', 'Energy assets in Germany'],
    [{}, '/', 'en', 'Energy assets in Germany'],
    [{ 'Accept-Language': 'de' }, '/?sprache=en', 'en', 'Energy assets in Germany'],
    [{}, '/?sprache=de', 'de', 'Energieanlagen in Deutschland'],
  ])('%j at %s is in %s', async (headers, path, language, title) => {
    const { text, headers: sent } = await page(headers as Record<string, string>, path);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(sent.get('vary')).toContain('Accept-Language');
  });

  test('tells how much is in operation, and has a door for developers and a search of places', async () => {
    const { text } = await page({});
    const { json } = await service.get('/v1/aggregations?groupBy=betriebsStatus');
    const [running] = json.data.groups.filter(({ key }: { key: string }) => key === 'In Betrieb');
    expect(text).toContain(`<dd>${Math.round(running.bruttoleistungKw / 1e3).toLocaleString('en')} MW</dd>`);
    expect(text).not.toContain('A sample');
    expect(text).toContain('href="v1"');
    expect(text).toContain('<form class="find" action="app/region" method="get"');
  });

  test('opens by a link to which another site has appended something, also without a value', async () => {
    const { status, text } = await page({}, '/?utm_source=x&fbclid=');
    expect([status, text.includes('<h1>Energy assets in Germany</h1>')]).toEqual([200, true]);
  });

  test('keeps what was chosen on it for the pages that it leads to', async () => {
    const { headers } = await page({}, '/?sprache=de');
    expect(headers.get('set-cookie')).toBe('sprache=de; Path=/; Max-Age=31536000; SameSite=Lax');
    expect((await page({ Cookie: 'sprache=de', 'Accept-Language': 'en' })).text).toContain('<html lang="de">');
  });

  test('refuses a language that it does not have', async () => {
    expectProblem(await page({}, '/?sprache=fr'), 400, 'INVALID_PARAMETER');
  });
});

test('every link of the index leads somewhere', async () => {
  const { json } = await service.get('/v1', NO_KEY);
  const { operations, links } = json.data;
  const addresses = [
    ...Object.values<string | string[]>(links).flat(),
    ...operations.map(({ documentation }: { documentation: string }) => documentation),
  ];
  for (const address of addresses) {
    expect([address, (await service.get(address.slice(service.url.length))).status]).toEqual([address, 200]);
  }
});

test('without any data the index answers, and says so', async () => {
  const empty = temporaryFolder();
  const subject = await serve(empty.path);
  const index = await subject.get('/', NO_KEY);
  expect(index.json.data).toMatchObject({ asOf: null, units: null });
  expect((await subject.get('/', { ...NO_KEY, Accept: BROWSER })).text).toContain('no data yet');
  await subject.stop();
  empty.remove();
});

describe('slashes at the end', () => {
  test.each([
    ['/docs/', '/docs'],
    ['/docs//', '/docs'],
    ['/v1/', '/v1'],
    ['/docs/errors/', '/docs/errors'],
    ['/docs/guides/api-clients/?x=1', '/docs/guides/api-clients?x=1'],
  ])('of a page are sent on: %s to %s', async (path, target) => {
    const sent = await service.send('GET', path, { headers: NO_KEY, redirect: 'manual' });
    expect(sent.status).toBe(308);
    const { pathname, search } = new URL(sent.headers.get('location') ?? '', service.url + path);
    expect(pathname + search).toBe(target);
  });

  test('of anything else are a mistake, which the problem corrects', async () => {
    const problem = await service.get('/v1/units/', NO_KEY);
    expectProblem(problem, 404, 'NOT_FOUND');
    expect(problem.json.detail).toBe('There is no address /v1/units/; did you mean /v1/units?');
  });
});

describe('an unknown address', () => {
  test.each([
    ['/v1/unit', '/v1/units'],
    ['/aggregations', '/v1/aggregations'],
  ])('%s: the problem suggests %s', async (path, meant) => {
    const problem = await service.get(path, NO_KEY);
    expectProblem(problem, 404, 'NOT_FOUND');
    expect(problem.json.detail).toBe(`There is no address ${path}; did you mean ${meant}?`);
  });

  test('that is like nothing gets no suggestion, and a key in it is not repeated', async () => {
    expect((await service.get('/wp-admin', NO_KEY)).json.detail).toBe('There is no address /wp-admin');
    const { json } = await service.get(`/v1/unit/${service.key}`, NO_KEY);
    expect(json.detail).not.toContain(service.key.slice(-20));
  });
});
