import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bitOfRule, CONSPICUOUS } from '../../sql/catalogue/anomalies.ts';
import { publish } from '../../sql/warehouse/versions.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';
import { germanNumber, savedRows, shownRequests } from '../support/dashboard-files.ts';
import { FIXTURE_VERSION, putVersion, temporaryFolder } from '../support/fixture.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** The page Netzbetreiber: operators to choose from, and the grid of one, as the interface answers them. */

const HOSTILE = 'Netz "Süd", <b>GmbH</b>';

/** A wind turbine of the one operator with a finding, solar plants of the other at a point of lower voltage. */
const UNITS = [
  readFileSync(new URL('../support/fixture/units.sql', import.meta.url), 'utf8'),
  `UPDATE units SET auffaelligkeiten = ${bitOfRule('wind_rotor_typ') + CONSPICUOUS}, fernsteuerbarNetzbetreiber = true
   WHERE mastrNummer = 'SEE900000000001'`,
  `UPDATE units SET netzbetreiber = '${HOSTILE}', netzbetreiberMastrNummer = 'SNB900000000002', spannungsebene = 'Mittelspannung',
     netzanschlusspunktMastrNummer = 'SAN90000000010' || right(mastrNummer, 1)
   WHERE mastrNummer IN ('SEE900000000017', 'SEE900000000018')`,
];

