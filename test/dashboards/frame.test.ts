import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, limited, openDashboard, problem, settled } from '../support/dashboard.ts';
import { savedFile, shownRequests } from '../support/dashboard-files.ts';

/** The frame of every chart and table, seen on two pages: its states, and what can be taken away. */

const SERIES = /^\/v1\/region\/zeitreihe/;

describe.skipIf(!hasBrowser)('the frame of a figure (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const figure = () => dashboard.page.getByRole('figure', { name: /^Zubau/ });
  const chart = () => figure().locator('.chart svg');
  const text = (): Promise<string> => figure().innerText();

  test('says that it is loading, and keeps its place', async () => {
    await dashboard.stub(SERIES, { body: { data: [], meta: { periode: 'quartal' } }, delayMilliseconds: 700 });
    const visit = dashboard.visit('/zeitreihe');
    await figure().getByRole('status').waitFor();
    expect(await figure().getByRole('status').innerText()).toBe('Wird geladen …');
    expect(await figure().getAttribute('aria-busy')).toBe('true');
    const { height = 0 } = (await figure().locator('.content').boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(400);
    await visit;
    expect(await figure().locator('.state.empty').count()).toBe(1);
    // Nothing can be taken away where nothing is, but the request can be seen.
    expect(await figure().getByRole('button').allInnerTexts()).toEqual(['Anfrage']);
  });

  test('counts down when a limit is reached, and goes on by itself', async () => {
    await dashboard.stub(SERIES, limited(2500));
    const visit = dashboard.visit('/zeitreihe');
    await expect.poll(text).toMatch(/Das Limit für Anfragen ist erreicht\. Es geht in \d s von selbst weiter/);
    await dashboard.unstub();
    await visit;
    await chart().waitFor();
    expect(await figure().getByRole('alert').count()).toBe(0);
  });

  test('says in the words of the problem what failed, and tries again on demand', async () => {
    await dashboard.stub(SERIES, problem(500, 'INTERNAL_ERROR', 'The engine is gone <b>for good</b>'));
    await dashboard.visit('/zeitreihe');
    expect(await figure().getByRole('alert').innerText()).toContain('Der Dienst hat einen Fehler');
    expect(await text()).toContain('Anfrage id');
    const help = await figure().getByRole('link', { name: 'Was INTERNAL_ERROR bedeutet' }).getAttribute('href');
    const page = await fetch(String(help).split('#')[0] ?? '');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="INTERNAL_ERROR"')]);
    expect(await dashboard.violations()).toEqual([]);
    await dashboard.unstub();
    await figure().getByRole('button', { name: 'Erneut versuchen' }).click();
    await chart().waitFor();
  });

  test('says which module is missing, or which right, and what would be there', async () => {
    await dashboard.stub(SERIES, problem(403, 'MISSING_MODULE', 'Module analysis is not part of the contract'));
    await dashboard.visit('/zeitreihe');
    expect(await figure().getByRole('note').innerText()).toMatch(
      /Das Modul „Analyse“ ist nicht gebucht\s+Hier sähe man Zubau, Abbau und Pipeline im Verlauf der Zeit\./,
    );
    // Trying again would change nothing.
    expect(await figure().getByRole('button', { name: 'Erneut versuchen' }).count()).toBe(0);
    await dashboard.stub(SERIES, problem(403, 'MISSING_SCOPE', 'The key lacks the scope region:read'));
    await dashboard.visit('/zeitreihe', { size: 'phone', scheme: 'dark' });
    expect(await text()).toContain('Der Schlüssel darf das nicht lesen');
    expect(await text()).toContain('region:read');
    expect(await dashboard.violations()).toEqual([]);
  });

  test('says that the service cannot be reached', async () => {
    await dashboard.page.route(
      (url) => SERIES.test(url.pathname),
      (route) => route.abort('connectionrefused'),
    );
    await dashboard.visit('/zeitreihe');
    expect(await figure().getByRole('alert').innerText()).toContain('Der Dienst ist nicht erreichbar');
    await dashboard.unstub();
    await figure().getByRole('button', { name: 'Erneut versuchen' }).click();
    await chart().waitFor();
  });

  test('leaves for the door when the key is refused', async () => {
    await dashboard.stub(SERIES, problem(401, 'INVALID_API_KEY', 'The key has expired'));
    await dashboard.visit('/zeitreihe');
    await dashboard.page.getByLabel('API-Schlüssel').waitFor();
    expect(await dashboard.page.getByRole('alert').innerText()).toContain('widerrufen oder abgelaufen');
  });

  test('shows the request that was sent, without the key', async () => {
    const { page, service } = dashboard;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().slice(service.url.length)));
    await dashboard.visit('/altersstruktur?region=bundesland:Bayern');
    for (const name of [/^Anlagen in Betrieb nach/, /^Inbetriebnahmejahre/]) {
      for (const request of await shownRequests(page, name)) expect(asked).toContain(request);
    }
    const code = await page.locator('.code code').first().innerText();
    expect(code).toContain('Authorization: Bearer $KEY');
    expect(await page.locator('main').innerText()).not.toContain(service.key);
  });

  test('has the same figures in a table beside the chart, with their units', async () => {
    await dashboard.visit('/zeitreihe?periode=jahr&von=2020-01-01&bis=2028-12-31&traeger=wind,storage');
    await figure().getByText('Als Tabelle').click();
    const table = figure().getByRole('region', { name: /^Tabelle: Zubau/ });
    expect(await table.getByRole('columnheader').allInnerTexts()).toContain('Pipeline MW');
    const rows = await table.getByRole('row').allInnerTexts();
    expect(rows).toContain('2026\tWind\t1\t5,6\t1\t0,6\t1\t6,8\t0\t0\t0');
    expect(rows).toContain('2026\tSpeicher\t0\t0\t0\t0\t1\t50\t0\t0\t100');
  });

  test('gives a file that German spreadsheets open: mark, semicolons, decimal commas, source', async () => {
    await dashboard.visit('/zeitreihe?periode=jahr&von=2020-01-01&bis=2028-12-31&traeger=solar,wind');
    const { name, content } = await savedFile(dashboard.page, /^CSV speichern/);
    expect(name).toBe('zubau-abbau-und-pipeline-deutschland-jaehrlich-2020-bis-2028.csv');
    const lines = content.toString().split('\r\n');
    expect(lines[0]).toBe(
      '\ufeffPeriode;Energieträger;Zubau (Einheiten);Zubau (MW);Abbau (Einheiten);Abbau (MW);Pipeline (Einheiten);Pipeline (MW);' +
        'Zubau Speicher (MWh);Abbau Speicher (MWh);Pipeline Speicher (MWh)',
    );
    expect(lines).toContain('2026;Wind;1;5,6;1;0,6;1;6,8;0;0;0');
    expect(lines).toContain('2020;Solar;2;0,0014;0;0;0;0;0;0;0');
    expect(lines.at(-2)).toMatch(
      /^Zeitreihe: .*Solar.* · Stand 14\.03\.2026 · Quelle: Bundesnetzagentur.*dl-de\/by-2-0/,
    );
  });

  test('gives a workbook of the same, whose second sheet tells source and request', async () => {
    await dashboard.visit('/zeitreihe?periode=jahr&von=2020-01-01&bis=2028-12-31&traeger=solar,wind');
    const { name, content } = await savedFile(dashboard.page, /^XLSX speichern/);
    expect(name).toBe('zubau-abbau-und-pipeline-deutschland-jaehrlich-2020-bis-2028.xlsx');
    const [data, source] = await readWorkbook(content);
    expect(data?.data).toContainEqual([2026, 'Wind', 1, 5.6, 1, 0.6, 1, 6.8, 0, 0, 0]);
    const told = new Map(source?.data as [string, string][]);
    expect(told.get('Quelle')).toMatch(/^Stand 14\.03\.2026 · Quelle: Bundesnetzagentur/);
    expect(told.get('Stand')).toEqual(new Date('2026-03-14'));
    expect(told.get('Auswahl')).toMatch(/^Zeitreihe: .*Solar/);
    expect(told.get('Anfrage')).toMatch(/^GET http.*\/v1\/region\/zeitreihe\?.*periode=jahr/);
  });

  test('gives a picture that stands alone: title, unit, legend, source, every colour, light also in the dark', async () => {
    const { page } = dashboard;
    await dashboard.visit('/zeitreihe?traeger=wind,storage', { scheme: 'dark' });
    const { name, content } = await savedFile(page, /^SVG speichern/);
    expect(name).toMatch(/\.svg$/);
    const svg = content.toString();
    const title = await figure().getByRole('heading').innerText();
    for (const words of [
      title,
      'MW brutto je Quartal',
      'Wind',
      'Speicher',
      'Netto',
      'geplant',
      'Quelle: Bundesnetzagentur',
    ]) {
      expect(svg).toContain(words);
    }
    expect(svg).not.toMatch(/var\(|light-dark|class=|<style|Solar/);
    const picture = await page.evaluate((source) => {
      const root = new DOMParser().parseFromString(source, 'image/svg+xml');
      const fills = [...root.querySelectorAll('[fill^="url"]')].map((one) => one.getAttribute('fill') ?? '');
      return {
        fault: root.querySelector('parsererror') !== null,
        paper: root.querySelector('rect')?.getAttribute('fill'),
        width: Number(root.documentElement.getAttribute('width')),
        height: Number(root.documentElement.getAttribute('height')),
        drawings: root.querySelectorAll('svg svg').length,
        hatched: fills.length,
        withoutPattern: fills.filter((fill) => root.querySelector(/#[\w-]+/.exec(fill)?.[0] ?? 'none') === null),
      };
    }, svg);
    expect(picture).toMatchObject({ fault: false, paper: 'rgb(255, 255, 255)', drawings: 1, withoutPattern: [] });
    expect(picture.hatched).toBeGreaterThan(0);

    const { content: png } = await savedFile(page, /^PNG speichern/);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([picture.width * 2, picture.height * 2]);
    // The page is as dark as before.
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBeUndefined();
  });

  test('gives all charts of a figure in one picture, where they stand', async () => {
    const { page } = dashboard;
    await dashboard.visit('/zeitreihe?anordnung=nebeneinander&zeitraum=10jahre');
    const { content } = await savedFile(page, /^SVG speichern/);
    const drawn = await figure().locator('.multiples svg').count();
    const places = await page.evaluate((source) => {
      const root = new DOMParser().parseFromString(source, 'image/svg+xml');
      return [...root.querySelectorAll('svg svg')].map((one) => `${one.getAttribute('x')} ${one.getAttribute('y')}`);
    }, content.toString());
    expect(drawn).toBeGreaterThan(3);
    expect(new Set(places).size).toBe(drawn);
    expect(new Set(places.map((place) => place.split(' ')[0])).size).toBe(3);
  });

  test('is printed without its controls, in light colours', async () => {
    const { page } = dashboard;
    await dashboard.visit('/zeitreihe', { scheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.choices, .figure .actions, .strip, .bar').filter({ visible: true }).count()).toBe(0);
    // Its width changes with the medium, so it is drawn anew.
    await chart().waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: 'screen' });
    await settled(page);
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
