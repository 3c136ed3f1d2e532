import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, limited, openDashboard, problem, settled } from '../support/dashboard.ts';
import { germanNumber, savedRows, shownRequests } from '../support/dashboard-files.ts';

/** The page Altersstruktur: what it draws is what the interface answers to the requests beside it. */

describe.skipIf(!hasBrowser)('the page Altersstruktur (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  let asked: string[] = [];
  beforeAll(async () => {
    dashboard = await openDashboard();
    dashboard.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/v1\/(region|aggregations)/.test(pathname)) asked.push(pathname + decodeURIComponent(search));
    });
  });
  beforeEach(async () => {
    asked = [];
    await dashboard.unstub();
  });
  afterAll(() => dashboard?.close());

  const COHORTS = /^Anlagen in Betrieb nach Altersgruppe/;
  const SHARES = /^Altersgruppen je Energieträger/;
  const PYRAMID = /^Inbetriebnahmejahre/;
  const answerTo = async (figure: RegExp) => {
    const [request = ''] = await shownRequests(dashboard.page, figure);
    return dashboard.api(request);
  };

  test('shows the cohorts and the years as the interface answers them, from two requests', async () => {
    const { page } = dashboard;
    await dashboard.visit('/altersstruktur?region=bundesland:Niedersachsen');
    expect(asked.toSorted()).toEqual([
      '/v1/aggregations?groupBy=inbetriebnahmejahr&betriebsStatus=In+Betrieb&bundesland=Niedersachsen',
      '/v1/region/altersstruktur?ebene=bundesland&region=Niedersachsen',
    ]);
    const cohorts = await answerTo(COHORTS);
    const rows = await savedRows(page, /CSV speichern: Anlagen in Betrieb/);
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
    // Within a cohort the page has an order of carriers of its own.
    expect(rows.map(([, , units, , mw]) => `${germanNumber(units)} ${germanNumber(mw)}`).toSorted()).toEqual(
      cohorts.data.map(({ anzahl, mw }: { anzahl: number; mw: number }) => `${anzahl} ${mw}`).toSorted(),
    );
    expect(sum(rows.map(([, , , share]) => germanNumber(share)))).toBeCloseTo(100, 2);

    const { data } = await answerTo(PYRAMID);
    const years = await savedRows(page, /CSV speichern: Inbetriebnahmejahre/);
    expect(years.map(([year, units, mw]) => [year, germanNumber(units), germanNumber(mw) * 1000])).toEqual(
      data.groups
        .filter(({ key }: { key: string | null }) => key !== null)
        .map(({ key, count, bruttoleistungKw }: { key: string; count: number; bruttoleistungKw: number }) => [
          key,
          count,
          expect.closeTo(bruttoleistungKw, 3),
        ])
        .toSorted(([one]: [string], [other]: [string]) => one.localeCompare(other)),
    );
  });

  test('shows shares of each carrier that make a whole', async () => {
    await dashboard.visit('/altersstruktur?wert=anzahl&traeger=wind,solar');
    const { data } = await answerTo(SHARES);
    const rows = await savedRows(dashboard.page, /CSV speichern: Altersgruppen/);
    const all = data.reduce((total: number, { anzahl }: { anzahl: number }) => total + anzahl, 0);
    expect(rows.map(([name]) => name)).toEqual(['Solar', 'Wind', 'Zusammen']);
    expect(germanNumber(rows.at(-1)?.at(-1))).toBe(all);
    for (const [, ...cells] of rows) {
      const [young = 0, middle = 0, old = 0] = cells.map(germanNumber);
      expect(young + middle + old).toBeCloseTo(100, 2);
    }
  });

  test('asks for each carrier that is there when the pyramid is to have their colours, and shows how far it is', async () => {
    const { page } = dashboard;
    await dashboard.stub(/einheitTyp=wind/, limited(2500));
    const visit = dashboard.visit('/altersstruktur?pyramide=getrennt&traeger=solar,wind,geothermal');
    // The parts that have come are shown while the rest is waited for.
    const figure = page.getByRole('figure', { name: PYRAMID });
    await expect
      .poll(() =>
        figure
          .locator('.waiting')
          .innerText()
          .catch(() => ''),
      )
      .toMatch(/von selbst weiter.*1 von 2 geladen/s);
    expect(await figure.locator('.chart svg').count()).toBe(1);
    await dashboard.unstub();
    await visit;
    await settled(page);
    expect(
      asked.filter((address) => address.includes('einheitTyp')).map((address) => /einheitTyp=(\w+)/.exec(address)?.[1]),
    ).toEqual(expect.arrayContaining(['solar', 'wind']));
    expect(asked.join()).not.toContain('geothermal');
    const requests = await shownRequests(page, PYRAMID);
    const answers = await Promise.all(requests.map((address) => dashboard.api(address)));
    const units = answers
      .flatMap(({ data }) => data.groups)
      .filter(({ key }) => key !== null)
      .reduce((sum, { count }) => sum + count, 0);
    const rows = await savedRows(page, /CSV speichern: Inbetriebnahmejahre/);
    expect(rows.reduce((sum, [, , count]) => sum + germanNumber(count), 0)).toBe(units);
  });

  test('reads years with the arrow keys, down the page', async () => {
    const { page } = dashboard;
    await dashboard.visit('/altersstruktur');
    const readout = page.getByRole('slider', { name: 'Werte je Inbetriebnahmejahr ablesen' });
    await readout.focus();
    expect(await readout.getAttribute('aria-valuetext')).toMatch(
      /^2026, 0\u00a0Jahre alt, Zusammen 6,37\u202fMW, 4\u00a0Einheiten$/,
    );
    await page.keyboard.press('ArrowUp');
    expect(await readout.getAttribute('aria-valuetext')).toMatch(/^2025, 1\u00a0Jahr alt/);
    await page.keyboard.press('Home');
    expect(await readout.getAttribute('aria-valuetext')).toMatch(/^1925, 101\u00a0Jahre alt/);
  });

  test('says what is not there without the module, and keeps the rest', async () => {
    await dashboard.stub(
      /v1\/region\/altersstruktur/,
      problem(403, 'MISSING_MODULE', 'Module analysis is not part of the contract'),
    );
    await dashboard.visit('/altersstruktur');
    const { page } = dashboard;
    expect(await page.getByRole('figure', { name: COHORTS }).innerText()).toContain(
      'Das Modul „Analyse“ ist nicht gebucht',
    );
    expect(await page.getByRole('figure', { name: PYRAMID }).locator('.chart svg').count()).toBe(1);
  });

  test('says when nothing is there, and comes back from its address', async () => {
    const { page } = dashboard;
    const answer = await dashboard.api('/v1/region/altersstruktur?ebene=plz&region=2');
    await dashboard.stub(/^\/v1\/region\/altersstruktur/, { body: { ...answer, data: [] } });
    const groups = await dashboard.api('/v1/aggregations?groupBy=inbetriebnahmejahr&plz=00000');
    await dashboard.stub(/^\/v1\/aggregations/, { body: groups });
    await dashboard.visit('/altersstruktur?region=plz:2', { size: 'phone', scheme: 'dark' });
    expect(await page.locator('.state.empty').count()).toBe(3);
    await dashboard.unstub();
    await dashboard.visit('/altersstruktur', { size: 'phone', scheme: 'dark' });
    await page.getByRole('radio', { name: 'Anzahl' }).check({ force: true });
    await page.getByRole('button', { name: 'Solar' }).first().click();
    await settled(page);
    const before = await page.locator('main').innerText();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ wert: 'anzahl' });
    await page.reload();
    await settled(page);
    expect(await page.locator('main').innerText()).toBe(before);
    await page.goBack();
    await expect.poll(() => page.evaluate(() => location.search)).toBe('?wert=anzahl');
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
