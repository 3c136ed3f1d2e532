import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decimal } from '../../dashboards/web/format/numbers.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';

/** The day on which the register of the tests ends, long before today. */
const AS_OF = '2026-03-14';

describe.skipIf(!hasBrowser)('the page Region (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const rows = (): Promise<string[][]> =>
    dashboard.page
      .locator('.comparison .plain tbody tr')
      .evaluateAll((all) => all.map((cells) => [...cells.children].map((cell) => cell.textContent ?? '')));
  const query = () => new URL(dashboard.page.url()).searchParams;

  test('offers the states where no region is chosen', async () => {
    const { page } = dashboard;
    await dashboard.visit('/region');
    const { data } = await dashboard.api('/v1/reference/bundesland');
    expect(await page.locator('.states a').count()).toBe(data.length);
    await page.locator('.states a').filter({ hasText: 'Bayern' }).click();
    await settled(page);
    expect(query().get('region')).toBe('bundesland:Bayern');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Bayern');
    expect((await rows()).map(([name]) => name)).toEqual(['Bayern', 'Deutschland']);
  });

  test('compares with up to three places, chosen by keyboard; they stand in the address and come back', async () => {
    const { page } = dashboard;
    const { data } = await dashboard.api('/v1/reference/bundesland');
    const [one, two] = data.map(({ value }: { value: string }) => value).filter((value: string) => value !== 'Bayern');
    for (const [index, text] of [one, two, '1'].entries()) {
      await page.getByRole('combobox', { name: 'Vergleichen mit' }).fill(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => query().get('vergleich')?.split(',').length).toBe(index + 1);
    }
    await settled(page);
    expect(query().get('vergleich')).toBe(`bundesland:${one},bundesland:${two},plz:1`);
    expect(await page.getByRole('combobox', { name: 'Vergleichen mit' }).count()).toBe(0);
    await page.reload();
    await settled(page);
    const names = ['Bayern', one, two, 'PLZ 1…', 'Deutschland'];
    expect((await rows()).map(([name]) => name)).toEqual(names);
    await page.getByRole('button', { name: `${two} aus dem Vergleich nehmen` }).click();
    await settled(page);
    expect(query().get('vergleich')).toBe(`bundesland:${one},plz:1`);
    await page.goBack();
    await settled(page);
    expect((await rows()).map(([name]) => name)).toEqual(names);
  });

  test('shows the figures of each place as the interface gives them', async () => {
    const shown = (value: number): readonly string[] => [1, 2, 3].map((digits) => decimal(value, digits));
    for (const cells of (await rows()).slice(0, 3)) {
      const [state = ''] = cells;
      const { data } = await dashboard.api(`/v1/region/momentaufnahme?ebene=bundesland&region=${state}&bis=${AS_OF}`);
      const stock = await dashboard.api(
        `/v1/aggregations?groupBy=einheitTyp&betriebsStatus=In%20Betrieb&bundesland=${state}`,
      );
      const { count, bruttoleistungKw } = stock.data.totals;
      expect(cells[2]).toBe(decimal(count, 0));
      expect(shown(bruttoleistungKw / 1000)).toContain(cells[1]);
      expect(shown(data.zubau90Tage.mw)).toContain(cells[5]);
      expect(shown(data.abbau90Tage.mw)).toContain(cells[6]);
      expect(shown(data.netto90TageMw)).toContain(cells[7]);
      expect(shown(data.pipeline.mw)).toContain(cells[8]);
    }
  });

  test('waits for the limit where it can be seen, and goes on by itself', async () => {
    const { page } = dashboard;
    // The wait begins with the answer, however long the page has taken until it asked.
    const limited = () => problem(429, 'RATE_LIMITED', 'slow down', { retryable: true, retryAfter: Date.now() + 6000 });
    await page.route(
      /momentaufnahme\?ebene=bundesland&region=Berlin/,
      (route) =>
        route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify(limited().body) }),
      { times: 1 },
    );
    const visit = dashboard.visit('/region?region=bundesland:Bayern&vergleich=bundesland:Berlin', {
      size: 'phone',
      scheme: 'dark',
    });
    const pending = page.locator('.pending');
    await pending.getByText('von selbst weiter').waitFor();
    expect(await pending.innerText()).toContain('Es fehlen noch: Berlin');
    expect((await rows()).map(([name]) => name)).toEqual(['Bayern', 'Deutschland']);
    await visit;
    await expect.poll(async () => (await rows()).length).toBe(3);
    expect(await pending.count()).toBe(0);
  });

  test('shows what is there when a place cannot be loaded, and loads it when asked again', async () => {
    const { page } = dashboard;
    await dashboard.stub(/region=Berlin/, problem(500, 'INTERNAL_ERROR', 'something broke'));
    await dashboard.visit('/region?region=bundesland:Bayern&vergleich=bundesland:Berlin');
    expect(await page.locator('.comparison [role=alert]').innerText()).toContain('Der Dienst hat einen Fehler');
    expect((await rows()).map(([name]) => name)).toEqual(['Bayern', 'Deutschland']);
    await dashboard.unstub();
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await expect.poll(async () => (await rows()).length).toBe(3);
  });

  test('says which module is missing', async () => {
    await dashboard.stub(/^\/v1\/region\//, problem(403, 'MISSING_MODULE', 'needs the module analysis'));
    await dashboard.visit('/region?region=plz:1');
    const text = await dashboard.page.locator('.comparison .barred').first().innerText();
    expect(text).toContain('Das Modul „Analyse“ ist nicht gebucht');
    expect(text).toContain('die Kennzahlen der Orte nebeneinander');
  });

  test('shows the place that was typed on another page, and says when there is none', async () => {
    const { page } = dashboard;
    await dashboard.visit('/region?ort=bayern');
    await expect.poll(() => new URL(page.url()).search).toBe('?region=bundesland:Bayern');
    await dashboard.visit('/region?ort=Quatschhausen');
    expect(await page.locator('.note[role=alert]').innerText()).toContain('Kein Ort heißt „Quatschhausen“');
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
