import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../sql/warehouse/versions.ts';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { germanNumber, savedRows, shownRequests } from '../support/dashboard-files.ts';
import { sticksOut } from '../support/dashboard-tables.ts';
import { putVersion, temporaryFolder } from '../support/fixture.ts';
import { makeKey } from '../support/organisation.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** The page „Was sich geändert hat“, and the past of one unit, over a register of three nights. */

const VERSION = '20260314-0003';
const WIND = 'SEE900000000001';
const NEW = 'SEE900000000017';
const GONE = 'SEE900000000018';

/** A row as it was until a build: the columns of the present one, but for some. */
const former = (table: string, ended: string, replaced: string, number: string): string =>
  `INSERT INTO ${table} BY NAME SELECT * REPLACE (${replaced}), ${ended} FROM units WHERE mastrNummer = '${number}'`;

/** The first night: all units. The second: the wind turbine gets 500 kW, one unit leaves. The third: a unit comes. */
const NIGHTS = [
  readFileSync(new URL('../support/fixture/units.sql', import.meta.url), 'utf8'),
  `INSERT INTO staende VALUES ('20260312-0001', 1, DATE '2026-03-12'), ('20260313-0002', 2, DATE '2026-03-13')`,
  `UPDATE units SET inhaltSeit = 1, gueltigSeit = 1, nummer = mastr_bits(mastrNummer)`,
  former(
    'units_ersetzt',
    `2 AS ersetztSeit, DATE '2026-03-13' AS ersetztAm`,
    'bruttoleistungKw - 500 AS bruttoleistungKw',
    WIND,
  ),
  `UPDATE units SET inhaltSeit = 2, gueltigSeit = 2 WHERE mastrNummer = '${WIND}'`,
  former('units_departed', `2 AS abgangSeit, 'geloescht' AS abgangGrund`, '1 AS gueltigSeit', GONE),
  `DELETE FROM units WHERE mastrNummer = '${GONE}'`,
  `UPDATE units SET inhaltSeit = 3, gueltigSeit = 3 WHERE mastrNummer = '${NEW}'`,
  // A version without it says the same, in more time.
  'DROP TABLE units_verlauf',
];

