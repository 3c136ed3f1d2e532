import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bitOfRule, CONSPICUOUS } from '../../sql/catalogue/anomalies.ts';
import { publish } from '../../sql/warehouse/versions.ts';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { germanNumber, savedRows, shownRequests } from '../support/dashboard-files.ts';
import { FIXTURE_VERSION, putVersion, temporaryFolder } from '../support/fixture.ts';
import { makeKey } from '../support/organisation.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** The page Datenqualität: rules, the list to work off, and the development, as the interface answers them. */

const PROPOSAL = [
  {
    feld: 'bruttoleistungKw',
    wert: 0.75,
    regel: 'modulleistung_hoch',
    begruendung: 'Der Wert ist wohl in Watt eingetragen',
    reason: 'The value was probably entered in watts',
  },
];

/** A wind turbine of the grid operator, a solar plant with a proposal, and the hint that the register has already. */
const FOUND = [
  readFileSync(new URL('../support/fixture/units.sql', import.meta.url), 'utf8'),
  `UPDATE units SET auffaelligkeiten = ${bitOfRule('wind_rotor_typ') + CONSPICUOUS} WHERE mastrNummer = 'SEE900000000001'`,
  `UPDATE units SET auffaelligkeiten = ${bitOfRule('modulleistung_hoch') + bitOfRule('leistung_je_flaeche_hoch') + CONSPICUOUS},
     vorschlag = '${JSON.stringify(PROPOSAL)}' WHERE mastrNummer = 'SEE900000000017'`,
  `INSERT INTO auffaelligkeiten_verlauf VALUES ('2026-03-14', 'wind_rotor_typ', 1, 3000)`,
];

