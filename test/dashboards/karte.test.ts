import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';
import { stubTiles } from '../support/tiles.ts';

/** The page Karte: what it colours, where it leads, and what it says of what it cannot show. */

interface Group {
  readonly key: string | null;
  readonly schluessel?: string | null;
  readonly name?: string | null;
  readonly count: number;
  readonly bruttoleistungKw: number;
  readonly speicherkapazitaetKwh: number | null;
}

const counted = (units: number): string => `${units}\u00a0${units === 1 ? 'Einheit' : 'Einheiten'}`;

/** Municipalities of a state that has more than the interface names at once, as an answer that was cut. */
const cut = (groups: readonly Group[]) => ({
  body: {
    data: { groupBy: 'gemeinde', groups, totals: { count: 9999, bruttoleistungKw: 1e6 } },
    meta: { truncated: true },
  },
});

describe.skipIf(!hasBrowser)('page Karte (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  /** Opens the page and waits for its content: the form that asks for the key has a heading, too. */
  const open = async (path: string, look?: Parameters<Dashboard['visit']>[1]): Promise<void> => {
    await dashboard.visit(path, look);
    await dashboard.page.locator('.page-head').waitFor();
    await settled(dashboard.page);
  };
  const choose = async (label: string, option: string | { label: string }): Promise<void> => {
    await dashboard.page.getByRole('combobox', { name: label, exact: true }).selectOption(option);
    await settled(dashboard.page);
  };
  const area = (key: string): Locator => dashboard.page.locator(`path[data-key="${key}"]`);
  const spoken = async (key: string): Promise<string> => (await area(key).getAttribute('aria-label')) ?? '';
  const note = (): Promise<string> => dashboard.page.locator('figure > .note').innerText();
  const tip = (): Promise<string> => dashboard.page.locator('.map-tip').innerText();
  const groupsOf = async (query: string): Promise<readonly Group[]> =>
    (await dashboard.api(`/v1/aggregations?${query}`)).data.groups;

  /** Rows of the table below the map, by the key in their first cell. */
  const tableRows = async (): Promise<Map<string, readonly string[]>> => {
    await dashboard.page.locator('.as-table summary').click();
    const rows = await dashboard.page
      .locator('.as-table tbody tr')
      .evaluateAll((list) => list.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText)));
    return new Map(rows.map((row) => [row[0] ?? '', row]));
  };

  test('shows for each district what the interface says, and counts what is on no map', async () => {
    await open('/karte');
    const groups = await groupsOf('groupBy=landkreis&betriebsStatus=In%20Betrieb');
    const rows = await tableRows();
    const drawn = await dashboard.page.locator('path[data-key]').evaluateAll((paths) => paths.length);
    expect(drawn).toBe(400);
    const onMap = groups.filter(({ schluessel }) => schluessel != null && !['09999'].includes(schluessel));
    expect(onMap.length).toBeGreaterThan(5);
    const number = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 3 });
    for (const { schluessel, count, bruttoleistungKw } of onMap) {
      const [, , units, megawatts] = rows.get(schluessel ?? '') ?? [];
      expect([units, megawatts], schluessel ?? '').toEqual([
        number.format(count),
        number.format(bruttoleistungKw / 1000),
      ]);
      expect(await spoken(schluessel ?? '')).toContain(counted(count));
    }
    // A district of no key of the map, and units without a place.
    const elsewhere = groups.filter((group) => !onMap.includes(group));
    expect(elsewhere.length).toBe(2);
    const units = elsewhere.reduce((sum, { count }) => sum + count, 0);
    expect(await note()).toContain(`Nicht auf der Karte: ${counted(units)}`);
    expect(await dashboard.page.locator('.not-on-map').innerText()).toContain('Aurich');
    expect(await spoken('08111')).toBe('Stuttgart, keine solche Anlage');
  });

  test.each([
    ['anzahl', 'betriebsStatus=In%20Betrieb', 'Einheiten', (group: Group) => group.count],
    ['pipeline', 'betriebsStatus=In%20Planung', 'MW', (group: Group) => group.bruttoleistungKw / 1000],
    ['speicher', 'betriebsStatus=In%20Betrieb', 'MWh', (group: Group) => (group.speicherkapazitaetKwh ?? 0) / 1000],
    [
      'zubau',
      'inbetriebnahmeVon=2025-03-15&inbetriebnahmeBis=2026-03-14',
      'MW',
      (group: Group) => group.bruttoleistungKw / 1000,
    ],
  ] as const)('colours states by %s', async (measure, filter, unit, figure) => {
    await open(`/karte?ebene=bundesland&wert=${measure}`);
    const groups = await groupsOf(`groupBy=bundesland&${filter}`);
    const state = groups.find(({ key }) => key === 'Niedersachsen' || key === 'Brandenburg' || key === 'Bayern');
    const key = { Niedersachsen: '03', Brandenburg: '12', Bayern: '09' }[state?.key ?? ''] ?? '';
    const digits = new Intl.NumberFormat('de-DE', { maximumSignificantDigits: 4 });
    expect(state, 'a state with such units').toBeDefined();
    expect(await spoken(key)).toContain(`${digits.format(figure(state as Group))}\u202f${unit}`);
    expect(await dashboard.page.locator('path[data-key]').count()).toBe(16);
  });

  test('asks for the chosen carriers alone, and the address has all choices', async () => {
    const { page, service } = dashboard;
    await open('/karte');
    await page.getByRole('button', { name: 'Wind', exact: true }).click();
    await choose('Wert', 'dichte');
    expect(page.url()).toBe(
      `${service.url}/app/karte?traeger=solar,storage,biomass,hydro,combustion,geothermal,nuclear&wert=dichte`,
    );
    const [group] = (
      await groupsOf(
        'groupBy=landkreis&betriebsStatus=In%20Betrieb&einheitTyp=solar,storage,biomass,hydro,combustion,geothermal,nuclear',
      )
    ).filter(({ schluessel }) => schluessel === '05315');
    expect(await spoken('05315')).toMatch(/^Köln, .+\u202fMW je km², /);
    expect(await spoken('05315')).toContain(counted(group?.count ?? 0));
    await page.goBack();
    expect(await page.getByRole('combobox', { name: 'Wert' }).inputValue()).toBe('leistung');
  });

  test('tells name and value of what is pointed at, and a click leads to the region', async () => {
    const { page, service } = dashboard;
    await open('/karte');
    await area('12073').hover();
    expect(await tip()).toMatch(/^Uckermark\n/);
    await area('12073').click();
    await expect.poll(() => page.url()).toBe(`${service.url}/app/region?region=landkreis:12073`);
  });

  test('tells a finger first, and opens at the second tap', async () => {
    const { page, service } = dashboard;
    await open('/karte', { size: 'phone' });
    const tap = () =>
      area('12073').evaluate((path) =>
        path.dispatchEvent(new PointerEvent('click', { pointerType: 'touch', bubbles: true })),
      );
    await tap();
    expect(await tip()).toMatch(/^Uckermark\n(.+\n)+Nochmals tippen öffnet die Seite\.$/);
    expect(page.url()).toBe(`${service.url}/app/karte`);
    await tap();
    await expect.poll(() => page.url()).toBe(`${service.url}/app/region?region=landkreis:12073`);
  });

  test('is one stop of the Tab key; arrows lead to neighbours and Enter to the region', async () => {
    const { page, service } = dashboard;
    await open('/karte?ebene=bundesland');
    const focused = (): Promise<string | undefined> =>
      page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.key);
    await page.getByRole('button', { name: 'Kernkraft' }).focus();
    for (let presses = 0; presses < 6 && (await focused()) === undefined; presses++) await page.keyboard.press('Tab');
    expect(await focused()).toBe('01');
    await page.keyboard.press('ArrowDown');
    const second = await focused();
    expect(['02', '03', '04']).toContain(second);
    expect(await tip()).toContain((await spoken(second ?? '')).split(',')[0]);
    await page.keyboard.press('Tab');
    expect(await focused()).toBeUndefined();
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe(second);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toMatch(`${service.url}/app/region?region=bundesland:`);
  });

  test('goes nearer by button, wheel and key, and back', async () => {
    const { page } = dashboard;
    await open('/karte');
    const scale = async (): Promise<number> => {
      const transform = await page.locator('.map-frame svg > g').first().getAttribute('transform');
      return Number(/scale\(([\d.]+)\)/.exec(transform ?? '')?.[1]);
    };
    const home = await scale();
    await page.getByRole('button', { name: 'Näher' }).click();
    expect(await scale()).toBeCloseTo(home * 1.6);
    await page.keyboard.press('0');
    expect(await scale()).toBe(home);
    await area('05315').hover();
    await page.mouse.wheel(0, -200);
    expect(await scale()).toBe(home);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await expect.poll(scale).toBeGreaterThan(home);
    const before = await page.locator('.map-frame svg > g').first().getAttribute('transform');
    await page.mouse.down();
    await page.mouse.move(500, 500, { steps: 4 });
    await page.mouse.up();
    expect(await page.locator('.map-frame svg > g').first().getAttribute('transform')).not.toBe(before);
    // The end of a drag is no click.
    expect(page.url()).toContain('/app/karte');
    await page.getByRole('button', { name: 'Alles zeigen' }).click();
    expect(await scale()).toBe(home);
  });

  test('shows municipalities of a state or district, and tells those without units from those it does not know', async () => {
    const { page } = dashboard;
    await open('/karte?ebene=gemeinde');
    expect(await page.locator('main').innerText()).toContain('Bitte oben ein Land wählen');
    await choose('Land', { label: 'Niedersachsen' });
    await choose('Gebiete', 'gemeinde');
    await choose('Kreis', { label: 'Aurich' });
    expect(page.url()).toContain('region=landkreis:03452');
    const groups = await groupsOf('groupBy=gemeinde&landkreis=03452&betriebsStatus=In%20Betrieb');
    for (const { schluessel, count } of groups) expect(await spoken(schluessel ?? '')).toContain(counted(count));
    // Nothing of Emden, which lies beside it.
    expect(await area('03402000').count()).toBe(0);
    expect(await spoken('03452001')).toBe('Aurich, kommt im Register nicht vor');
    expect(await note()).toMatch(
      /Die Grenzen der Gemeinden sind vom 01\.01\.2016\. \d+ davon kommen im Register nicht vor/,
    );
    await choose('Wert', 'pipeline');
    expect(await spoken('03452019')).toMatch(/, keine solche Anlage$/);
  });

  test('says that a state has more municipalities than are named at once, and loads them district by district', async () => {
    const { page } = dashboard;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(decodeURIComponent(request.url())));
    await dashboard.stub(
      /aggregations\?groupBy=gemeinde&bundesland=Sachsen/,
      cut([
        {
          key: 'Görlitz',
          schluessel: '14626110',
          name: 'Görlitz',
          count: 2,
          bruttoleistungKw: 110_240,
          speicherkapazitaetKwh: null,
        },
      ]),
    );
    await open('/karte?ebene=gemeinde&region=bundesland:Sachsen');
    expect(await note()).toContain('höchstens tausend Gemeinden auf einmal');
    expect(await spoken('14612000')).toBe('Dresden, nicht geladen');
    await page.getByRole('button', { name: 'Alle laden, Kreis für Kreis' }).click();
    await settled(page);
    expect(page.url()).toContain('alle=ja');
    const districts = new Set(asked.flatMap((url) => /groupBy=gemeinde&landkreis=(\d+)&betriebs/.exec(url)?.[1] ?? []));
    expect(districts.size).toBe(13);
    expect(await spoken('14612000')).toBe('Dresden, keine solche Anlage');
    expect(await spoken('14626110')).toContain(counted(1));
  });

  test('marks the units of a district, and says which stand elsewhere', async () => {
    const { page, service } = dashboard;
    const unit = (number: number, latitude: number, ortAusGemeinde = false) => ({
      ...{ latitude, longitude: 7.2 },
      properties: {
        mastrNummer: `SEE90000000000${number}`,
        name: `<b>Anlage</b> ${number}`,
        einheitTyp: number === 3 ? 'solar' : 'wind',
        ...{ betriebsStatus: 'In Betrieb', bruttoleistungKw: 3000, ortAusGemeinde },
      },
    });
    await stubTiles(page, /landkreis=03452/, [unit(1, 53.5), unit(2, 53.5), unit(3, 53.6, true), unit(4, 50)]);
    await open('/karte?region=landkreis:03452&punkte=ja');
    const bar = page.locator('.points-bar');
    await expect.poll(() => bar.innerText()).toContain('Zu sehen: 3\u00a0Einheiten. 1\u00a0hat keine veröffentlichten');
    expect(await page.locator('.point').evaluateAll((points) => points.map((point) => point.ariaLabel))).toEqual([
      '2 Einheiten, <b>Anlage</b> 1, <b>Anlage</b> 2',
      '<b>Anlage</b> 3, Solar · 3\u202fMW · In Betrieb · am Punkt der Gemeinde',
    ]);
    await page.locator('.point').last().click();
    await expect.poll(() => page.url()).toBe(`${service.url}/app/einheiten/SEE900000000003`);
  });

  test('centres on the unit that a link names', async () => {
    const { page } = dashboard;
    await open('/karte?einheit=SEE900000000001');
    expect(await page.locator('figure h2').innerText()).toContain('Aurich');
    const [map, mark] = [await page.locator('.map').boundingBox(), await page.locator('.point.selected').boundingBox()];
    expect((mark?.x ?? 0) + (mark?.width ?? 0) / 2).toBeCloseTo((map?.x ?? 0) + (map?.width ?? 0) / 2, -1);
    expect((mark?.y ?? 0) + (mark?.height ?? 0) / 2).toBeCloseTo((map?.y ?? 0) + (map?.height ?? 0) / 2, -1);
    expect(await page.locator('.point.selected').getAttribute('aria-label')).toContain('WEA Nordsee 1');
  });

  test('says why a unit below 30 kW has no place, and that there is no unit of a number', async () => {
    const { page } = dashboard;
    const { data } = await dashboard.api('/v1/units?hatKoordinaten=false&landkreis=11000&limit=1');
    await open(`/karte?einheit=${data[0].mastrNummer}`);
    expect(await page.locator('main').innerText()).toContain('unter 30 kW nennt das Register den Ort nicht');
    await open('/karte?einheit=SEE999999999999');
    expect(await page.getByRole('alert').innerText()).toContain('Das gibt es nicht');
  });

  test('marks the units of an event', async () => {
    const { page } = dashboard;
    const event = '019a0f6e-7c1b-7d52-9f0e-000000000001';
    const unit = (mastrNummer: string) => ({
      ...{ longitude: 10.1, latitude: 52.2 },
      properties: { mastrNummer, einheitTyp: 'wind', ortAusGemeinde: false },
    });
    await stubTiles(page, new RegExp(`eventId=${event}`), [unit('SEE900000000001'), unit('SEE900000000002')]);
    await open(`/karte?eventId=${event}`);
    expect(await page.locator('.points-bar').innerText()).toContain('Einheiten eines Ereignisses');
    await expect.poll(() => page.locator('.point').first().getAttribute('aria-label')).toContain('2 Einheiten');
    await page.getByRole('button', { name: 'Ausblenden' }).click();
    expect(await page.locator('.point').count()).toBe(0);
    expect(page.url()).not.toContain('eventId');
  });

  test('goes without borders, without a right and without an answer, and says what to do', async () => {
    const { page } = dashboard;
    const refuse = problem(403, 'MISSING_SCOPE', 'The key lacks the scope units:read');
    await dashboard.stub(/^\/v1\/aggregations/, refuse);
    await open('/karte');
    expect(await page.locator('.state.barred').innerText()).toContain('Es ist units:read');
    await dashboard.unstub();
    await dashboard.stub(/^\/v1\/aggregations/, problem(500, 'INTERNAL_ERROR', 'Something broke'));
    await open('/karte');
    expect(await page.locator('.state.failed').innerText()).toContain('Der Dienst hat einen Fehler');
    await dashboard.unstub();
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await settled(page);
    expect(await area('12073').count()).toBe(1);
    await dashboard.stub(/\/app\/files\/landkreise/, problem(500, 'INTERNAL_ERROR', 'no file'));
    await open('/karte');
    expect(await page.getByRole('alert').innerText()).toContain('Die Grenzen konnten nicht geladen werden');
  });

  test('can be taken away as a picture and as a table, with both sources', async () => {
    const { page } = dashboard;
    await open('/karte');
    const save = async (name: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return readFileSync(await download.path(), 'utf8');
    };
    const picture = await save('SVG speichern');
    expect(picture.match(/data-key=/g)).toHaveLength(400);
    // Not `toContain`: a failure would print the whole drawing.
    expect(['GeoBasis-DE / BKG 2016', '>unter ', 'var(--'].map((part) => picture.includes(part))).toEqual([
      true,
      true,
      false,
    ]);
    const table = await save('CSV speichern');
    expect(table).toContain('12073;Uckermark;');
    expect(table).toContain('Aurich (nicht auf der Karte)');
    expect(table).toContain('© GeoBasis-DE / BKG 2016');
  });

  test('asks no other host, keeps to its policy, and complains about nothing', () => dashboard.expectClean());
});
