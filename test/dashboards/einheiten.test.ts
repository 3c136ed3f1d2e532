import { readFile } from 'node:fs/promises';
import type { Locator, Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writtenDays } from '../../dashboards/web/format/dates.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { saveFilter } from '../support/saved-filters.ts';

/** The page of the list of units: filters, columns, order, pages, files. */

describe.skipIf(!hasBrowser)('the page Einheiten (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  let saved: string;
  beforeAll(async () => {
    dashboard = await openDashboard();
    const { store, organisation } = dashboard.service;
    saved = (await saveFilter(store, organisation.id, { name: 'Nur Wasser', criteria: { einheitTyp: ['hydro'] } })).id;
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const table = (): Locator => dashboard.page.getByRole('region', { name: /^Tabelle/ });
  /** Rows of the table as the texts of their cells. */
  const rows = () =>
    table()
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())));
  const numbers = async (): Promise<string[]> => (await rows()).map(([number = '']) => number);
  const chips = (): Promise<string[]> =>
    dashboard.page.getByRole('list', { name: 'Gewählte Filter' }).locator('.chip > span').allInnerTexts();
  const query = (): Record<string, string> => Object.fromEntries(new URL(dashboard.page.url()).searchParams);
  const total = async (): Promise<string> =>
    (await dashboard.page.locator('.figure .unit').innerText()).replace('\u00a0', ' ');
  /** Does something, and waits until the list that it asks for is there. @returns the request */
  const asking = async (act: () => Promise<unknown>): Promise<URLSearchParams> => {
    const [request] = await Promise.all([
      dashboard.page.waitForRequest((one: Request) => new URL(one.url()).pathname === '/v1/units'),
      act(),
    ]);
    await settled(dashboard.page);
    return new URL(request.url()).searchParams;
  };
  /** Small pages and ceilings, so that a small register has several. */
  const limitTo = async (limits: Record<string, number>): Promise<void> => {
    const me = await dashboard.api('/v1/me');
    await dashboard.stub(/^\/v1\/me$/, {
      body: { ...me, data: { ...me.data, limits: { ...me.data.limits, ...limits } } },
    });
  };

  test('shows what the interface answers, in its order, and asks for nothing that it does not show', async () => {
    const question = 'einheitTyp=wind&bundesland=Niedersachsen,Brandenburg&sort=bruttoleistungKw:desc';
    const asked = await asking(() => dashboard.visit(`/einheiten?${question}`));
    const { data, meta } = await dashboard.api(`/v1/units?${question}&limit=100`);
    const power = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 3 });
    expect((await rows()).map(([number, name, , kilowatts, status]) => [number, name, kilowatts, status])).toEqual(
      // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON
      data.map((unit: any) => [
        unit.mastrNummer,
        unit.name ?? '–',
        power.format(unit.bruttoleistungKw),
        unit.betriebsStatus,
      ]),
    );
    expect(await total()).toContain(`${meta.page.total} Einheiten`);
    const shown = ['mastrNummer', 'name', 'einheitTyp', 'bruttoleistungKw', 'betriebsStatus', 'inbetriebnahmedatum'];
    expect(asked.get('fields')).toBe([...shown, 'plz', 'ort', 'bundesland'].join(','));
    expect(asked.has('include')).toBe(false);
  });

  test('has every filter in its block, found by name; what is chosen stands in the address and comes back', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten');
    await asking(() => page.getByRole('checkbox', { name: /^Wind/ }).check());
    await page.getByRole('searchbox', { name: 'Filter finden' }).fill('leistung');
    await page.getByRole('button', { name: 'Bruttoleistung', exact: true }).click();
    const lower = page.getByRole('textbox', { name: /^von \(kW\)/ });
    await lower.fill('viel');
    await lower.press('Enter');
    await expect.poll(() => lower.getAttribute('aria-invalid')).toBe('true');
    await lower.fill('1500,5');
    await asking(() => lower.press('Enter'));
    expect(query()).toEqual({ einheitTyp: 'wind', leistungMinKw: '1500.5' });
    expect(await chips()).toEqual(['Bruttoleistung: ab 1.500,5\u202fkW', 'Energieträger der Einheit: Wind']);
    const found = await numbers();
    const { data } = await dashboard.api('/v1/units?einheitTyp=wind&leistungMinKw=1500.5&limit=100');
    expect(found).toEqual(data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer));

    await page.reload();
    await settled(page);
    expect([await numbers(), await chips()]).toEqual([found, await chips()]);
    await asking(() => page.getByRole('button', { name: 'Entfernen: Bruttoleistung' }).click());
    expect(query()).toEqual({ einheitTyp: 'wind' });
    await page.goBack();
    await expect.poll(numbers).toEqual(found);
  });

  test('days, yes or no, and values of which there are many are chosen by keyboard', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten');
    const find = page.getByRole('searchbox', { name: 'Filter finden' });
    await find.fill('betreiber');
    await page.getByRole('button', { name: 'Name des Betreibers' }).press('Enter');
    const field = page.getByRole('combobox', { name: 'Name des Betreibers' });
    await field.pressSequentially('sudheide');
    await page.locator('[role=option]').first().waitFor();
    await field.press('ArrowDown');
    await asking(() => field.press('Enter'));
    expect(query()).toEqual({ betreiber: 'Bürgerwind Südheide GmbH & Co. KG' });

    await find.fill('Tag der Inbetriebnahme');
    const panel = page.getByRole('region', { name: 'Filter', exact: true });
    await panel.getByRole('button', { name: 'Tag der Inbetriebnahme', exact: true }).press('Enter');
    await asking(() => panel.getByLabel('bis').fill('2004-12-31'));
    await find.fill('Bürgerenergie');
    await page.getByRole('button', { name: /^Bürgerenergie/ }).press('Enter');
    await asking(() => page.getByRole('radio', { name: 'nein oder keine Angabe' }).press('Space'));
    expect(query()).toMatchObject({ inbetriebnahmeBis: '2004-12-31', buergerenergie: 'false' });
    expect(await chips()).toContain('Tag der Inbetriebnahme: bis 31.12.2004');
    const { meta } = await dashboard.api(`/v1/units?${new URLSearchParams(query())}`);
    expect(await total()).toContain(`${meta.page.total} Einheiten`);
    await page.getByRole('button', { name: 'Alle entfernen' }).click();
    await expect.poll(query).toEqual({});
  });

  test('is sorted where the catalogue says so, both ways, and the head says how', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?einheitTyp=solar');
    const head = page.getByRole('columnheader', { name: /Bruttoleistung/ });
    for (const [direction, sort] of [
      ['descending', 'bruttoleistungKw:desc'],
      ['ascending', 'bruttoleistungKw:asc'],
      [null, undefined],
    ] as const) {
      await head.getByRole('button').press('Enter');
      await settled(page);
      expect([await head.getAttribute('aria-sort'), query().sort]).toEqual([direction, sort]);
      const { data } = await dashboard.api(
        `/v1/units?einheitTyp=solar&limit=100${sort === undefined ? '' : `&sort=${sort}`}`,
      );
      expect(await numbers()).toEqual(data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer));
    }
    const unsorted = page.getByRole('columnheader', { name: /Anzeigename/ });
    expect(await unsorted.getByRole('button').count()).toBe(0);
  });

  test('names the field of a value that says nothing alone', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?solarSpeicherVorhanden=ja');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Einheiten: .*Speicher.* ja$/);
  });

  test('writes values that are codes as people do, before and after one is chosen', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten');
    const labels = async (filter: string | RegExp): Promise<string[]> => {
      await page.getByRole('searchbox', { name: 'Filter finden' }).fill('');
      await page.getByRole('searchbox', { name: 'Filter finden' }).fill(String(filter));
      await page.locator('.disclosure.filter > button').first().click();
      await settled(page);
      return page.locator('.disclosure.filter .values bdi').allInnerTexts();
    };
    const { data: signals } = await dashboard.api('/v1/reference/signals');
    expect(await labels('signals')).toEqual(signals.map(({ name }: { name: string }) => name));
    expect((await labels('eegAbleitbarkeit')).toSorted()).toEqual(['exakt', 'geschätzt', 'nicht ableitbar']);
    expect((await labels('solarSpeicherVorhanden')).toSorted()).toEqual(['ja', 'keine Angabe', 'nein']);
    const { data: rounds } = await dashboard.api('/v1/ausschreibungen');
    const names = await labels('gebotstermin');
    const { bezeichnung: name } = rounds.find(({ id }: { id: number }) => id === 2020020120);
    expect(names).toContain(writtenDays(name));
    expect(names.length).toBe(
      rounds.filter(({ ergebnis }: { ergebnis: string }) => ergebnis !== 'ANGEKUENDIGT').length,
    );
    await dashboard.visit('/einheiten?gebotstermin=2020020120');
    expect(await chips()).toEqual([expect.stringContaining(`: ${writtenDays(name)}`)]);
    await dashboard.visit('/einheiten?eegAbleitbarkeit=nicht_ableitbar&signals=grossspeicher');
    expect(await chips()).toEqual([
      expect.stringMatching(/: nicht ableitbar$/),
      expect.stringMatching(/: Großspeicher$/),
    ]);
  });

  test('shows the columns that are chosen', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?fields=name,signals&signals=repowering_kandidat');
    expect((await rows())[0]?.[2]).toContain('Repowering-Kandidat');
    expect(await chips()).toEqual([expect.stringMatching(/: Repowering-Kandidat$/)]);
    await page.getByRole('button', { name: 'Spalten (3)' }).click();
    const columns = page.getByRole('region', { name: 'Spalten der Tabelle' });
    const asked = await asking(() =>
      columns.getByRole('checkbox', { name: 'Hersteller der Windenergieanlage' }).check(),
    );
    expect(asked.get('fields')).toBe('mastrNummer,name,signals,windHersteller');
    expect((await rows())[0]?.[3]).toBe('ENERCON GmbH');
    await asking(() => columns.getByRole('button', { name: 'Wie am Anfang' }).click());
    expect(query().fields).toBeUndefined();
  });

  test('a saved filter replaces all criteria; those of an event are named', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?einheitTyp=wind');
    await asking(() => page.getByLabel('Gespeicherter Filter').selectOption('Nur Wasser'));
    expect(query()).toEqual({ savedFilterId: saved });
    expect(await numbers()).toEqual(['SEE900000000029', 'SEE900000000030']);
    await dashboard.visit('/einheiten?eventId=00000000-0000-7000-8000-000000000000');
    expect(await chips()).toEqual(['Einheiten des Ereignisses: 00000000-0000-7000-8000-000000000000']);
    expect(await page.getByRole('alert').innerText()).toContain('Das gibt es nicht');
    expect(await page.getByRole('link', { name: 'Auf der Karte' }).getAttribute('href')).toContain(
      'karte?eventId=0000',
    );
    await asking(() => page.getByRole('button', { name: 'Entfernen: Einheiten des Ereignisses' }).click());
    expect(await numbers()).toHaveLength(36);
  });

  test('a region has its name in the title and in the chips, and another one takes its place', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?landkreis=03452&einheitTyp=wind');
    const title = page.getByRole('heading', { level: 2, name: /^Einheiten: Aurich/ });
    await title.waitFor();
    expect(await chips()).toContainEqual(expect.stringMatching(/^Landkreis oder kreisfreie Stadt: Aurich/));
    await page.getByRole('button', { name: 'Bundesland des Standorts' }).click();
    await page.getByRole('button', { name: 'Entfernen: Landkreis' }).click();
    await asking(() => page.getByRole('checkbox', { name: /^Bayern/ }).check());
    expect(query()).toEqual({ bundesland: 'Bayern', einheitTyp: 'wind' });
    await page.getByRole('heading', { level: 2, name: 'Einheiten: Bayern' }).waitFor();
  });

  test('says what was meant where nothing was found', async () => {
    await dashboard.visit('/einheiten?bundesland=bayern');
    const empty = await dashboard.page.locator('.state.empty').innerText();
    expect(empty).toContain('Keine Einheit erfüllt alle diese Bedingungen');
    expect(empty).toMatch(/Bundesland.* „bayern“: Das hat keine Einheit\. Gemeint ist vielleicht „Bayern“\./);
    await dashboard.visit('/einheiten?bundesland=Bayern,hessen');
    expect(await numbers()).not.toEqual([]);
    expect(await dashboard.page.locator('.note.hints').innerText()).toContain('„hessen“: Das hat keine Einheit');
  });

  test('leads from page to page; back and a reload come to the same one, and the end of the list is explained', async () => {
    const { page } = dashboard;
    await limitTo({ maxPageSize: 15 });
    await dashboard.visit('/einheiten');
    const paging = page.getByRole('navigation', { name: 'Blättern' });
    const first = await numbers();
    for (const place of ['16 bis 30 von 36', '31 bis 36 von 36']) {
      await asking(() => paging.getByRole('button', { name: 'Nächste' }).click());
      expect(await paging.innerText()).toContain(place);
    }
    expect(await paging.getByRole('button', { name: 'Nächste' }).isDisabled()).toBe(true);
    const last = await numbers();
    await page.reload();
    await settled(page);
    expect([await numbers(), query().seite]).toEqual([last, '3']);
    await page.goBack();
    await expect.poll(() => paging.innerText()).toContain('16 bis 30');
    await paging.getByRole('button', { name: 'Anfang' }).click();
    await expect.poll(numbers).toEqual(first);
    expect(query()).toEqual({});
    const answer = await dashboard.api('/v1/units?limit=100');
    answer.meta.page = { count: 36, hasMore: false, cursor: null, truncated: true, total: 19_389 };
    await dashboard.stub(/^\/v1\/units\?/, { body: answer });
    await dashboard.visit('/einheiten');
    expect(await paging.innerText()).toContain('höchstens 36 Einheiten einer Frage');
  });

  test('saves all pages as one file up to the ceiling, waits for limits, and says where it ends', async () => {
    const { page } = dashboard;
    await limitTo({ maxPageSize: 6, maxRowsPerQuery: 15, exportRows: 15 });
    await dashboard.visit('/einheiten?fields=name,bruttoleistungKw');
    let refusals = 0;
    await page.route(
      (url) => url.pathname === '/v1/units' && url.searchParams.has('cursor'),
      async (route) => {
        refusals += 1;
        if (refusals > 1) return route.fallback();
        const refusal = problem(429, 'RATE_LIMITED', 'Too many', { retryable: true, retryAfter: Date.now() + 200 });
        await route.fulfill({
          status: 429,
          contentType: 'application/problem+json',
          body: JSON.stringify(refusal.body),
        });
      },
    );
    const button = page.getByRole('button', { name: 'CSV: die ersten 15' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button.click().then(() => page.getByText('Das Limit für Anfragen ist erreicht').waitFor()),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('\ufeffMaStR-Nummer der Einheit;Anzeigename im Register;Bruttoleistung (kW)');
    const { data } = await dashboard.api('/v1/units?limit=15&fields=name,bruttoleistungKw');
    expect(lines.slice(1, 16).map((line) => line.slice(0, 15))).toEqual(
      data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer),
    );
    expect(lines[3]).toBe('SEE900000000003;WEA Nordsee 3;1500,5');
    expect(lines[16]).toMatch(/^Einheiten.* · Stand .*Nur die ersten 15 von 36 Einheiten$/);
    expect(await page.getByText('15 Einheiten gespeichert').innerText()).toContain('die Liste hat 36');
  });

  test('saves more than one query gives, up to the limit of the organisation', async () => {
    const { page } = dashboard;
    await limitTo({ maxPageSize: 5, maxRowsPerQuery: 12, exportRows: 50_000 });
    await dashboard.visit('/einheiten?fields=name&bundesland=Niedersachsen,Bayern,Brandenburg,Sachsen');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^CSV: \d+ Einheiten$/ }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n').slice(1, -2);
    const query = 'bundesland=Niedersachsen,Bayern,Brandenburg,Sachsen&registrierungVon=1990-01-01&limit=100';
    const { data } = await dashboard.api(`/v1/units?${query}`);
    expect(data.length).toBeGreaterThan(12);
    expect(lines.map((line) => line.slice(0, 15))).toEqual(
      data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer),
    );
  });

  test('a place in a list that is no longer valid leads back to its beginning', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?einheitTyp=hydro&cursor=veraltet&seite=3');
    expect(await page.getByRole('alert').innerText()).toContain('cursor');
    await asking(() => page.getByRole('button', { name: 'Zum Anfang der Liste' }).click());
    expect([query(), await numbers()]).toEqual([{ einheitTyp: 'hydro' }, ['SEE900000000029', 'SEE900000000030']]);
  });

  test('a file can be broken off', async () => {
    const { page } = dashboard;
    await limitTo({ maxPageSize: 6 });
    await dashboard.visit('/einheiten');
    await dashboard.stub(/^\/v1\/units\?.*cursor=/, { body: {}, delayMilliseconds: 60_000 });
    await page.getByRole('button', { name: /^CSV/ }).click();
    await page.getByText('6 von 36 geladen').waitFor();
    await page.getByRole('button', { name: 'Abbrechen' }).click();
    await page.getByRole('button', { name: /^CSV/ }).waitFor();
  });

  test('a row leads to the page of the unit, and back comes to the list', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?einheitTyp=hydro');
    await table().getByText('Mühle').click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Mühle');
    expect(page.url()).toMatch(/\/einheiten\/SEE900000000029$/);
    await page.goBack();
    await expect.poll(numbers).toEqual(['SEE900000000029', 'SEE900000000030']);
  });

  test('shows what the key may not read as locked, with its module, and says why nothing is listed', async () => {
    const { store } = dashboard.service;
    const few = await makeOrganisation(store, { modules: ['api', 'analysis'] });
    const barred = await openDashboard({ ...dashboard.service, key: (await makeKey(store, few)).text });
    try {
      await barred.visit('/einheiten');
      await barred.page.getByRole('searchbox', { name: 'Filter finden' }).fill('EEG-Förderung');
      const locked = barred.page.locator('.locked', { hasText: 'Letzter Tag der EEG-Förderung' });
      expect(await locked.innerText()).toContain('Modul „EEG-Vergütung“ ist nicht gebucht');
      await barred.page.getByRole('button', { name: /^Spalten/ }).click();
      expect(await barred.page.getByRole('checkbox', { name: /^Letzter Tag der EEG/ }).isDisabled()).toBe(true);
      const none = await makeOrganisation(store, { modules: ['api'] });
      const { text: key } = await makeKey(store, none);
      await barred.page.goto(`${dashboard.service.url}/app/daten#key=${key}`);
      await settled(barred.page);
      await barred.page.goto(`${dashboard.service.url}/app/einheiten`);
      await settled(barred.page);
      const note = barred.page.getByRole('note');
      expect(await note.innerText()).toContain('Das Modul „Analyse“ ist nicht gebucht');
      expect(await note.innerText()).toContain('Hier sähe man die Anlagen als Liste');
    } finally {
      await barred.close();
    }
  });

  test('shows the words of a refusal, and goes on by itself after a limit', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?leistungMinKw=5&leistungMaxKw=1');
    const refusal = page.getByRole('alert');
    expect(await refusal.innerText()).toMatch(/Angaben widersprechen sich[\s\S]+Betroffen: leistungMinKw/);
    expect(await refusal.innerText()).not.toContain('lies beyond');
    await refusal.getByText('Wortlaut der Schnittstelle').click();
    expect(await refusal.innerText()).toContain('lies beyond');
    await dashboard.stub(
      /^\/v1\/units\?/,
      problem(429, 'RATE_LIMITED', 'Too many', { retryable: true, retryAfter: Date.now() + 1000 }),
    );
    await dashboard.page.goto(`${dashboard.service.url}/app/einheiten?einheitTyp=hydro`);
    await page.getByText('von selbst weiter').waitFor();
    await dashboard.unstub();
    await expect.poll(numbers).toHaveLength(2);
  });

  test('hostile texts stay texts, and the page its width', async () => {
    const { page } = dashboard;
    const answer = await dashboard.api('/v1/units?einheitTyp=hydro&fields=name,ort');
    const hostile = ['<img src=x onerror="document.title=\'pwned\'">', '\u202Etxet\u2066', 'W'.repeat(5000)];
    answer.data = hostile.map((name, index) => ({
      ...answer.data[0],
      mastrNummer: `SEE90000000010${index}`,
      name,
      ort: name,
    }));
    await dashboard.stub(/^\/v1\/units\?/, { body: answer });
    for (const size of ['wide', 'phone'] as const) {
      await dashboard.visit('/einheiten?suche=%3Cb%3Ex%3C/b%3E', { size });
      expect((await rows()).map(([, name]) => name)).toEqual(hostile);
      expect(await chips()).toEqual([expect.stringContaining('<b>x</b>')]);
      expect([size, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([size, 0]);
    }
    expect(await page.title()).not.toContain('pwned');
  });

  test('nothing offends axe, in light and dark, on a screen and a telephone', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?einheitTyp=wind&sort=bruttoleistungKw:desc');
    await page.getByRole('button', { name: /^Spalten/ }).click();
    await page.getByRole('button', { name: 'Technik' }).click();
    await page.getByRole('button', { name: 'Name des Windparks' }).click();
    await page.getByRole('combobox', { name: 'Name des Windparks' }).fill('s');
    await page.locator('[role=option]').first().waitFor();
    expect(await dashboard.violations()).toEqual([]);
    await dashboard.visit('/einheiten?einheitTyp=wind', { size: 'phone', scheme: 'dark' });
    await page.getByRole('button', { name: 'Filter (1)' }).click();
    expect(await dashboard.violations()).toEqual([]);
  });

  test('asks no other host, keeps to its policy, and complains about nothing', () => dashboard.expectClean());
});
