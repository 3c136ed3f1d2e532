import type { Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APP_PAGES, APP_PAGES_WITH_ID } from '../../api/app/operations.ts';
import { drawn } from '../support/cases.ts';
import { type Dashboard, hasBrowser, openDashboard, SIZES } from '../support/dashboard.ts';
import { giveOwnRecords, VISITED } from '../support/dashboard-pages.ts';
import { HOSTILE, sticksOut } from '../support/dashboard-tables.ts';

/** Every page is held to this: hostile texts stay texts, the window is wide enough, axe-core objects to nothing, no other host is asked. */

/** The narrowest window that pages fit (CSS pixels). */
const SMALL = { width: 320, height: 640 };

/** Fields whose texts somebody outside wrote: the register, an organisation, a partner. The name of a dataset is none. */
const FOREIGN =
  /^(name|value|ort|strasse|gemeinde|gemarkung|flurstueck|zuschlagsnummer|bezeichnung|betreiberName|wind(park|Hersteller|Typ)|text|label|quellenvermerk|alertName|url|description|crm)$/;

/** The same answer with hostile texts, of lists in the first entry: one is enough, and axe-core reads each letter. */
const withHostile = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one, index) => (index === 0 ? withHostile(one) : one))
    : typeof value !== 'object' || value === null
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [
            name,
            typeof inner === 'string' && FOREIGN.test(name) && inner !== 'einheiten' ? HOSTILE : withHostile(inner),
          ]),
        );

describe.skipIf(!hasBrowser)('every page (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  /** Files of the pages that the browser asked for since the last test began. */
  let loaded: string[] = [];
  beforeAll(async () => {
    dashboard = await openDashboard();
    dashboard.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/app/files/')) loaded.push(pathname);
    });
    await giveOwnRecords(dashboard.service);
  });
  afterAll(() => dashboard?.close());

  /** Opens what can be unfolded, but for tables beside charts: they are long, and one function makes all of them. */
  const unfold = (): Promise<void> =>
    dashboard.page.evaluate(() => {
      for (const details of document.querySelectorAll<HTMLDetailsElement>('details:not(.figure .as-table)'))
        details.open = true;
    });

  const answerHostile = async (route: Route, request: Request): Promise<void> => {
    const response = await route.fetch();
    if (request.method() === 'GET') await route.fulfill({ response, json: withHostile(await response.json()) });
    else await route.fulfill({ response });
  };

  /** True when the beginning of the text stands on the page, also as what readers of screens hear of a drawing. */
  const seesHostile = (): Promise<boolean> =>
    dashboard.page.evaluate(
      (text) => {
        const labels = [...document.querySelectorAll('[aria-label]')].map(({ ariaLabel }) => ariaLabel);
        return [document.body.textContent, ...labels].some((words) => words?.includes(text) === true);
      },
      HOSTILE.slice(0, 60),
    );

  test('is visited here', () => {
    const kinds = ['', ...APP_PAGES, ...APP_PAGES_WITH_ID.map((name) => `${name}/:id`)];
    expect([...new Set(VISITED.map(({ kind }) => kind))].toSorted()).toEqual(kinds.toSorted());
  });

  // The texts are hostile from the start: where those fit, milder ones do.
  test.each(drawn(VISITED, 6))(
    'keeps hostile texts as text, fits, pleases axe-core, and loads boundaries for maps alone: $path',
    async ({ path, isMap = false, hostile }) => {
      const { page } = dashboard;
      loaded = [];
      const isForeign = (url: URL): boolean => hostile?.test(url.pathname + url.search) === true;
      await page.route(isForeign, answerHostile);
      await dashboard.visit(path, { size: 'phone', scheme: 'dark' });
      expect(loaded.some((file) => file.endsWith('.json'))).toBe(isMap);
      await expect.poll(seesHostile).toBe(hostile !== undefined);
      expect([await page.locator('img').count(), (await page.title()) === 'hacked']).toEqual([0, false]);
      await unfold();
      expect([await sticksOut(page), await dashboard.violations()]).toEqual([[], []]);
      await page.setViewportSize(SMALL);
      expect(await sticksOut(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(SIZES.wide);
      expect([await sticksOut(page), await dashboard.violations()]).toEqual([[], []]);
      await page.unroute(isForeign);
    },
  );

  test('asks no other host, keeps to its policy, and complains about nothing', () => dashboard.expectClean());
});
