import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawn } from '../support/cases.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';

/** Every page says that it loads and waits, and why the interface refuses; and it goes on afterwards. */

const PAGES = [
  '',
  '/region?region=bundesland:Bayern',
  '/zeitreihe',
  '/vergleich',
  '/altersstruktur',
  '/karte',
  '/aenderungen',
  '/qualitaet',
  '/netz',
  '/netz?netzbetreiber=Netz Nord AG',
  '/einheiten',
  '/einheiten/SEE900000000001',
  '/ausschreibungen',
  '/ausschreibungen/2020020120',
  '/daten',
  '/portfolio',
  '/alarme',
  '/konto',
];

/** Everything that pages ask but whose key it is: without that there is no page. */
const ASKED = /^\/v1\/(?!me$)/;

type Answer = ReturnType<typeof problem> | null;

describe.skipIf(!hasBrowser)('every page (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  /** Makes the answer of the interface; null = its own. */
  let answer: () => Answer = () => null;
  beforeAll(async () => {
    dashboard = await openDashboard();
    await dashboard.page.route(
      (url) => ASKED.test(url.pathname),
      async (route: Route) => {
        const refused = answer();
        if (refused === null) await route.continue();
        else {
          const { status, body } = refused;
          await route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(body) });
        }
      },
    );
  });
  afterAll(() => dashboard?.close());

  const failures = () => dashboard.page.locator('.state.failed');

  describe.each(drawn(PAGES, 4))('/app%s', (path) => {
    test('says that it loads or waits for a limit, and goes on by itself', async () => {
      const { page, service } = dashboard;
      answer = () => problem(429, 'RATE_LIMITED', 'Slow down', { retryable: true, retryAfter: Date.now() + 1500 });
      await page.goto('about:blank');
      await page.goto(`${service.url}/app${path}#key=${service.key}`);
      await page
        .locator('main')
        .getByText(path === '/karte' ? 'Wird geladen' : 'Das Limit für Anfragen ist erreicht')
        .first()
        .waitFor();
      answer = () => null;
      await settled(page);
      expect(await failures().count()).toBe(0);
      expect(await page.getByText('Das Limit für Anfragen ist erreicht').count()).toBe(0);
    });

    test("says a failure once, in German, with the interface's own words folded beneath, and tries again when it is asked to", async () => {
      const { page } = dashboard;
      answer = () => problem(500, 'INTERNAL_ERROR', 'The engine lost its way');
      await dashboard.visit(path);
      expect(await failures().first().innerText()).toContain('Der Dienst hat einen Fehler');
      expect(await page.locator('main').innerText()).not.toContain('The engine lost its way');
      expect(await page.locator('main').getByText('Der Dienst hat einen Fehler').count()).toBe(1);
      expect(await page.locator('details.wording').allTextContents()).toEqual([
        expect.stringContaining('The engine lost its way'),
      ]);
      answer = () => null;
      const retry = failures().getByRole('button', { name: 'Erneut versuchen' }).first();
      // Figures that wait for one answer come back together, and take their buttons with them.
      const retried = async (): Promise<number> => {
        await retry.click({ timeout: 1000 }).catch(() => undefined);
        await settled(page);
        return failures().count();
      };
      await expect.poll(retried).toBe(0);
      expect(await page.getByText('The engine lost its way').count()).toBe(0);
    });

    test('says what would be there where the key may not read it', async () => {
      answer = () => problem(403, 'MISSING_SCOPE', 'The key lacks the scope units:read');
      await dashboard.visit(path);
      const barred = await dashboard.page.locator('.state.barred').first().innerText();
      expect(barred).toContain('Der Schlüssel darf das nicht lesen');
      expect(barred).toMatch(/Hier sähe man .+\./);
    });
  });

  test('complains about nothing', () => dashboard.expectClean());
});
