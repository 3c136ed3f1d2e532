import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dashboard, hasBrowser, openDashboard, problem } from '../support/dashboard.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';

/** The page of one unit. */

const WIND = 'SEE900000000001';

describe.skipIf(!hasBrowser)('the page of a unit (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const figure = (name: string) => dashboard.page.getByRole('figure', { name });
  /** Fields of the register as they are shown, by their titles. */
  const shown = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      await figure('Angaben des Registers')
        .locator('.fields > div')
        .evaluateAll((all) =>
          all.map((entry) => [
            entry.querySelector('dt')?.innerText ?? '',
            entry.querySelector('dd')?.innerText.replaceAll('\u202f', ' ') ?? '',
          ]),
        ),
    );

  test('leads from its place to others there by the key, which no other place of the name has', async () => {
    await dashboard.visit(`/einheiten/${WIND}`);
    const { data: unit } = await dashboard.api(`/v1/units/${WIND}`);
    const hrefs = await figure('Angaben des Registers')
      .locator('dd a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(hrefs).toContain(`/app/einheiten?landkreis=${unit.kreisschluessel}`);
    expect(hrefs).toContain(`/app/einheiten?gemeinde=${unit.gemeindeschluessel}`);
  });

  test('shows every field that has a value, by block, with its unit; the empty ones when they are asked for', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/einheiten/${WIND}`);
    const { data: unit } = await dashboard.api(`/v1/units/${WIND}`);
    const { data: fields } = await dashboard.api('/v1/units/fields');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(unit.name);
    const elsewhere = ['signals', 'ausschreibungen', 'links'];
    const readable = fields.filter(
      ({ name, lesbar }: { name: string; lesbar: boolean }) => lesbar && !elsewhere.includes(name),
    );
    const valued = readable.filter(({ name }: { name: string }) => unit[name] !== null && unit[name]?.length !== 0);
    const all = await shown();
    expect(Object.keys(all)).toHaveLength(valued.length);
    expect(all).toMatchObject({
      Bruttoleistung: '3.000 kW',
      'Tag der Inbetriebnahme': '15.03.2006',
      'Hersteller der Windenergieanlage': 'ENERCON GmbH',
      'Gehört zu einer KWK-Anlage': 'nein',
    });
    await page.getByRole('checkbox', { name: 'Leere Felder zeigen' }).check();
    expect(Object.keys(await shown())).toHaveLength(readable.length);
    expect(page.url()).toMatch(/leer=ja$/);
  });

  test('leads to all units with the same value, and back', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/einheiten/${WIND}`);
    await figure('Angaben des Registers').getByRole('link', { name: 'ENERCON GmbH' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Einheiten: ENERCON GmbH');
    expect(new URL(page.url()).search).toBe('?windHersteller=ENERCON+GmbH');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'WEA Nordsee 1' }).waitFor();
  });

  test('tells its days in their order, its place, its signals with their meaning, and its awards', async () => {
    const answer = await dashboard.api(`/v1/units/${WIND}`);
    Object.assign(answer.data, {
      signals: ['wind_ueber_20_jahre'],
      registrierungsdatum: '2005-01-31',
      stilllegungsdatum: '2999-12-31',
      ausschreibungen: [
        {
          gebotsterminId: 2020090110,
          technologie: 'WIND',
          datum: '2020-09-01',
          zuschlagsnummer: 'WIN20-5/006',
          gebotsmengeKw: 4200,
          zuordnung: 'register',
          regel: 'registernummer',
          sicherheit: 'sicher',
        },
      ],
    });
    await dashboard.stub(new RegExp(`^/v1/units/${WIND}$`), { body: answer });
    await dashboard.visit(`/einheiten/${WIND}`);
    const days = await figure('Verlauf').locator('li').allInnerTexts();
    const at = (text: string): number => days.findIndex((line) => line.includes(text));
    expect(at('31.01.2005')).toBeLessThan(at('15.03.2006'));
    expect(days.at(-1)).toMatch(/31\.12\.2999\s*Tag der endgültigen Stilllegung \(steht bevor\)/);
    const { data: signals } = await dashboard.api('/v1/reference/signals');
    const meaning = signals.find(({ value }: { value: string }) => value === 'wind_ueber_20_jahre');
    expect(await figure('Signale').innerText()).toContain(meaning.beschreibung);
    expect(await figure('Signale').getByRole('link', { name: meaning.name }).getAttribute('href')).toMatch(
      /einheiten\?signals=wind_ueber_20_jahre$/,
    );
    const awards = figure('Zuschläge');
    expect(await awards.innerText()).toContain('WIN20-5/006');
    expect(await awards.getByRole('link', { name: 'Gebotstermin 01.09.2020' }).getAttribute('href')).toMatch(
      /ausschreibungen\/2020090110$/,
    );
    const place = figure('Standort');
    expect(await place.locator('.points .point').count()).toBe(1);
    const map = place.getByRole('link', { name: 'Auf der großen Karte zeigen' });
    expect(await map.getAttribute('href')).toMatch(new RegExp(`karte\\?einheit=${WIND}$`));
  });

  test('lists what stands at its location, and asks nothing where it has none', async () => {
    await dashboard.visit('/einheiten/SEE900000000013');
    const neighbours = figure('Nachbarn');
    const { data } = await dashboard.api('/v1/units/SEE900000000013?include=standort');
    const numbers = data.nachbarn.einheiten.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer);
    expect(numbers.length).toBeGreaterThan(1);
    expect(await neighbours.getByRole('link', { name: /^SEE/ }).allInnerTexts()).toEqual(numbers);
    await dashboard.visit('/einheiten/SEE900000000001');
    await figure('Verlauf').waitFor();
    expect(await figure('Nachbarn').count()).toBe(0);
  });

  test('a unit below 30 kW has no point, and one that the register does not know the words of the interface', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten/SEE900000000013');
    expect(await figure('Standort').innerText()).toContain('unter 30 kW gibt es sie nie heraus');
    await dashboard.visit('/einheiten/SEE999999999999');
    expect(await page.getByRole('alert').innerText()).toContain('Das gibt es nicht');
    await dashboard.visit('/einheiten/quatsch');
    expect(await page.getByRole('alert').innerText()).toContain('Eine Angabe passt nicht');
  });

  test('shows what the organisation and its partners wrote', async () => {
    const { data: defs } = await dashboard.api('/v1/custom-fields');
    const def = { ...defs[0], id: '01980000-0000-7000-8000-000000000001', name: '<i>Pacht</i>' };
    await dashboard.stub(/^\/v1\/custom-fields/, { body: { data: [def], meta: { count: 1, complete: true } } });
    const value = { defId: def.id, text: null, zahl: 1234.5, datum: null, datumsgenauigkeit: 'DAY' };
    const written = { ...value, schreiber: 'gegenseite', reihenfolge: 0, geaendertAm: '2026-01-01T00:00:00Z' };
    await dashboard.stub(new RegExp(`^/v1/units/${WIND}/custom-fields`), {
      body: { data: [written], meta: { count: 1, complete: true } },
    });
    await dashboard.visit(`/einheiten/${WIND}`);
    const own = await figure('Eigene Felder').innerText();
    expect(own).toContain('<i>Pacht</i>');
    expect(own).toContain('1.234,5');
    expect(own).toContain('vom Partner, 01.01.2026, 01:00');
  });

  test('puts the unit into the portfolio, asks before it changes a role, and takes it out again', async () => {
    const { page } = dashboard;
    const entries = async () => (await dashboard.api('/v1/portfolio')).data;
    await dashboard.visit(`/einheiten/${WIND}`);
    await page.getByLabel('Rolle').selectOption('Verpächter');
    await page.getByRole('button', { name: 'Ins Portfolio' }).click();
    await page.getByText('Die Einheit ist im Portfolio: Verpächter.').waitFor();
    expect(await entries()).toMatchObject([{ mastrNummer: WIND, relationType: 'LESSOR' }]);
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await expect.poll(entries).toEqual([]);

    await page.getByRole('button', { name: 'Ins Portfolio' }).click();
    await page.getByText('Die Einheit ist im Portfolio').waitFor();
    await page.getByLabel('Rolle').selectOption('Betreiber');
    await page.getByRole('button', { name: 'Ins Portfolio' }).click();
    await page.getByText('in einer anderen Rolle').waitFor();
    expect(await entries()).toMatchObject([{ relationType: 'LESSOR' }]);
    await page.getByRole('button', { name: 'Rolle ändern' }).click();
    await page.getByText('Die Einheit ist im Portfolio: Betreiber.').waitFor();
    expect(await entries()).toMatchObject([{ relationType: 'OPERATOR' }]);
  });

  test('says what a module would show, and offers nothing that the key may not do', async () => {
    const { store } = dashboard.service;
    const few = await makeOrganisation(store, { modules: ['api', 'analysis'] });
    const barred = await openDashboard({ ...dashboard.service, key: (await makeKey(store, few)).text });
    try {
      await barred.visit(`/einheiten/${WIND}`);
      const notes = await barred.page.getByRole('note').allInnerTexts();
      expect(notes.join('\n')).toContain('Das Modul „EEG-Vergütung“ ist nicht gebucht. Hier stünde:');
      expect(notes.join('\n')).toContain('Letzter Tag der EEG-Förderung');
      expect(notes.join('\n')).toContain('Das Modul „Arbeitsbereich“ ist nicht gebucht');
      expect(await barred.page.getByRole('button', { name: 'Ins Portfolio' }).count()).toBe(0);
      barred.expectClean();
    } finally {
      await barred.close();
    }
  });

  test('goes on by itself after a limit', async () => {
    const { page, service } = dashboard;
    await dashboard.visit('/konto');
    const more = { retryable: true, retryAfter: Date.now() + 500 };
    await dashboard.stub(new RegExp(`^/v1/units/${WIND}$`), problem(429, 'RATE_LIMITED', 'Too many', more));
    await page.goto(`${service.url}/app/einheiten/${WIND}`);
    await page.getByText('von selbst weiter').waitFor();
    await dashboard.unstub();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('WEA Nordsee 1');
  });

  test('asks no other host, and complains about nothing', () => dashboard.expectClean());
});
