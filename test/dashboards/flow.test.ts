import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishSample, warehouseFolder } from '../support/built.ts';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { serve } from '../support/service.ts';

/** An ordinary organisation looks around: its default limits, of which pages in a session have none by class. */

const REGIONS = [
  'Bayern',
  'Berlin',
  'Brandenburg',
  'Bremen',
  'Hamburg',
  'Hessen',
  'Niedersachsen',
  'Sachsen',
  'Schleswig-Holstein',
  'Thüringen',
];
const EIGHT = REGIONS.slice(0, 8).map((name) => `bundesland:${name}`);
const COMPARISONS = ['traeger=solar', 'traeger=wind&wert=anzahl', 'traeger=storage&wert=mwh'];

describe.skipIf(!hasBrowser)('pages of an organisation with the default limits (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  const warehouse = warehouseFolder();
  /** Requests to the interface: with a key or in the session, and how each was answered. */
  let asked: { path: string; withKey: boolean; status: number }[] = [];
  beforeAll(async () => {
    await publishSample(warehouse.path);
    const service = await serve(warehouse.path);
    const { text } = await makeKey(service.store, await makeOrganisation(service.store, { limits: {} }));
    dashboard = await openDashboard({ ...service, key: text });
    dashboard.page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/v1/')) return;
      asked.push({
        path: pathname,
        withKey: 'authorization' in response.request().headers(),
        status: response.status(),
      });
    });
  });
  afterAll(async () => {
    await dashboard?.close();
    await dashboard?.service.stop();
    warehouse.remove();
  });

  /** Opens a page in the session, as from a bookmark: nothing that the document had is kept. */
  async function open(path: string): Promise<void> {
    await dashboard.page.goto(`${dashboard.service.url}/app/${path}`);
    await settled(dashboard.page);
  }

  test('ten regions and three comparisons of eight places, one after the other, never meet a limit', async () => {
    await dashboard.visit('');
    asked = [];
    for (const name of REGIONS) {
      await open(`region?region=bundesland:${name}`);
      expect(await dashboard.page.locator('h1').innerText()).toContain(name);
    }
    for (const choices of COMPARISONS)
      await open(`vergleich?orte=${EIGHT.join(',')}&von=2016-01-01&bis=2025-12-31&${choices}`);
    expect(asked.filter(({ status }) => status >= 400)).toEqual([]);
    expect(asked.filter(({ withKey }) => withKey)).toEqual([]);
    expect(asked.filter(({ path }) => path === '/v1/region/zeitreihe').length).toBeGreaterThanOrEqual(10 + 3);
    dashboard.expectClean();
  });

  test('the page in which the key was typed asks in the session, too, once it is begun', async () => {
    await dashboard.page.context().clearCookies();
    await dashboard.visit('');
    asked = [];
    await dashboard.page.locator('nav a[href$="/zeitreihe"]').first().click();
    await settled(dashboard.page);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ withKey, status }) => withKey || status >= 400)).toEqual([]);
  });
});