describe.skipIf(!hasBrowser)('the page „Was sich geändert hat“ (skipped without Chromium)', () => {
  const warehouse = temporaryFolder();
  let service: OwnSubject;
  let dashboard: Dashboard;
  beforeAll(async () => {
    await putVersion(warehouse.path, VERSION, NIGHTS);
    publish(warehouse.path, VERSION, 'build', new Date('2026-03-15T03:30:00Z'));
    service = await serve(warehouse.path);
    dashboard = await openDashboard(service);
  });
  beforeEach(() => dashboard.unstub());
  afterAll(async () => {
    await dashboard?.close();
    await service?.stop();
    warehouse.remove();
  });

  const SUM = /^Warum sich die Summe bewegt hat/;
  const FEED = /^Jede Änderung/;
  const figure = (title: RegExp) => dashboard.page.getByRole('figure', { name: title });
  const listed = () => figure(FEED).locator('tbody tr').allInnerTexts();
  const numbers = async () => (await listed()).map((row) => /SEE\d+/.exec(row)?.[0]);

  test('compares the two newest states, unless days are chosen', async () => {
    await dashboard.visit('/aenderungen');
    expect(await numbers()).toEqual([NEW]);
    expect(await figure(SUM).locator('.chart').getAttribute('aria-label')).toMatch(
      /Stand 13\.03\.2026 .*Neu registriert \+.*Stand 14\.03\.2026/,
    );
    expect(await shownRequests(dashboard.page, SUM)).toEqual(['/v1/aenderungen/summe?von=2026-03-13']);
    await dashboard.page.getByLabel('von', { exact: true }).fill('2026-03-12');
    await settled(dashboard.page);
    expect(new URL(dashboard.page.url()).search).toBe('?von=2026-03-12');
    expect((await numbers()).toSorted()).toEqual([WIND, NEW, GONE].toSorted());
    await dashboard.page.getByLabel('bis', { exact: true }).fill('2026-03-13');
    await settled(dashboard.page);
    expect((await numbers()).toSorted()).toEqual([WIND, GONE].toSorted());
    await dashboard.visit('/aenderungen?von=2026-03-13&bis=2026-03-13');
    expect(await figure(SUM).innerText()).toContain('derselbe Stand, der vom 13.03.2026');
  });

  test('draws the causes that the interface gives, which add up in the file', async () => {
    await dashboard.visit('/aenderungen?von=2026-03-12&wert=anzahl');
    const [request = ''] = await shownRequests(dashboard.page, SUM);
    const { vorher, nachher, ursachen } = (await dashboard.api(request)).data;
    const rows = await savedRows(dashboard.page, /CSV speichern: Warum/);
    expect(rows.map(([name]) => name)).toEqual([
      'Stand 12.03.2026',
      'Neu registriert',
      'Nach oben korrigiert',
      'Aus dem Register entfallen',
      'Stand 14.03.2026',
    ]);
    const column = (index: number) => rows.map((row) => germanNumber(row[index]));
    type Cause = { anzahl: number; bruttoleistungKw: number };
    expect(column(2)).toEqual([vorher.anzahl, ...ursachen.map(({ anzahl }: Cause) => anzahl), nachher.anzahl]);
    for (const index of [2, 3]) {
      const parts = column(index);
      const last = parts.pop() ?? Number.NaN;
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(last, 6);
    }
    const words = await figure(SUM).locator('.chart').getAttribute('aria-label');
    expect(words).toContain('Neu registriert +1\u00a0Einheit');
    expect(words).toContain('Nach oben korrigiert ±0\u00a0Einheiten');
    expect(words).toContain('Aus dem Register entfallen −1\u00a0Einheit');
  });

  test('is read with the arrow keys', async () => {
    await dashboard.visit('/aenderungen?von=2026-03-12');
    const slider = figure(SUM).getByRole('slider', { name: 'Werte ablesen' });
    await slider.focus();
    await slider.press('Home');
    await slider.press('ArrowDown');
    await slider.press('ArrowDown');
    expect(await slider.getAttribute('aria-valuetext')).toBe(
      'Nach oben korrigiert, bewegt um +0,5\u202fMW, betrifft 1\u00a0Einheit',
    );
  });

  test('lists each change with its fields in words, before and after, and leads to the unit', async () => {
    await dashboard.visit('/aenderungen?von=2026-03-12');
    const rows = await listed();
    expect(rows.find((row) => row.includes(WIND))).toMatch(/Geändert\s+Bruttoleistung[^→]*kW → [\d.,]+\u202fkW/);
    expect(rows.find((row) => row.includes(GONE))).toContain('Aus dem Register entfallen (im Register gelöscht)');
    expect(rows.find((row) => row.includes(NEW))).toContain('Neu im Register');
    await figure(FEED).getByRole('link', { name: WIND }).click();
    await settled(dashboard.page);
    expect(dashboard.page.url()).toBe(`${service.url}/app/einheiten/${WIND}`);
  });

  test('narrows the list by field and kind, the whole page by filters, and keeps all in the address', async () => {
    const { page } = dashboard;
    await dashboard.visit('/aenderungen?von=2026-03-12');
    await page.getByLabel('Geändertes Feld').selectOption('bruttoleistungKw');
    await settled(page);
    await page.getByRole('checkbox', { name: 'Neu im Register' }).uncheck();
    await page.getByRole('checkbox', { name: 'Aus dem Register entfallen' }).uncheck();
    await settled(page);
    expect(await numbers()).toEqual([WIND]);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      ...{ von: '2026-03-12', feld: 'bruttoleistungKw', art: 'geaendert' },
    });
    const before = await page.locator('main').innerText();
    await page.reload();
    await settled(page);
    expect(await page.locator('main').innerText()).toBe(before);
    await dashboard.visit('/aenderungen?von=2026-03-12&einheitTyp=wind');
    expect(await page.locator('h1').innerText()).toContain('Wind');
    expect(await numbers()).toEqual([WIND]);
    await page.getByRole('link', { name: 'nur Anlagen in Betrieb' }).click();
    await settled(page);
    expect(new URL(page.url()).searchParams.get('betriebsStatus')).toBe('In Betrieb');
    await dashboard.visit('/aenderungen?von=2026-03-12&region=bundesland:Berlin&einheitTyp=nuclear');
    expect(await figure(SUM).innerText()).toContain('hat sich nichts bewegt');
    expect(await figure(FEED).innerText()).toContain('gab es keine solche Änderung');
  });

  test('chooses an operator, and the own portfolio', async () => {
    const { page } = dashboard;
    await dashboard.visit('/aenderungen?von=2026-03-12');
    await page.getByRole('combobox', { name: 'Betreiber' }).fill('bürger');
    await page.getByRole('option', { name: /Bürgerwind/ }).click();
    await settled(page);
    expect(new URL(page.url()).searchParams.get('betreiber')).toBeTruthy();
    await page.getByRole('button', { name: 'Betreiber: zurück zu allen' }).click();
    await settled(page);
    expect(new URL(page.url()).search).toBe('?von=2026-03-12');
    const { status } = await service.send('POST', '/v1/portfolio', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ entries: [{ mastrNummer: WIND, relationType: 'OPERATOR' }] }),
    });
    expect(status).toBe(200);
    await page.getByLabel('Nur Portfolio').check();
    await settled(page);
    expect(await numbers()).toEqual([WIND]);
    for (const [from, search] of [
      ['/portfolio?rolle=OPERATOR', '?portfolio=true&portfolioRelationType=OPERATOR'],
      ['/region?region=bundesland:Bayern', '?region=bundesland:Bayern'],
    ] as const) {
      await dashboard.visit(from);
      await page.locator('.lead').getByRole('link', { name: 'Was sich geändert hat' }).click();
      await settled(page);
      expect(page.url()).toBe(`${service.url}/app/aenderungen${search}`);
      expect(await figure(SUM).count()).toBe(1);
    }
  });

  test('goes on by cursor, fifty rows a page', async () => {
    const { page } = dashboard;
    const { data, meta } = await dashboard.api('/v1/aenderungen?von=2026-03-12');
    const many = Array.from({ length: 50 }, (_, index) => ({
      ...data[0],
      mastrNummer: `SEE9${String(index).padStart(11, '0')}`,
    }));
    await dashboard.stub(/^\/v1\/aenderungen\?.*limit=50$/, {
      body: { data: many, meta: { ...meta, count: 50, hasMore: true, cursor: 'next' } },
    });
    await dashboard.stub(/^\/v1\/aenderungen\?.*cursor=next/, {
      body: { data, meta: { ...meta, count: data.length } },
    });
    await dashboard.visit('/aenderungen?von=2026-03-12');
    expect(await listed()).toHaveLength(50);
    await page.getByRole('button', { name: 'Nächste' }).click();
    await settled(page);
    expect(await figure(FEED).locator('.paging').innerText()).toContain(`51 bis ${50 + data.length}`);
    expect(new URL(page.url()).searchParams.get('seite')).toBe('2');
  });

  test('saves all changes, whatever page is shown', async () => {
    const { data, meta } = await dashboard.api('/v1/aenderungen?von=2026-03-12');
    const many = Array.from({ length: 250 }, (_, index) => ({ ...data[0], mastrNummer: `SEE9${index}` }));
    await dashboard.stub(/^\/v1\/aenderungen\?.*limit=250$/, {
      body: { data: many, meta: { ...meta, count: 250, hasMore: true, cursor: 'further' } },
    });
    await dashboard.stub(/^\/v1\/aenderungen\?.*limit=250&cursor=further$/, {
      body: { data, meta: { ...meta, count: data.length } },
    });
    await dashboard.visit('/aenderungen?von=2026-03-12');
    const rows = await savedRows(dashboard.page, /^CSV: alle Änderungen/);
    expect(rows).toHaveLength(250 + data.length);
    await settled(dashboard.page);
    expect(await figure(FEED).innerText()).toContain(`${250 + data.length} Änderungen gespeichert.`);
  });

  test('shows sums to keys that may not read changes', async () => {
    const key = (await makeKey(service.store, service.organisation, { scopes: ['units:read', 'reference:read'] })).text;
    const barred = await openDashboard({ ...service, key });
    await barred.stub(/^\/v1\/aenderungen\?/, {
      status: 403,
      body: { title: 'no', status: 403, code: 'MODULE_NOT_BOOKED', detail: 'analysis', retryable: false },
    });
    await barred.visit('/aenderungen');
    expect(await barred.page.getByRole('figure', { name: SUM }).locator('.chart svg').count()).toBe(1);
    await barred.close();
  });

  test('tells what a unit was like when somebody asks for it', async () => {
    const { page } = dashboard;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await dashboard.visit(`/einheiten/${WIND}`);
    expect(asked.filter((path) => path.endsWith('/historie'))).toEqual([]);
    await page.getByText('Was sich an dieser Einheit geändert hat').click();
    await settled(page);
    const history = page.getByRole('figure', { name: 'Änderungen von Stand zu Stand' });
    const [newest = '', first = ''] = await history.locator('.timeline li').allInnerTexts();
    expect(newest).toMatch(/13\.03\.2026\s+Geändert nach dem Stand vom 12\.03\.2026/);
    expect(newest).toMatch(/Bruttoleistung[^→]*kW → [\d.,]+\u202fkW/);
    expect(first).toContain('So stand sie im ersten bekannten Stand');
    expect(await history.innerText()).toContain('Was zwischen zwei Ständen war, ist nicht bekannt');
    expect(await dashboard.violations()).toEqual([]);
    await dashboard.visit('/einheiten/SEE900000000002');
    await page.getByText('Was sich an dieser Einheit geändert hat').click();
    await settled(page);
    expect(await history.innerText()).toContain('Seit dem ersten bekannten Stand, dem vom 12.03.2026, hat sich nichts');
    await dashboard.visit(`/einheiten/${GONE}`);
    await page.getByText('Was sich an dieser Einheit geändert hat').click();
    await settled(page);
    expect(await history.locator('.timeline li').first().innerText()).toMatch(
      /13\.03\.2026\s+Aus dem Register entfallen \(im Register gelöscht\)/,
    );
  });

  test.each([
    ['wide', 'light'],
    ['phone', 'dark'],
  ] as const)('is readable for everybody: %s, %s', async (size, scheme) => {
    const { page } = dashboard;
    await dashboard.visit('/aenderungen?von=2026-03-12', { size, scheme });
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await settled(page);
    expect(await dashboard.violations()).toEqual([]);
    expect(await sticksOut(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await sticksOut(page)).toEqual([]);
    dashboard.expectClean();
  });
});
