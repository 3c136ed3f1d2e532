import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { readTile, stubTiles } from '../support/tiles.ts';

/** Units on the page Karte, as tiles bring them: far and near, one by one and in groups. */

const group = (longitude: number, latitude: number, anzahl: number, more = 0.2) => ({
  ...{ longitude, latitude },
  properties: {
    anzahl,
    ...{ bruttoleistungKw: anzahl * 10, einheitTyp: 'solar', anGemeindepunkt: anzahl - 1 },
    bbox: [longitude - more, latitude - more, longitude + more, latitude + more].join(),
  },
});

describe.skipIf(!hasBrowser)('units on the map (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const open = async (path: string, look?: Parameters<Dashboard['visit']>[1]): Promise<void> => {
    await dashboard.visit(path, look);
    await dashboard.page.locator('.points-bar .note').waitFor();
    await settled(dashboard.page);
  };
  const about = (): Promise<string> => dashboard.page.locator('.points-bar .note').innerText();
  const zoomOf = (asked: readonly (readonly [z: number, x: number, y: number])[]): number =>
    Math.max(...asked.map(([z]) => z));

  test('shows all units of the country that have a place, and lists them beside the map', async () => {
    const { page, service } = dashboard;
    await open('/karte?punkte=ja');
    const { einheiten } = await readTile(service, [0, 0, 0], '?betriebsStatus=In%20Betrieb');
    const elsewhere = einheiten.filter(({ properties }) => properties.ortAusGemeinde).length;
    expect(await about()).toMatch(new RegExp(`^Zu sehen: ${einheiten.length}.Einheiten\\. ${elsewhere}.haben keine`));
    const listed = page.locator('.seen li');
    expect(await listed.count()).toBe(12);
    const [largest] = einheiten.toSorted(
      (one, other) => Number(other.properties.bruttoleistungKw ?? 0) - Number(one.properties.bruttoleistungKw ?? 0),
    );
    const first = listed.first().getByRole('link');
    expect(await first.getAttribute('href')).toContain(`einheiten/${largest?.properties.mastrNummer}`);
    await first.click();
    await expect.poll(() => page.url()).toContain(`${service.url}/app/einheiten/${largest?.properties.mastrNummer}`);
  });

  test('asks for finer tiles when it comes nearer, by keyboard too, with the filters of the page', async () => {
    const { page } = dashboard;
    const asked = await stubTiles(page, /einheitTyp=wind.*leistungMinKw=900|leistungMinKw=900.*einheitTyp=wind/, [
      group(10, 51, 5000),
    ]);
    await open('/karte?punkte=ja&traeger=wind&leistungMinKw=900');
    const far = zoomOf(asked);
    expect(asked.length).toBeGreaterThan(0);
    await page.locator('.point').first().focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press('+');
    await expect.poll(() => zoomOf(asked)).toBeGreaterThan(far + 1);
    await page.keyboard.press('0');
    expect(await page.locator('svg.home').count()).toBe(1);
  });

  test('a click on a group goes nearer, until nothing divides it: then it leads to its units', async () => {
    const { page, service } = dashboard;
    const asked = await stubTiles(page, /betriebsStatus=/, [group(10, 51, 5000, 0.0001), group(12.5, 53, 40)]);
    await open('/karte?punkte=ja');
    expect(await about()).toMatch(/^Zu sehen: etwa 5\.040.Einheiten, 0 davon einzeln\. 5\.038.haben keine/);
    const far = zoomOf(asked);
    await page.getByRole('button', { name: /^5\.000.Einheiten, 50.MW, vor allem Solar/ }).click();
    await expect.poll(() => zoomOf(asked)).toBeGreaterThan(far + 3);
    await settled(page);
    expect(await page.locator('.point').count()).toBe(1);
    await page.locator('.point').click();
    await expect
      .poll(() => page.url())
      .toBe(`${service.url}/app/einheiten?betriebsStatus=In+Betrieb&bbox=9.999900,50.999900,10.000100,51.000100`);
  });

  test('the list shows the part of the map that a group stands for', async () => {
    const { page } = dashboard;
    const asked = await stubTiles(page, /betriebsStatus=/, [group(10, 51, 5000), group(12.5, 53, 40)]);
    await open('/karte?punkte=ja');
    const far = zoomOf(asked);
    await page.locator('.seen').getByRole('button', { name: '40\u00a0Einheiten' }).click();
    await expect.poll(() => zoomOf(asked)).toBeGreaterThan(far + 2);
    await expect.poll(about).toMatch(/^Zu sehen: etwa 40.Einheiten/);
    expect(await page.locator('.seen li').count()).toBe(1);
  });

  test.each([
    ['wide', 'light', ''],
    ['phone', 'dark', '&sprache=en'],
  ] as const)('has nothing that axe objects to: %s, %s%s', async (size, scheme, language) => {
    const { page } = dashboard;
    await open(`/karte?punkte=ja${language}`, { size, scheme });
    expect(await dashboard.violations()).toEqual([]);
    expect(await about()).toMatch(language === '' ? /^Zu sehen/ : /^Seen: \d+.units\./);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  });

  test('asks no other host, keeps to its policy, and complains about nothing', () => dashboard.expectClean());
});
