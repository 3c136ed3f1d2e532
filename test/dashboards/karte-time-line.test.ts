import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { isTooWide } from '../support/dashboard-tables.ts';

/** The time line of the page Karte: what stood in each place at the end of each year. */

describe.skipIf(!hasBrowser)('time line of the page Karte (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  const asked: string[] = [];
  beforeAll(async () => {
    dashboard = await openDashboard();
    dashboard.page.on('request', (request) => asked.push(decodeURIComponent(request.url())));
  });
  beforeEach(async () => {
    await dashboard.unstub();
    await dashboard.page.emulateMedia({ reducedMotion: 'reduce' });
    asked.length = 0;
  });
  afterAll(() => dashboard?.close());

  const open = async (path: string, look?: Parameters<Dashboard['visit']>[1]): Promise<void> => {
    await dashboard.visit(path, look);
    await dashboard.page.locator('.page-head').waitFor();
    await settled(dashboard.page);
  };
  const year = (): Promise<string> => dashboard.page.locator('.time-line output').innerText();
  const slider = () => dashboard.page.getByRole('slider', { name: 'Jahr' });
  /** The classes, without what has no value in a year. */
  const scale = async (): Promise<readonly string[]> =>
    (await dashboard.page.getByRole('list', { name: 'Legende' }).locator('li').allInnerTexts()).filter((text) =>
      /\d/.test(text),
    );
  const labels = (): Promise<readonly string[]> =>
    dashboard.page.locator('path[data-key]').evaluateAll((paths) => paths.map((path) => path.ariaLabel ?? ''));
  const stocks = () => asked.filter((url) => url.includes('bestandAm='));

  test('asks for all years at once, and shows each by keyboard with one scale', async () => {
    const { page, service } = dashboard;
    await open('/karte?ebene=bundesland&wert=anzahl&traeger=wind');
    await page.getByRole('button', { name: 'Zeitleiste' }).click();
    await settled(page);
    expect(await year()).toBe('2026');
    const before = await scale();
    await slider().focus();
    for (let presses = 0; presses < 10; presses++) await page.keyboard.press('ArrowLeft');
    await expect.poll(year).toBe('2016');
    expect(page.url()).toBe(`${service.url}/app/karte?ebene=bundesland&wert=anzahl&traeger=wind&jahr=2016`);
    expect(await scale()).toEqual(before);
    expect(stocks()).toHaveLength(1);
    const { data } = await dashboard.api('/v1/aggregations?groupBy=bundesland&einheitTyp=wind&bestandAm=2016-12-31');
    const spoken = await labels();
    const stated = (data.groups as { key: string | null; bestand: { anzahl: readonly number[] } }[]).flatMap(
      ({ key, bestand }) => {
        // The sea is on no map.
        const label = spoken.find((text) => text.startsWith(`${key},`));
        return label === undefined ? [] : [{ label, units: bestand.anzahl[0] ?? 0 }];
      },
    );
    expect(stated.length).toBeGreaterThan(1);
    for (const { label, units } of stated) {
      expect(label).toContain(units === 0 ? 'keine solche Anlage' : `${units}\u00a0Einheit`);
    }
    expect(await page.locator('figure .unit').innerText()).toContain('Bestand am 31.12.2016');
    await page.keyboard.press('Home');
    await expect.poll(year).toBe('1990');
    // The years that were passed are no steps of the back button.
    await page.goBack();
    await settled(page);
    expect(page.url()).toBe(`${service.url}/app/karte?ebene=bundesland&wert=anzahl&traeger=wind`);
  });

  test('plays to the end and stops there, or where it is told to', async () => {
    const { page } = dashboard;
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await open('/karte?ebene=bundesland&jahr=2024');
    await page.getByRole('button', { name: 'Abspielen' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Anhalten' }).waitFor();
    await expect.poll(year, { timeout: 5000 }).toBe('2026');
    await page.getByRole('button', { name: 'Abspielen' }).waitFor();
    expect(page.url()).toContain('jahr=2026');
    // At the end it begins anew.
    await page.getByRole('button', { name: 'Abspielen' }).click();
    await expect.poll(year, { timeout: 5000 }).toBe('1991');
    await page.getByRole('button', { name: 'Anhalten' }).click();
    const stopped = Number(await year());
    await slider().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(year).toBe(String(stopped + 1));
  });

  test('goes year by year for who does not want motion', async () => {
    const { page } = dashboard;
    await open('/karte?ebene=bundesland&jahr=2003');
    expect(await page.getByRole('button', { name: 'Abspielen' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Nächstes Jahr' }).click();
    await expect.poll(year).toBe('2004');
  });

  test('shows the same year by its link and in its table, and closes', async () => {
    const { page, service } = dashboard;
    await open('/karte?ebene=bundesland&wert=leistungKopf&jahr=2015');
    const { data } = await dashboard.api('/v1/aggregations?groupBy=bundesland&bestandAm=2015-12-31');
    const bavaria = data.groups.find(({ key }: { key: string | null }) => key === 'Bayern');
    await page.locator('.as-table summary').click();
    const row = page.locator('.as-table tbody tr').filter({ hasText: 'Bayern' });
    const cells = await row.locator('td, th').allInnerTexts();
    const [kilowatts] = bavaria.bestand.bruttoleistungKw;
    expect(cells[2]).toBe(String(bavaria.bestand.anzahl[0]));
    const shown = Number(cells.at(-1)?.replaceAll('.', '').replace(',', '.'));
    expect(shown).toBeCloseTo((kilowatts / bavaria.einwohner) * 1000, 4);
    expect(await page.locator('figure h2').innerText()).toContain('Deutschland, 2015');
    await page.getByRole('button', { name: 'Zeitleiste schließen' }).click();
    await settled(page);
    expect(page.url()).toBe(`${service.url}/app/karte?ebene=bundesland&wert=leistungKopf`);
    expect(await page.locator('figure h2').innerText()).not.toContain('2015');
  });

  test('has shares of each year, and is not there for what came within twelve months', async () => {
    const { page } = dashboard;
    await open('/karte?ebene=bundesland&wert=anteilAnzahl&anteilAn=alle&traeger=wind&jahr=2012');
    expect(stocks()).toHaveLength(2);
    expect((await labels()).some((label) => /, [\d,]+\u202f%/.test(label))).toBe(true);
    await open('/karte?wert=zubau');
    expect(await page.getByRole('button', { name: 'Zeitleiste' }).count()).toBe(0);
  });

  test.each([
    ['wide', 'dark'],
    ['phone', 'light'],
  ] as const)('has nothing that axe objects to, and nothing too wide: %s, %s', async (size, scheme) => {
    const { page } = dashboard;
    await open('/karte?jahr=2010', { size, scheme });
    expect(await dashboard.violations()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await isTooWide(page)).toBe(false);
  });

  test('asks no other host, keeps to its policy, and complains about nothing', () => dashboard.expectClean());
});
