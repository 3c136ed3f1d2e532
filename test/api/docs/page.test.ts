import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUIDES } from '../../../api/docs/guides/documents.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { CODES } from '../../../api/problem/codes.ts';
import { CHROMIUM, QUIET } from '../../support/browser.ts';
import { NO_KEY } from '../../support/requests.ts';
import { type Subject, serveFixture } from '../../support/service.ts';

/** The pages lead to each other, and in a real browser they search, send requests, and load nothing from other hosts. */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const documented = OPERATIONS.map(({ id }) => `/docs/reference/${id}`);
const guides = GUIDES.map(({ path }) => `/${path}`);
const PAGES = ['/', '/v1', '/docs', '/docs/errors', '/docs/changelog', ...guides, ...documented];

const HTML = { ...NO_KEY, Accept: 'text/html,*/*;q=0.8' };

test('the page of errors has every code with its status', async () => {
  const { text } = await service.get('/docs/errors', HTML);
  const sections = [
    ...text.matchAll(/<section class="code-entry" id="([A-Z_]+)">\s*<h2>.*?>([A-Z_]+)<.*?<small>(\d+)/g),
  ];
  expect(sections.map(([, id, name, status]) => [id, name, Number(status)])).toEqual(
    Object.entries(CODES).map(([code, { status }]) => [code, code, status]),
  );
});

