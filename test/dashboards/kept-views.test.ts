import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { rowsOf } from '../support/dashboard-tables.ts';

/** Every page that shows what somebody has chosen keeps it: under a name, and as an alert where it is a filter of units. */

const VIEWS: readonly { path: string; opens: string; name: string; criteria: object | null }[] = [
  {
    path: '/?region=bundesland:Bayern&traeger=wind',
    opens: 'Überblick',
    name: 'Energieanlagen, Bayern',
    criteria: { bundesland: ['Bayern'] },
  },
  {
    path: '/region?region=bundesland:Bayern&vergleich=bundesland:Niedersachsen',
    opens: 'Region',
    name: 'Region, Bayern, Niedersachsen',
    criteria: { bundesland: ['Bayern'] },
  },
  {
    path: '/zeitreihe?region=plz:80&traeger=solar,wind&periode=quartal',
    opens: 'Zeitreihe',
    name: 'Zeitreihe, PLZ 80…, Solar, Wind',
    criteria: { plz: '80', einheitTyp: ['solar', 'wind'] },
  },
  {
    path: '/altersstruktur?traeger=hydro&pyramide=getrennt',
    opens: 'Altersstruktur',
    name: 'Altersstruktur, Wasser',
    criteria: { einheitTyp: ['hydro'] },
  },
  {
    path: '/aenderungen?region=bundesland:Bayern&einheitTyp=wind&wert=anzahl',
    opens: 'Was sich geändert hat',
    name: 'Was sich geändert hat, Bayern, Wind',
    criteria: { bundesland: ['Bayern'], einheitTyp: ['wind'] },
  },
  {
    path: '/qualitaet?traeger=solar&regel=leistung_je_flaeche_hoch',
    opens: 'Datenqualität',
    name: expect.stringMatching(/^Datenqualität, Solar, ./),
    criteria: { einheitTyp: ['solar'], auffaelligkeit: ['leistung_je_flaeche_hoch'] },
  },
  {
    path: '/ausschreibungen?technologie=SOLAR_DACH',
    opens: 'Ausschreibungen',
    name: expect.stringMatching(/^Ausschreibungen, ./),
    criteria: null,
  },
];

describe.skipIf(!hasBrowser)('kept views (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  test.each(VIEWS)('$opens makes a saved view of its choices, and an alert of its units', async (view) => {
    const { page } = dashboard;
    await dashboard.visit(view.path);
    const { pathname, search } = new URL(page.url());
    await page.getByRole('button', { name: 'Ansicht speichern' }).click();
    const saving = page.getByRole('dialog', { name: 'Ansicht speichern' });
    const name = await saving.getByLabel('Name').inputValue();
    expect(name).toEqual(view.name);
    await saving.getByRole('button', { name: 'Speichern' }).click();
    await saving.getByRole('link', { name: 'Alarme und Filter' }).click();
    await settled(page);
    const rows = await rowsOf(page, 'Gespeicherte Filter');
    expect(rows.find(([first]) => first === name)?.[1]).toBe(view.opens);
    await page
      .getByRole('region', { name: 'Tabelle: Gespeicherte Filter' })
      .getByRole('link', { name, exact: true })
      .click();
    await settled(page);
    const opened = new URL(page.url());
    expect([opened.pathname.replace(/\/$/, ''), decodeURIComponent(opened.search)]).toEqual([
      pathname.replace(/\/$/, ''),
      decodeURIComponent(search),
    ]);

    const alarm = page.getByRole('button', { name: 'Alarm anlegen' });
    expect(await alarm.count()).toBe(view.criteria === null ? 0 : 1);
    if (view.criteria === null) return;
    await alarm.click();
    const dialog = page.getByRole('dialog', { name: 'Alarm anlegen' });
    // Several views are about the same place, and names are given once.
    await dialog.getByLabel('Name').fill(view.opens);
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await dialog.getByRole('status').waitFor();
    const { data } = await dashboard.api('/v1/alerts');
    expect(data.map(({ criteria }: { criteria: object }) => criteria)).toContainEqual(view.criteria);
  });

  test('a view of the own portfolio makes an alert that follows it', async () => {
    const { page } = dashboard;
    await dashboard.visit('/zeitreihe?region=bundesland:Bayern&portfolio=true');
    await page.getByRole('button', { name: 'Alarm anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alarm anlegen' });
    await dialog.getByLabel('Name').fill('Eigene');
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await dialog.getByRole('status').waitFor();
    const { data } = await dashboard.api('/v1/alerts');
    expect(data.find(({ name }: { name: string }) => name === 'Eigene').criteria).toEqual({
      bundesland: ['Bayern'],
      portfolio: true,
    });
    await dialog.getByRole('link', { name: 'Alarme und Filter' }).click();
    await settled(page);
    const table = page.getByRole('region', { name: 'Tabelle: Alarme' });
    await table.getByRole('link', { name: 'Bayern, eigenes Portfolio' }).waitFor();
  });

  test('views of a part of the portfolio say why there is no alert about them', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?portfolioRelationType=OPERATOR');
    await page.getByRole('button', { name: 'Alarm anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alarm anlegen' });
    expect(await dialog.getByRole('note').innerText()).toContain('eigene Anlagen nach Rolle');
    expect(await dialog.getByRole('button', { name: 'Anlegen' }).isDisabled()).toBe(true);
  });

  test('e-mails are offered where the operator sends some; elsewhere the dialog says why not', async () => {
    const { page } = dashboard;
    const dialog = page.getByRole('dialog', { name: 'Alarm anlegen' });
    await dashboard.visit('/altersstruktur');
    await page.getByRole('button', { name: 'Alarm anlegen' }).click();
    await dialog.getByText('Dieser Dienst verschickt keine E-Mails').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(1);
    expect(await dashboard.violations()).toEqual([]);
    await dashboard.stub(/^\/v1\/alerts$/, { body: { data: [], meta: { count: 0, sendsEmails: true } } });
    await dashboard.visit('/altersstruktur');
    await page.getByRole('button', { name: 'Alarm anlegen' }).click();
    await dialog.getByLabel('E-Mail-Adressen').waitFor();
    expect(await dialog.getByText('Dieser Dienst verschickt keine E-Mails').count()).toBe(0);
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
