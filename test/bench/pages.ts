import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { CHROMIUM, QUIET } from '../support/browser.ts';
import { NotMeasurable } from './support/place.ts';
import { processTree, secondsOfTree } from './support/processes.ts';
import { sampleWarehouse } from './support/sample.ts';
import { type Subject, startSubject, stopSubject } from './support/subject.ts';

/** Measures the pages under /app in Chromium: what a first visit asks for, and how long drawing takes once an answer is there. */

interface Options {
  readonly rounds: number;
  readonly cache: string;
  /** Folder of a warehouse; by default that of the sample. */
  readonly warehouse?: string;
}

/** @throws NotMeasurable without the browser */
export async function benchPages({ rounds, cache, ...choice }: Options): Promise<void> {
  if (!existsSync(CHROMIUM)) throw new NotMeasurable(`There is no ${CHROMIUM}`);
  mkdirSync(cache, { recursive: true });
  const warehouse = choice.warehouse ?? (await sampleWarehouse(cache));
  const folder = mkdtempSync(join(resolve(cache), 'pages-'));
  const settings = { STATE_DIR: folder, WAREHOUSE_URL: `duckdb:${warehouse}`, ORG_STORE_URL: '' };
  const subject = await startSubject('full', settings);
  try {
    const browser = await chromium.launchPersistentContext(join(folder, 'browser'), {
      executablePath: CHROMIUM,
      args: QUIET,
      locale: 'de-DE',
      viewport: { width: 1440, height: 900 },
    });
    try {
      await visitAll(browser, subject);
      await drawAll(browser, subject, rounds);
    } finally {
      await browser.close();
    }
  } finally {
    await stopSubject(subject);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each page as a visitor without anything in the cache meets it. */
async function visitAll(browser: BrowserContext, subject: Subject): Promise<void> {
  const [unit, tender] = [await firstOf(subject, '/v1/units?einheitTyp=wind', 'mastrNummer'), await roundOf(subject)];
  const paths = [
    '',
    '/region',
    '/region?region=bundesland:Bayern',
    '/region?region=landkreis:08118',
    '/region?region=gemeinde:05315000',
    '/zeitreihe',
    '/vergleich',
    '/altersstruktur',
    '/karte',
    '/einheiten',
  ];
  const others = [
    `/einheiten/${unit}`,
    '/ausschreibungen',
    `/ausschreibungen/${tender}`,
    '/daten',
    '/portfolio',
    '/konto',
  ];
  say(
    `${'A first visit'.padEnd(36)}${['expensive', 'standard', 'others', 'server ms', 'CPU ms', 'files kB', 'answers kB'].map(column).join('')}`,
  );
  for (const path of [...paths, ...others]) {
    const page = await browser.newPage();
    const spent = cpuOf(subject);
    const { requests, milliseconds, files, answers } = await traffic(page, () => open(page, subject, path));
    const times = [milliseconds, cpuOf(subject) - spent].map((one) => one.toFixed(0));
    const classes = [requests.expensive, requests.standard, requests.others].map(String);
    say(
      `  ${(path || '/').padEnd(34)}${[...classes, ...times, ...[files, answers].map(kilobytes)].map(column).join('')}`,
    );
    await page.close();
  }
}

/** The drawing that begins when its answer is there. */
interface Drawing {
  readonly name: string;
  /** The page from which a click leads there: the scripts that pages share are loaded, those of this page are not. */
  readonly from: string;
  readonly click: (page: Page) => Promise<void>;
  /** Is there when it is drawn. */
  readonly drawn: string;
  readonly answer: string;
}

const DRAWINGS: readonly Drawing[] = [
  {
    name: 'Karte, 400 districts',
    from: '/daten',
    click: (page) => page.getByRole('navigation').getByRole('link', { name: 'Karte', exact: true }).click(),
    drawn: '.map path[data-key]:nth-child(400)',
    answer: '/v1/aggregations',
  },
  {
    name: 'Einheiten, the first 100 rows',
    from: '/daten',
    click: (page) => page.getByRole('navigation').getByRole('link', { name: 'Einheiten', exact: true }).click(),
    drawn: '.unit-table tbody tr:nth-child(100)',
    answer: '/v1/units?',
  },
  {
    name: 'Einheiten, the next 100 rows',
    from: '/einheiten',
    click: (page) => page.getByRole('button', { name: 'Nächste' }).click(),
    drawn: '.unit-table tbody tr:nth-child(100)',
    answer: '&cursor=',
  },
];

/** Milliseconds: on the clock from the answer to the frame, and processor time of the page's thread from the click to the frame. */
interface Spent {
  readonly wall: number;
  readonly cpu: number;
  readonly script: number;
  readonly style: number;
  readonly layout: number;
}

async function drawAll(browser: BrowserContext, subject: Subject, rounds: number): Promise<void> {
  say(`\n${'Median of rounds, ms'.padEnd(36)}${['wall', 'thread', 'script', 'style', 'layout'].map(column).join('')}`);
  for (const drawing of DRAWINGS) {
    const spent: Spent[] = [];
    for (let round = 0; round < rounds; round++) {
      const page = await browser.newPage();
      await open(page, subject, drawing.from);
      spent.push(await draw(page, drawing));
      await page.close();
    }
    const of = (what: keyof Spent): string => median(spent.map((one) => one[what])).toFixed(0);
    const figures = [of('wall'), of('cpu'), of('script'), of('style'), of('layout')];
    say(`  ${drawing.name.padEnd(34)}${figures.map(column).join('')}`);
  }
}

/** Clicks, and waits for the first frame that has what is to be drawn, and that came after its answer. */
async function draw(page: Page, { click, drawn, answer }: Drawing): Promise<Spent> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metricsOf(session);
  const wall = page.evaluate(
    ({ drawn, answer }) =>
      new Promise<number>((resolve) => {
        const begun = performance.now();
        const look = (): void => {
          const last = performance
            .getEntriesByType('resource')
            .filter(({ name, startTime }) => startTime >= begun && name.includes(answer))
            .at(-1) as PerformanceResourceTiming | undefined;
          const isDrawn = document.querySelector(drawn) !== null && document.querySelector('[aria-busy=true]') === null;
          if (last === undefined || !isDrawn) requestAnimationFrame(look);
          // This runs before the frame is painted, a message after it.
          else {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - last.responseEnd);
            port2.postMessage(null);
          }
        };
        look();
      }),
    { drawn, answer },
  );
  await click(page);
  const milliseconds = await wall;
  const after = await metricsOf(session);
  const of = (name: string): number => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000;
  return {
    wall: milliseconds,
    ...{ cpu: of('TaskDuration'), script: of('ScriptDuration') },
    ...{ style: of('RecalcStyleDuration'), layout: of('LayoutDuration') },
  };
}

