import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day } from '../../dashboards/web/format/dates.ts';
import { count } from '../../dashboards/web/format/numbers.ts';
import { type Dashboard, hasBrowser, openDashboard, problem } from '../support/dashboard.ts';
import { factsOf, HOSTILE, isTooWide, rowsOf } from '../support/dashboard-tables.ts';

describe.skipIf(!hasBrowser)('the page of the data (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  test('says which version is served, what each dataset has, and how to cite it', async () => {
    const { page } = dashboard;
    await dashboard.visit('/daten');
    const { data: version } = await dashboard.api('/v1/datasets/version');
    const { data: datasets } = await dashboard.api('/v1/datasets');
    expect(await factsOf(page)).toMatchObject({
      'Stand der Daten': day(version.exportTag),
      Einheiten: count(version.zeilen),
      Version: version.version,
    });
    expect((await rowsOf(page, 'Datensätze des Dienstes')).slice(1).map((cells) => cells.slice(0, 3))).toEqual(
      datasets.map((dataset: { label: string; rows: number; asOf: string }) => [
        dataset.label,
        count(dataset.rows),
        day(dataset.asOf),
      ]),
    );
    const text = await page.locator('main').innerText();
    for (const { quellenvermerk } of datasets) expect(text).toContain(quellenvermerk);
    for (const words of ['GeoBasis-DE / BKG', 'ab 30\u00a0kW', 'natürlicher Personen']) expect(text).toContain(words);
  });

  test('puts the findings of the night into words, with what became of the export and what was served before', async () => {
    const { page } = dashboard;
    const { data } = await dashboard.api('/v1/datasets/version');
    const body = {
      data: {
        ...data,
        grund: 'ruecknahme',
        historieSeit: '2026-03-07',
        export: {
          ...{ name: HOSTILE, fassung: '26.1', dateien: 97, gelesen: 85565, geladen: 85185, doppelt: 42 },
          ...{ abgelehnt: 1, ungenutzt: 337 },
        },
        befunde: [
          { art: 'a', anzahl: 1234, stufe: 'warnung', text: 'Etwas wurde nicht gelesen.' },
          { art: 'b', anzahl: 1, stufe: 'neuartig', text: HOSTILE },
        ],
        frueher: [
          {
            version: '20261031-0001',
            exportTag: '2026-10-31',
            veroeffentlichtAm: '2026-11-01T02:00:00Z',
            grund: 'bau',
          },
        ],
      },
      meta: {},
    };
    await dashboard.stub(/datasets\/version$/, { body });
    await dashboard.visit('/daten', { size: 'phone' });
    expect((await rowsOf(page, 'Befunde der letzten Nacht')).slice(1)).toEqual([
      ['Warnung', 'Etwas wurde nicht gelesen.', '1.234'],
      ['neuartig', HOSTILE, '1'],
    ]);
    expect((await rowsOf(page, 'Was aus dem Export wurde')).slice(1).map((cells) => cells[1])).toEqual([
      ...['85.565', '85.185', '42', '1', '337'],
    ]);
    expect((await rowsOf(page, 'Frühere Stände')).slice(1)).toEqual([
      ['20261031-0001', '31.10.2026', '01.11.2026, 03:00', 'neuer Export'],
    ]);
    expect((await factsOf(page))['Verlauf bekannt seit']).toBe('07.03.2026');
    expect(await page.locator('.facts').innerText()).toContain('Ein späterer Stand wurde zurückgenommen');
    expect(await page.title()).not.toContain('hacked');
    expect(await isTooWide(page)).toBe(false);
  });

  test('says what an earlier release did not record, and what the key may not see', async () => {
    const { page } = dashboard;
    const { data } = await dashboard.api('/v1/datasets/version');
    const body = { data: { ...data, historieSeit: null, export: null, befunde: null, frueher: [] }, meta: {} };
    await dashboard.stub(/datasets\/version$/, { body });
    await dashboard.visit('/daten');
    for (const name of ['Befunde der letzten Nacht', 'Was aus dem Export wurde']) {
      expect(await page.getByRole('figure', { name }).innerText()).toContain('Eine frühere Fassung hat ihn gebaut');
    }
    expect((await factsOf(page))['Verlauf bekannt seit']).toBe('–');
    await dashboard.unstub();
    await dashboard.stub(/^\/v1\/datasets/, problem(403, 'MISSING_SCOPE', 'The key lacks the scope reference:read'));
    await dashboard.visit('/daten');
    expect(await page.getByRole('figure', { name: 'Datensätze des Dienstes' }).innerText()).toContain('reference:read');
    expect(await page.locator('main').innerText()).toContain('Koordinaten');
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
