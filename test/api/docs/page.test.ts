import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../api/operations.ts';
import { CODES } from '../../../api/problem/codes.ts';
import { NO_KEY } from '../../support/requests.ts';
import { type Subject, serveFixture } from '../../support/service.ts';

/** In a real browser the page /docs shows every operation, executes requests, and loads nothing from other hosts. */

const CHROMIUM = '/usr/bin/chromium';

/** These options keep the browser from sending requests of its own. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

test('the page of errors has every code with its status and links back', async () => {
  const { text } = await service.get('/docs/errors');
  const sections = [...text.matchAll(/<section id="([A-Z_]+)">\s*<h2>([A-Z_]+) <small>(\d+)/g)];
  expect(sections.map(([, id, name, status]) => [id, name, Number(status)])).toEqual(
    Object.entries(CODES).map(([code, { status }]) => [code, code, status]),
  );
  const [, target = ''] = /<a href="([^"]+)">/.exec(text) ?? [];
  expect(new URL(target, `${service.url}/docs/errors`).pathname).toBe('/docs');
});

describe('the files of the page', () => {
  test('are all served by this service, with the right media types', async () => {
    const page = await service.get('/docs', { Accept: 'text/html' });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const loaded = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+\.\w+)"/g)].map(([, path]) => path!);
    expect(loaded.length).toBeGreaterThanOrEqual(4);
    expect(page.text).not.toMatch(/https?:\/\//);
    for (const path of loaded) {
      const response = await service.get(`/${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', png: 'image/png' };
      expect(response.headers.get('content-type')).toBe(types[path.split('.').at(-1) as keyof typeof types]);
      // The URL contains the digest of its file, so a changed file has another URL.
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('have entity tags, and answer requests of another release with their present content', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/start.js', '/v1/openapi.json']) {
      const first = await service.get(path, NO_KEY);
      const again = await service.get(path, { ...NO_KEY, 'If-None-Match': first.headers.get('etag') ?? '' });
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
      expect((await service.get(path, { ...NO_KEY, 'If-None-Match': 'W/"another"' })).status).toBe(200);
    }
    const [current, older] = await Promise.all([
      service.get('/docs/start.js'),
      service.get('/docs/start.0123456789abcdef.js'),
    ]);
    expect(older.text).toBe(current.text);
    expect(older.headers.get('cache-control')).toBe('public, no-cache');
  });

  test('only the page may run scripts, and only those of this service', async () => {
    const policy = async (path: string) => (await service.get(path)).headers.get('content-security-policy') ?? '';
    expect(await policy('/docs')).toMatch(/default-src 'none'; script-src 'self';.*connect-src 'self'/);
    expect(await policy('/docs')).not.toMatch(/unsafe-eval|https?:|\*/);
    for (const path of ['/docs/errors', '/docs/start.js', '/v1/openapi.json', '/v1/units']) {
      expect(await policy(path)).not.toContain('script-src');
    }
  });

  test.each(['index.html', 'start.ts', 'swagger-ui.js', '..%2Fpage.ts', '..%2F..%2Fmain.ts', '%2Fetc%2Fpasswd', '.'])(
    'no other file is served: %s',
    async (name) => {
      const response = await service.get(`/docs/${name}`);
      expect([response.status, response.json.code]).toEqual([404, 'NOT_FOUND']);
    },
  );
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
    await page.goto(`${service.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  });
  afterAll(async () => {
    await context?.close();
    rmSync(profile, { recursive: true, force: true });
  });

  const block = (path: string) => page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });

  test('lists every operation', async () => {
    const listed = await page
      .locator('.opblock-summary')
      .evaluateAll((rows) =>
        rows.map((row) =>
          ['.opblock-summary-method', '.opblock-summary-path, .opblock-summary-path__deprecated'].map(
            (part) => row.querySelector(part)?.textContent,
          ),
        ),
      );
    const operations = OPERATIONS.map(({ method, path }) => [method, path]);
    // The page allows long paths to break at each part.
    const names = listed.map((parts) => parts.map((text) => text?.replaceAll(/[\s\u200b]/g, '')));
    expect(names.toSorted()).toEqual(operations.toSorted());
  });

  test('links to the error codes', async () => {
    const link = page.getByRole('link', { name: 'Error codes' });
    expect(await link.evaluate((anchor) => (anchor as unknown as { href: string }).href)).toBe(
      `${service.url}/docs/errors`,
    );
  });

  test('shows the answer after Authorize and Execute', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    await dialog.getByRole('textbox').first().fill(service.key);
    await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();

    const units = block('/v1/units');
    await units.locator('.opblock-summary').click();
    await units.getByRole('button', { name: 'Try it out' }).click();
    await units.getByRole('button', { name: 'Execute' }).click();
    const answer = units.locator('.live-responses-table .response');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200/);
    expect(await answer.locator('.microlight, pre').first().innerText()).toContain('mastrNummer');
  });

  test('requests only this service and causes no browser errors', () => {
    const origins = new Set(requested.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin));
    expect([...origins]).toEqual([service.url]);
    expect(complaints).toEqual([]);
  });
});