async function metricsOf(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

interface Traffic {
  readonly requests: { expensive: number; standard: number; others: number };
  /** What the service says that it took for all of them together. */
  milliseconds: number;
  /** Bytes on the wire. */
  files: number;
  answers: number;
}

/** Requests of the interface by the window in which they count, and bytes of everything. Nothing is taken from the cache. */
async function traffic(page: Page, act: () => Promise<void>): Promise<Traffic> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const seen: Traffic = { requests: { expensive: 0, standard: 0, others: 0 }, milliseconds: 0, files: 0, answers: 0 };
  const isAnswer = new Map<string, boolean>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const asked = new URL(response.url).pathname.startsWith('/v1/');
    isAnswer.set(requestId, asked);
    if (!asked) return;
    const headers = new Headers(response.headers);
    const [, window = 'others'] = /^"(expensive|standard)"/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
    seen.milliseconds += Number(/total;dur=([\d.]+)/.exec(headers.get('server-timing') ?? '')?.[1] ?? 0);
    seen.requests[window as keyof Traffic['requests']] += 1;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    seen[isAnswer.get(requestId) ? 'answers' : 'files'] += encodedDataLength;
  });
  await act();
  return seen;
}

/** A page counts as loaded when nothing has been loading for this long; what follows from an answer is asked for at once. */
const QUIET_MILLISECONDS = 500;

/** Opens a page and waits until nothing has been loading for a while. */
async function open(page: Page, { url, key }: Subject, path: string): Promise<void> {
  await page.goto(`${url}/app${path}#key=${key}`);
  await page.locator('.page-head').waitFor();
  const busy = page.locator('[aria-busy=true], .state.waiting');
  for (let quiet = 0; quiet < QUIET_MILLISECONDS; quiet += 100) {
    if ((await busy.count()) > 0) quiet = 0;
    await page.waitForTimeout(100);
  }
}

async function firstOf({ url, key }: Subject, path: string, field: string): Promise<string> {
  const response = await fetch(`${url}${path}&limit=1`, { headers: { Authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: readonly Record<string, unknown>[] };
  return String(data[0]?.[field]);
}

/** The last tender round whose awards are loaded. */
async function roundOf({ url, key }: Subject): Promise<string> {
  const response = await fetch(`${url}/v1/ausschreibungen`, { headers: { Authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: readonly { id: number; status: string }[] };
  return String(data.findLast(({ status }) => status === 'IMPORTED')?.id);
}

/** Milliseconds of processor time that the service has taken so far. */
const cpuOf = ({ child }: Subject): number => secondsOfTree(processTree(child.pid ?? 0)) * 1000;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0);

const column = (text: string): string => text.padStart(12);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
