import type { Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../dashboards/web/shell/pages.ts';
import { type Dashboard, hasBrowser, openDashboard, SIZES } from '../support/dashboard.ts';
import { HOSTILE, sticksOut } from '../support/dashboard-tables.ts';
import { storeAlertEvent } from '../support/events.ts';
import { giveExampleEndpoint } from '../support/example-records.ts';

/** What holds for every page, with all that can be unfolded on it: axe-core, the width of the window, hostile texts, other hosts. */

const WIND = 'SEE900000000001';

interface Visited {
  /** Of its entry among the pages; with `:id`, the page of one thing. */
  readonly kind: string;
  readonly path: string;
  /** What the service does not say of itself. Absent = nothing on it comes from outside. */
  readonly hostile?: RegExp;
}

const VISITED: readonly Visited[] = [
  { kind: '', path: '', hostile: /^\/v1\/units\?/ },
  { kind: 'region', path: '/region' },
  { kind: 'region', path: '/region?region=landkreis:03452&vergleich=plz:1', hostile: /^\/v1\/reference\/landkreis/ },
  { kind: 'zeitreihe', path: '/zeitreihe?region=landkreis:03452', hostile: /^\/v1\/reference\/landkreis/ },
  { kind: 'altersstruktur', path: '/altersstruktur?region=landkreis:03452', hostile: /^\/v1\/reference\/landkreis/ },
  { kind: 'karte', path: '/karte?region=landkreis:03452&einheit=SEE900000000001', hostile: /^\/v1\/units\/SEE/ },
  { kind: 'einheiten', path: '/einheiten?fields=name,ort,windpark,betreiberName', hostile: /^\/v1\/units\?/ },
  {
    kind: 'einheiten/:id',
    path: `/einheiten/${WIND}?leer=ja&hinweise=ja`,
    hostile: /^\/v1\/(units\/SEE|custom-fields)/,
  },
  { kind: 'ausschreibungen', path: '/ausschreibungen' },
  { kind: 'ausschreibungen/:id', path: '/ausschreibungen/2020020120', hostile: /^\/v1\/ausschreibungen\/\d/ },
  { kind: 'daten', path: '/daten', hostile: /^\/v1\/datasets/ },
  { kind: 'portfolio', path: '/portfolio', hostile: /^\/v1\/(units\?|portfolio)/ },
  { kind: 'konto', path: '/konto', hostile: /^\/v1\/(me$|events|webhooks)/ },
];

/** Fields whose texts somebody outside wrote: the register, an organisation, a partner. */
const FOREIGN =
  /^(name|value|ort|strasse|gemeinde|gemarkung|flurstueck|zuschlagsnummer|bezeichnung|betreiberName|wind(park|Hersteller|Typ)|text|label|quellenvermerk|alertName|url|description|crm)$/;

const withHostile = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withHostile)
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
  beforeAll(async () => {
    dashboard = await openDashboard();
    const { store, organisation, send } = dashboard.service;
    await giveExampleEndpoint(store, organisation);
    const alert = { id: '019a0f6e-7c1b-7d52-9f0e-00000000a001', template: 'NEW_UNIT', name: 'Neue Speicher' } as const;
    await storeAlertEvent(store, organisation, { alert });
    await send('POST', '/v1/portfolio', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        entries: [{ mastrNummer: WIND, relationType: 'OPERATOR', externalRefs: { crm: 'A-1' } }],
      }),
    });
  });
  afterAll(() => dashboard?.close());

  const unfold = (what: string): Promise<void> =>
    dashboard.page.evaluate((selector) => {
      for (const details of document.querySelectorAll<HTMLDetailsElement>(selector)) details.open = true;
    }, what);

  test('is visited here', () => {
    const kinds = PAGES.flatMap(({ path, loadItem }) => (loadItem === undefined ? [path] : [path, `${path}/:id`]));
    expect([...new Set(VISITED.map(({ kind }) => kind))].toSorted()).toEqual(kinds.toSorted());
  });

  test.each(VISITED)(
    'offends axe-core neither on a telephone in the dark nor wide and light, and fits: $path',
    async ({ path }) => {
      await dashboard.visit(path, { size: 'phone', scheme: 'dark' });
      // Tables beside charts are all made by one function.
      await unfold('details:not(.as-table)');
      expect([await sticksOut(dashboard.page), await dashboard.violations()]).toEqual([[], []]);
      await dashboard.page.emulateMedia({ colorScheme: 'light' });
      await dashboard.page.setViewportSize(SIZES.wide);
      expect([await sticksOut(dashboard.page), await dashboard.violations()]).toEqual([[], []]);
    },
  );

  test.each(VISITED.filter(({ hostile }) => hostile !== undefined))(
    'shows markup, another direction of writing and 5,000 characters as text, and keeps its width: $path',
    async ({ path, hostile = /^$/ }) => {
      const { page } = dashboard;
      const isAnswer = (url: URL): boolean => hostile.test(url.pathname + url.search);
      const answer = async (route: Route, request: Request): Promise<void> => {
        const response = await route.fetch();
        if (request.method() !== 'GET' || !response.ok()) return route.fulfill({ response });
        await route.fulfill({ response, json: withHostile(await response.json()) });
      };
      await page.route(isAnswer, answer);
      await dashboard.visit(path, { size: 'phone' });
      await unfold('details');
      const seen = await page.evaluate(
        (text) => {
          const labels = [...document.querySelectorAll('[aria-label]')].map(({ ariaLabel }) => ariaLabel);
          return [document.body.textContent, ...labels].some((words) => words?.includes(text));
        },
        HOSTILE.slice(0, 60),
      );
      expect([seen, await page.locator('img').count(), await page.title()]).toEqual([
        true,
        0,
        expect.not.stringMatching(/^hacked$/),
      ]);
      expect(await sticksOut(page)).toEqual([]);
      await page.setViewportSize(SIZES.wide);
      expect(await sticksOut(page)).toEqual([]);
      await page.unroute(isAnswer);
    },
  );

  test('asks no other host, keeps to its policy, and complains about nothing', () => dashboard.expectClean());
});
