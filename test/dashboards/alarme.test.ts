import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catalogueOf } from '../../dashboards/web/units/catalogue.ts';
import { criteriaOf, valuesOf } from '../../dashboards/web/units/criteria.ts';
import { filtersOf } from '../../dashboards/web/units/filters.ts';
import { sql } from '../../sql/org/statement.ts';
import { makeAlert } from '../support/alerts.ts';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { HOSTILE, isTooWide, rowsOf } from '../support/dashboard-tables.ts';
import { storeAlertEvent } from '../support/events.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** What the list of units asks for is kept: as a saved filter, or as an alert. */

const LIST =
  'einheitTyp=wind,storage&leistungMinKw=0.5&inbetriebnahmeVon=2001-01-01&landkreis=03452&hatKoordinaten=true&suche=park';

test('what a list asks for is written for a body as for an address, and back', async () => {
  const service: OwnSubject = await serveSharedFixture();
  const { data: fields } = (await service.get('/v1/units/fields')).json;
  const { data: sets } = (await service.get('/v1/reference')).json;
  const values = new Map(new URLSearchParams(LIST));
  const criteria = criteriaOf(values, filtersOf(catalogueOf(fields), sets));
  expect(criteria).toEqual({
    einheitTyp: ['wind', 'storage'],
    leistungMinKw: 0.5,
    inbetriebnahmeVon: '2001-01-01',
    landkreis: '03452',
    hatKoordinaten: true,
    suche: 'park',
  });
  expect(valuesOf(criteria)).toEqual(new Map(Object.keys(criteria).map((name) => [name, values.get(name)])));
});

