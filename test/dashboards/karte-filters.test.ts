import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { isTooWide } from '../support/dashboard-tables.ts';

/** The page Karte with the filters of the list, shares, changes between two days, and what lies beside the map. */

interface Group {
  readonly key: string | null;
  readonly schluessel?: string | null;
  readonly count: number;
  readonly bruttoleistungKw: number;
  readonly bestand?: { readonly anzahl: readonly number[] };
}

/** As the page writes about three significant digits. */
const written = (value: number): string =>
  new Intl.NumberFormat('de-DE', {
    maximumFractionDigits: value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))),
  }).format(value);

const KEYS: Readonly<Record<string, string>> = { Niedersachsen: '03', Bayern: '09', Berlin: '11', Brandenburg: '12' };
const keyOf = ({ key }: Group): string => KEYS[key ?? ''] ?? '';

describe.skipIf(!hasBrowser)('page Karte with filters (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const open = async (path: string, look?: Parameters<Dashboard['visit']>[1]): Promise<void> => {
    await dashboard.visit(path, look);
    await dashboard.page.locator('.page-head').waitFor();
    await settled(dashboard.page);
  };
  const spoken = async (key: string): Promise<string> =>
    (await dashboard.page.locator(`path[data-key="${key}"]`).getAttribute('aria-label')) ?? '';
  const groupsOf = async (query: string): Promise<readonly Group[]> =>
    (await dashboard.api(`/v1/aggregations?${query}`)).data.groups;
  const unitLine = (): Promise<string> => dashboard.page.locator('figure .unit').innerText();
  const chips = () => dashboard.page.getByRole('list', { name: 'Gewählte Filter' });

  test('takes a filter of the list by its name, and says so in title, chips and figure', async () => {
    await open('/karte?leistungMinKw=30&leistungMaxKw=5000');
    const groups = await groupsOf('groupBy=landkreis&betriebsStatus=In%20Betrieb&leistungMinKw=30&leistungMaxKw=5000');
    const placed = groups.filter(({ schluessel }) => schluessel != null && schluessel !== '09999');
    expect(placed.length).toBeGreaterThan(2);
    for (const { schluessel, count } of placed) {
      expect(await spoken(schluessel ?? '')).toContain(`${count}\u00a0Einheit`);
    }
    expect(await dashboard.page.locator('h1').innerText()).toContain('30 bis 5.000');
    expect(await unitLine()).toContain('30 bis 5.000');
    expect(await chips().innerText()).toContain('30 bis 5.000');
  });

  test('opens the filters by keyboard, keeps a choice in the address, and takes it back by its chip', async () => {
    const { page, service } = dashboard;
    await open('/karte?traeger=wind');
    await page.getByRole('button', { name: 'Filter', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Betriebsstatus im Register' }).click();
    await page.getByRole('checkbox', { name: 'In Planung' }).focus();
    await page.keyboard.press('Space');
    await settled(page);
    expect(page.url()).toBe(`${service.url}/app/karte?traeger=wind&betriebsStatus=In+Planung`);
    const groups = await groupsOf('groupBy=landkreis&einheitTyp=wind&betriebsStatus=In%20Planung');
    const placed = groups.filter(({ schluessel }) => schluessel != null);
    expect(placed.length).toBeGreaterThan(0);
    for (const { schluessel, count } of placed) {
      expect(await spoken(schluessel ?? '')).toContain(`${count}\u00a0Einheit`);
    }
    // The status that was chosen stands in place of the usual one.
    expect(await page.locator('figure h2').innerText()).not.toContain('in Betrieb');
    await page.getByRole('button', { name: /^Entfernen: Betriebsstatus/ }).click();
    await settled(page);
    expect(page.url()).toBe(`${service.url}/app/karte?traeger=wind`);
    await page.goBack();
    await settled(page);
    expect(await chips().innerText()).toContain('In Planung');
  });

  test('is reached from a list with its filters, and leads back to it', async () => {
    const { page, service } = dashboard;
    await open('/einheiten?einheitTyp=solar&bundesland=Bayern&leistungMaxKw=30');
    await page.getByRole('link', { name: 'Auf der Karte' }).click();
    await settled(page);
    expect(page.url()).toBe(`${service.url}/app/karte?leistungMaxKw=30&traeger=solar&region=bundesland:Bayern`);
    await page.getByRole('link', { name: 'Als Liste' }).click();
    await settled(page);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      einheitTyp: 'solar',
      betriebsStatus: 'In Betrieb',
      leistungMaxKw: '30',
      bundesland: 'Bayern',
    });
  });

  test.each([
    ['leistungMaxKW=30', 'gemeint ist vielleicht „leistungMaxKw“'],
    ['leistungMaxKw=viel', 'verlangt eine Zahl'],
    ['jahr=1812', 'verlangt ein Jahr von 1990 an'],
    ['region=landkreis:99999&leistungMaxKw=30', 'nennt einen Kreis, in dem das Register keine Einheit hat'],
  ])('refuses a link with %s', async (query, why) => {
    await open(`/karte?${query}`);
    expect(await dashboard.page.getByRole('alert').innerText()).toContain(why);
  });

  test.each([
    ['anteilAnzahl', '', '&einheitTyp=solar', 'von allen Anlagen: Solar', (group: Group) => group.count],
    ['anteilLeistung', '&anteilAn=alle', '', 'von allen Anlagen', (group: Group) => group.bruttoleistungKw],
  ] as const)('shows %s%s of the units that a filter selects', async (measure, of, whole, words, figure) => {
    await open(`/karte?ebene=bundesland&wert=${measure}${of}&traeger=solar&leistungMaxKw=30`);
    const parts = await groupsOf('groupBy=bundesland&betriebsStatus=In%20Betrieb&einheitTyp=solar&leistungMaxKw=30');
    const wholes = await groupsOf(`groupBy=bundesland&betriebsStatus=In%20Betrieb${whole}`);
    const known = parts.filter((part) => keyOf(part) !== '');
    expect(known.length).toBeGreaterThan(0);
    for (const part of known) {
      const all = wholes.find(({ key }) => key === part.key) ?? part;
      expect(await spoken(keyOf(part))).toContain(`, ${written((figure(part) / figure(all)) * 100)}\u202f%`);
    }
    expect(await unitLine()).toContain(words);
  });

  test('shows the share of balcony solar by municipality after seven choices', async () => {
    const { page } = dashboard;
    const [{ value: kind }] = (await dashboard.api('/v1/reference/solarLage')).data;
    const berlin = (count: number) => ({
      body: {
        data: {
          groupBy: 'gemeinde',
          groups: [{ key: 'Berlin', schluessel: '11000000', name: 'Berlin', count, bruttoleistungKw: count }],
          totals: { count, bruttoleistungKw: count, speicherkapazitaetKwh: 0 },
        },
        meta: { truncated: false },
      },
    });
    const asked = 'groupBy=gemeinde&bundesland=Berlin&einheitTyp=solar&betriebsStatus=In\\+Betrieb';
    await dashboard.stub(new RegExp(`aggregations\\?${asked}$`), berlin(8));
    await dashboard.stub(new RegExp(`aggregations\\?${asked}&solarLage=`), berlin(3));
    await open('/karte');
    let choices = 0;
    const choose = async (act: Promise<unknown>): Promise<void> => {
      await act;
      choices += 1;
      await settled(page);
    };
    const select = (name: string, option: string | { label: string }) =>
      page.getByRole('combobox', { name, exact: true }).selectOption(option);
    await choose(select('Wert', 'anteilAnzahl'));
    await choose(select('Anteil an', 'solar'));
    await choose(select('Land', { label: 'Berlin' }));
    await choose(select('Gebiete', 'gemeinde'));
    await choose(page.getByRole('button', { name: 'Filter', exact: true }).click());
    await page.getByRole('searchbox', { name: 'Filter finden' }).fill('Balkon');
    await choose(page.getByRole('button', { name: 'Art der Solaranlage' }).click());
    await choose(page.getByRole('checkbox', { name: kind }).click());
    expect(choices).toBe(7);
    expect(await spoken('11000000')).toContain(', 37,5\u202f%');
  });

  test('begins with the carrier that alone can meet the filter, and names both', async () => {
    const { page } = dashboard;
    const maker = 'windHersteller=ENERCON%20GmbH';
    const parts = (await groupsOf(`groupBy=bundesland&betriebsStatus=In%20Betrieb&${maker}`)).filter(
      (part) => keyOf(part) !== '',
    );
    expect(parts.length).toBeGreaterThan(0);
    await open(`/karte?ebene=bundesland&wert=anteilAnzahl&${maker}`);
    expect(await page.locator('figure h2').innerText()).toContain(`Anteil von „ENERCON GmbH“ an Wind nach`);
    expect(await page.getByRole('combobox', { name: 'Anteil an' }).inputValue()).toBe('wind');
    const wholes = await groupsOf('groupBy=bundesland&betriebsStatus=In%20Betrieb&einheitTyp=wind');
    for (const part of parts) {
      const all = wholes.find(({ key }) => key === part.key) ?? part;
      expect(await spoken(keyOf(part))).toContain(`, ${written((part.count / all.count) * 100)}\u202f%`);
    }
    // A share of few units says little: their number stands beside it.
    expect(await page.locator('.highest li').first().innerText()).toMatch(/\d \(\d+\sEinheit(en)?\)/);
    await page.getByRole('combobox', { name: 'Anteil an' }).selectOption('alle');
    await settled(page);
    expect(await page.locator('figure h2').innerText()).toContain(`Anteil von „ENERCON GmbH“ an allen Anlagen nach`);
  });

  test('says that a share without a filter is all of it', async () => {
    await open('/karte?ebene=bundesland&wert=anteilAnzahl');
    expect(await dashboard.page.locator('figure > .note').innerText()).toContain('Ohne Filter sind es überall 100 %');
  });

  test('shows what has changed between two days, as a number and in per cent', async () => {
    const { page, service } = dashboard;
    await open('/karte?ebene=bundesland&wert=zuwachsAnzahl&von=2012-12-31&bis=2024-12-31');
    const changed = (await groupsOf('groupBy=bundesland&bestandAm=2012-12-31,2024-12-31')).flatMap((group) => {
      const [before = 0, after = 0] = group.bestand?.anzahl ?? [];
      return keyOf(group) !== '' && after > before ? [{ area: keyOf(group), before, after }] : [];
    });
    expect(changed.length).toBeGreaterThan(0);
    for (const { area, before, after } of changed) {
      expect(await spoken(area)).toContain(`, +${after - before}\u202fEinheiten`);
    }
    expect(await unitLine()).toContain('Bestand vom 31.12.2012 bis zum 31.12.2024');
    await page.getByRole('combobox', { name: 'Wert' }).selectOption('zuwachsAnzahlProzent');
    await settled(page);
    const percent = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 1 });
    for (const { area, before, after } of changed) {
      const expected =
        before > 0 ? `, +${percent.format((after / before - 1) * 100)}\u202f%` : 'am Anfang stand hier nichts';
      expect(await spoken(area)).toContain(expected);
    }
    await page.getByLabel('Von').fill('2020-06-30');
    await page.getByLabel('Von').press('Tab');
    await settled(page);
    expect(page.url()).toBe(
      `${service.url}/app/karte?ebene=bundesland&wert=zuwachsAnzahlProzent&von=2020-06-30&bis=2024-12-31`,
    );
  });

  test('colours where there is less than before, and names that in the legend', async () => {
    const group = (key: string, anzahl: readonly number[]) => ({
      ...{ key, count: 9, bruttoleistungKw: 9000, durchschnittsleistungKw: 1000, speicherkapazitaetKwh: 0 },
      bestand: { anzahl, bruttoleistungKw: anzahl.map((units) => units * 1000), speicherkapazitaetKwh: [0, 0] },
    });
    await dashboard.stub(/aggregations\?groupBy=bundesland.*bestandAm/, {
      body: {
        data: {
          groupBy: 'bundesland',
          groups: [group('Bayern', [8, 3]), group('Hessen', [2, 6]), group('Saarland', [4, 4])],
          totals: { count: 27, bruttoleistungKw: 27_000, speicherkapazitaetKwh: 0 },
        },
        meta: { truncated: false, bestandAm: ['2025-03-14', '2026-03-14'] },
      },
    });
    await open('/karte?ebene=bundesland&wert=zuwachsLeistung');
    expect([await spoken('09'), await spoken('06'), await spoken('10')]).toEqual([
      expect.stringContaining('−5\u202fMW'),
      expect.stringContaining('+4\u202fMW'),
      expect.stringContaining('0\u202fMW'),
    ]);
    const legend = await dashboard.page.getByRole('list', { name: 'Legende' }).innerText();
    expect(legend).toMatch(/weniger als vorher[\s\S]*keine Änderung/);
    const fill = (key: string) => dashboard.page.locator(`path[data-key="${key}"]`).getAttribute('style');
    expect([await fill('09'), await fill('10')]).toEqual([
      expect.stringContaining('--map-less'),
      expect.stringContaining('--map-none'),
    ]);
  });

  test('names places without an area beside the map with their figures, and leads to them', async () => {
    const { page, service } = dashboard;
    await open('/karte');
    const groups = await groupsOf('groupBy=landkreis&betriebsStatus=In%20Betrieb');
    const drawn = await page
      .locator('path[data-key]')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('data-key')));
    const missing = groups.filter(({ schluessel }) => !drawn.includes(schluessel ?? ''));
    const rows = await page.locator('.not-on-map li').allInnerTexts();
    expect([rows.length, missing.length > 0]).toEqual([missing.length, true]);
    for (const [index, { bruttoleistungKw }] of missing.entries()) {
      expect(rows[index]).toContain(written(bruttoleistungKw / 1000));
    }
    await page.locator('.not-on-map button').first().click();
    await expect.poll(() => page.url()).toContain(`${service.url}/app/region?region=landkreis:`);
  });

  test('loads the borders of the wanted level alone', async () => {
    const { page } = dashboard;
    const asked: string[] = [];
    const note = (request: { url(): string }) => asked.push(request.url());
    page.on('request', note);
    await open('/karte?ebene=bundesland');
    page.off('request', note);
    const files = asked.flatMap((url) => /files\/(bundeslaender|landkreise|gemeinden)/.exec(url)?.[1] ?? []);
    expect(files).toEqual(['bundeslaender']);
    expect(await page.locator('figure > .note').innerText()).toContain('Die Grenzen sind vom 01.01.2016');
  });

  test.each([
    ['wide', 'light'],
    ['phone', 'dark'],
  ] as const)(
    'has nothing that axe objects to, and nothing too wide, with all of it open: %s, %s',
    async (size, scheme) => {
      const { page } = dashboard;
      await open('/karte?wert=zuwachsLeistungProzent&leistungMinKw=30', { size, scheme });
      await page.getByRole('button', { name: 'Filter (1)' }).click();
      await settled(page);
      expect(await dashboard.violations()).toEqual([]);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await isTooWide(page)).toBe(false);
    },
  );

  test('asks no other host, keeps to its policy, and complains about nothing', () => dashboard.expectClean());
});
