import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Subject, serveSharedFixture } from '../support/service.ts';

/** The documents and files behind the pages under /app, as a browser asks for them: without a key. */

let service: Subject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service?.stop());

const fetched = async (path: string, accept = '*/*', more: Record<string, string> = {}) => {
  const headers = { Accept: accept, 'Accept-Language': 'de', ...more };
  const response = await fetch(service.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text(), url: response.url };
};

// A page says by itself what is wrong with its query.
const PAGES = ['/app', '/app/zeitreihe?periode=jahr&periode=&utm_source=mail', '/app/einheiten/SEE900000000001'];

describe.each(PAGES)('GET %s', (path) => {
  test('answers a document that names its files, each of which is there', async () => {
    const { status, headers, text, url } = await fetched(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const files = [...text.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)].map(([, file = '']) =>
      new URL(file, url).href.slice(service.url.length),
    );
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const answer = await fetched(file);
      // Its name has a digest of the content: it is never asked for again.
      expect([file, answer.status, answer.headers.get('cache-control')]).toEqual([
        file,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
  });

  test('is asked for anew each time, and may run no script but those of the service', async () => {
    const { headers } = await fetched(path);
    expect(headers.get('cache-control')).toContain('no-cache');
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
    );
  });
});

describe('the language of a page', () => {
  test.each([
    ['de', '/app', {}],
    ['en', '/app', { 'Accept-Language': 'fr,en;q=0.5' }],
    ['en', '/app/karte', { Cookie: 'sprache=en' }],
    ['de', '/app/karte?sprache=de', { Cookie: 'sprache=en', 'Accept-Language': 'en' }],
    ['de', '/app/karte?sprache=xx', { Cookie: 'sprache=<b>' }],
    ['en', '/app/einheiten/SEE900000000001?sprache=en', {}],
    ['en', '/app/zeitreihen?sprache=en', {}],
    ['en', '/share/none?sprache=en', {}],
  ])(
    'is %s at %s with %j: the address, then what was chosen before, then the browser',
    async (language, path, more) => {
      const { headers, text } = await fetched(path, 'text/html', more as Record<string, string>);
      expect(text).toContain(`<html lang="${language}">`);
      expect(headers.get('vary')).toMatch(/Accept-Language.*Cookie/);
      if (path.includes('en?') || path.includes('none')) expect(text).not.toMatch(/Seite|Link gilt/);
    },
  );
});

describe('an address below /app that leads nowhere', () => {
  test.each(['/app/zeitreihen', '/app/zeitreihe/1'])('is said to on a page in German: %s', async (path) => {
    const { status, headers, text, url } = await fetched(path);
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('Diese Seite gibt es nicht');
    expect(text).toContain(headers.get('x-request-id'));
    const back = /<a href="([^"]+)">Zum Überblick/.exec(text)?.[1] ?? '';
    expect(new URL(back, url).href).toBe(`${service.url}/app`);
  });

  test.each(['/APP', '/app/einheiten/SEE900000000001/mehr'])('is said to browsers on a page: %s', async (path) => {
    const { status, headers, text, url } = await fetched(path, 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const back = /<a href="([^"]+)">Zum Überblick/.exec(text)?.[1] ?? '';
    expect(new URL(back, url).href).toBe(`${service.url}/app`);
    expect((await fetched(path)).headers.get('content-type')).toBe('application/problem+json');
  });

  test.each([
    ['/docs/guides/nope', 404, 'Diese Seite gibt es nicht'],
    ['/docs/reference/nope', 404, 'Diese Seite gibt es nicht'],
    ['/docs?sprache=en', 400, 'Diese Adresse stimmt nicht'],
    ['/app/%E0%A4%A', 400, 'Diese Adresse stimmt nicht'],
  ])(
    'is said to browsers on a page, to programs in a problem, and so of pages elsewhere: %s',
    async (path, status, title) => {
      const page = await fetched(path, 'text/html,application/xhtml+xml,*/*;q=0.8', { 'Accept-Language': 'de' });
      expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
      expect(page.text).toContain(path === '/docs?sprache=en' ? 'This address is not right' : title);
      const program = await fetched(path);
      expect([program.status, program.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    },
  );

  test('names a file: programs ask for those, and get a problem', async () => {
    const { status, headers } = await fetched('/app/files/app.00000000.js');
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });
});
