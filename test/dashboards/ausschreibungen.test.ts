import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day } from '../../dashboards/web/format/dates.ts';
import { fixed, megawatts } from '../../dashboards/web/format/numbers.ts';
import type { Award, TenderRound } from '../../dashboards/web/v1/tender-answers.ts';
import { type Dashboard, hasBrowser, openDashboard, problem, SIZES, settled } from '../support/dashboard.ts';
import { factsOf, HOSTILE, isTooWide, rowsOf } from '../support/dashboard-tables.ts';

const ROUND = 2020020120;

describe.skipIf(!hasBrowser)('the pages of the tenders (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  beforeEach(() => dashboard.unstub());
  afterAll(() => dashboard?.close());

  const mw = (kw: number | null): string => (kw === null ? '–' : megawatts(kw / 1000));
  const cents = (value: number | null): string => (value === null ? '–' : fixed(value, 2));

  test('show the rounds of a technology with the figures of the interface, and lead to their awards', async () => {
    const { page } = dashboard;
    await dashboard.visit('/ausschreibungen');
    const { data: all }: { data: TenderRound[] } = await dashboard.api('/v1/ausschreibungen?technologie=WIND');
    const data = all.filter(({ ergebnis }) => ergebnis !== 'ANGEKUENDIGT');
    expect((await rowsOf(page, 'Gebotstermine:')).slice(1).map(([date, , ...cells]) => [date, ...cells])).toEqual(
      data.map((round) => [
        day(round.datum),
        mw(round.volumenAusgeschriebenKw),
        mw(round.volumenBeworbenKw),
        mw(round.volumenBezuschlagtKw),
        round.volumenBeworbenKw === null || round.volumenAusgeschriebenKw === null
          ? '–'
          : `${fixed(round.volumenBeworbenKw / round.volumenAusgeschriebenKw, 2)}\u202f×`,
        cents(round.gebotNiedrigstesCtKwh),
        cents(round.zuschlagswertDurchschnittCtKwh),
        cents(round.gebotHoechstesCtKwh),
        cents(round.hoechstwertCtKwh),
        { VORHANDEN: 'liegt vor', NICHT_GELADEN: 'nicht geladen' }[round.ergebnis],
      ]),
    );
    expect((await rowsOf(page, 'Gebotswerte je')).slice(1)[0]).toEqual(['01.05.2017', '4,2', '5,71', '5,78', '7']);
    expect((await factsOf(page))['Letztes Ergebnis']).toBe('01.05.2023');
    await page.getByRole('link', { name: '01.05.2017' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('Gebotstermin 01.05.2017');
  });

  test('keep the technology in the address, and choose it by keyboard', async () => {
    const { page } = dashboard;
    const title = () => page.getByRole('figure').first().getByRole('heading').innerText();
    await dashboard.visit('/ausschreibungen');
    await page.getByRole('radio', { name: 'Windenergie an Land' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(title).toContain('Solar, erstes Segment');
    expect(new URL(page.url()).search).toBe('?technologie=SOLAR_FREIFLAECHE');
    await page.reload();
    await settled(page);
    expect(await title()).toContain('Solar, erstes Segment');
    await page.goBack();
    await expect.poll(title).toContain('Windenergie an Land');
    await dashboard.visit('/ausschreibungen?technologie=GEMEINSAM');
    expect(await page.getByRole('figure', { name: 'Mengen je' }).innerText()).toContain('Zu keinem Termin');
  });

  test('list the dates that lie ahead, apart from those whose result is not loaded', async () => {
    const { page } = dashboard;
    const round = (datum: string): TenderRound => ({
      ...{
        id: Number(`${datum.replaceAll('-', '')}10`),
        technologie: 'WIND',
        datum,
        status: 'PENDING',
        ergebnis: datum < '2099' ? 'NICHT_GELADEN' : 'ANGEKUENDIGT',
        bezeichnung: null,
      },
      ...{ zuschlaege: null, volumenBeworbenKw: null, volumenBezuschlagtKw: null, volumenAusgeschriebenKw: null },
      ...{
        gebotNiedrigstesCtKwh: null,
        gebotHoechstesCtKwh: null,
        zuschlagswertDurchschnittCtKwh: null,
        hoechstwertCtKwh: null,
      },
    });
    const data = ['2099-05-01', '2099-02-01', '2020-02-01'].map(round);
    await dashboard.stub(/^\/v1\/ausschreibungen$/, { body: { data, meta: { count: 3, complete: true } } });
    await dashboard.visit('/ausschreibungen');
    const ahead = page.getByRole('figure', { name: 'Angekündigte Termine' }).getByRole('listitem');
    expect(await ahead.allInnerTexts()).toEqual(['01.02.2099', '01.05.2099']);
    expect((await rowsOf(page, 'Gebotstermine:')).slice(1).map((cells) => cells[0])).toEqual(['01.02.2020']);
  });

  test('show the awards of a date: as table, as map, and how exactly their places are known', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/ausschreibungen/${ROUND}`);
    const { data }: { data: Award[] } = await dashboard.api(`/v1/ausschreibungen/${ROUND}/zuschlaege`);
    const rows = (await rowsOf(page, /^Zuschläge:/)).slice(1);
    expect(rows.map(([number, state]) => [number, state])).toEqual(
      data.map(({ zuschlagsnummer, bundesland }) => [zuschlagsnummer, bundesland ?? '–']),
    );
    expect(await rowsOf(page, 'Wie genau')).toEqual([
      ['Genauigkeit', 'Zuschläge'],
      ['Die Einheit selbst', '1'],
      ['Flurstück', '0'],
      ['Mitte der Gemarkung', '1'],
      ['Mitte der Gemeinde', '0'],
      ['Mitte des Landkreises', '0'],
      ['Ohne Ort', '2'],
    ]);
    expect(await page.getByRole('figure', { name: 'Orte der' }).innerText()).toMatch(/2\sZuschläge stehen nicht auf/);
    expect(await page.locator('.map .point').count()).toBe(2);
    const link = page.getByRole('link', { name: 'SEE900000000017' });
    expect(await link.getAttribute('href')).toBe('/app/einheiten/SEE900000000017');
  });

  test('filter awards by state as the interface does, with the state in the address', async () => {
    const { page } = dashboard;
    await dashboard.visit(`/ausschreibungen/${ROUND}`);
    await page.getByLabel('Bundesland').selectOption('Bayern');
    expect(new URL(page.url()).search).toBe('?bundesland=Bayern');
    await page.reload();
    await settled(page);
    const { data } = await dashboard.api(`/v1/ausschreibungen/${ROUND}/zuschlaege?bundesland=Bayern`);
    expect((await rowsOf(page, /^Zuschläge:/)).slice(1).map((cells) => cells[0])).toEqual(
      data.map((award: Award) => award.zuschlagsnummer),
    );
  });

  test('read long lists page by page, with progress, and keep hostile names as text', async () => {
    const { page } = dashboard;
    const { data } = await dashboard.api(`/v1/ausschreibungen/${ROUND}/zuschlaege`);
    const award = { ...data[0], zuschlagsnummer: HOSTILE, gemeinde: HOSTILE, flurstueck: HOSTILE };
    const answer = (id: number, hasMore: boolean) => ({
      data: [{ ...award, id }],
      meta: { count: 1, hasMore, cursor: hasMore ? 'next' : null, truncated: false },
    });
    await dashboard.stub(/zuschlaege\?limit=250$/, { body: answer(1, true) });
    await dashboard.stub(/zuschlaege\?limit=250&cursor=next$/, { body: answer(2, false), delayMilliseconds: 1500 });
    await page.setViewportSize(SIZES.phone);
    await page.goto(`${dashboard.service.url}/app/ausschreibungen/${ROUND}`);
    await page.getByText('1 von 4 geladen').first().waitFor();
    await settled(page);
    expect((await rowsOf(page, /^Zuschläge:/)).slice(1).map((cells) => cells[0])).toEqual([HOSTILE, HOSTILE]);
    expect(await page.title()).not.toContain('hacked');
    expect(await isTooWide(page)).toBe(false);
  });

  test('say what a module would show, what went wrong, and go on by themselves after a limit', async () => {
    const { page } = dashboard;
    await dashboard.stub(
      /^\/v1\/ausschreibungen/,
      problem(403, 'MISSING_MODULE', 'The module ausschreibungen is not booked'),
    );
    await dashboard.visit('/ausschreibungen');
    expect(await page.getByRole('figure', { name: 'Mengen je' }).innerText()).toContain(
      'Das Modul „Ausschreibungen“ ist nicht gebucht',
    );
    await dashboard.unstub();
    await dashboard.visit('/ausschreibungen/1');
    expect(await page.getByRole('alert').innerText()).toContain('Einen Gebotstermin mit dieser Nummer gibt es nicht');
    expect(await page.getByRole('figure').count()).toBe(0);
    await dashboard.stub(/zuschlaege/, problem(500, 'INTERNAL_ERROR', 'Something broke'));
    await dashboard.visit('/ausschreibungen/2020020120');
    // Three figures need the one answer: the reason is said once.
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([
      expect.stringContaining('Der Dienst hat einen Fehler'),
    ]);
    expect(await page.getByText('Aus demselben Grund').allInnerTexts()).toEqual([
      expect.stringMatching(/^Aus demselben Grund sieht man .+ nicht\.$/),
      expect.stringContaining('die Zuschläge'),
    ]);
    await dashboard.unstub();
    const retryAfter = Date.now() + 1500;
    await dashboard.stub(
      /^\/v1\/ausschreibungen$/,
      problem(429, 'RATE_LIMITED', 'Too many', { retryable: true, retryAfter }),
    );
    await page.goto(`${dashboard.service.url}/app/ausschreibungen`);
    await page.getByText('Es geht in').first().waitFor();
    await dashboard.unstub();
    await settled(page);
    expect((await rowsOf(page, 'Gebotstermine:')).length).toBeGreaterThan(1);
  });

  test('ask no other host, and complain about nothing', () => dashboard.expectClean());
});
