import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { CHROMIUM, QUIET } from './browser.ts';
import { type OwnSubject, serveSharedFixture } from './service.ts';

/** The pages under /app in Debian's Chromium, over the small register. */

export const hasBrowser = existsSync(CHROMIUM);

/** Sizes at which pages are looked at (CSS pixels): a wide window, and a telephone. */
export const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

type Size = keyof typeof SIZES;
type Scheme = 'light' | 'dark';

export interface Dashboard {
  readonly service: OwnSubject;
  readonly page: Page;
  /** Opens a page below /app with the key of the organisation, and waits until nothing loads any more. */
  visit(path: string, look?: { size?: Size; scheme?: Scheme }): Promise<void>;
  /** Answers requests whose path and query match by hand, until the next `visit` of another stub or `unstub`. */
  stub(pattern: RegExp, answer: StubbedAnswer): Promise<void>;
  unstub(): Promise<void>;
  /** Asks the interface itself, as the pages do. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
  api(path: string): Promise<any>;
  /**
   * Lists the objections of axe-core, a line each; empty = none. What is shown while something loads is pale, and axe-core
   * objects to that: the page is read once nothing loads any more.
   * @param when 'loading': the test holds back what the page waits for
   */
  violations(when?: 'settled' | 'loading'): Promise<readonly string[]>;
  /** Fails when the page asked another host, broke its policy, or complained in the console. */
  expectClean(): void;
  close(): Promise<void>;
}

interface StubbedAnswer {
  readonly status?: number;
  /** A function gives the body at the time of the answer. */
  readonly body: unknown;
  readonly delayMilliseconds?: number;
}

let shared: Promise<BrowserContext> | undefined;

/** One browser for all files of a worker; it goes with the worker. */
const sharedBrowser = (): Promise<BrowserContext> => {
  shared ??= chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'browser-')), {
    executablePath: CHROMIUM,
    args: QUIET,
    locale: 'de-DE',
    timezoneId: 'America/New_York',
    acceptDownloads: true,
    reducedMotion: 'reduce',
  });
  return shared;
};

/** @param service default: the shared one, with an organisation of this file */
export async function openDashboard(service?: OwnSubject): Promise<Dashboard> {
  const subject = service ?? (await serveSharedFixture());
  const context = await sharedBrowser();
  const page = await context.newPage();
  const foreign: string[] = [];
  const complaints: string[] = [];
  /** An answer that a test wants to be refused, or not to come, is no complaint of the page. */
  const isExpected = (text: string): boolean => text.startsWith('Failed to load resource: ');
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(subject.url) && !/^(blob|data):/.test(url)) foreign.push(url);
  });
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !isExpected(text)) complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  return {
    service: subject,
    page,
    async visit(path, { size = 'wide', scheme = 'light' } = {}) {
      await page.setViewportSize(SIZES[size]);
      await page.emulateMedia({ colorScheme: scheme });
      // A new document each time: nothing that another test has loaded is kept. Where only the fragment would differ, the
      // browser would stay in the old one; elsewhere the detour would be a quarter of the cost of a visit.
      const address = new URL(`${subject.url}/app${path}`).href;
      if (page.url().split('#')[0] === address) await page.goto('about:blank');
      await page.goto(`${address}#key=${subject.key}`);
      await settled(page);
    },
    async stub(pattern, { status = 200, body, delayMilliseconds = 0 }) {
      await page.route(
        (url) => pattern.test(url.pathname + url.search),
        async (route) => {
          if (delayMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, delayMilliseconds));
          await route.fulfill({
            status,
            contentType: status < 400 ? 'application/json' : 'application/problem+json',
            body: JSON.stringify(typeof body === 'function' ? body() : body),
          });
        },
      );
    },
    unstub: () => page.unrouteAll({ behavior: 'ignoreErrors' }),
    async api(path) {
      const response = await fetch(subject.url + path, { headers: { Authorization: `Bearer ${subject.key}` } });
      return response.json();
    },
    async violations(when = 'settled') {
      if (when === 'loading') return objections(page);
      await settled(page);
      if ((await objections(page)).length === 0) return [];
      // Something may have begun to load while axe-core read: what it still objects to stays.
      await settled(page);
      return objections(page);
    },
    expectClean() {
      expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
    },
    async close() {
      await page.close();
    },
  };
}

async function objections(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // There it is a global of the page. What it does not object to needs no description.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary}`),
    );
  });
}

/** Waits until the page has a heading, the key has been checked, nothing is loading, and charts are drawn. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await expect.poll(() => page.evaluate(unsettled)).toBe(0);
}

/**
 * Counts what is not as it will stay, once the page has drawn what the last click brought. A chart is drawn when it knows its
 * width; in what is folded it has none.
 */
async function unsettled(): Promise<number> {
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  const loading = document.querySelectorAll('[aria-busy=true], .state.waiting, .gate button:disabled');
  const undrawn = [...document.querySelectorAll('.chart:empty')].filter(({ clientWidth }) => clientWidth > 0);
  return loading.length + undrawn.length;
}

/** A problem as the interface would send it. */
export const problem = (status: number, code: string, detail: string, more: Record<string, unknown> = {}) => ({
  status,
  body: { type: `/docs/errors#${code}`, title: code, status, code, detail, retryable: false, instance: 'id', ...more },
});

/** A limit that was just reached, and is over after so many milliseconds. */
export const limited = (milliseconds: number) => ({
  status: 429,
  body: () =>
    problem(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests', {
      retryable: true,
      retryAfter: Date.now() + milliseconds,
    }).body,
});
