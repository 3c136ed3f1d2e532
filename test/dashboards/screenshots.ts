import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { CHROMIUM, QUIET } from '../support/browser.ts';

/**
 * `npm run screenshots`: pictures of all pages for docs/dashboards.md, of the service that runs at API (default:
 * http://127.0.0.1:8080) with the key KEY (default: that of the demo organisation).
 */

const API = process.env.API ?? 'http://127.0.0.1:8080';
const KEY = process.env.KEY ?? readFileSync('var/demo-key', 'utf8').trim();
const FOLDER = 'docs/dashboards';

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
}

const PICTURES: readonly Picture[] = [
  { name: 'ueberblick', path: '' },
  { name: 'region', path: '/region?region=landkreis:08118&vergleich=landkreis:07232,landkreis:03241' },
  { name: 'zeitreihe', path: '/zeitreihe' },
  { name: 'altersstruktur', path: '/altersstruktur' },
  { name: 'karte', path: '/karte' },
  { name: 'einheiten', path: '/einheiten?einheitTyp=wind&sort=bruttoleistungKw:desc' },
  { name: 'ausschreibungen', path: '/ausschreibungen' },
  { name: 'portfolio', path: '/portfolio' },
  { name: 'daten', path: '/daten' },
  { name: 'konto', path: '/konto' },
  { name: 'karte-dunkel', path: '/karte', scheme: 'dark' },
  { name: 'ueberblick-telefon', path: '', width: 390 },
];

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const busy = page.locator('[aria-busy=true], .state.waiting');
  while ((await busy.count()) > 0) await page.waitForTimeout(100);
  // Charts are drawn in the turn after their answer.
  await page.waitForTimeout(400);
}

mkdirSync(FOLDER, { recursive: true });
const context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'browser-')), {
  executablePath: CHROMIUM,
  args: QUIET,
  locale: 'de-DE',
  reducedMotion: 'reduce',
});
const page = await context.newPage();
for (const { name, path, scheme = 'light', width = 1440 } of PICTURES) {
  await page.setViewportSize({ width, height: width < 600 ? 844 : 1000 });
  await page.emulateMedia({ colorScheme: scheme });
  await page.goto('about:blank');
  await page.goto(`${API}/app${path}#key=${KEY}`);
  await settle(page);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}
await context.close();