describe.skipIf(!hasBrowser)('the page Netzbetreiber (skipped without Chromium)', () => {
  const warehouse = temporaryFolder();
  let service: OwnSubject;
  let dashboard: Dashboard;
  beforeAll(async () => {
    await putVersion(warehouse.path, FIXTURE_VERSION, UNITS);
    publish(warehouse.path, FIXTURE_VERSION, 'build', new Date('2026-03-15T03:30:00Z'));
    service = await serve(warehouse.path);
    dashboard = await openDashboard(service);
  });
  beforeEach(() => dashboard.unstub());
  afterAll(async () => {
    await dashboard?.close();
    await service?.stop();
    warehouse.remove();
  });

  const [LIST, LEVELS, POINTS, RULES] = [/^Netzbetreiber mit/, /^Leistung nach/, /^Anschlusspunkte/, /^Was nicht/];
  const figure = (title: RegExp) => dashboard.page.getByRole('figure', { name: title });
  const rowsOf = (title: RegExp) => figure(title).locator('tbody tr').allInnerTexts();

  test('lists operators with their sums, of which one is chosen', async () => {
    const { page } = dashboard;
    await dashboard.visit('/netz');
    const [request = ''] = await shownRequests(page, LIST);
    const { data } = await dashboard.api(request);
    const rows = await savedRows(page, /CSV speichern: Netzbetreiber/);
    type Operator = { bestand: { anzahl: number; bruttoleistungKw: number } };
    expect(rows.map(([, , units, mw]) => [germanNumber(units), germanNumber(mw)])).toEqual(
      data.map(({ bestand }: Operator) => [bestand.anzahl, bestand.bruttoleistungKw / 1000]),
    );
    await figure(LIST).getByRole('link', { name: HOSTILE }).click();
    await settled(page);
    expect(new URL(page.url()).searchParams.get('netzbetreiber')).toBe(HOSTILE);
    expect(await rowsOf(POINTS)).toHaveLength(2);
    await page.getByRole('button', { name: 'Netzbetreiber: zurück zur Liste' }).click();
    await settled(page);
    expect(await rowsOf(LIST)).toHaveLength(2);
  });

  test('shows the grid of one: levels, points, remote control and what cannot be right', async () => {
    const { page } = dashboard;
    await dashboard.visit('/netz?netzbetreiber=Netz Nord AG');
    expect(await shownRequests(page, LEVELS)).toEqual(['/v1/netz?netzbetreiber=Netz+Nord+AG']);
    const { data } = await dashboard.api('/v1/netz?netzbetreiber=Netz+Nord+AG');
    const [row = []] = await savedRows(page, /CSV speichern: Leistung nach/);
    const [level] = data.spannungsebenen;
    expect([row[0], row[1], germanNumber(row[2]), germanNumber(row[3])]).toEqual([
      ...['Hochspannung', 'Wind', level.bestand.anzahl],
      level.bestand.bruttoleistungKw / 1000,
    ]);
    expect(await page.locator('.facts').innerText()).toMatch(/Fernsteuerbar\s+100\s%/);
    expect(await rowsOf(RULES)).toEqual([expect.stringContaining('Rotordurchmesser weicht vom Typ ab')]);
    await figure(POINTS).getByRole('link', { name: 'SAN900000000002' }).click();
    await settled(page);
    expect(new URL(page.url()).search).toBe('?suche=SAN900000000002');
    expect(await page.locator('main').innerText()).toContain('SEE900000000001');
  });

  test('says of a day before the first state from when on changes are known', async () => {
    const detail = 'von lies before the first state that is known, which is of 2026-03-01';
    await dashboard.stub(/^\/v1\/aenderungen\/summe/, problem(400, 'INVALID_PARAMETER', detail));
    await dashboard.visit('/netz?netzbetreiber=Netz Nord AG&seit=2020-01-01');
    expect(await dashboard.page.locator('main').innerText()).toContain('ist vom 01.03.2026');
  });

  test('keeps operator, region, carrier and day in the address', async () => {
    const { page } = dashboard;
    await dashboard.visit('/netz');
    await page.getByRole('combobox', { name: 'Netzbetreiber' }).fill('netz n');
    await page.getByRole('option', { name: /Netz Nord AG/ }).click();
    await settled(page);
    await page.getByLabel('Energieträger').selectOption('solar');
    await settled(page);
    expect(await figure(LEVELS).innerText()).toContain('Zu dieser Auswahl gehört keine Einheit.');
    await page.getByLabel('Geändert seit').fill('2026-03-14');
    await settled(page);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      ...{ netzbetreiber: 'Netz Nord AG', traeger: 'solar', seit: '2026-03-14' },
    });
    const before = await page.locator('main').innerText();
    await page.reload();
    await settled(page);
    expect(await page.locator('main').innerText()).toBe(before);
  });

  test.each([
    ['Gibtsnicht', /nennt keinen Netzbetreiber, der im Register Einheiten hat$/m],
    ['SNB900000000002', /gemeint ist vielleicht „Netz "Süd", <b>GmbH<\/b>“/],
  ])('an operator that nobody is, is refused in words: %s', async (operator, said) => {
    await dashboard.visit(`/netz?netzbetreiber=${operator}`);
    expect(await dashboard.page.getByRole('alert').innerText()).toMatch(said);
    expect(await dashboard.page.locator('.figure').count()).toBe(0);
  });

  test('is reached from a unit, and from a list of one operator', async () => {
    const { page } = dashboard;
    for (const [address, link] of [
      ['/einheiten/SEE900000000001', 'Netz des Betreibers'],
      ['/einheiten?netzbetreiber=Netz Nord AG', 'Sein Netz'],
    ] as const) {
      await dashboard.visit(address);
      await page.getByRole('link', { name: link }).click();
      await settled(page);
      const { pathname, searchParams } = new URL(page.url());
      expect([pathname, searchParams.get('netzbetreiber')]).toEqual(['/app/netz', 'Netz Nord AG']);
    }
  });

  test.each([
    ['/netz', 'wide', 'light'],
    ['/netz?netzbetreiber=Netz Nord AG', 'wide', 'dark'],
    ['/netz?netzbetreiber=Netz Nord AG', 'phone', 'light'],
  ] as const)('%s is readable for everybody: %s, %s', async (path, size, scheme) => {
    await dashboard.visit(path, { size, scheme });
    expect(await dashboard.violations()).toEqual([]);
    dashboard.expectClean();
  });
});
