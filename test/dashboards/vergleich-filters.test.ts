import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { germanNumber, savedRows, shownRequests } from '../support/dashboard-files.ts';
import { HOSTILE, rowsOf, sticksOut } from '../support/dashboard-tables.ts';
import { saveFilter } from '../support/saved-filters.ts';

/** Filters of the list, and saved ones, beside places: one picture, one table, one file, and the requests behind it. */

const LARGE = 'einheitTyp=wind&leistungMinKw=1000';
const VIEW = 'orte=deutschland&traeger=solar,wind&bezug=absolut&wert=anzahl&zeitraum=alles';

describe.skipIf(!hasBrowser)('filters in Vergleich (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  let saved: { readonly id: string };
  beforeAll(async () => {
    dashboard = await openDashboard();
    const { store, organisation } = dashboard.service;
    saved = await saveFilter(store, organisation.id, {
      name: HOSTILE.slice(0, 60),
      criteria: { einheitTyp: ['solar'] },
    });
  });
  afterAll(() => dashboard?.close());

  const chips = (): Promise<string[]> => dashboard.page.locator('.compared li bdi').allInnerTexts();
  const query = () => new URL(dashboard.page.url()).searchParams;

  test('a link has them: table, file and requests are those of the filter', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?${VIEW}&filter=${encodeURIComponent(LARGE)}`);
    expect((await chips()).length).toBe(2);
    expect((await chips())[1]).toMatch(/Wind/);
    const requests = await shownRequests(page, /^Zubau/);
    const own = requests.find((one) => one.includes('/v1/aggregations/zeitreihe')) ?? '';
    expect(own).toContain('leistungMinKw=1000');
    const { data } = await dashboard.api(own.slice(own.indexOf('/v1/')));
    const rows = await savedRows(page, /^CSV speichern/);
    for (const [period = '', , value] of rows) {
      const expected = data
        .filter((row: { periode: string }) => row.periode === period)
        .reduce((sum: number, row: { zubauAnzahl: number }) => sum + row.zubauAnzahl, 0);
      expect(germanNumber(value)).toBe(expected);
    }
    expect(data.length).toBeGreaterThan(0);
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect([await sticksOut(page), await dashboard.violations()]).toEqual([[], []]);
    }
    const name = (await chips())[1] ?? '';
    await page.getByRole('button', { name, exact: true }).click();
    expect(query().get('ohneFilter')).toBe(LARGE);
    await page.goBack();
    expect(query().get('ohneFilter')).toBe(null);
  });

  test('a saved filter and one of the list are added by keyboard, and taken out', async () => {
    const { page } = dashboard;
    await dashboard.visit('/vergleich?zeitraum=alles');
    await page.getByText('Filter hinzufügen').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Gespeicherter Filter').selectOption(saved.id);
    expect(await dashboard.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Als Reihe hinzufügen' }).press('Enter');
    await settled(page);
    expect(query().get('filter')).toBe(`savedFilterId=${saved.id}`);
    expect(query().get('bezug')).toBe('absolut');
    expect(await chips()).toEqual([HOSTILE.slice(0, 60)]);
    await page.getByText('Filter hinzufügen').click();
    // By its name: until the filters are there, another field is the first.
    const search = page.getByRole('searchbox', { name: 'Suche', exact: true });
    await search.fill('park');
    await search.press('Enter');
    await page.getByRole('button', { name: 'Als Reihe hinzufügen' }).click();
    await settled(page);
    expect(query().get('filter')).toBe(`savedFilterId=${saved.id};suche=park`);
    await expect.poll(async () => (await rowsOf(page, /^Zubau/))[0]?.length).toBe(3);
    await page
      .getByRole('button', { name: /aus dem Vergleich nehmen/ })
      .first()
      .click();
    await settled(page);
    expect(query().get('filter')).toBe('suche=park');
  });

  test('more than eight, or a text that is no filter, is refused in words', async () => {
    await dashboard.visit(
      `/vergleich?filter=${encodeURIComponent(Array.from({ length: 9 }, (_, nr) => `plz=${nr}`).join(';'))}`,
    );
    expect(await dashboard.page.locator('main').innerText()).toContain('höchstens 8 Filter');
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
