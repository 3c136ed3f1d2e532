import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';

/** Pages are there in German and in English: the address decides, then what was chosen before, then the browser. */

describe.skipIf(!hasBrowser)('the language of the pages (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(async () => {
    await dashboard?.page.context().clearCookies({ name: 'sprache' });
    await dashboard?.close();
  });

  const heading = (page = dashboard.page) => page.locator('nav a[aria-current=page]').textContent();

  test('is chosen by keyboard, and kept over pages, tabs and links', async () => {
    const { page, service } = dashboard;
    await dashboard.visit('/zeitreihe?periode=jahr');
    expect([await page.locator('html').getAttribute('lang'), await heading()]).toEqual(['de', 'Zeitreihe']);
    await page.getByRole('link', { name: 'EN: English' }).press('Enter');
    await page.locator('html[lang=en]').waitFor();
    await settled(page);
    expect(await heading()).toBe('Time series');
    expect(page.url()).toBe(`${service.url}/app/zeitreihe?periode=jahr&sprache=en`);
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await expect.poll(() => heading()).toBe('Data');
    expect(page.url()).toBe(`${service.url}/app/daten?sprache=en`);
    const other = await page.context().newPage();
    await other.goto(`${service.url}/app/zeitreihe`);
    await settled(other);
    expect(await heading(other)).toBe('Time series');
    await other.goto(`${service.url}/app/zeitreihe?sprache=de`);
    await settled(other);
    expect([await heading(other), await other.locator('html').getAttribute('lang')]).toEqual(['Zeitreihe', 'de']);
    await other.close();
    await page.getByRole('link', { name: 'DE: Deutsch' }).click();
    await page.locator('html[lang=de]').waitFor();
    await settled(page);
    expect(await heading()).toBe('Daten');
  });
});
