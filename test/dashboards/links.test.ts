import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drawn } from '../support/cases.ts';
import { type Dashboard, hasBrowser, openDashboard, settled } from '../support/dashboard.ts';

/** A link that a page cannot follow is refused in words: without a part of it, something else would be shown than was meant. */

const UNIT = '/einheiten/SEE900000000001';
const ROUND = '/ausschreibungen/2020020120';

/** Links with the names of their faulty parts, and a part of what is said about each. */
const REFUSED: readonly (readonly [link: string, said: string])[] = [
  ['?nichts=1', 'nichts=1 so heißt hier keine Angabe'],
  ['?regionen=plz:8', 'gemeint ist vielleicht „region“'],
  ['?traeger=wind,wasser', 'traeger=wind,wasser verlangt eine Auswahl aus solar, wind'],
  ['/region?region=erdteil:Europa', 'verlangt einen Ort wie bundesland:Bayern'],
  ['/region?region=plz:8a', 'verlangt einen Ort'],
  ['/region?region=plz:1&region=plz:2', 'steht mehrmals im Link'],
  ['/region?vergleich=plz:1,plz:2,plz:3,plz:4', 'verlangt höchstens 3 Orte'],
  ['/zeitreihe?periode=woche', 'verlangt eines von quartal, monat, jahr'],
  ['/zeitreihe?von=2024-02-30', 'verlangt einen Tag wie 2026-11-01, von 1850 bis 2199'],
  ['/zeitreihe?bis=9999-01-01', 'verlangt einen Tag'],
  ['/zeitreihe?kumuliert=true', 'verlangt ja oder nein'],
  ['/zeitreihe?reihen=', 'verlangt eine Auswahl aus zubau'],
  ['/vergleich?orte=plz:1,plz:2,plz:3,plz:4,plz:5,plz:6,plz:7,plz:8,plz:9', 'verlangt höchstens 8 Orte'],
  ['/vergleich?traeger=wasser', 'verlangt eine Auswahl aus solar'],
  ['/vergleich?bezug=einwohner', 'verlangt eines von kopf, absolut'],
  ['/altersstruktur?wert=kw', 'verlangt eines von mw, anzahl'],
  ['/karte?region=plz:80', 'verlangt einen Ort der Karte'],
  ['/karte?region=landkreis:Aurich', 'verlangt einen Ort der Karte'],
  ['/karte?ebene=kreis', 'verlangt eines von landkreis'],
  ['/aenderungen?art=neuu', 'verlangt eine Auswahl aus neu, geaendert, entfallen'],
  ['/aenderungen?von=2020-01-01', 'liegt vor dem ersten bekannten Stand'],
  ['/aenderungen?suche=wind', 'so heißt hier keine Angabe'],
  ['/qualitaet?traeger=windd', 'verlangt eines von solar'],
  ['/qualitaet?regel=quatsch', 'verlangt eine Regel der Liste'],
  ['/qualitaet?portfolio=1', 'verlangt true'],
  ['/netz?traeger=windd', 'verlangt eines von solar'],
  ['/netz?seit=gestern', 'verlangt einen Tag'],
  ['/einheiten?bruttoleistungMinKw=abc', 'so heißt hier keine Angabe; gemeint ist vielleicht „leistungMinKw“'],
  ['/einheiten?leistungMinKw=abc', 'verlangt eine Zahl wie 750 oder 0.6'],
  ['/einheiten?inbetriebnahmeVon=gestern', 'verlangt einen Tag wie 2026-11-01'],
  ['/einheiten?buergerenergie=ja', 'verlangt true oder false'],
  ['/einheiten?einheitTyp=windd', 'verlangt eines oder mehrere von'],
  ['/einheiten?leistungMinKw=1&leistungMinKw=2', 'steht mehrmals im Link'],
  ['/einheiten?bundesland=', 'verlangt einen Wert'],
  ['/einheiten?bundesland=Bayern&bundesland=', 'steht mehrmals im Link'],
  ['/einheiten?fields=name,nichts', 'verlangt Felder'],
  ['/einheiten?include=nichts', 'verlangt eines oder mehrere von'],
  ['/einheiten?seite=3', 'führt nur mit dem cursor dieser Seite weiter'],
  ['/einheiten?sprache=fr', 'verlangt de oder en'],
  ['/daten?sprache=fr', 'verlangt de oder en'],
  ['/karte?sprache=fr', 'verlangt de oder en'],
  ['/aenderungen?seite=3', 'führt nur mit dem cursor dieser Seite weiter'],
  ['/qualitaet?seite=3', 'führt nur mit dem cursor dieser Seite weiter'],
  ['/einheiten?seite=zwei', 'verlangt die Nummer einer Seite'],
  [`${UNIT}?leer=1`, 'verlangt ja oder nein'],
  ['/ausschreibungen?technologie=WASSER', 'verlangt eines von WIND'],
  [`${ROUND}?land=Bayern`, 'so heißt hier keine Angabe'],
  ['/daten?x=1', 'so heißt hier keine Angabe'],
  ['/portfolio?rolle=CHEF', 'verlangt eines von OPERATOR'],
  ['/portfolio?seite=0', 'verlangt die Nummer einer Seite'],
  ['/konto?tage=5', 'verlangt eine Zahl von Tagen: 7, 1, 29'],
];

