import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, problem, settled } from '../support/dashboard.ts';
import { factsOf, HOSTILE, rowsOf, sticksOut } from '../support/dashboard-tables.ts';
import { makeKey } from '../support/organisation.ts';

const TABLE = 'Einheiten im Portfolio';
const unit = (nr: number): string => `SEE9000000000${String(nr).padStart(2, '0')}`;

describe.skipIf(!hasBrowser)('the page of the portfolio (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const put = (entries: readonly object[]) =>
    dashboard.service.send('POST', '/v1/portfolio', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ entries }),
    });
  const roles = async (): Promise<Record<string, string>> => {
    const { data } = await dashboard.api('/v1/portfolio');
    return Object.fromEntries(
      data.map((entry: { mastrNummer: string; relationType: string }) => [entry.mastrNummer, entry.relationType]),
    );
  };
  const shownUnits = async (): Promise<string[]> =>
    (await rowsOf(dashboard.page, TABLE))
      .slice(1)
      .flatMap((cells) => cells.find((cell) => cell.startsWith('SEE')) ?? []);

  test('begins empty, and adds pasted numbers after it has shown what would happen', async () => {
    const { page } = dashboard;
    await dashboard.visit('/portfolio');
    expect(await page.getByRole('figure', { name: TABLE }).innerText()).toContain('Hier ist noch kein Eintrag');
    await page.getByText('Anlagen hinzufügen oder Rollen ändern').click();
    await page
      .getByLabel('Nummern der Einheiten')
      .fill(`Park A\t${unit(1)}\n${unit(3)}; ${unit(1)}\nSEE999999999999\nEEG900000000001`);
    await page.getByLabel('Rolle der Organisation').selectOption({ label: 'Direktvermarkter' });
    await page.getByRole('button', { name: 'Prüfen' }).click();
    const form = page.locator('details.add');
    await form.getByText('3 Nummern gefunden').waitFor();
    const said = await form.innerText();
    expect(said).toContain('1 davon mehrfach');
    expect(said).toMatch(/1\sAngabe ist keine Nummer einer Einheit/);
    expect(said).toContain('2 neu, 0 geändert; unverändert 0, nicht möglich 1');
    expect(said).toMatch(/SEE999999999999\s+geht nicht: Das Register hat diese Einheit nicht/);
    expect(await roles()).toEqual({});

    await page.getByRole('button', { name: /2\sEinträge speichern/ }).click();
    await page.getByText('Einträge: 2 hinzugefügt.').waitFor();
    await settled(page);
    expect(await roles()).toEqual({ [unit(1)]: 'DIRECT_MARKETING', [unit(3)]: 'DIRECT_MARKETING' });
    expect((await shownUnits()).toSorted()).toEqual([unit(1), unit(3)]);
    await page.getByRole('button', { name: 'Rückgängig machen' }).click();
    await page.getByText('Einträge: 2 entfernt.').waitFor();
    expect(await roles()).toEqual({});
    await page.getByRole('button', { name: 'Rückgängig machen' }).click();
    await page.getByText('Einträge: 2 geändert.').waitFor();
    expect(Object.keys(await roles())).toHaveLength(2);
  });

  test('shows entries with what the register says of them, and figures over them', async () => {
    const { page } = dashboard;
    await put([
      { mastrNummer: unit(1), relationType: 'OPERATOR', externalRefs: { crm: HOSTILE.slice(0, 200) } },
      ...[3, 7, 8, 17, 18].map((nr) => ({ mastrNummer: unit(nr), relationType: 'OWNER' })),
    ]);
    await dashboard.visit('/portfolio');
    const numbers = Object.keys(await roles());
    const { data } = await dashboard.api(
      `/v1/units?mastrNummern=${numbers.join(',')}&fields=mastrNummer,name,einheitTyp,betriebsStatus,bruttoleistungKw`,
    );
    const rows = new Map((await rowsOf(page, TABLE)).slice(1).map((cells) => [cells[1], cells]));
    expect([...rows.keys()].toSorted()).toEqual(numbers.toSorted());
    for (const { mastrNummer, name, betriebsStatus } of data) {
      expect(rows.get(mastrNummer)).toEqual(expect.arrayContaining([name ?? '–', betriebsStatus]));
    }
    const sum = data.reduce((kw: number, one: { bruttoleistungKw: number }) => kw + one.bruttoleistungKw, 0);
    const carriers = (await rowsOf(page, 'Portfolio nach Energieträger')).slice(1);
    const german = (text = ''): number => Number(text.replaceAll('.', '').replace(',', '.'));
    expect(carriers.reduce((total, [, units]) => total + german(units), 0)).toBe(data.length);
    expect(carriers.reduce((total, [, , mw]) => total + german(mw), 0)).toBeCloseTo(sum / 1000, 3);
    expect(await factsOf(page)).toMatchObject({ Einheiten: String(numbers.length) });
    expect(await page.title()).not.toContain('hacked');
  });

  test('removes what was picked, after a question, by keyboard; and brings it back in its role', async () => {
    const { page } = dashboard;
    await dashboard.visit('/portfolio');
    const before = await roles();
    await page.getByRole('checkbox', { name: `${unit(7)} auswählen` }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Auswahl entfernen (1)' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    expect(await roles()).toEqual(before);
    await page.getByRole('button', { name: 'Auswahl entfernen (1)' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).press('Enter');
    await page.getByText('Einträge: 1 entfernt.').waitFor();
    await settled(page);
    expect(await shownUnits()).not.toContain(unit(7));
    await page.getByLabel('Entfernte Einträge auch zeigen').check();
    await settled(page);
    expect(new URL(page.url()).search).toBe('?entfernt=ja');
    expect(await shownUnits()).toContain(unit(7));
    await page.getByRole('button', { name: 'Rückgängig machen' }).click();
    await page.getByText('Einträge: 1 geändert.').waitFor();
    expect(await roles()).toEqual(before);
  });

  test('filters by role in the address, and survives the back button', async () => {
    const { page } = dashboard;
    await dashboard.visit('/portfolio');
    await page.getByRole('combobox', { name: 'Rolle', exact: true }).selectOption({ label: 'Betreiber' });
    await expect.poll(shownUnits).toEqual([unit(1)]);
    expect(new URL(page.url()).search).toBe('?rolle=OPERATOR');
    await page.reload();
    await settled(page);
    expect(await shownUnits()).toEqual([unit(1)]);
    await page.goBack();
    await expect.poll(async () => (await shownUnits()).length).toBe(6);
  });

  test('takes roles from pasted rows, and shows the former role beside the new one', async () => {
    const { page } = dashboard;
    await put([
      { mastrNummer: unit(1), relationType: 'OPERATOR' },
      { mastrNummer: unit(3), relationType: 'OWNER' },
    ]);
    await dashboard.visit('/portfolio');
    await page.getByText('Anlagen hinzufügen oder Rollen ändern').click();
    await page
      .getByLabel('Nummern der Einheiten')
      .fill(`Nummer\tRolle\n${unit(1)}\tInvestor\n${unit(3)}\tEigentümer\nSEE999999999999\tInvestor`);
    await page.getByRole('button', { name: 'Prüfen' }).click();
    const form = page.locator('details.add');
    await form.getByText('3 Nummern gefunden').waitFor();
    const said = await form.innerText();
    expect(said).toContain('0 neu, 1 geändert; unverändert 1, nicht möglich 1');
    expect(said).toContain('Rolle wird geändert: Betreiber → Investor');
    expect(await roles()).toMatchObject({ [unit(1)]: 'OPERATOR', [unit(3)]: 'OWNER' });
  });

  test('shows what needs a look beside each entry, in columns that the link keeps', async () => {
    const { page } = dashboard;
    const { data: datasets } = await dashboard.api('/v1/datasets');
    const { asOf } = datasets.find(({ name }: { name: string }) => name === 'mastr_einheiten');
    const ending = [unit(3)];
    await put([1, 3].map((nr) => ({ mastrNummer: unit(nr), relationType: 'OWNER' })));
    await page.route(/v1\/units\/search$/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      for (const one of json.data) {
        if (ending.includes(one.mastrNummer))
          Object.assign(one, { eegFoerderende: asOf, betriebsStatus: 'In Betrieb' });
      }
      await route.fulfill({ response, json });
    });
    await dashboard.visit('/portfolio', { size: 'phone' });
    const [head = [], ...rows] = await rowsOf(page, TABLE);
    expect(head).toEqual(expect.arrayContaining(['Förderende', 'Signale', 'Auffälligkeiten']));
    expect(rows.find((cells) => cells.includes(ending[0] ?? ''))).toContain(asOf.split('-').reverse().join('.'));
    await page.getByRole('button', { name: /^Förderung endet in 24 Monaten/ }).click();
    await expect.poll(async () => (await shownUnits()).toSorted()).toEqual(ending.toSorted());
    expect(new URL(page.url()).search).toBe('?foerderung=24monate');
    expect(await page.title()).toContain('Portfolio: Förderung endet in 24 Monaten');
    await page.getByText('Spalten (', { exact: false }).click();
    await page.getByRole('checkbox', { name: 'Signale' }).uncheck();
    await page.getByRole('checkbox', { name: 'Eigene Felder' }).check();
    await expect.poll(async () => (await rowsOf(page, TABLE))[0]).toContain('Eigene Felder');
    await expect.poll(async () => (await rowsOf(page, TABLE))[0]).not.toContain('Signale');
    await page.setViewportSize({ width: 320, height: 640 });
    expect([await sticksOut(page), await dashboard.violations()]).toEqual([[], []]);
    await page.reload();
    await settled(page);
    expect((await rowsOf(page, TABLE))[0]).not.toContain('Signale');
  });

  test('is a filter of the pages: a switch, the link, the title and the figures', async () => {
    const { page } = dashboard;
    const before = await roles();
    await put([1, 3].map((nr) => ({ mastrNummer: unit(nr), relationType: before[unit(nr)] ?? 'OWNER' })));
    const figures = await dashboard.api(
      '/v1/aggregations?groupBy=einheitTyp&betriebsStatus=In%20Betrieb&portfolio=true',
    );
    await dashboard.visit('');
    await page.getByLabel('Nur Portfolio').check();
    await settled(page);
    expect(new URL(page.url()).search).toBe('?portfolio=true');
    await expect.poll(() => page.title()).toContain('eigenes Portfolio');
    expect(await page.getByRole('figure', { name: /^Kennzahlen/ }).innerText()).toContain(
      `${figures.data.totals.count}\u00a0Einheit`,
    );
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const path of ['/zeitreihe', '/altersstruktur', '/karte', '/vergleich']) {
      await dashboard.visit(`${path}?portfolio=ja`);
      expect(await page.getByLabel('Nur Portfolio').isChecked()).toBe(true);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('eigenes Portfolio');
    }
    const analyses = asked.filter((url) => /\/v1\/(region|aggregations)/.test(url));
    expect(analyses.length).toBeGreaterThan(3);
    expect(analyses.filter((url) => !url.includes('portfolio=true'))).toEqual([]);
    await dashboard.visit('/einheiten');
    await page.getByLabel('Nur Portfolio').check();
    await settled(page);
    expect(new URL(page.url()).search).toBe('?portfolio=true');
    expect((await rowsOf(page, /^Einheiten/)).length - 1).toBe(Object.keys(await roles()).length);
    expect(await page.getByRole('list', { name: 'Gewählte Filter' }).innerText()).toContain('nur eigene Anlagen');
    // An alert asks for the whole portfolio, and for no part of it: none is made that would mean more than was seen.
    for (const [query, isRefused] of [
      ['portfolio=true', false],
      ['portfolio=true&portfolioRelationType=OPERATOR', true],
    ] as const) {
      await dashboard.visit(`/einheiten?${query}`);
      await page.getByRole('button', { name: 'Alarm anlegen' }).click();
      expect(await page.getByRole('dialog').getByRole('button', { name: 'Anlegen' }).isDisabled()).toBe(isRefused);
      await page.keyboard.press('Escape');
    }
    expect(await dashboard.violations()).toEqual([]);
  });

  test('is no filter for a key that may not read it', async () => {
    const { store, organisation } = dashboard.service;
    const { text: key } = await makeKey(store, organisation, { scopes: ['units:read', 'regions:read'] });
    const other = await openDashboard({ ...dashboard.service, key });
    await other.visit('/altersstruktur');
    expect(await other.page.getByLabel('Nur Portfolio').count()).toBe(0);
    await other.close();
  });

  test('goes on where a write broke off, with the same key', async () => {
    const { page } = dashboard;
    const keys: (string | undefined)[] = [];
    await page.route(/v1\/portfolio$/, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      return keys.length === 1 ? route.abort() : route.fallback();
    });
    await dashboard.visit('/portfolio');
    await page.getByText('Anlagen hinzufügen oder Rollen ändern').click();
    await page.getByLabel('Nummern der Einheiten').fill(unit(12));
    await page.getByRole('button', { name: 'Prüfen' }).click();
    await page.getByRole('button', { name: /1\sEintrag speichern/ }).click();
    await page.getByText('Der Dienst ist nicht erreichbar').first().waitFor();
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByText('Einträge: 1 hinzugefügt.').waitFor();
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    expect(await roles()).toHaveProperty(unit(12));
  });

  test('has no buttons for a key that only reads, and says why; nor without the module', async () => {
    const { store, organisation } = dashboard.service;
    const { text: key } = await makeKey(store, organisation, { scopes: ['portfolio:read', 'units:read'] });
    const reading = await openDashboard({ ...dashboard.service, key });
    await reading.visit('/portfolio');
    expect(await reading.page.locator('main').innerText()).toContain('portfolio:write');
    expect(await reading.page.getByRole('button', { name: /entfernen/ }).count()).toBe(0);
    expect(await reading.page.getByRole('checkbox', { name: /auswählen/ }).count()).toBe(0);
    await reading.close();
    await dashboard.stub(/^\/v1\/portfolio/, problem(403, 'MISSING_MODULE', 'The module portfolio is not booked'));
    await dashboard.visit('/portfolio');
    expect(await dashboard.page.locator('main').innerText()).toContain('Das Modul „Portfolio“ ist nicht gebucht');
    expect(await dashboard.page.getByRole('button', { name: /entfernen|Prüfen/ }).count()).toBe(0);
  });

  test('says when the portfolio is cut, and pages through what is loaded', async () => {
    const { page } = dashboard;
    const { data } = await dashboard.api('/v1/portfolio?limit=1');
    const answer = (from: number) => ({
      data: Array.from({ length: 250 }, (_, nr) => ({
        ...data[0],
        mastrNummer: `SEE9${String(from + nr).padStart(11, '0')}`,
      })),
      meta: { count: 250, hasMore: true, cursor: String(from + 250), truncated: false },
    });
    await page.route(/v1\/portfolio\?/, (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? '0');
      return route.fulfill({ contentType: 'application/json', body: JSON.stringify(answer(from)) });
    });
    await dashboard.visit('/portfolio?seite=20');
    expect(await page.locator('main').innerText()).toContain('Geladen sind die neuesten 2.000 Einträge');
    expect(await page.getByRole('navigation', { name: 'Seiten der Tabelle' }).innerText()).toContain('1.901 bis 2.000');
    await page.getByRole('button', { name: 'Zurück' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?seite=19');
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
