import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MODULES as MODULE_WORDS, SCOPES as SCOPE_WORDS } from '../../dashboards/web/pages/konto/scopes.ts';
import { MODULES, SCOPES } from '../../sql/org/rights.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';
import { HOSTILE, isTooWide, rowsOf } from '../support/dashboard-tables.ts';
import { storeAlertEvent } from '../support/events.ts';
import { giveExampleEndpoint } from '../support/example-records.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';

test('every scope and module of the interface has German words', () => {
  expect(Object.keys(SCOPE_WORDS).toSorted()).toEqual(Object.keys(SCOPES).toSorted());
  expect(Object.keys(MODULE_WORDS).toSorted()).toEqual(Object.keys(MODULES).toSorted());
});

describe.skipIf(!hasBrowser)('the page of the account (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
    const { store, organisation } = dashboard.service;
    await giveExampleEndpoint(store, organisation);
    const alert = { id: '019a0f6e-7c1b-7d52-9f0e-00000000a001', template: 'NEW_UNIT' } as const;
    await storeAlertEvent(store, organisation, { alert: { ...alert, name: 'Neue Speicher' } });
    await storeAlertEvent(store, organisation, { alert: { ...alert, name: HOSTILE }, matchCount: 1234 });
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  test('says what the key may do, what is booked, and what is used of what is allowed', async () => {
    const { page } = dashboard;
    await dashboard.visit('/konto');
    const { data: usage } = await dashboard.api('/v1/usage');
    const { data: me } = await dashboard.api('/v1/me');
    const section = (name: string) => page.getByRole('region', { name });
    expect(await section('Schlüssel').innerText()).toContain(me.key.prefix);
    expect(await section('Schlüssel').locator('li.yes').count()).toBe(me.key.scopes.length);
    expect(await section('Module').locator('li.yes').count()).toBe(me.organization.modules.length);
    const used = await section('Verbrauch und Grenzen').innerText();
    expect(used).toContain('von 10.000.000');
    expect(used).toContain(new Intl.NumberFormat('de-DE').format(usage.rateLimit.perCostClass.expensive));
    expect(await section('Signale und').locator('.tag').count()).toBe(
      me.entitlements.signals.length + me.entitlements.alertTemplates.length,
    );
  });

  test('says what modules that are not booked would give, and what a key without rights may not see', async () => {
    const { store } = dashboard.service;
    const organisation = await makeOrganisation(store, { modules: ['api'], signals: [], alertTemplates: [] });
    const { text: key } = await makeKey(store, organisation, { scopes: ['units:read'] });
    const poor = await openDashboard({ ...dashboard.service, organisation, key });
    await poor.visit('/konto');
    const { page } = poor;
    expect(await page.getByRole('region', { name: 'Module' }).locator('li.no').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('Es gäbe berechnete Vergütung und Förderende')]),
    );
    for (const name of ['Ereignisse der letzten', 'Endpunkte für Webhooks']) {
      expect(await page.getByRole('figure', { name }).innerText()).toContain('Der Schlüssel darf das nicht lesen');
    }
    expect(await page.getByRole('region', { name: 'Zustellprotokoll' }).getByRole('button').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Signale und' }).getByText('Keine.').count()).toBe(2);
    expect(await poor.violations()).toEqual([]);
    poor.expectClean();
    await poor.close();
  });

  test('lists events, newest first, each with the way to its units, for as many days as the address says', async () => {
    const { page } = dashboard;
    await dashboard.visit('/konto', { size: 'phone' });
    const { data } = await dashboard.api('/v1/events');
    const rows = (await rowsOf(page, 'Ereignisse der letzten 7 Tage')).slice(1);
    expect(rows.map((cells) => cells.slice(1))).toEqual([
      [HOSTILE, 'Neue Anlage', '1.234'],
      ['Neue Speicher', 'Neue Anlage', '1'],
    ]);
    const link = page.getByRole('link', { name: '1 Einheiten zu: Neue Speicher' });
    expect(await link.getAttribute('href')).toBe(`/app/einheiten?eventId=${data[0].eventId}`);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('combobox', { name: 'Ereignisse' }).selectOption('29');
    await settled(page);
    expect(new URL(page.url()).search).toBe('?tage=29');
    expect((await rowsOf(page, 'Ereignisse der letzten 29 Tage')).length).toBe(3);
  });

  test('says of each endpoint whether it is on, and why not', async () => {
    const { page } = dashboard;
    const { data, meta } = await dashboard.api('/v1/webhooks/endpoints');
    const off = (id: string, disabledReason?: string) => ({ ...data[0], id, disabled: true, disabledReason });
    const body = { data: [...data, off('a'), off('b', 'GONE'), off('c', 'FAILING')], meta };
    await dashboard.stub(/webhooks\/endpoints$/, { body });
    await dashboard.visit('/konto');
    const states = (await rowsOf(page, 'Endpunkte für Webhooks')).slice(1).map((cells) => cells[2]);
    expect(states).toEqual([
      'An Eingeschaltet',
      'Aus Abgeschaltet von der Organisation',
      expect.stringContaining('410'),
      expect.stringContaining('Tagelang kam nichts an'),
    ]);
  });

  test('opens the delivery log in a window of its own, and gives a link where the browser allows none', async () => {
    const { page } = dashboard;
    const button = page.getByRole('button', { name: 'Protokoll in neuem Fenster öffnen' });
    await dashboard.visit('/konto');
    const [opened] = await Promise.all([page.context().waitForEvent('page'), button.click()]);
    await opened.waitForURL(/\/portal\//);
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    await opened.close();
    await page.evaluate(() => {
      window.open = () => null;
    });
    await button.click();
    expect(await page.getByRole('link', { name: 'Protokoll öffnen' }).getAttribute('href')).toContain('/portal/');
    await dashboard.stub(/webhooks\/portal$/, problem(403, 'MISSING_SCOPE', 'The key lacks webhooks:read'));
    await button.click();
    await page.getByText('Es ist webhooks:read').waitFor();
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
