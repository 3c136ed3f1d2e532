import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { germanNumber, savedRows, shownRequests } from '../support/dashboard-files.ts';
import { withoutPerPlace } from '../support/per-place.ts';

/** The page Zeitreihe: what it draws is what the interface answers to the request beside it. */

const CARRIERS: Readonly<Record<string, string>> = {
  Solar: 'solar',
  Wind: 'wind',
  Speicher: 'storage',
  'Geo-/Solarthermie': 'geothermal',
  Kernkraft: 'nuclear',
  Verbrennung: 'combustion',
  Biomasse: 'biomass',
  Wasser: 'hydro',
};

describe.skipIf(!hasBrowser)('the page Zeitreihe (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  let asked: string[] = [];
  beforeAll(async () => {
    dashboard = await openDashboard();
    dashboard.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/v1/region/zeitreihe') asked.push(search);
    });
  });
  beforeEach(async () => {
    asked = [];
    await dashboard.unstub();
  });
  afterAll(() => dashboard?.close());

  /** The browser tells of a new address a little later than the page has it. */
  const query = async (): Promise<Record<string, string>> =>
    Object.fromEntries(new URLSearchParams(await dashboard.page.evaluate(() => location.search)));
  const title = (): Promise<string> => dashboard.page.getByRole('heading', { level: 2 }).last().innerText();

  /** The file of the figure in the words of the interface. */
  const fileRows = async () =>
    (await savedRows(dashboard.page, /^CSV speichern/)).map(([period = '', carrier = '', ...figures]) => {
      const [part, year] = period.split(' ');
      const [zubauAnzahl, zubauMw, abbauAnzahl, abbauMw, pipelineAnzahl, pipelineMw, ...energy] =
        figures.map(germanNumber);
      const [zubauMwh, abbauMwh, pipelineMwh] = energy;
      return {
        periode: year === undefined ? period : `${year}-${part}`,
        energietraeger: CARRIERS[carrier],
        ...{ zubauAnzahl, zubauMw, zubauMwh, abbauAnzahl, abbauMw, abbauMwh, pipelineAnzahl, pipelineMw, pipelineMwh },
      };
    });

  /** Rows come by period from both; within a period the page has an order of carriers of its own. */
  const sorted = (rows: readonly { periode: string; energietraeger?: string | undefined }[]) =>
    rows.toSorted((one, other) =>
      `${one.periode} ${one.energietraeger}`.localeCompare(`${other.periode} ${other.energietraeger}`),
    );

  test('opens with the quarters of five years and the plans of two, from one request', async () => {
    await dashboard.visit('/zeitreihe');
    expect(await title()).toBe('Zubau, Abbau und Pipeline: Deutschland, quartalsweise, Q2 2021 bis Q1 2028');
    expect(asked).toEqual(['?periode=quartal']);
    expect(await dashboard.page.getByText('Q1 2026 ist bis zum Stand 14.03.2026 gezählt').isVisible()).toBe(true);
  });

  test.each([
    ['by default', ''],
    ['with some carriers', '?traeger=solar,wind&zeitraum=10jahre'],
    ['by year, all of them', '?periode=jahr&zeitraum=alles'],
    ['of a state, in a range of its own', '?region=bundesland:Bayern&von=2020-05-05&bis=2026-08-08&periode=jahr'],
  ])('shows exactly what the request beside the figure answers %s', async (_, choices) => {
    await dashboard.visit(`/zeitreihe${choices}`);
    const [request = ''] = await shownRequests(dashboard.page, /^Zubau/);
    const { data } = withoutPerPlace(await dashboard.api(request));
    expect(data.length).toBeGreaterThan(0);
    expect(sorted(await fileRows())).toEqual(sorted(data));
    const sum = data.reduce((total: number, row: { zubauAnzahl: number }) => total + row.zubauAnzahl, 0);
    expect(await dashboard.page.locator('.facts').innerText()).toContain(`${sum}\u00a0Einheit`);
  });

  test('adds up from the start of the range, and says so', async () => {
    await dashboard.visit('/zeitreihe?kumuliert=ja&periode=jahr&von=2020-01-01&bis=2026-12-31&traeger=wind');
    expect(await dashboard.page.getByText('laufende Summe ab 2020, die mit 0 beginnt').isVisible()).toBe(true);
    const { data } = await dashboard.api(
      '/v1/region/zeitreihe?periode=jahr&energietraeger=wind&von=2020-01-01&bis=2026-12-31',
    );
    const until = (last: string): number =>
      data
        .filter(({ periode }: { periode: string }) => periode <= last)
        .reduce((sum: number, { zubauMw }: { zubauMw: number }) => sum + zubauMw, 0);
    const rows = await fileRows();
    expect(rows.map(({ periode }) => periode)).toEqual(['2020', '2021', '2022', '2023', '2024', '2025', '2026']);
    for (const { periode, zubauMw } of rows) expect(zubauMw).toBeCloseTo(until(periode));
  });

  test('changes the range with the keys of a handle, without another request, and the back button takes it back', async () => {
    const { page } = dashboard;
    await dashboard.visit('/zeitreihe?zeitraum=10jahre');
    const start = page.getByRole('slider', { name: 'Beginn des Zeitraums' });
    expect(await start.getAttribute('aria-valuetext')).toBe('Q2 2016');
    await start.focus();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowLeft');
    expect(await start.getAttribute('aria-valuetext')).toBe('Q1 2017');
    expect(await query()).toEqual({ zeitraum: '10jahre', von: '2017-01-01', bis: '2029-03-31' });
    expect(await page.getByLabel('von', { exact: true }).inputValue()).toBe('2017-01-01');
    expect(asked).toHaveLength(1);
    await page.goBack();
    await page.goBack();
    await expect.poll(() => start.getAttribute('aria-valuetext')).toBe('Q2 2016');
    expect(await query()).toEqual({ zeitraum: '10jahre' });
  });

  test('changes the range by dragging: the window, a handle, and a stroke beside them', async () => {
    const { page } = dashboard;
    await dashboard.visit('/zeitreihe');
    const box = async (selector: string) => {
      await page.locator(selector).scrollIntoViewIfNeeded();
      const found = await page.locator(selector).boundingBox();
      if (found === null) throw new Error(`${selector} is not drawn`);
      return { x: found.x + found.width / 2, y: found.y + 20 };
    };
    const drag = async (from: { x: number; y: number }, by: number): Promise<void> => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + by / 2, from.y, { steps: 3 });
      expect(Object.keys(await query()).length).toBe(before);
      await page.mouse.move(from.x + by, from.y);
      await page.mouse.up();
    };
    // Nothing stands in the address while something is dragged.
    let before = 0;
    await drag(await box('.strip .window'), -300);
    const { von = 'none', bis = 'none' } = await query();
    expect(von < '2021-01-01' && bis < '2028-01-01').toBe(true);
    expect(Number(bis.slice(0, 4)) - Number(von.slice(0, 4))).toBeGreaterThanOrEqual(6);
    before = 2;
    await drag(await box('.strip [data-handle=last]'), 100);
    expect((await query()).von).toBe(von);
    expect(((await query()).bis ?? '') > bis).toBe(true);
    const strip = await box('.strip .window');
    await drag({ x: strip.x - 250, y: strip.y }, -40);
    expect(((await query()).bis ?? '') < von).toBe(true);
    expect(asked).toHaveLength(1);
  });

  test('keeps all choices in the address, and shows the same again', async () => {
    const { page } = dashboard;
    await dashboard.visit('/zeitreihe');
    await page.getByRole('radio', { name: '12 Monate' }).check({ force: true });
    await page.getByRole('radio', { name: 'Anzahl' }).check({ force: true });
    await page.getByRole('radio', { name: 'nebeneinander' }).check({ force: true });
    await page.getByRole('checkbox', { name: 'Pipeline' }).uncheck();
    await page.getByRole('button', { name: 'Kernkraft' }).click();
    await settled(page);
    expect(await query()).toEqual({
      zeitraum: '12monate',
      periode: 'monat',
      wert: 'anzahl',
      anordnung: 'nebeneinander',
      reihen: 'zubau,abbau,netto',
      traeger: 'solar,wind,storage,biomass,hydro,combustion,geothermal',
    });
    const before = [await title(), await page.locator('.figure .content').innerText()];
    await page.reload();
    await settled(page);
    expect([await title(), await page.locator('.figure .content').innerText()]).toEqual(before);
    expect(before[0]).toBe('Zubau und Abbau: Deutschland, monatlich, Apr. 2025 bis März 2026');
  });

  test('reads exact values with the arrow keys and under the pointer', async () => {
    const { page } = dashboard;
    await dashboard.visit('/zeitreihe?periode=jahr&von=2020-01-01&bis=2028-12-31&traeger=wind');
    const readout = page.getByRole('slider', { name: 'Werte ablesen' });
    await readout.focus();
    await page.keyboard.press('Home');
    expect(await readout.getAttribute('aria-valuetext')).toBe(
      '2020, Wind 8\u202fMW, Zubau 8\u202fMW, Abbau 0\u202fMW, Netto 8\u202fMW',
    );
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    expect(await readout.getAttribute('aria-valuetext')).toBe('2027, Wind, geplant 6,8\u202fMW, Geplant 6,8\u202fMW');
    const { width = 0 } = (await readout.boundingBox()) ?? {};
    await readout.hover({ position: { x: (6.5 / 9) * width, y: 40 } });
    expect(await page.locator('.bubble').innerText()).toMatch(/^2026\n/);
  });

  test('says when a place has nothing', async () => {
    const { page } = dashboard;
    const answer = await dashboard.api('/v1/region/zeitreihe?ebene=plz&region=2');
    await dashboard.stub(/^\/v1\/region\/zeitreihe/, { body: { ...answer, data: [] } });
    await dashboard.visit('/zeitreihe?region=plz:2');
    expect(await page.locator('.state.empty').innerText()).toBe(
      'Für PLZ 2… ist weder Zubau noch Abbau noch Pipeline bekannt.',
    );
    await dashboard.unstub();
  });

  test('fits a telephone, in the dark, with a chart for each carrier', async () => {
    await dashboard.visit('/zeitreihe?anordnung=nebeneinander&zeitraum=10jahre', { size: 'phone', scheme: 'dark' });
    expect(await dashboard.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await dashboard.page.locator('.multiples svg').count()).toBeGreaterThan(3);
    expect(await dashboard.violations()).toEqual([]);
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
