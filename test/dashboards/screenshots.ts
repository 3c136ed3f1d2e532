import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { CHROMIUM, QUIET } from '../support/browser.ts';

/**
 * `npm run screenshots`, or `npm run screenshots -- karte konto` for some: pictures of all pages for docs/dashboards.md, of the service that runs at API (default:
 * http://127.0.0.1:8080) with the key KEY (default: that of the demo organisation). The service has the sample register:
 * the unit and the round are of it. An empty portfolio is filled first, so that there is something to be seen.
 */

const API = process.env.API ?? 'http://127.0.0.1:8080';
const KEY = process.env.KEY ?? readFileSync('var/demo-key', 'utf8').trim();
const FOLDER = 'docs/dashboards';

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  /** Less than usual where there is so much to be seen that the file would be large. */
  readonly height?: number;
  /** The part of the page that is taken, also where it goes beyond the window; default: what the window shows. */
  readonly only?: string;
}

const PICTURES: readonly Picture[] = [
  { name: 'ueberblick', path: '' },
  { name: 'region', path: '/region?region=landkreis:08118&vergleich=landkreis:07232,landkreis:03241' },
  { name: 'zeitreihe', path: '/zeitreihe' },
  {
    name: 'vergleich',
    path: '/vergleich?orte=landkreis:08118,bundesland:Baden-Württemberg,deutschland&reihe=bestand',
    height: 1080,
  },
  { name: 'altersstruktur', path: '/altersstruktur' },
  { name: 'karte', path: '/karte', width: 1120, height: 640, only: '.figure' },
  { name: 'qualitaet', path: '/qualitaet' },
  { name: 'netz', path: '/netz?netzbetreiber=Netze%20Region%20Hannover%20GmbH' },
  {
    name: 'einheiten',
    path: '/einheiten?einheitTyp=wind&bundesland=Niedersachsen&sort=bruttoleistungKw:desc',
    height: 900,
  },
  { name: 'einheit', path: '/einheiten/SEE997929133778', height: 900 },
  { name: 'ausschreibungen', path: '/ausschreibungen' },
  { name: 'ausschreibung', path: '/ausschreibungen/2023050110', height: 940 },
  { name: 'portfolio', path: '/portfolio' },
  { name: 'daten', path: '/daten' },
  { name: 'alarme', path: '/alarme' },
  { name: 'konto', path: '/konto', height: 900 },
  { name: 'karte-dunkel', path: '/karte', scheme: 'dark', width: 1120, height: 640, only: '.figure' },
  { name: 'ueberblick-telefon', path: '', width: 390, height: 844 },
];

/** Large units of several carriers, as a utility might have them. */
async function fillPortfolio(): Promise<void> {
  const ask = async (path: string, init: { method?: string; body?: string } = {}) => {
    const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${API}/v1/${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    return (await response.json()) as { data: { mastrNummer: string }[] };
  };
  const { data: present } = await ask('portfolio');
  if (present.length > 0) return;
  const entries = [];
  for (const [carrier, relationType, units] of OWNED) {
    const { data } = await ask(`units?einheitTyp=${carrier}&sort=bruttoleistungKw:desc&limit=${units}`);
    entries.push(...data.map(({ mastrNummer }) => ({ mastrNummer, relationType })));
  }
  await ask('portfolio', { method: 'POST', body: JSON.stringify({ entries }) });
}

const OWNED = [
  ['solar', 'DIRECT_MARKETING', 30],
  ['biomass', 'OPERATOR', 8],
  ['storage', 'OPERATOR', 6],
  ['wind', 'OPERATOR', 24],
] as const;

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const busy = page.locator('[aria-busy=true], .state.waiting');
  while ((await busy.count()) > 0) await page.waitForTimeout(100);
  // Charts are drawn in the turn after their answer.
  await page.waitForTimeout(400);
}

mkdirSync(FOLDER, { recursive: true });
const wanted = process.argv.slice(2);
const pictures = PICTURES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (pictures.some(({ name }) => name === 'portfolio')) await fillPortfolio();
const context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'browser-')), {
  executablePath: CHROMIUM,
  // Fields for days are written as the language of the browser has them, not that of the page.
  args: [...QUIET, '--lang=de-DE'],
  env: { ...process.env, LANGUAGE: 'de' },
  locale: 'de-DE',
  reducedMotion: 'reduce',
});
const page = await context.newPage();
for (const { name, path, scheme = 'light', width = 1440, height = 1000, only } of pictures) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
  await page.goto('about:blank');
  await page.goto(`${API}/app${path}#key=${KEY}`);
  await settle(page);
  const picture = only === undefined ? page : page.locator(only).first();
  await picture.screenshot({ path: join(FOLDER, `${name}.png`) });
}
await context.close();