describe.skipIf(!hasBrowser)('the page Datenqualität (skipped without Chromium)', () => {
  const warehouse = temporaryFolder();
  let service: OwnSubject;
  let dashboard: Dashboard;
  let asked: string[] = [];
  beforeAll(async () => {
    await putVersion(warehouse.path, FIXTURE_VERSION, FOUND);
    publish(warehouse.path, FIXTURE_VERSION, 'build', new Date('2026-03-15T03:30:00Z'));
    service = await serve(warehouse.path);
    dashboard = await openDashboard(service);
    dashboard.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/v1\/(qualitaet|units|portfolio)/.test(pathname)) asked.push(pathname + decodeURIComponent(search));
    });
  });
  beforeEach(async () => {
    asked = [];
    await dashboard.unstub();
  });
  afterAll(async () => {
    await dashboard?.close();
    await service?.stop();
    warehouse.remove();
  });

  const RULES = /^Regeln/;
  const LIST = /^Zum Abarbeiten/;
  const HISTORY = /^Entwicklung/;
  const figure = (title: RegExp) => dashboard.page.getByRole('figure', { name: title });
  const listed = () => figure(LIST).locator('tbody tr').allInnerTexts();
  const numbers = async () => (await listed()).map((row) => /SEE\d+/.exec(row)?.[0]);

  test('lists the rules, the weightiest first, with the counts of the interface', async () => {
    await dashboard.visit('/qualitaet');
    const [request = ''] = await shownRequests(dashboard.page, RULES);
    expect(request).toBe('/v1/qualitaet');
    const { data, meta } = await dashboard.api(request);
    const rows = await savedRows(dashboard.page, /CSV speichern: Regeln/);
    expect(rows.map(([severity]) => severity)).toEqual(
      data
        .map(({ schwere }: { schwere: string }) => schwere)
        .toSorted((one: string, other: string) => ORDER.indexOf(one) - ORDER.indexOf(other))
        .map((word: string) => word[0]?.toUpperCase() + word.slice(1)),
    );
    type Rule = { name: string; count: number; bruttoleistungKw: number };
    expect(rows.map(([, name, units, mw]) => [name, germanNumber(units), germanNumber(mw)]).sort()).toEqual(
      data
        .map(({ name, count, bruttoleistungKw }: Rule) => [name, count, Math.round(bruttoleistungKw * 1000) / 1e6])
        .sort(),
    );
    expect(await dashboard.page.locator('.facts').innerText()).toMatch(
      new RegExp(`Auffällige Einheiten\\s+${meta.auffaellig.count}\\s`),
    );
  });

  test('lists what there is to work off, with what is entered and what is meant', async () => {
    await dashboard.visit('/qualitaet');
    expect(await numbers()).toEqual(['SEE900000000001', 'SEE900000000017', 'SEE900000000017']);
    expect(asked.map((address) => address.split('?')[0]).sort()).toEqual([
      '/v1/qualitaet',
      '/v1/qualitaet/verlauf',
      '/v1/units',
      '/v1/units/fields',
    ]);
    const [, solar] = await listed();
    expect(solar).toContain('750,123\u202fkW');
    expect(solar).toContain('0,75\u202fkW Der Wert ist wohl in Watt eingetragen');
    await figure(LIST).getByRole('link', { name: 'SEE900000000001' }).click();
    await settled(dashboard.page);
    expect(dashboard.page.url()).toBe(`${service.url}/app/einheiten/SEE900000000001`);
  });

  test('saves it with a row for each value that a rule compares', async () => {
    await dashboard.visit('/qualitaet?traeger=solar&regel=modulleistung_hoch');
    const rows = await savedRows(dashboard.page, /^CSV: 1/);
    expect(rows.map((row) => row.slice(0, 8))).toEqual([
      ['SEE900000000017', 'Freifläche', 'Bruttoleistung', '750,123', 'kW', '0,75', PROPOSAL[0]?.begruendung, MODULES],
      ['SEE900000000017', 'Freifläche', 'Anzahl der Module', '', '', '', '', MODULES],
    ]);
    // What the rule says has a semicolon, which divides it here.
    expect(rows[0]?.slice(10)).toEqual([
      'Fehler',
      '',
      expect.stringContaining(', '),
      `${service.url}/app/einheiten/SEE900000000017`,
    ]);
  });

  test('keeps region, carrier, grid operator and rule in the address, for all that can be chosen by them', async () => {
    const { page } = dashboard;
    await dashboard.visit('/qualitaet');
    await page.getByRole('combobox', { name: 'Netzbetreiber' }).fill('netz n');
    await page.getByRole('option', { name: /Netz Nord AG/ }).click();
    await settled(page);
    expect(await numbers()).toEqual(['SEE900000000001']);
    await page.getByLabel('Energieträger').selectOption('wind');
    await figure(RULES).getByRole('link', { name: 'Rotordurchmesser weicht vom Typ ab' }).click();
    await settled(page);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      ...{ netzbetreiber: 'Netz Nord AG', traeger: 'wind', regel: 'wind_rotor_typ' },
    });
    expect(await numbers()).toEqual(['SEE900000000001']);
    const before = await page.locator('main').innerText();
    await page.reload();
    await settled(page);
    expect(await page.locator('main').innerText()).toBe(before);
    expect(await shownRequests(page, RULES)).toEqual(['/v1/qualitaet?einheitTyp=wind&netzbetreiber=Netz+Nord+AG']);
    await page.goBack();
    await settled(page);
    expect(new URL(page.url()).searchParams.has('regel')).toBe(false);
    await page.getByRole('button', { name: 'Netzbetreiber: zurück zu allen' }).click();
    await settled(page);
    expect(new URL(page.url()).searchParams.has('netzbetreiber')).toBe(false);
    await dashboard.visit('/qualitaet?region=bundesland:Berlin');
    expect(await figure(LIST).innerText()).toContain('Keine Einheit dieser Auswahl fällt auf.');
  });

  test('lists the own portfolio alone when that is chosen', async () => {
    const { page } = dashboard;
    const { status } = await service.send('POST', '/v1/portfolio', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        entries: ['SEE900000000017', 'SEE900000000018'].map((mastrNummer) => ({
          mastrNummer,
          relationType: 'OPERATOR',
        })),
      }),
    });
    expect(status).toBe(200);
    await dashboard.visit('/qualitaet');
    await page.getByLabel('Nur Portfolio').check();
    await settled(page);
    expect(await numbers()).toEqual(['SEE900000000017', 'SEE900000000017']);
    expect(new URL(page.url()).search).toBe('?portfolio=true');
    const rows = await savedRows(page, /^CSV: 1 Einheit/);
    expect(new Set(rows.map(([number]) => number))).toEqual(new Set(['SEE900000000017']));
    const key = (await makeKey(service.store, service.organisation, { scopes: ['units:read'] })).text;
    const barred = await openDashboard({ ...service, key });
    await barred.visit('/qualitaet');
    expect(await barred.page.getByLabel('Nur Portfolio').count()).toBe(0);
    expect(await barred.page.getByRole('figure', { name: LIST }).locator('tbody tr').count()).toBe(3);
    await barred.close();
  });

  test('draws the development from two days on, and says before that there is one', async () => {
    await dashboard.visit('/qualitaet');
    expect(await figure(HISTORY).locator('.chart svg').count()).toBe(1);
    const { data } = await dashboard.api('/v1/qualitaet/verlauf?regel=auffaellig');
    const rows = await savedRows(dashboard.page, /CSV speichern: Entwicklung/);
    expect(rows.map(([, units]) => germanNumber(units))).toEqual(data.map(({ count }: { count: number }) => count));
    await dashboard.visit('/qualitaet?regel=wind_rotor_typ');
    expect(await figure(HISTORY).innerText()).toContain('Bisher ist ein Tag bekannt: 14.03.2026 mit 1\u00a0Einheit.');
    await dashboard.visit('/qualitaet?regel=leistung_null');
    expect(await figure(HISTORY).innerText()).toContain('Von keinem Tag ist bekannt');
  });

  test.each([
    ['wide', 'light'],
    ['phone', 'dark'],
  ] as const)('is readable for everybody: %s, %s', async (size, scheme) => {
    await dashboard.visit('/qualitaet', { size, scheme });
    expect(await dashboard.violations()).toEqual([]);
    dashboard.expectClean();
  });
});

const ORDER = ['fehler', 'warnung', 'hinweis'];
const MODULES = 'Leistung je Modul ungewöhnlich hoch';
