import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decimal, significant } from '../../dashboards/web/format/numbers.ts';
import { publishSample, warehouseFolder } from '../support/built.ts';
import { drawn } from '../support/cases.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';
import { germanNumber, savedFile, savedRows, shownRequests } from '../support/dashboard-files.ts';
import { rowsOf, sticksOut } from '../support/dashboard-tables.ts';
import { serve } from '../support/service.ts';

/** The page Vergleich over the sample: what it shows is what the interface answers, however it is shown. */

const LUDWIGSBURG = 'landkreis:08118';
const IN_YEARS = 'von=2020-01-01&bis=2025-12-31';
const PAIR = `orte=${LUDWIGSBURG},bundesland:Baden-Württemberg&${IN_YEARS}`;
/** States where something was planned for these years and is not built. */
const PLANNING = `orte=bundesland:Bayern,bundesland:Niedersachsen&${IN_YEARS}`;

describe.skipIf(!hasBrowser)('the page Vergleich (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  let asked: string[] = [];
  const warehouse = warehouseFolder();
  beforeAll(async () => {
    await publishSample(warehouse.path);
    dashboard = await openDashboard(await serve(warehouse.path));
    dashboard.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/v1/region/zeitreihe') asked.push(decodeURIComponent(search));
    });
  });
  beforeEach(async () => {
    asked = [];
    await dashboard.unstub();
  });
  afterAll(async () => {
    await dashboard?.close();
    await dashboard?.service.stop();
    warehouse.remove();
  });

  const query = async (): Promise<Record<string, string>> =>
    Object.fromEntries(new URLSearchParams(await dashboard.page.evaluate(() => location.search)));
  const title = (): Promise<string> => dashboard.page.locator('.figure h2').innerText();
  const chips = (): Promise<string[]> => dashboard.page.locator('.compared li bdi').allInnerTexts();
  /** The values of a place in the file, by period. */
  const column = async (at: number): Promise<readonly number[]> =>
    (await savedRows(dashboard.page, /^CSV speichern/)).map((row) => germanNumber(row[at]));
  /** Sums of the answer to a request that the figure shows. */
  const sums = async (request: string | undefined, member: string, years: readonly string[]) => {
    const { data } = await dashboard.api(request ?? '');
    return years.map((year) =>
      data
        .filter(({ periode }: { periode: string }) => periode === year)
        .reduce((sum: number, row: Record<string, number>) => sum + (row[member] ?? 0), 0),
    );
  };
  const YEARS = ['2020', '2021', '2022', '2023', '2024', '2025'];

  test('tells places of one name apart, wherever they are named', async () => {
    await dashboard.visit(`/vergleich?orte=landkreis:08118,gemeinde:08118048,bundesland:Bayern&${IN_YEARS}`);
    const names = ['Ludwigsburg (Landkreis)', 'Ludwigsburg (Gemeinde)', 'Bayern'];
    expect(await chips()).toEqual(names);
    expect(await title()).toContain(names.join(', '));
    const legend = await dashboard.page.locator('.figure button.key').allInnerTexts();
    expect(legend.map((name) => name.trim())).toEqual(names);
  });

  test('has the width for its lines at 320 pixels, and leaves their names to the legend', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?orte=landkreis:08118,gemeinde:08118048,bundesland:Bayern&${IN_YEARS}`);
    await page.setViewportSize({ width: 320, height: 640 });
    await settled(page);
    const texts = await page.locator('.figure .chart svg text').allInnerTexts();
    expect(texts.filter((text) => /Ludwigsb|Bayern/.test(text))).toEqual([]);
    const [chart, area] = await Promise.all([
      page.locator('.figure .chart').boundingBox(),
      page.getByRole('slider').boundingBox(),
    ]);
    expect((area?.width ?? 0) / (chart?.width ?? 1)).toBeGreaterThan(0.7);
    const isCut = await page.locator('h1').evaluate((head) => head.scrollHeight > head.clientHeight + 2);
    expect(isCut).toBe(false);
    expect(await sticksOut(page)).toEqual([]);
  });

  test('counts a day that is typed as one choice for the back button', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/zeitreihe?von=2020-01-01&bis=2025-12-31`);
    const before = await page.evaluate(() => history.length);
    const field = page.getByLabel('von', { exact: true });
    for (const day of ['2019-01-01', '2019-01-20', '2019-04-01', '2019-10-01']) await field.fill(day);
    await settled(page);
    expect(page.url()).toContain('von=2019-10-01');
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
    await page.goBack();
    await settled(page);
    expect(page.url()).toContain('von=2020-01-01');
  });

  test('opens with an example: solar additions by inhabitants of three states over ten years, from one request', async () => {
    await dashboard.visit('/vergleich');
    expect(await title()).toBe('Zubau Solar je 1.000 Einwohner, 2016 bis 2025: Bayern, Brandenburg, Niedersachsen');
    expect(asked).toEqual(['?ebene=bundesland&region=Bayern&region=Brandenburg&region=Niedersachsen&periode=jahr']);
    expect(await dashboard.page.getByText('Einwohner am 31.12.2024').count()).toBe(1);
    const labels = await dashboard.page.locator('.figure svg text').allTextContents();
    for (const [at, name] of ['Bayern', 'Brandenburg', 'Niedersachsen'].entries()) {
      expect(labels).toContain(`${name} ${significant((await column(at + 1)).at(-1) ?? 0)}`);
    }
  });

  test('shows solar growth of Ludwigsburg against its state, 2020 to 2025, by inhabitants, in at most eight clicks', async () => {
    const { page } = dashboard;
    await dashboard.visit('');
    await page.evaluate(() => {
      Object.assign(window, { clicks: 0 });
      addEventListener('click', ({ isTrusted, detail }) => {
        // A key that presses a button is none of the mouse.
        if (isTrusted && detail > 0) (window as unknown as { clicks: number }).clicks += 1;
      });
    });
    const day = async (label: string, typed: string): Promise<void> => {
      const field = page.getByLabel(label, { exact: true });
      await field.click();
      await field.fill(typed);
    };
    await page.getByRole('link', { name: 'Vergleich', exact: true }).click();
    for (const [typed, found] of [
      ['Ludwigsburg', /^Ludwigsburg/],
      ['Baden', /^Baden-Württemberg/],
    ] as const) {
      await page.getByRole('combobox', { name: 'Orte' }).click();
      await page.keyboard.type(typed);
      await page.getByRole('option', { name: found }).first().click();
    }
    await day('von', '2020-01-01');
    await day('bis', '2025-12-31');
    await settled(page);
    expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBeLessThanOrEqual(8);
    expect(await title()).toBe('Zubau Solar je 1.000 Einwohner, 2020 bis 2025: Ludwigsburg, Baden-Württemberg');
    // One picture, one table, one file, and the requests behind them.
    const picture = await savedFile(page, /^PNG speichern/);
    expect([picture.name, picture.content.subarray(1, 4).toString()]).toEqual([
      'zubau-solar-je-1-000-einwohner-2020-bis-2025-ludwigsburg-baden-wuerttemberg.png',
      'PNG',
    ]);
    const drawing = (await savedFile(page, /^SVG speichern/)).content.toString();
    for (const text of ['Ludwigsburg', 'Baden-Württemberg', 'kW je 1.000 Einwohner', 'dl-de/by-2-0']) {
      expect(drawing).toContain(text);
    }
    const requests = await shownRequests(page, /^Zubau/);
    const file = await savedRows(page, /^CSV speichern/);
    expect(file.map(([year]) => year)).toEqual(YEARS);
    for (const [at, request] of requests.entries()) {
      const expected = await sums(request, 'zubauKwJe1000Einwohner', YEARS);
      expect((await column(at + 1)).map((value) => value.toFixed(5))).toEqual(
        expected.map((value) => value.toFixed(5)),
      );
      expect(Math.max(...expected)).toBeGreaterThan(0);
    }
    const [, ...shown] = await rowsOf(page, /^Zubau/);
    expect(shown.map(([year]) => year)).toEqual(YEARS);
  });

  test.each([
    ['units added, of two carriers', 'wert=anzahl&bezug=absolut&traeger=solar,wind', 'zubauAnzahl'],
    ['storage energy added', 'wert=mwh&bezug=absolut&traeger=storage', 'zubauMwh'],
    ['MW by km²', 'bezug=flaeche&traeger=solar', 'zubauKwJeKm2'],
    [
      'MW planned, whatever the day',
      'reihe=pipeline&bezug=kopf&traeger=solar,storage,combustion',
      'pipelineKwJe1000Einwohner',
      PLANNING,
    ],
    ['MW shut down', 'reihe=abbau&bezug=absolut&traeger=solar,wind,combustion', 'abbauMw'],
  ])('has exactly what the requests beside it answer: %s', async (_, choices, member, places = PAIR) => {
    await dashboard.visit(`/vergleich?${places}&form=tabelle&${choices}`);
    for (const [at, request] of (await shownRequests(dashboard.page, /./)).entries()) {
      const expected = await sums(request, member, YEARS);
      expect((await column(at + 1)).map((value) => value.toFixed(4))).toEqual(
        expected.map((value) => value.toFixed(4)),
      );
    }
  });

  test('has the stock from the beginning of the register on, and its request begins there, too', async () => {
    await dashboard.visit(`/vergleich?${PAIR}&reihe=bestand&bezug=absolut`);
    const [request = ''] = await shownRequests(dashboard.page, /^Bestand/);
    expect(request).not.toContain('von=');
    const { data } = await dashboard.api(request);
    const until = (year: string): number =>
      data
        .filter(({ periode }: { periode: string }) => periode <= year)
        .reduce((sum: number, row: { zubauMw: number; abbauMw: number }) => sum + row.zubauMw - row.abbauMw, 0);
    expect((await column(1)).map((value) => decimal(value, 3))).toEqual(YEARS.map((year) => decimal(until(year), 3)));
  });

  test('keeps one choice in every form, from the same answers; it stands in the address and comes back', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?${PAIR}`);
    const before = await column(1);
    const first = await title();
    asked = [];
    for (const form of ['Balken', 'Tabelle', 'Karte', 'Linien']) {
      await page.getByRole('radio', { name: form }).check();
      await settled(page);
      expect([form, await column(1), await title()]).toEqual([form, before, first]);
    }
    expect([asked, (await query()).form]).toEqual([[], undefined]);
    await page.goBack();
    await page.reload();
    await settled(page);
    expect([(await query()).form, await page.locator('.map svg').count()]).toEqual(['karte', 1]);
  });

  test('takes places by keyboard, up to eight, once each, and lets them go', async () => {
    const { page } = dashboard;
    await dashboard.visit('/vergleich');
    const field = page.getByRole('combobox', { name: 'Orte' });
    const wanted = ['Ludwigsburg', 'Deutschland', 'Hessen', 'Sachsen', 'Berlin', 'Bremen', '1', 'Bayern'];
    for (const [index, text] of wanted.entries()) {
      await field.fill(text);
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await chips()).length).toBe(index + 1);
    }
    expect(await field.count()).toBe(0);
    await settled(page);
    expect(await page.getByText('daher ohne Wert: PLZ 1').count()).toBe(1);
    await page.getByRole('button', { name: 'Hessen aus dem Vergleich nehmen' }).press('Enter');
    expect(await chips()).not.toContain('Hessen');
    await field.fill('Bayern');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await chips()).toHaveLength(7);
  });

  test('hides a place by a click in the legend, which the link keeps, and shows the rest alone', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?${PAIR}`);
    await page.locator('.figure .legend').getByRole('button', { name: 'Baden-Württemberg' }).click();
    await settled(page);
    expect(await title()).toBe('Zubau Solar je 1.000 Einwohner, 2020 bis 2025: Ludwigsburg');
    expect((await query()).ohne).toBe('bundesland:Baden-Württemberg');
    expect(await savedRows(page, /^CSV speichern/)).toEqual(
      expect.arrayContaining([expect.objectContaining({ length: 2 })]),
    );
    await page.reload();
    await settled(page);
    const key = page.locator('.figure .legend').getByRole('button', { name: 'Baden-Württemberg' });
    expect(await key.getAttribute('aria-pressed')).toBe('false');
    await key.press('Enter');
    await expect.poll(title).toContain('Ludwigsburg, Baden-Württemberg');
  });

  test('reads values of a period off by keyboard and under the pointer, the largest first', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?${PAIR}`);
    const slider = page.getByRole('slider', { name: 'Werte ablesen' });
    const [first = [], second = []] = [await column(1), await column(2)];
    const said = [`Ludwigsburg ${significant(first[0] ?? 0)}`, `Baden-Württemberg ${significant(second[0] ?? 0)}`];
    if ((first[0] ?? 0) < (second[0] ?? 0)) said.reverse();
    await slider.focus();
    await page.keyboard.press('Home');
    const spoken = (): Promise<string | null> => slider.getAttribute('aria-valuetext');
    await expect.poll(spoken).toBe(['2020, kW je 1.000 Einwohner', ...said].join(', '));
    await slider.hover();
    const bubble = await page.locator('.bubble dt').allInnerTexts();
    expect(bubble).toHaveLength(2);
  });

  test('says what cannot be stacked, and shows it as lines; carriers of a place can', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?${PAIR}&form=gestapelt`);
    expect(await page.locator('.state.empty').innerText()).toContain('lassen sich nicht stapeln');
    await page.getByRole('button', { name: 'Als Linien zeigen' }).click();
    await settled(page);
    expect(await page.locator('.figure .chart svg').count()).toBe(1);
    await dashboard.visit(`/vergleich?${PAIR}&form=gestapelt&einzeln=ja&traeger=solar,wind,storage`);
    expect(await page.locator('.figure .chart svg').count()).toBe(2);
    await page.locator('.figure .legend').getByRole('button', { name: 'Wind' }).click();
    await expect.poll(async () => (await query()).traeger).toBe('solar,storage');
  });

  test('says that only storage has energy, and that nothing happened', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?${PAIR}&wert=mwh`);
    await page.getByRole('button', { name: 'Speicher zeigen' }).click();
    await settled(page);
    expect(await title()).toContain('Zubau Speicher (Speicherkapazität)');
    await dashboard.visit('/vergleich?orte=bundesland:Bayern&traeger=nuclear&von=2020-01-01&bis=2021-12-31');
    expect(await page.locator('.state.empty').innerText()).toContain('nichts bekannt');
  });

  test('asks for the country where shares of it are wanted, and says where an index has no beginning', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?${PAIR}&bezug=deutschland&reihe=bestand`);
    expect(asked).toContain('?periode=jahr');
    expect(await shownRequests(page, /^Bestand/)).toHaveLength(3);
    const shares = await column(2);
    expect(Math.max(...shares)).toBeLessThan(100);
    expect(Math.min(...shares)).toBeGreaterThan(0);
    await dashboard.visit(`/vergleich?${PAIR}&bezug=index&traeger=nuclear,solar&einzeln=ja`);
    expect(await page.locator('.figure > .note').innerText()).toContain(
      'Ohne Index, weil der Wert am Beginn nicht über 0 liegt',
    );
  });

  test('shows what is there when a place cannot be loaded, and says that a place does not exist', async () => {
    const { page } = dashboard;
    await dashboard.stub(/region=Baden/, problem(500, 'INTERNAL_ERROR', 'something broke'));
    await dashboard.visit(`/vergleich?${PAIR}`);
    expect(await page.getByRole('alert').innerText()).toContain('Nicht alle Orte konnten geladen werden');
    expect(await title()).toBe('Zubau Solar je 1.000 Einwohner, 2020 bis 2025: Ludwigsburg');
    await dashboard.unstub();
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await expect.poll(title).toContain('Ludwigsburg, Baden-Württemberg');
    await dashboard.visit('/vergleich?orte=bundesland:Bayern,landkreis:99999');
    expect(await page.getByRole('alert').innerText()).toContain(
      'nennt einen Kreis, in dem das Register keine Einheit hat',
    );
  });

  test('shows the last value of each place on the map, and names those that are not on it', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?orte=${LUDWIGSBURG},bundesland:Bayern,deutschland&form=karte`);
    const last = (await savedRows(page, /^CSV speichern/)).at(-1)?.slice(1).map(germanNumber) ?? [];
    const [district, state, country] = last.map((value) => `${significant(value)}\u202fkW je 1.000 Einwohner`);
    expect(await page.locator('.map [data-key="08118"]').getAttribute('aria-label')).toBe(
      `Ludwigsburg, 2025: ${district}`,
    );
    expect(await page.locator('.map [data-key="09"]').getAttribute('aria-label')).toBe(`Bayern, 2025: ${state}`);
    expect(await page.locator('.map [data-key="03"]').getAttribute('aria-label')).toContain('nicht im Vergleich');
    expect(await page.locator('.figure').innerText()).toContain(`Nicht auf der Karte, 2025: Deutschland ${country}.`);
  });

  const VIEWS = [
    '',
    `?${PAIR}&einzeln=ja&traeger=solar,wind,storage&form=gestapelt`,
    '?form=karte',
    '?form=tabelle&periode=monat',
    '?form=balken',
  ];
  test.each(drawn(VIEWS, 2))(
    'fits 1,440, 390 and 320 pixels, and pleases axe-core in light and dark: %s',
    async (choices) => {
      const { page } = dashboard;
      await dashboard.visit(`/vergleich${choices}`);
      for (const [width, scheme] of [
        [1440, 'light'],
        [390, 'dark'],
        [320, 'light'],
      ] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 844 });
        await settled(page);
        // Read-outs are moved back into the window once it has its new size.
        await expect.poll(() => sticksOut(page), { message: `${width}` }).toEqual([]);
        expect([width, await dashboard.violations()]).toEqual([width, []]);
      }
    },
  );

  test('unfolds the choices on a telephone, where the chart comes first', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/vergleich?${PAIR}`, { size: 'phone' });
    const stock = page.getByRole('radio', { name: 'Bestand' });
    expect(await stock.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Reihe, Wert, Bezug und Zeitraum' }).press('Enter');
    await stock.check();
    await expect.poll(title).toContain('Bestand Solar');
    expect([await sticksOut(page), await dashboard.violations()]).toEqual([[], []]);
  });

  test('is a click away from Region and Zeitreihe, with what was chosen there', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/region?region=${LUDWIGSBURG}&vergleich=bundesland:Bayern`);
    await page.getByRole('link', { name: 'Über Jahre vergleichen' }).click();
    await expect.poll(chips).toEqual(['Ludwigsburg', 'Bayern', 'Deutschland']);
    await dashboard.visit(`/zeitreihe?region=${LUDWIGSBURG}&traeger=wind,solar&periode=jahr`);
    asked = [];
    await page.getByRole('link', { name: 'Vergleichen' }).click();
    await expect.poll(chips).toEqual(['Ludwigsburg', 'Deutschland']);
    await settled(page);
    expect(await title()).toMatch(/^Zubau Solar und Wind, 2022 bis 2026: Ludwigsburg, Deutschland/);
    // The answer for the place was there already.
    expect(asked).toEqual(['?periode=jahr']);
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
