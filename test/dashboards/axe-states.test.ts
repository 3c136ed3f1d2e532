import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { drawn } from '../support/cases.ts';
import { type Dashboard, hasBrowser, openDashboard, SIZES, settled } from '../support/dashboard.ts';
import { giveOwnRecords, VISITED } from '../support/dashboard-pages.ts';
import { sticksOut } from '../support/dashboard-tables.ts';

/**
 * axe-core objects to no state of any page, in both languages, light and dark, wide and narrow. All combinations are some
 * seven hundred: a run draws states of pages, and the look of each.
 */

const NARROW = { width: 320, height: 640 };

const STATES = ['loading', 'empty', 'refused', 'filled', 'dialog', 'table'] as const;

const LOOKS = (['de', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [SIZES.wide, NARROW].map((size) => ({ language, scheme, size, look: `${language} ${scheme} ${size.width}` })),
  ),
);

const CASES = VISITED.flatMap(({ path }, place) =>
  STATES.flatMap((state, index) =>
    drawn(LOOKS, 1, place * STATES.length + index).map((look) => ({ path, state, ...look })),
  ),
);

/** What pages ask; whose key it is and what there is to choose from is answered in every state. */
const ASKED = /^\/v1\/(?!me$)/;
const CHOSEN_FROM = /^\/v1\/(me|reference|units\/fields)/;

const DIALOGS =
  /^(Teilen|Share|Ansicht speichern|Save the view|Alarm anlegen|Make an alert|Umbenennen|Rename|Testen|Test)$/;

describe.skipIf(!hasBrowser)('every state of every page (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
    await giveOwnRecords(dashboard.service);
  });
  afterAll(() => dashboard?.close());

  const answerEmpty = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: Array.isArray(json.data) ? { ...json, data: [] } : json });
  };

  /** Opens what the state has beside the page. */
  async function enter(page: Page, state: (typeof STATES)[number]): Promise<void> {
    if (state === 'refused')
      await page
        .getByText(/^(Dem Link lässt sich|The link cannot)/)
        .first()
        .waitFor();
    if (state === 'loading') await page.locator('[aria-busy=true], .state.waiting').first().waitFor();
    if (state === 'dialog') {
      const button = page.locator('main').getByRole('button').filter({ hasText: DIALOGS }).first();
      if ((await button.count()) > 0) await button.click();
    }
    if (state === 'table') {
      await page.evaluate(() => {
        const table = document.querySelector<HTMLDetailsElement>('.figure details.as-table');
        if (table !== null) table.open = true;
      });
    }
  }

  test.each(drawn(CASES, 18))('$state, $look: $path', async ({ path, state, language, scheme, size }) => {
    const { page, service } = dashboard;
    const released = Promise.withResolvers<void>();
    if (state === 'loading' || state === 'empty') {
      const isHeld = ({ pathname }: URL): boolean =>
        ASKED.test(pathname) && (state === 'loading' || !CHOSEN_FROM.test(pathname));
      await page.route(isHeld, async (route) => {
        if (state === 'empty') return answerEmpty(route);
        await released.promise;
        await route.continue().catch(() => undefined);
      });
    }
    onTestFinished(async () => {
      released.resolve();
      await dashboard.unstub();
    });
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: scheme });
    const query = `sprache=${language}${state === 'refused' ? '&quatsch=1' : ''}`;
    await page.goto('about:blank');
    await page.goto(`${service.url}/app${path}${path.includes('?') ? '&' : '?'}${query}#key=${service.key}`);
    if (state !== 'loading') await settled(page);
    await enter(page, state);
    expect([await page.locator('html').getAttribute('lang'), await sticksOut(page)]).toEqual([language, []]);
    expect(await dashboard.violations(state === 'loading' ? 'loading' : 'settled')).toEqual([]);
  });

  test('complains about nothing', () => dashboard.expectClean());
});