describe('the pages', () => {
  /** The anchors of each page, and its own links. */
  const seen = new Map<string, { readonly anchors: ReadonlySet<string>; readonly links: readonly string[] }>();

  /** Files and documents that were found, which many pages link to. */
  const others = new Set<string>();

  beforeAll(async () => {
    for (const path of PAGES) {
      const { status, headers, text } = await service.get(path, HTML);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      seen.set(path, {
        anchors: new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)),
        links: [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&')),
      });
    }
  });

  test.each(PAGES)('%s links to pages, anchors and files that exist', async (path) => {
    const { links } = seen.get(path)!;
    expect(links.length).toBeGreaterThan(15);
    for (const link of links) {
      const target = new URL(link, service.url + path);
      if (target.origin !== service.url) {
        expect(link, link).toMatch(/^https:\/\/(?:www\.govdata|keepachangelog|www\.standardwebhooks)\./);
        continue;
      }
      const page = seen.get(target.pathname);
      if (page === undefined) {
        if (!others.has(target.pathname)) {
          expect([link, (await service.get(target.pathname, NO_KEY)).status]).toEqual([link, 200]);
        }
        others.add(target.pathname);
      } else if (target.hash !== '')
        expect([...page.anchors], link).toContain(decodeURIComponent(target.hash.slice(1)));
    }
  });

  test.each(PAGES)(
    '%s has no anchor twice, nothing of other hosts, and no style or script of its own',
    async (path) => {
      const { text } = await service.get(path, HTML);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      expect(text).not.toMatch(/ (?:style|on\w+)=|<style|<script>|(?:src|stylesheet" href)="(?:https?:)?\/\//);
      expect(text).not.toMatch(/undefined|\[object /);
    },
  );

  test('all but the one that greets people show every operation beside their text', () => {
    for (const [path, { links }] of seen) {
      if (path === '/') continue;
      const pages = new Set(links.map((link) => link.replace(/^(?:\.\.\/)*/, '/')));
      expect(documented.filter((path) => !pages.has(path))).toEqual([]);
    }
  });

  test('may run scripts of this service only', async () => {
    const policy = async (path: string, headers: Record<string, string>) =>
      (await service.get(path, headers)).headers.get('content-security-policy') ?? '';
    for (const path of PAGES) {
      expect(await policy(path, HTML)).toMatch(
        /default-src 'none'; script-src 'self'; style-src 'self';.*connect-src 'self'/,
      );
      expect(await policy(path, HTML)).not.toMatch(/unsafe|https?:|\*/);
    }
    for (const path of ['/docs/files/page.js', '/v1/openapi.json', '/v1/units', '/']) {
      expect(await policy(path, { Accept: '*/*' })).not.toContain('script-src');
    }
  });
});

describe('the files of the pages', () => {
  test('are all served by this service, with the right media types', async () => {
    const page = await service.get('/docs', HTML);
    const loaded = [...page.text.matchAll(/"(docs\/files\/[^"]+\.\w+)"/g)].map(([, path]) => path!);
    expect(loaded.map((path) => path.replace(/^.*\./, '')).toSorted()).toEqual(
      expect.arrayContaining(['css', 'js', 'json', 'svg']),
    );
    for (const path of loaded) {
      const response = await service.get(`/${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      const types = {
        js: 'text/javascript; charset=utf-8',
        css: 'text/css; charset=utf-8',
        json: 'application/json; charset=utf-8',
        svg: 'image/svg+xml; charset=utf-8',
      };
      expect(response.headers.get('content-type')).toBe(types[path.split('.').at(-1) as keyof typeof types]);
      // The URL contains the digest of its file, so a changed file has another URL.
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('have entity tags, and answer requests of another release with their present content', async () => {
    for (const path of ['/', '/docs', '/docs/errors', '/docs/files/page.js', '/v1/openapi.json']) {
      const first = await service.get(path, NO_KEY);
      const again = await service.get(path, { ...NO_KEY, 'If-None-Match': first.headers.get('etag') ?? '' });
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
      expect((await service.get(path, { ...NO_KEY, 'If-None-Match': 'W/"another"' })).status).toBe(200);
    }
    const [current, older] = await Promise.all([
      service.get('/docs/files/page.js'),
      service.get('/docs/files/page.0123456789abcdef.js'),
    ]);
    expect(older.text).toBe(current.text);
    expect(older.headers.get('cache-control')).toBe('public, no-cache');
  });

  test.each(['layout.ts', 'swagger-ui.js', '..%2Flayout.ts', '..%2F..%2Fmain.ts', '%2Fetc%2Fpasswd', '.'])(
    'no other file is served: %s',
    async (name) => {
      const response = await service.get(`/docs/files/${name}`);
      expect([response.status, response.json.code]).toEqual([404, 'NOT_FOUND']);
    },
  );
});

describe('a name that no page has', () => {
  test.each([
    ['/docs/reference/unit.list', 'units.list'],
    ['/docs/guides/region-analyst', 'region-analysts'],
  ])('%s: the problem suggests %s', async (path, meant) => {
    const response = await service.get(path, NO_KEY);
    expect([response.status, response.json.code]).toEqual([404, 'NOT_FOUND']);
    expect(response.json.detail).toContain(`did you mean ${meant}?`);
    // A browser gets it on a page for people.
    const page = await fetch(service.url + path, { headers: { Accept: HTML.Accept } });
    expect(page.headers.get('Content-Type')).toContain('text/html');
    expect(await page.text()).toContain(`did you mean ${meant}?`);
  });
});

describe.skipIf(!existsSync(CHROMIUM))(`in ${CHROMIUM} (skipped where there is none)`, () => {
  let context: BrowserContext;
  let page: Page;
  const profile = mkdtempSync(join(tmpdir(), 'browser-'));
  const requested: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    context = await chromium.launchPersistentContext(profile, { executablePath: CHROMIUM, args: QUIET });
    page = await context.newPage();
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  afterAll(async () => {
    await context?.close();
    rmSync(profile, { recursive: true, force: true });
  });

  const open = (path: string) => page.goto(service.url + path);

  test('the navigation leads to every operation', async () => {
    await open('/docs');
    const listed = await page
      .locator('#navigation a:has(.method)')
      .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
    expect(listed.toSorted()).toEqual(documented.map((path) => service.url + path).toSorted());
  });

  test('the search finds a parameter by the keyboard alone, and opens the group that it stands in', async () => {
    await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('leistungMinKw');
    await page.locator('#found [role=option]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/docs/reference/units.list#leistungMinKw`);
    await page.locator('#leistungMinKw').waitFor({ state: 'visible' });
  });

  test('the search says when there is nothing', async () => {
    await open('/docs');
    await page.locator('#search').fill('xyzzy');
    const nothing = page.locator('#found .nothing');
    await nothing.waitFor();
    expect(await nothing.innerText()).toBe('Nothing found');
  });

  test('the language of the samples is kept from page to page', async () => {
    await open('/docs/reference/units.list');
    await page.locator('.samples label', { hasText: 'Python' }).first().click();
    await open('/docs/reference/search.find');
    expect(await page.locator('.sample:visible').first().innerText()).toContain('requests.get(');
  });

  test('the colours change with the button, and stay', async () => {
    await open('/docs');
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const before = await paper();
    await page.locator('#theme').click();
    const after = await paper();
    expect(after).not.toBe(before);
    await open('/docs/errors');
    expect(await paper()).toBe(after);
  });

  test('a request is sent with the key, and its answer shown', async () => {
    await open('/docs/reference/units.list');
    await page.getByLabel('API key').fill(service.key);
    await page.getByRole('button', { name: 'Send' }).click();
    const answer = page.locator('#answer');
    await answer.waitFor({ state: 'visible' });
    expect(await answer.innerText()).toMatch(/^200 .*mastrNummer/s);
  });

  test('on a phone nothing is wider than the screen, and the navigation opens', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/', '/docs', '/docs/reference/units.list', '/docs/guides/region-analysts', '/docs/errors']) {
      await open(path);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390]);
    }
    await page.locator('#menu').click();
    await page.locator('#navigation a', { hasText: 'For API clients' }).click();
    await page.waitForURL(`${service.url}/docs/guides/api-clients`);
  });

  test('the pages request only this service and cause no browser errors', () => {
    const origins = new Set(requested.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin));
    expect([...origins]).toEqual([service.url]);
    expect(complaints).toEqual([]);
  });
});
