import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { APP_PAGES } from '../../api/app/operations.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, SIZES, settled } from '../support/dashboard.ts';
import { sticksOut } from '../support/dashboard-tables.ts';

/** This holds for every page under /app: the key, the address, the navigation, other hosts, hostile texts. */

describe.skipIf(!hasBrowser)('the pages (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const open = async (path: string): Promise<void> => {
    await dashboard.page.goto('about:blank');
    await dashboard.page.goto(dashboard.service.url + path);
    await settled(dashboard.page);
  };

  test('take the key out of the fragment: neither address nor history has it, and the tab keeps it', async () => {
    const { page, service } = dashboard;
    await dashboard.visit('/daten?utm_source=mail');
    expect(page.url()).toBe(`${service.url}/app/daten?utm_source=mail`);
    await page.reload();
    await settled(page);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Daten');
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(service.key);
  });

  test('keep what is read off a chart in a window of 320 pixels', async () => {
    const { page } = dashboard;
    await dashboard.visit('/zeitreihe');
    await page.setViewportSize({ width: 320, height: 640 });
    await settled(page);
    const area = page.getByRole('slider').first();
    await area.scrollIntoViewIfNeeded();
    for (const key of ['Home', 'ArrowRight', 'End']) {
      await area.press(key);
      const box = await page.locator('.bubble').boundingBox();
      expect([key, (box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 999) <= 320]).toEqual([key, true, true]);
    }
    expect(await sticksOut(page)).toEqual([]);
  });

  test('ask for the key once for all tabs: another one opens by itself, and signing out ends both', async () => {
    const { page, service } = dashboard;
    await dashboard.visit('/daten');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('angemeldet'))).toBe('ja');
    const other = await page.context().newPage();
    await other.goto(`${service.url}/app/zeitreihe`);
    await settled(other);
    expect(await other.getByRole('heading', { level: 1 }).innerText()).toBe('Zeitreihe');
    const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]);
    expect(await other.evaluate(stored)).not.toContain(service.key.slice(0, 20));
    await other.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByLabel('API-Schlüssel').waitFor();
    await page.reload();
    await page.getByLabel('API-Schlüssel').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await other.close();
  });

  test('take the key out of an address that is opened in a tab that shows them already', async () => {
    const { page, service } = dashboard;
    await page.evaluate(() => localStorage.clear());
    await open('/app/daten');
    await page.evaluate((key) => location.assign(`#key=${key}`), service.key);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Daten');
    expect(page.url()).toBe(`${service.url}/app/daten`);
  });

  test('work in a browser that keeps nothing', async () => {
    const { page, service } = dashboard;
    const secluded = await page.context().newPage();
    await secluded.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('Access is denied', 'SecurityError');
      };
      for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get: refuse });
    });
    await secluded.goto(`${service.url}/app/daten#key=${service.key}`);
    await settled(secluded);
    expect(await secluded.getByRole('heading', { level: 1 }).innerText()).toBe('Daten');
    await secluded.getByRole('button', { name: 'Hell oder dunkel' }).click();
    await secluded.getByRole('button', { name: 'Abmelden' }).click();
    await secluded.getByLabel('API-Schlüssel').waitFor();
    await secluded.close();
  });

  test('say so when one of them fails while it is drawn, and the others can be opened', async () => {
    const { page } = dashboard;
    await dashboard.stub(/^\/v1\/datasets\/version/, { body: { data: { befunde: 'no list' }, meta: {} } });
    await dashboard.visit('/daten');
    expect(await page.getByRole('alert').innerText()).toContain('Die Seite konnte nicht gezeigt werden');
    await page.getByRole('navigation').getByRole('link', { name: 'Konto' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Konto');
  });

  test('ask for the key where there is none, and say why one is not accepted', async () => {
    const { page, service } = dashboard;
    await page.evaluate(() => localStorage.clear());
    await open('/app/zeitreihe?periode=jahr');
    const { width, height } = page.viewportSize() ?? SIZES.wide;
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await sticksOut(page)).toEqual([]);
    await page.setViewportSize({ width, height });
    await page.getByLabel('API-Schlüssel').fill('mds_test_00000000_nonsense');
    await page.getByRole('button', { name: 'Öffnen' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Der Schlüssel wird nicht angenommen');
    await page.getByLabel('API-Schlüssel').fill(` ${service.key} `);
    await page.getByRole('button', { name: 'Öffnen' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Zeitreihe');
    expect(page.url()).toBe(`${service.url}/app/zeitreihe?periode=jahr`);
  });

  test('ask for the key again when it is revoked', async () => {
    const { page } = dashboard;
    await dashboard.visit('');
    await dashboard.stub(/^\/v1\//, problem(401, 'INVALID_API_KEY', 'The key was revoked'));
    await page.getByRole('navigation').getByRole('link', { name: 'Altersstruktur' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('widerrufen oder abgelaufen');
    expect(await page.evaluate(() => localStorage.getItem('angemeldet'))).toBeNull();
  });

  test('lead to each other without loading the document again, and back', async () => {
    const { page, service } = dashboard;
    await dashboard.visit('');
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const icon = () => page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href);
    const iconAtFirst = await icon();
    for (const name of ['Zeitreihe', 'Konto']) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
      await expect.poll(() => page.title()).toContain(name);
    }
    await page.goBack();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Zeitreihe');
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    expect(await icon()).toBe(iconAtFirst);
    expect(page.url()).toBe(`${service.url}/app/zeitreihe`);
  });

  test('have an entry in the navigation each, and the service knows them all', async () => {
    await dashboard.visit('');
    const paths = await dashboard.page
      .getByRole('navigation')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname.replace(/^\/app\/?/, '')));
    expect(paths.toSorted()).toEqual(['', ...APP_PAGES].toSorted());
  });

  test('can be chosen from a menu on a telephone, which closes with Escape', async () => {
    const { page } = dashboard;
    await dashboard.visit('', { size: 'phone' });
    const menu = page.getByRole('button', { name: 'Menü' });
    await menu.click();
    await page.getByRole('link', { name: 'Karte' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('link', { name: 'Karte' }).isVisible()).toBe(false);
  });

  test('ask no other host, keep to their policy, and complain about nothing', () => dashboard.expectClean());
});