const NOWHERE: readonly (readonly [link: string, said: string])[] = [
  ['?region=landkreis:99999', 'region=landkreis:99999 nennt einen Kreis, in dem das Register keine Einheit hat'],
  ['/region?region=bundesland:Bayren', 'in dem das Register keine Einheit hat; gemeint ist vielleicht „Bayern“'],
  [
    '/region?region=bundesland:Bayern&vergleich=plz:1,gemeinde:Atlantis',
    'vergleich=gemeinde:Atlantis nennt eine Gemeinde',
  ],
  ['/vergleich?orte=deutschland,landkreis:99999', 'orte=landkreis:99999 nennt einen Kreis'],
  ['/zeitreihe?region=plz:00000', 'nennt Postleitzahlen, unter denen das Register keine Einheit hat'],
  ['/altersstruktur?region=gemeinde:99999999', 'nennt eine Gemeinde'],
  ['/karte?region=landkreis:99999', 'nennt einen Kreis'],
  [`${ROUND}?bundesland=Atlantis`, 'bundesland=Atlantis nennt ein Bundesland'],
  ['/region?region=landkreis:-', 'nennt einen Kreis'],
];

describe.skipIf(!hasBrowser)('a link (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  /** Paths that the page asked the interface for. */
  let asked: string[] = [];
  beforeAll(async () => {
    dashboard = await openDashboard();
    dashboard.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/v1\/(units$|units\/SEE|region|aggregations|portfolio|events|ausschreibungen\/)/.test(pathname))
        asked.push(pathname);
    });
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => dashboard?.close());

  const refusal = async (): Promise<string> =>
    (await dashboard.page.getByRole('alert').innerText()).replaceAll('\n', ' ');

  test.each(drawn([...REFUSED, ...NOWHERE], 20))(
    'is refused in words, and nothing is asked for: %s',
    async (link, said) => {
      const { page } = dashboard;
      await dashboard.visit(link);
      expect(await refusal()).toContain(said);
      expect([await page.locator('.figure').count(), asked]).toEqual([0, []]);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    },
  );

  test('that is refused leads to the page without what was wrong, and keeps the rest', async () => {
    const { page } = dashboard;
    await dashboard.visit('/einheiten?einheitTyp=hydro&bruttoleistungMinKw=abc&leistungMaxKw=viel');
    expect(await refusal()).toMatch(/bruttoleistungMinKw=abc .+ leistungMaxKw=viel /);
    await page.getByRole('link', { name: 'Ohne diese Angaben öffnen' }).click();
    await settled(page);
    expect(new URL(page.url()).search).toBe('?einheitTyp=hydro');
    expect(await page.locator('.figure .unit').innerText()).toMatch(/^2\sEinheiten/);
    await page.goBack();
    await expect.poll(refusal).toContain('bruttoleistungMinKw');
    await dashboard.visit('?region=plz:00000&traeger=wind');
    await page.getByRole('link', { name: 'Ohne diese Angabe öffnen' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Energieanlagen in Deutschland');
    expect(new URL(page.url()).search).toBe('?traeger=wind');
  });

  test('may write places as the interface does, and lists in several parameters', async () => {
    const { page } = dashboard;
    for (const place of ['landkreis:Aurich', 'landkreis:Aurich, Niedersachsen', 'landkreis:03452', 'plz:2']) {
      await dashboard.visit(`/altersstruktur?region=${place}`);
      expect([place, await page.getByRole('alert').count()]).toEqual([place, 0]);
    }
    await dashboard.visit(
      '/einheiten?einheitTyp=hydro&einheitTyp=nuclear&sort=inbetriebnahmedatum:desc,bruttoleistungKw:asc&limit=2',
    );
    const { data, meta } = await dashboard.api(
      '/v1/units?einheitTyp=hydro,nuclear&sort=inbetriebnahmedatum:desc,bruttoleistungKw:asc&limit=2',
    );
    const numbers = await page.locator('.unit-table tbody tr td:first-child').allInnerTexts();
    expect(numbers).toEqual(data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer));
    expect(await page.locator('.figure .unit').innerText()).toContain(String(meta.page.total));
  });

  test('to a place that cannot be looked up is followed', async () => {
    await dashboard.stub(/^\/v1\/reference/, { status: 403, body: { code: 'MISSING_SCOPE', title: '', status: 403 } });
    await dashboard.visit('/altersstruktur?region=plz:2');
    expect(await dashboard.page.getByRole('heading', { level: 1 }).innerText()).toBe('Altersstruktur: PLZ 2…');
    expect(asked).toContain('/v1/region/altersstruktur');
    await dashboard.unstub();
  });

  test('with a hostile text stays text, and the page its width', async () => {
    const { page } = dashboard;
    const text = encodeURIComponent(`<img src=x onerror="document.title='hacked'">\u202e${'x'.repeat(5000)}`);
    for (const link of [`?${text}=${text}`, `/region?region=bundesland:${text}`]) {
      await dashboard.visit(link, { size: 'phone', scheme: 'dark' });
      expect(await refusal()).toContain('<img src=x');
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      expect([await page.title(), await dashboard.violations()]).toEqual([expect.not.stringContaining('hacked'), []]);
    }
  });

  test('asks no other host, keeps to its policy, and complains about nothing', () => dashboard.expectClean());
});