describe.skipIf(!hasBrowser)('alerts and saved filters (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  test('an alert takes two clicks from the list', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/einheiten?${LIST}`);
    await page.getByRole('button', { name: 'Alarm anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alarm anlegen' });
    expect(await dashboard.violations()).toEqual([]);
    // The name of a place is read beside the list, and may come after it.
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toMatch(/Aurich/);
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await dialog.getByRole('status').waitFor();
    const { data } = await dashboard.api('/v1/alerts');
    expect(data).toMatchObject([
      {
        name: expect.stringMatching(/^Neue Anlagen: .*Aurich/),
        template: 'NEW_UNIT',
        enabled: true,
        criteria: { einheitTyp: ['wind', 'storage'], leistungMinKw: 0.5, landkreis: '03452' },
      },
    ]);
    await dialog.getByRole('link', { name: 'Alarme und Filter' }).click();
    await settled(page);
    await expect
      .poll(async () => (await rowsOf(page, 'Alarme'))[1]?.slice(0, 4))
      .toEqual([data[0].name, expect.anything(), expect.stringContaining('Aurich'), 'An']);
  });

  test('an alert of signals names them, and a name that is taken is said', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?einheitTyp=solar', { size: 'phone' });
    await page.getByRole('button', { name: 'Alarm anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alarm anlegen' });
    await dialog.getByLabel('Meldet').selectOption('SIGNAL_CHANGE');
    expect(await dialog.getByRole('button', { name: 'Anlegen' }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox').first().check();
    await dialog.getByLabel('Name').fill('Signale');
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await dialog.getByRole('status').waitFor();
    await dialog.getByRole('button', { name: 'Fertig' }).click();
    await page.getByRole('button', { name: 'Alarm anlegen' }).click();
    await dialog.getByRole('checkbox').first().check();
    await dialog.getByLabel('Name').fill('Signale');
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    expect(await dialog.getByRole('alert').innerText()).toContain('Diesen Namen gibt es schon');
    expect(await isTooWide(page)).toBe(false);
  });

  test('an alert of fields watches those that are chosen, and is offered where changes are shown', async () => {
    const { page } = dashboard;
    await dashboard.visit('/aenderungen?feld=name&einheitTyp=wind');
    await page.getByRole('button', { name: 'Alarm anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alarm anlegen' });
    expect(await dialog.getByLabel('Meldet').inputValue()).toBe('FIELD_CHANGE');
    await dialog.getByRole('checkbox', { name: 'Bruttoleistung' }).check();
    await dialog.getByLabel('Ein weiteres Feld').selectOption('plz');
    expect(await dashboard.violations()).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Geänderte');
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await dialog.getByRole('status').waitFor();
    const { data } = await dashboard.api('/v1/alerts');
    expect(data.find((one: { name: string }) => one.name === 'Geänderte')).toMatchObject({
      template: 'FIELD_CHANGE',
      fields: ['name', 'bruttoleistungKw', 'plz'],
      criteria: { einheitTyp: ['wind'] },
    });
  });

  test('a saved filter opens as the list that it was made of, is renamed and deleted', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?einheitTyp=wind');
    const shown = await rowsOf(page, 'Einheiten');
    await page.getByRole('button', { name: 'Ansicht speichern' }).click();
    const saving = page.getByRole('dialog', { name: 'Ansicht speichern' });
    await saving.getByRole('button', { name: 'Speichern' }).click();
    await saving.getByRole('link', { name: 'Alarme und Filter' }).click();
    await settled(page);
    const figure = page.getByRole('figure', { name: 'Gespeicherte Filter' });
    await figure.getByRole('button', { name: 'Umbenennen' }).click();
    const renaming = page.getByRole('dialog', { name: 'Filter umbenennen' });
    await renaming.getByLabel('Name').fill('Windparks');
    await renaming.getByRole('button', { name: 'Umbenennen' }).click();
    await figure.getByRole('link', { name: 'Windparks' }).click();
    await settled(page);
    expect(await rowsOf(page, 'Einheiten')).toEqual(shown);
    // Its filters stand in the address: changed, they can be kept under another name.
    expect(await page.getByRole('button', { name: 'Ansicht speichern' }).count()).toBe(1);
    await page.goBack();
    await settled(page);
    await figure.getByRole('button', { name: 'Löschen' }).click();
    await page.getByRole('dialog', { name: 'Filter löschen?' }).getByRole('button', { name: 'Löschen' }).click();
    await page.getByText('Es ist kein Filter gespeichert.').waitFor();
  });

  test('the page says when an alert last fired and why one does not, switches and deletes', async () => {
    const { store } = dashboard.service;
    const organisation = await makeOrganisation(store);
    const { text: key } = await makeKey(store, organisation, {
      scopes: ['alerts:read', 'alerts:write', 'events:read', 'units:read', 'reference:read'],
    });
    const alert = await makeAlert(store, organisation, {
      name: HOSTILE,
      criteria: { plz: '80', einheitTyp: ['wind'] },
    });
    const fault = { fault: 'The organisation has no saved filter', faultySince: new Date().toISOString() };
    await makeAlert(store, organisation, { name: 'Kaputt', ...fault });
    await storeAlertEvent(store, organisation, { alert, matchCount: 12 });
    const own = await openDashboard({ ...dashboard.service, organisation, key });
    await own.visit('/alarme', { size: 'phone', scheme: 'dark' });
    const { page } = own;
    const rows = (await rowsOf(page, 'Alarme')).slice(1);
    const fired = rows.find(([name]) => name === HOSTILE) ?? [];
    expect(fired[2]).toContain('PLZ 80…');
    expect(fired[4]).toMatch(/12\sEinheiten$/);
    expect(rows.find(([name]) => name === 'Kaputt')?.[3]).toContain('The organisation has no saved filter');
    expect(await page.getByText('Zum Anlegen und Ändern braucht').innerText()).toContain('saved_filters:write');
    expect(await page.getByRole('figure', { name: 'Gespeicherte Filter' }).innerText()).toContain('saved_filters:read');
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await isTooWide(page)).toBe(false);
    expect(await own.violations()).toEqual([]);
    await page.getByRole('button', { name: `Abschalten: ${HOSTILE}` }).click();
    await page.getByRole('button', { name: `Einschalten: ${HOSTILE}` }).waitFor();
    expect((await own.api('/v1/alerts')).data.find(({ id }: { id: string }) => id === alert.id).enabled).toBe(false);
    // This service sends no e-mails, so they are not offered.
    expect(await page.getByRole('button', { name: `E-Mails: ${HOSTILE}` }).count()).toBe(0);
    const row = page.getByRole('row').filter({ hasText: 'Kaputt' });
    await row.getByRole('button', { name: 'Löschen' }).click();
    await row.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click();
    await expect.poll(async () => (await own.api('/v1/alerts')).data.length).toBe(1);
    own.expectClean();
    await own.close();
  });

  test('an alert is tested in the page, and its runs say what was found, sent and not sent; a link keeps them', async () => {
    const { store } = dashboard.service;
    const organisation = await makeOrganisation(store);
    const { text: key } = await makeKey(store, organisation);
    const alert = await makeAlert(store, organisation, { name: HOSTILE });
    const own = await openDashboard({ ...dashboard.service, organisation, key });
    const { page } = own;
    await own.visit(`/alarme?alarm=${alert.id}`);
    await page.getByText('Er ist noch nicht gelaufen').waitFor();
    const { id: eventId } = await storeAlertEvent(store, organisation, { alert, matchCount: 2 });
    await store.asOperator((session) =>
      session.run(sql`INSERT INTO alert_evaluations (organisation_id, alert_id, version, outcome, matches, event_id, evaluated_at,
          emails_sent, emails_failed, email_error, fault)
        VALUES (${organisation.id}::uuid, ${alert.id}::uuid, '20261102-0001', 'FIRED', 2, ${eventId}::uuid, now(), 1, 1, '550', NULL),
          (${organisation.id}::uuid, ${alert.id}::uuid, '20261101-0001', 'FAULTY', 0, NULL, now() - interval '1 day', 0, 0, NULL,
            'The trial ended')`),
    );
    for (const size of ['wide', 'phone'] as const) {
      await own.visit(`/alarme?alarm=${alert.id}`, { size, scheme: size === 'wide' ? 'dark' : 'light' });
      const [, newest = [], older = []] = await rowsOf(page, `Läufe von „${HOSTILE}“`);
      expect(newest.slice(1)).toEqual([
        ...['20261102-0001', expect.stringMatching(/^2\sEinheiten$/), '–'],
        '1 verschickt, 1 gescheitert; zuletzt Fehler 550',
      ]);
      expect(older[2]).toBe('Fehler The trial ended');
      if (size === 'phone') await page.setViewportSize({ width: 320, height: 700 });
      expect(await isTooWide(page)).toBe(false);
      expect(await own.violations()).toEqual([]);
    }
    await page.getByRole('button', { name: 'Läufe: ' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('figure', { name: /^Läufe/ }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('figure', { name: /^Läufe/ }).waitFor();

    await page.getByRole('button', { name: `Testen: ${HOSTILE}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Alarm testen' });
    expect(await dialog.getByRole('radio').count()).toBe(2);
    expect(await own.violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Test starten' }).click();
    const { total } = (await own.api('/v1/units?limit=1')).meta.page;
    const said = await dialog.getByRole('status').innerText();
    expect(said).toContain('TEST');
    expect(said.replace(/[^0-9 ]/g, ' ')).toContain(String(total));
    expect(await dialog.getByRole('link').count()).toBe(Math.min(10, total));
    expect(await isTooWide(page)).toBe(false);
    own.expectClean();
    await own.close();
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());

  test('Karte, Vergleich and Portfolio make alerts and saved views in two clicks; a view comes back with its choices', async () => {
    const { page } = dashboard;
    const numbers = (await dashboard.api('/v1/units?limit=2')).data.map(
      ({ mastrNummer }: { mastrNummer: string }) => mastrNummer,
    );
    const { service } = dashboard;
    const put = await service.send('POST', '/v1/portfolio', {
      headers: { ...withKey(service.key), 'Content-Type': 'application/json' },
      body: JSON.stringify({
        entries: numbers.map((mastrNummer: string) => ({ mastrNummer, relationType: 'OPERATOR' })),
      }),
    });
    expect(put.status).toBe(200);
    const views = [
      ['/karte?ebene=bundesland&traeger=wind&leistungMinKw=1000', { einheitTyp: ['wind'], leistungMinKw: 1000 }],
      ['/vergleich?orte=bundesland:Bayern&filter=einheitTyp%3Dwind%26leistungMinKw%3D3000', { bundesland: ['Bayern'] }],
      ['/portfolio?spalten=name', { portfolio: true }],
      ['/portfolio?rolle=OPERATOR', { mastrNummern: expect.arrayContaining(numbers) }],
    ] as const;
    for (const [path, criteria] of views) {
      await dashboard.visit(path);
      await page.getByRole('button', { name: 'Alarm anlegen' }).click();
      const alarm = page.getByRole('dialog', { name: 'Alarm anlegen' });
      expect(await dashboard.violations()).toEqual([]);
      await alarm.getByRole('button', { name: 'Anlegen' }).click();
      await alarm.getByRole('status').waitFor();
      await alarm.getByRole('button', { name: 'Fertig' }).click();
      const { data } = await dashboard.api('/v1/alerts');
      expect(data.map((one: { criteria: object }) => one.criteria)).toContainEqual(expect.objectContaining(criteria));
      const address = new URL(page.url());
      await page.getByRole('button', { name: 'Ansicht speichern' }).click();
      const saving = page.getByRole('dialog', { name: 'Ansicht speichern' });
      await saving.getByRole('button', { name: 'Speichern' }).click();
      const name = await saving.getByRole('status').locator('bdi').innerText();
      await saving.getByRole('link', { name: 'Alarme und Filter' }).click();
      await settled(page);
      await page
        .getByRole('region', { name: 'Tabelle: Gespeicherte Filter' })
        .getByRole('link', { name, exact: true })
        .click();
      await settled(page);
      const opened = new URL(page.url());
      expect([opened.pathname, [...opened.searchParams]]).toEqual([address.pathname, [...address.searchParams]]);
    }
    // A series of Vergleich that is a filter.
    await dashboard.visit(views[1][0]);
    await page.getByRole('button', { name: 'Alarm anlegen' }).click();
    const alarm = page.getByRole('dialog', { name: 'Alarm anlegen' });
    await alarm.getByLabel('Über').selectOption({ index: 1 });
    await alarm.getByRole('button', { name: 'Anlegen' }).click();
    await alarm.getByRole('status').waitFor();
    const { data } = await dashboard.api('/v1/alerts');
    expect(data).toContainEqual(expect.objectContaining({ criteria: { einheitTyp: ['wind'], leistungMinKw: 3000 } }));
  });
});
