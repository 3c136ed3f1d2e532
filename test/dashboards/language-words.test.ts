import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawn } from '../support/cases.ts';
import { type Dashboard, hasBrowser, openDashboard } from '../support/dashboard.ts';
import { giveOwnRecords, VISITED } from '../support/dashboard-pages.ts';
import { sticksOut } from '../support/dashboard-tables.ts';

/** No page has words of the other language, but for what register, interface and operators say in their own. */

const GERMAN =
  /(?<![\p{L}\d_-])(und|oder|der|die|das|den|dem|des|ein|eine|einer|ist|sind|nicht|kein|keine|mit|ohne|von|vom|bis|für|nach|aus|zum|zur|je|ab|über|unter|wird|werden|alle|nur|Leistung|Einheit|Einheiten|Anlage|Anlagen|Zubau|Abbau|Bestand|Netto|Speicher|Energieträger|Zeitraum|Ort|Orte|Gemeinde|Gemeinden|Landkreis|Bundesland|Karte|Daten|Stand|Quelle|Tabelle|Anfrage|Anfragen|Region wählen|Name des|Jahr|Jahre|Monat|Monate|Quartal|Zuschlag|Zuschläge|Gebotstermin|Signale|Schlüssel|Konto|Alarm|Alarme|Filter wählen|Wert|Anzahl|Alter|Regel|Regeln|Fehler|Warnung|Hinweis|Deutschland|Überblick|Vergleich|Suche|Zeigen|Speichern|Abbrechen|In Betrieb|In Planung)(?![\p{L}\d_-])/u;

const ENGLISH =
  /(?<![\p{L}\d_-])(and|or|the|of|is|are|not|none|with|without|from|for|by|which|this|units?|power|carriers?|added|removed|stock|storage|place|places|municipality|district|state|map|source|table|requests?|year|years|month|months|quarter|awards?|signals|rules?|error|warning|account|alerts?|value|number|overview|comparison|search|save|cancel)(?![\p{L}\d_-])/iu;

/** Names, of places, units, authorities and of the interface, which are the same in both languages. */
const NAMES =
  /\p{Lu}\p{L}+ (an|in) (der|dem) \p{Lu}\p{L}+|Bundesamts? für Kartographie und Geodäsie|Speicher Köln|Neue Speicher|`[^`]+`|\(Landkreis\)|alert\.triggered|\w+=[\w&=]+|[a-z]+_[a-z_]+/gu;

/** Texts of the page, without what says itself that it is in another language, what is code, and what the test wrote. */
const TEXTS = `(() => {
  const foreign = 'code, pre, script, style, noscript, textarea, bdi, [lang]:not(html)';
  const isDrawn = (element) => element.closest('svg') !== null && element.localName === 'g';
  const texts = [];
  const walk = (element) => {
    if (element.matches(foreign)) return;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      const text = isDrawn(element) ? null : element.getAttribute(name);
      if (text) texts.push(text);
    }
    for (const child of element.childNodes) {
      if (child.nodeType === 3 && child.data.trim() !== '') texts.push(child.data.trim());
      if (child.nodeType === 1) walk(child);
    }
  };
  walk(document.body);
  return texts;
})()`;

describe.skipIf(!hasBrowser)('the words of a page (skipped without Chromium)', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
    await giveOwnRecords(dashboard.service);
  });
  afterAll(() => dashboard?.close());

  const wordsIn = async (path: string, language: 'de' | 'en', foreign: RegExp): Promise<readonly string[]> => {
    await dashboard.visit(`${path}${path.includes('?') ? '&' : '?'}sprache=${language}`);
    expect(await dashboard.page.locator('html').getAttribute('lang')).toBe(language);
    const texts: string[] = await dashboard.page.evaluate(TEXTS);
    expect(texts.length).toBeGreaterThan(10);
    return [...new Set(texts.map((text) => text.replaceAll(NAMES, '')).filter((text) => text.search(foreign) >= 0))];
  };

  test.each(drawn(VISITED, VISITED.length / 2))('are English: $path', async ({ path }) => {
    expect(await wordsIn(path, 'en', GERMAN)).toEqual([]);
    await dashboard.page.setViewportSize({ width: 320, height: 640 });
    expect(await sticksOut(dashboard.page)).toEqual([]);
  });

  test.each(drawn(VISITED, VISITED.length / 2, 1))('are German: $path', async ({ path }) => {
    expect(await wordsIn(path, 'de', ENGLISH)).toEqual([]);
  });

  const NOWHERE = [
    '/region?region=landkreis:99999',
    '/zeitreihe?region=gemeinde:Nirgendwo',
    '/altersstruktur?region=bundesland:Bayernn',
    '/vergleich?orte=plz:00000',
  ];

  test.each(NOWHERE)('tell of a place that the register does not have, and lead on without it: %s', async (path) => {
    const told = async (language: 'de' | 'en') => {
      await dashboard.visit(`${path}&sprache=${language}`);
      return dashboard.page.getByRole('alert').innerText();
    };
    expect(await told('de')).toMatch(/in dem das Register keine Einheit hat|in der das|unter denen das/);
    expect(await told('en')).toMatch(/names .+ (in|under) which the register has no unit/);
    expect(await wordsIn(path, 'en', GERMAN)).toEqual([]);
    await dashboard.page.getByRole('link', { name: 'Open without this part' }).click();
    await expect.poll(() => dashboard.page.getByRole('alert').count()).toBe(0);
    expect(new URL(dashboard.page.url()).search).toBe('?sprache=en');
  });

  test('nothing on the pages complains', () => dashboard.expectClean());
});
