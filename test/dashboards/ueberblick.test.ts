import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeText } from '../../dashboards/web/figures/change.ts';
import { count, power } from '../../dashboards/web/format/numbers.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';

/** The day on which the register of the tests ends, long before today. */
const AS_OF = '2026-03-14';

describe.skipIf(!hasBrowser)('the page Überblick (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const figure = (title: string) => dashboard.page.locator('figure').filter({ hasText: title });
  const card = async (name: string): Promise<string> => {
    const found = dashboard.page.locator('.card').filter({ has: dashboard.page.locator(`.name:text-is("${name}")`) });
    return (await found.innerText()).replaceAll('\u00a0', ' ');
  };
  /** Cells of the table beside a chart. */
  const tableOf = (title: string): Promise<string[][]> =>
    figure(title)
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((cells) => [...cells.children].map((cell) => cell.textContent ?? '')));

  test('shows the key figures of the country as the interface gives them', async () => {
    await dashboard.visit('');
    const { data, meta } = await dashboard.api(`/v1/region/momentaufnahme?bis=${AS_OF}`);
    const before = (await dashboard.api('/v1/region/momentaufnahme?bis=2025-03-14')).data;
    const stock = (await dashboard.api('/v1/aggregations?groupBy=einheitTyp&betriebsStatus=In%20Betrieb')).data;
    expect(await card('In Betrieb')).toContain(power(stock.totals.bruttoleistungKw));
    expect(await card('In Betrieb')).toContain(`${count(stock.totals.count)} Einheit`);
    for (const [name, { mw, anzahl }] of [
      ['Zubau', data.zubau90Tage],
      ['Abbau', data.abbau90Tage],
      ['Pipeline', data.pipeline],
    ] as const) {
      expect(await card(name)).toContain(power(mw * 1000));
      expect(await card(name)).toContain(`${count(anzahl)} Einheit`);
    }
    expect(await card('Netto')).toContain(power(data.netto90TageMw * 1000));
    const [now, then] = [data.zubau90Tage.mw, before.zubau90Tage.mw];
    const change = `${now > then ? '▲' : '▼'} ${changeText({ nowMw: now, beforeMw: then })} zum Vorjahr`;
    expect(await card('Zubau')).toContain(change.replaceAll('\u00a0', ' '));
    const wind = data.windUeber20Jahre;
    expect(await card('Wind über 20 Jahre')).toContain(`${wind.anzahl} von ${wind.gesamt} Anlage`);
    const window = await figure('Kennzahlen: Deutschland').locator('.unit').innerText();
    expect(meta.fenster).toEqual({ tage: 90, von: '2025-12-15', bis: AS_OF });
    expect(window).toContain('15.12.2025 bis 14.03.2026');
  });

  test('shows growth, carriers, ages and the newest large units, each with a way to its page', async () => {
    // The twelve months before the one in which the register ends, on 14.03.2026.
    const [firstDay, lastDay] = ['2025-03-01', '2026-02-28'];
    const months = (await dashboard.api(`/v1/region/zeitreihe?von=${firstDay}&bis=${lastDay}`)).data;
    const moved = months.filter(
      (row: { zubauAnzahl: number; abbauAnzahl: number }) => row.zubauAnzahl + row.abbauAnzahl > 0,
    );
    expect(moved.length).toBeGreaterThan(0);
    expect(await tableOf('Zubau und Abbau')).toHaveLength(moved.length);
    const { groups } = (await dashboard.api('/v1/aggregations?groupBy=einheitTyp&betriebsStatus=In%20Betrieb')).data;
    const counts = (await tableOf('Anlagen in Betrieb nach')).map((cells) => cells[2]);
    expect(counts.toSorted()).toEqual(groups.map((group: { count: number }) => count(group.count)).toSorted());
    const ages = (await dashboard.api('/v1/region/altersstruktur')).data;
    const units = (await tableOf('Alter der Anlagen')).map((cells) => cells[3]);
    expect(units.toSorted()).toEqual(ages.map((row: { anzahl: number }) => count(row.anzahl)).toSorted());
    const { data } = await dashboard.api(
      '/v1/units?betriebsStatus=In%20Betrieb&leistungMinKw=1000&sort=inbetriebnahmedatum:desc&limit=8',
    );
    const links = await dashboard.page
      .locator('.newest a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(links).toEqual(data.map(({ mastrNummer }: { mastrNummer: string }) => `/app/einheiten/${mastrNummer}`));
    const ways = await dashboard.page
      .locator('.more, .card')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    for (const page of ['zeitreihe', 'altersstruktur', 'einheiten']) expect(ways.join()).toContain(`/app/${page}`);
  });

  test('costs five of the expensive requests and 200 kB on the wire, and asks for nothing twice', async () => {
    const { page } = dashboard;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await dashboard.visit('');
    await session.detach();
    expect(bytes).toBeLessThan(200_000);
    // The charts alone are larger than this: it was not the cache that answered.
    expect(bytes).toBeGreaterThan(60_000);
    const calls = asked.filter((path) => path.startsWith('/v1/'));
    expect(calls.filter((path) => /region|aggregations/.test(path))).toHaveLength(5);
    expect(new Set(calls).size).toBe(calls.length);
  });

  test('is about the region of the address, on a telephone as well, and keeps the choice of carriers', async () => {
    const { page } = dashboard;
    await dashboard.visit('?region=bundesland:Bayern', { size: 'phone', scheme: 'dark' });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Bayern');
    const { data } = await dashboard.api('/v1/region/momentaufnahme?ebene=bundesland&region=Bayern');
    expect(await card('Pipeline')).toContain(power(data.pipeline.mw * 1000));
    expect(await page.locator('.card').nth(1).getAttribute('href')).toContain('region=bundesland:Bayern');
    const [first = ''] = await page.locator('button.key').allInnerTexts();
    await page.getByRole('button', { name: first, exact: true }).click();
    expect(new URL(page.url()).searchParams.get('traeger')).not.toBeNull();
    await page.reload();
    await settled(page);
    expect(await page.getByRole('button', { name: first, exact: true }).getAttribute('aria-pressed')).toBe('false');
    await page.goBack();
    await settled(page);
    expect(new URL(page.url()).searchParams.get('traeger')).toBeNull();
  });

  test('says what is missing where a right is missing, and what is empty; hostile names stay text', async () => {
    const { page } = dashboard;
    await dashboard.stub(/^\/v1\/region\//, problem(403, 'MISSING_MODULE', 'needs the module analysis'));
    const name = `<b onmouseover=alert(1)>\u202e${'x'.repeat(5000)}`;
    const unit = (await dashboard.api('/v1/units?limit=1')).data[0];
    await dashboard.stub(/^\/v1\/units\?/, {
      body: { data: [{ ...unit, name, ort: name }], meta: { page: { count: 1, hasMore: false, cursor: null } } },
    });
    await dashboard.stub(/^\/v1\/aggregations/, {
      body: {
        data: { groupBy: 'einheitTyp', groups: [], totals: { count: 0, bruttoleistungKw: 0 } },
        meta: { truncated: false },
      },
    });
    await dashboard.visit('');
    expect(await page.locator('.barred').allInnerTexts()).toHaveLength(3);
    expect(await page.locator('.barred').first().innerText()).toContain('Das Modul „Analyse“ ist nicht gebucht');
    expect(await figure('nach Energieträger').innerText()).toContain('Hier ist keine Anlage in Betrieb.');
    expect(await page.locator('.newest').innerText()).toContain('<b onmouseover=alert(1)>');
    expect(await page.locator('.newest a b').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
