import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, QUIET } from '../../../support/browser.ts';
import { deliveryOf, settleDelivery } from '../../../support/deliveries.ts';
import { storeAlertEvent } from '../../../support/events.ts';
import { openPortal, type PortalLink } from '../../../support/portal.ts';
import { type OwnSubject, serveSharedFixture } from '../../../support/service.ts';
import { makeEndpoint } from '../../../support/webhooks.ts';

/** The delivery log as people use it: in a browser that runs no script, on wide and narrow screens, in light and dark. */

describe.skipIf(!existsSync(CHROMIUM))(`the delivery log in ${CHROMIUM} (skipped where there is none)`, () => {
  let service: OwnSubject;
  let link: PortalLink;
  let context: BrowserContext;
  let page: Page;
  let failed: string;
  const profile = mkdtempSync(join(tmpdir(), 'browser-'));
  const requested: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await serveSharedFixture();
    const { store, organisation } = service;
    const good = await makeEndpoint(store, organisation.id, { description: 'Leitstand' });
    const bad = await makeEndpoint(store, organisation.id, { description: 'Kundenportal' });
    const at = new Date(Date.now() - 3_600_000).toISOString();
    for (const name of ['Neue Windräder', `Ein Alarm mit einem ${'sehr '.repeat(20)}langen Namen`, 'W'.repeat(120)]) {
      const alert = { id: '019a0f6e-7c1b-7d52-9f0e-00000000a001', name, template: 'NEW_UNIT' as const };
      const event = await storeAlertEvent(store, organisation, { alert });
      const attempts = [{ at, status: 503, answer: `<b>${'x'.repeat(900)}</b>` }];
      await settleDelivery(store, await deliveryOf(store, event.id, good.id), {
        state: 'DELIVERED',
        attempts: [{ at, status: 204 }],
      });
      failed = await deliveryOf(store, event.id, bad.id);
      await settleDelivery(store, failed, { state: 'FAILED', attempts });
    }
    link = await openPortal(service);
    context = await chromium.launchPersistentContext(profile, {
      executablePath: CHROMIUM,
      args: QUIET,
      javaScriptEnabled: false,
      locale: 'de-DE',
      timezoneId: 'America/New_York',
    });
    page = await context.newPage();
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await context?.close();
    rmSync(profile, { recursive: true, force: true });
    await service?.stop();
  });

  const rows = () => page.locator('.messages tbody tr');

  test('leads from an endpoint to the messages that did not arrive there', async () => {
    await page.goto(link.url);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Endpunkte');
    await page.getByRole('link', { name: '3 fehlgeschlagen' }).click();
    await expect.poll(() => rows().count()).toBe(3);
    expect(await page.locator('[name=state]').inputValue()).toBe('FAILED');
  });

  test('filters by endpoint, state and day, and back to all', async () => {
    await page.goto(`${link.url}/messages`);
    await expect.poll(() => rows().count()).toBe(6);
    await page.getByLabel('Endpunkt').selectOption({ index: 1 });
    await page.locator('[name=state]').selectOption('DELIVERED');
    await page.getByRole('button', { name: 'Anzeigen' }).click();
    await expect.poll(() => rows().count()).toBe(3);
    await page.getByLabel('Tag').fill('2020-01-01');
    await page.getByRole('button', { name: 'Anzeigen' }).click();
    await page.getByText('Dazu gibt es keine Nachricht.').waitFor();
    await page.getByRole('link', { name: 'Alle anzeigen' }).click();
    await expect.poll(() => rows().count()).toBe(6);
  });

  test('sends a message again from its page', async () => {
    await page.goto(`${link.url}/messages?state=FAILED`);
    await page.getByRole('link', { name: 'Neue Windräder' }).click();
    expect(await page.locator('.answer').innerText()).toContain('<b>xxx');
    await page.getByRole('button', { name: 'Noch einmal senden' }).click();
    expect(await page.getByRole('status').innerText()).toBe('Eine Nachricht wird noch einmal gesendet.');
    expect(await page.getByText('Wartet', { exact: true }).isVisible()).toBe(true);
    // Loading the page again sends nothing.
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Neue Windräder');
  });

  test('sends again all messages since a moment that have not arrived', async () => {
    await page.goto(link.url);
    await page.getByLabel('Seit').fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Noch einmal senden' }).click();
    expect(await page.getByRole('status').innerText()).toBe('2 Nachrichten werden noch einmal gesendet.');
    expect(await page.getByText('Als Nächstes fällig').isVisible()).toBe(true);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('is readable in %s, %i pixels wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    for (const path of ['', '/messages', `/messages/${failed}`, 'altered']) {
      await page.goto(link.url + path);
      const shown = await page
        .locator('html, header, main, .messages tr, .panel, .facts')
        .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().right));
      expect([path, Math.max(...shown) <= width]).toEqual([path, true]);
      expect([path, await luminance()]).toEqual([path, colorScheme === 'dark' ? 'dark' : 'light']);
    }
  });

  async function luminance(): Promise<'light' | 'dark'> {
    const colour = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    const [red = 0] = /\d+/.exec(colour)?.map(Number) ?? [];
    return red > 127 ? 'light' : 'dark';
  }

  test('loads nothing from other hosts, and breaks no rule of its own policy', () => {
    expect([...new Set(requested.map((url) => new URL(url).origin))]).toEqual([service.url]);
    expect(complaints.filter((text) => !text.includes('410'))).toEqual([]);
  });
});
