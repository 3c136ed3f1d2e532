import { readFile } from 'node:fs/promises';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';
import { isTooWide, rowsOf } from '../support/dashboard-tables.ts';

/** Columns of the list: chosen, in the link, remembered by the browser, and the same in files. */

const headOf = async ({ page }: Dashboard) => (await rowsOf(page, 'Einheiten'))[0]?.map((head) => head.split(' ')[0]);
const query = ({ page }: Dashboard) => new URL(page.url()).searchParams.get('fields');

describe.skipIf(!hasBrowser)('the columns of the list (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(async () => {
    await dashboard?.page.evaluate(() => localStorage.removeItem('einheiten.fields'));
    await dashboard?.close();
  });

  test('are chosen by keyboard, kept in the link, and remembered where a link names none', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten', { size: 'phone' });
    await page.setViewportSize({ width: 320, height: 800 });
    const usual = await headOf(dashboard);
    expect(query(dashboard)).toBe(null);
    await page.getByRole('button', { name: /^Spalten \(/ }).press('Enter');
    const picker = page.getByRole('region', { name: 'Spalten der Tabelle' });
    await picker.getByLabel('Spalte finden').fill('netzbetreiber');
    const box = picker.getByRole('checkbox').first();
    await box.focus();
    await page.keyboard.press('Space');
    await settled(page);
    const chosen = await headOf(dashboard);
    expect(chosen?.length).toBe((usual?.length ?? 0) + 1);
    const named = query(dashboard);
    expect(named).toContain('etzbetreiber');
    expect([await isTooWide(page), await dashboard.violations()]).toEqual([false, []]);
    await page.goBack();
    await settled(page);
    expect([await headOf(dashboard), query(dashboard)]).toEqual([usual, null]);

    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/v1\/units\?/.test(request.url())) asked.push(request.url());
    });
    await dashboard.visit('/einheiten?einheitTyp=wind');
    expect([await headOf(dashboard), query(dashboard)]).toEqual([chosen, named]);
    expect(asked.filter((url) => !url.includes('etzbetreiber'))).toEqual([]);
    await dashboard.visit('/einheiten?fields=name,plz');
    expect((await headOf(dashboard))?.length).toBe(3);
    await dashboard.visit('/einheiten');
    expect(await headOf(dashboard)).toEqual(chosen);
    await page.getByRole('button', { name: /^Spalten \(/ }).click();
    await page.getByRole('button', { name: 'Wie am Anfang' }).click();
    await settled(page);
    expect([await headOf(dashboard), query(dashboard)]).toEqual([usual, null]);
    await dashboard.visit('/einheiten');
    expect(await headOf(dashboard)).toEqual(usual);
  });

  test('are those of CSV and workbook, and one that a key may not read is left out', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten');
    await page.evaluate(() => localStorage.setItem('einheiten.fields', 'plz,gibtEsNicht,bruttoleistungKw'));
    await dashboard.visit('/einheiten');
    expect(query(dashboard)).toBe('plz,bruttoleistungKw');
    const saved = async (name: RegExp): Promise<Buffer> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return readFile(await download.path());
    };
    const [head = ''] = String(await saved(/^CSV: /)).split('\r\n');
    const heads = head.slice(1).split(';');
    expect(heads.map((one) => one.split(' ')[0])).toEqual(await headOf(dashboard));
    const [sheet] = await readWorkbook(await saved(/^XLSX speichern/));
    expect(sheet?.data[0]).toEqual(heads);
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
