import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { drawn } from '../support/cases.ts';
import { type Dashboard, hasBrowser, openDashboard, SIZES, settled } from '../support/dashboard.ts';
import { isTooWide, rowsOf } from '../support/dashboard-tables.ts';
import { makeKey } from '../support/organisation.ts';

/** Views behind public links, as a visitor sees them, and the ways to make and take back a link. */

describe.skipIf(!hasBrowser)('a shared view (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  /** Sites that show the view in a frame: the first one may. */
  let sites: readonly Server[];
  let framing = '';
  const refused: string[] = [];
  const asked: { readonly path: string; readonly authorization: string; readonly cookie: string | undefined }[] = [];

  const siteOf = () =>
    new Promise<Server>((resolve) => {
      const server = createServer((_, response) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(`<!doctype html><title>Zeitung</title><h1>Zeitung</h1>${framing}`);
      });
      server.listen(0, '127.0.0.1', () => resolve(server));
    });
  const originOf = (server: Server | undefined): string => {
    const address = server?.address() as AddressInfo | undefined;
    return `http://127.0.0.1:${address?.port}`;
  };

  beforeAll(async () => {
    dashboard = await openDashboard();
    sites = [await siteOf(), await siteOf()];
    const { page, service } = dashboard;
    page.on('request', async (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/v1/')) return;
      const { authorization = '', cookie } = await request.allHeaders();
      asked.push({ path: pathname, authorization, cookie });
    });
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url().replace(service.url, '')}`);
    });
  });
  afterEach(() => {
    refused.length = 0;
    asked.length = 0;
  });
  afterAll(async () => {
    for (const site of sites) site.close();
    await dashboard?.close();
  });

  interface Made {
    readonly id: string;
    readonly name: string;
    readonly url: string;
  }

  async function share(page: string, query: string, frameAncestors: readonly string[] = []): Promise<Made> {
    const { service } = dashboard;
    const { json, text } = await service.send('POST', '/v1/shares', {
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `Link zu ${page}`, page, query, frameAncestors, endsOn: '2027-01-31' }),
    });
    expect(json.data, text).toBeDefined();
    return json.data;
  }

  async function openLink(url: string): Promise<void> {
    const { page } = dashboard;
    await page.goto('about:blank');
    await page.evaluate(() => undefined);
    await page.goto(url);
    await settled(page);
  }

  /** A run draws some of them: each is opened in the browser. */
  const VIEWS: readonly (readonly [string, string, string, number])[] = [
    ['ueberblick', '', 'Energieanlagen in Deutschland', 5],
    ['ueberblick', 'region=bundesland:Bayern', 'Energieanlagen: Bayern', 5],
    ['region', 'region=landkreis:03452&vergleich=bundesland:Berlin,plz:2', 'Aurich', 6],
    ['vergleich', '', 'Vergleich', 1],
    ['vergleich', 'orte=landkreis:03452,deutschland,plz:2&bezug=deutschland&form=karte', 'Vergleich', 1],
    ['zeitreihe', 'region=landkreis:Aurich, Niedersachsen', 'Zeitreihe', 1],
    ['zeitreihe', 'region=bundesland:Bayern&periode=jahr&wert=anzahl', 'Zeitreihe', 1],
    ['altersstruktur', 'region=plz:80&pyramide=getrennt', 'Altersstruktur', 3],
    ['karte', 'ebene=bundesland&wert=anzahl', 'Karte', 1],
    ['karte', 'region=bundesland:Bayern&traeger=wind', 'Karte', 1],
    ['karte', 'wert=anteilAnzahl&traeger=solar&leistungMaxKw=30&signals=repowering_kandidat', 'Karte', 1],
    ['karte', 'ebene=bundesland&jahr=2012&anteilAn=alle&wert=anteilLeistung&traeger=wind', 'Karte', 1],
    ['karte', 'region=landkreis:03452&wert=zuwachsAnzahl&von=2015-12-31', 'Karte', 1],
    ['einheiten', 'einheitTyp=wind&bundesland=Bayern&sort=bruttoleistungKw:desc', 'Einheiten', 1],
    ['einheiten', 'signals=repowering_kandidat&fields=name,signals', 'Einheiten', 1],
    ['ausschreibungen', 'technologie=SOLAR_FREIFLAECHE', 'Ausschreibungen', 4],
  ];
  test.each(drawn(VIEWS, 9))(
    'shows %s?%s, and asks for nothing that its link refuses',
    async (name, query, heading, figures) => {
      const { page, service } = dashboard;
      const { url } = await share(name, query);
      await openLink(url);
      expect(await page.locator('h1').innerText()).toContain(heading);
      expect(refused).toEqual([]);
      expect(await page.locator('figure').count()).toBeGreaterThanOrEqual(figures);
      expect(await page.locator('.state.failed, .state.barred').count()).toBe(0);
      expect(asked.length).toBeGreaterThan(0);
      // The token alone says who asks.
      const token = url.replace(/^.*\//, '');
      for (const { path, authorization, cookie } of asked) {
        expect([path, authorization, cookie]).toEqual([path, `Share ${token}`, undefined]);
      }
      for (const text of [await page.content(), ...asked.map(({ authorization }) => authorization)]) {
        expect(text).not.toContain(service.key);
        expect(text).not.toContain(`Link zu ${name}`);
      }
      // Nothing leads to another view.
      expect(await page.locator('a[href^="/app"], nav#navigation').count()).toBe(0);
      expect(await page.getByRole('combobox').count()).toBe(0);
      expect(await page.locator('main').innerText()).not.toContain('öffnet seine Seite');
      dashboard.expectClean();
    },
  );

  test('is asked for without the session of a browser that has one', async () => {
    const { page } = dashboard;
    await dashboard.visit('/daten');
    expect((await page.context().cookies()).length).toBeGreaterThan(0);
    asked.length = 0;
    await openLink((await share('zeitreihe', '')).url);
    expect(asked.map(({ cookie }) => cookie).filter((cookie) => cookie !== undefined)).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
  });

  test('of Vergleich keeps the places that were shown, and does not call them an example', async () => {
    const { page } = dashboard;
    await openLink((await share('vergleich', '')).url);
    expect(await page.locator('main').innerText()).toContain('Brandenburg');
    expect(await page.getByText('Ein Beispiel').count()).toBe(0);
  });

  test('shows any municipality by its name', async () => {
    const { data } = await dashboard.api('/v1/aggregations?groupBy=gemeinde');
    const named: { schluessel: string; name: string }[] = data.groups.filter(
      (group: { schluessel?: string }) => group.schluessel,
    );
    for (const { schluessel, name } of drawn(named, 6)) {
      await openLink((await share('region', `region=gemeinde:${schluessel}`)).url);
      expect([refused, await dashboard.page.locator('h1').innerText()]).toEqual([[], expect.stringContaining(name)]);
    }
  });

  test('is the same that the page shows to who has a key', async () => {
    const { page } = dashboard;
    const query = 'region=bundesland:Bayern&zeitraum=alles&periode=jahr';
    const table = () => page.locator('figure').first().locator('details.as-table table').first().textContent();
    await dashboard.visit(`/zeitreihe?${query}`);
    const own = await table();
    await openLink((await share('zeitreihe', query)).url);
    expect(await table()).toBe(own);
  });

  test('has no fault for axe, by day and night and at both sizes, and fits', async () => {
    const { page } = dashboard;
    const looks = [SIZES.wide, SIZES.phone].flatMap((size) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ size, colorScheme })),
    );
    for (const [salt, [name, query]] of [
      ['region', 'region=bundesland:Bayern'],
      ['einheiten', 'einheitTyp=wind&bundesland=Bayern'],
    ].entries()) {
      const { url } = await share(name ?? '', query ?? '');
      for (const { size, colorScheme } of drawn(looks, 2, salt)) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        await openLink(url);
        expect(await dashboard.violations()).toEqual([]);
        expect(await isTooWide(page)).toBe(false);
      }
    }
  });

  test('lets a legend and the order of a list be changed, and no filter', async () => {
    const { page } = dashboard;
    await openLink((await share('einheiten', 'einheitTyp=wind&fields=name,bruttoleistungKw')).url);
    const before = page.url();
    await page.getByRole('button', { name: /Bruttoleistung/ }).click();
    await settled(page);
    expect([refused, page.url()]).toEqual([[], before]);
    expect(await page.locator('.chip').innerText()).toContain('Wind');
    expect(await page.getByRole('button', { name: /Entfernen/ }).count()).toBe(0);
  });

  test('shows what it filters by as text, whatever that is', async () => {
    const { page } = dashboard;
    const hostile = '"><img src=x onerror=alert(1)><svg onload=alert(1)>';
    await openLink((await share('einheiten', `suche=${encodeURIComponent(hostile)}`)).url);
    expect(await page.locator('.chip').innerText()).toContain(hostile);
    expect(await page.locator('img').count()).toBe(0);
    dashboard.expectClean();
  });

  test('is shown in a frame of the chosen site, and in none of another', async () => {
    const { page } = dashboard;
    const { url } = await share('zeitreihe', '', [originOf(sites[0])]);
    framing = `<iframe src="${url}" title="Energieanlagen" width="900" height="700" referrerpolicy="no-referrer"></iframe>`;
    await page.goto(originOf(sites[0]));
    const frame = page.frameLocator('iframe');
    await frame.getByRole('figure').first().waitFor();
    expect(await frame.locator('h1').innerText()).toBe('Zeitreihe');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    const plain = await share('zeitreihe', '');
    for (const [site, link] of [
      [sites[1], url],
      [sites[0], plain.url],
    ] as const) {
      framing = `<iframe src="${link}" title="Energieanlagen"></iframe>`;
      await page.goto(originOf(site));
      const [, child] = page.frames();
      expect([child?.url().startsWith('chrome-error:'), await child?.locator('figure').count()]).toEqual([true, 0]);
    }
  });

  test('is a picture where no script runs', async () => {
    const { page } = dashboard;
    const { url } = await share('altersstruktur', 'region=bundesland:Bayern');
    const pictures: number[] = [];
    const note = (response: Response): void => {
      if (response.url().endsWith('/bild.svg?sprache=de')) pictures.push(response.status());
    };
    page.on('response', note);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setScriptExecutionDisabled', { value: true });
    try {
      await page.goto(url);
      await page.getByRole('img', { name: 'Zeichnung zu dieser Ansicht' }).waitFor();
      await expect.poll(() => pictures).toEqual([200]);
    } finally {
      await session.send('Emulation.setScriptExecutionDisabled', { value: false });
      page.off('response', note);
    }
  });

  test('that does not hold says so in words', async () => {
    const { page, service } = dashboard;
    const { id, url } = await share('zeitreihe', '');
    await service.send('DELETE', `/v1/shares/${id}`);
    await expect.poll(async () => (await fetch(url)).status).toBe(410);
    await page.goto(url);
    expect(await page.locator('h1').innerText()).toBe('Dieser Link gilt nicht mehr');
    expect(await dashboard.violations()).toEqual([]);
  });

  describe('the way to make one', () => {
    test('is a button of the page: with a last day, and sites that may frame it', async () => {
      const { page, service } = dashboard;
      await dashboard.visit('/zeitreihe?region=bundesland:Bayern&periode=jahr');
      await page.getByRole('button', { name: 'Teilen' }).click();
      const dialog = page.getByRole('dialog', { name: 'Ansicht teilen' });
      await dialog.getByLabel('Gilt bis').fill('2027-02-01');
      await dialog.getByLabel('Websites').fill('https://www.example.org/artikel');
      expect(await dashboard.violations()).toEqual([]);
      await dialog.getByRole('button', { name: 'Link anlegen' }).click();
      const link = await dialog.getByRole('region', { name: /^Link:/ }).innerText();
      const code = await dialog.getByRole('region', { name: /^Code zum Einbetten/ }).innerText();
      expect(code).toContain(`<iframe src="${link.trim()}"`);
      expect(await dashboard.violations()).toEqual([]);
      const { data } = await dashboard.api('/v1/shares');
      expect(data[0]).toMatchObject({
        url: link.trim(),
        name: 'Zeitreihe: Bayern',
        page: 'zeitreihe',
        query: 'region=bundesland%3ABayern&periode=jahr',
        endsOn: '2027-02-01',
        frameAncestors: ['https://www.example.org'],
      });
      expect(link).not.toContain(service.key);
      expect(await isTooWide(page)).toBe(false);
    });

    test('names it as the page is called, however long that is', async () => {
      const { page } = dashboard;
      await dashboard.visit(`/einheiten?netzbetreiber=${'N'.repeat(199)}`);
      await page.getByRole('button', { name: 'Teilen' }).click();
      await page.getByRole('button', { name: 'Link anlegen' }).click();
      await page.getByRole('button', { name: 'Fertig' }).waitFor();
      const { data } = await dashboard.api('/v1/shares');
      expect(data[0].name).toMatch(/^Einheiten/);
    });

    test('says why a view cannot be shared', async () => {
      const { page } = dashboard;
      await dashboard.visit('/einheiten?eventId=019a0f6e-7c1b-7d52-9f0e-00000000f001');
      await page.getByRole('button', { name: 'Teilen' }).click();
      await page.getByRole('button', { name: 'Link anlegen' }).click();
      expect(await page.getByRole('dialog').getByRole('alert').innerText()).toContain('die sich nicht teilen lässt');
    });

    test('is not there for keys without the right, nor on pages of the organisation', async () => {
      const { page, service } = dashboard;
      const button = page.getByRole('button', { name: 'Teilen' });
      await dashboard.visit('/konto');
      expect(await button.count()).toBe(0);
      const { text: key } = await makeKey(service.store, service.organisation, {
        scopes: ['region:read', 'reference:read'],
      });
      const poor = await openDashboard({ ...service, key });
      await poor.visit('/zeitreihe');
      expect(await poor.page.getByRole('button', { name: 'Teilen' }).count()).toBe(0);
      await poor.close();
    });
  });

  test('the account lists links with their use, and takes them back', async () => {
    const { page } = dashboard;
    const { name, url } = await share('karte', 'ebene=bundesland');
    await openLink(url);
    await dashboard.visit('/konto');
    const figure = page.getByRole('figure', { name: 'Öffentliche Links' });
    const [, first = []] = await rowsOf(page, 'Öffentliche Links');
    expect(first.slice(0, 3)).toEqual([name, 'Gilt', '31.01.2027']);
    expect(Number(first[4])).toBe(1);
    expect(Number(first[5])).toBeGreaterThan(1);
    await figure.getByRole('button', { name: 'Zurückziehen' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Zurückziehen' }).click();
    await figure.getByText('Zurückgezogen').first().waitFor();
    expect(await dashboard.violations()).toEqual([]);
    await expect.poll(async () => (await fetch(url)).status).toBe(410);
  });
});
