import { z } from 'zod';
import { LANGUAGES, type Language, type Operation, publicOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { Asset } from '../wire/asset.ts';
import { suggestion } from '../wire/nearest.ts';
import { MEANINGS, text } from '../wire/parameters.ts';
import { pageBundle } from './bundle.ts';
import { APP_HEADERS, writeAppPage } from './page.ts';
import { problemPage } from './problem-page.ts';
import { SESSION_OPERATIONS } from './session.ts';

/** The pages under /app, for people: scripts in the browser that read /v1 with the key of the visitor. */

const common = { method: 'GET', cost: 'cheap', source: 'release', answer: null } as const;

/** The query of a page is read in the browser: links of another release, and parameters that others append, open it all the same. */
const query = z.looseObject({});

const page = { ...common, media: 'text/html', query, languages: LANGUAGES, problemPage } as const;

/** Names of the pages, as they stand in addresses; those that have a page for each id, too. */
export const APP_PAGES = [
  'region',
  'zeitreihe',
  'vergleich',
  'altersstruktur',
  'karte',
  'aenderungen',
  'qualitaet',
  'netz',
  'einheiten',
  'ausschreibungen',
  'portfolio',
  'alarme',
  'daten',
  'konto',
] as const;
export const APP_PAGES_WITH_ID = ['einheiten', 'ausschreibungen'] as const;

const pages = new Map<string, Asset>();

async function documentAt(root: string, language: Language): Promise<Asset> {
  const bundle = await pageBundle();
  const id = `${language} ${root}`;
  const known = pages.get(id) ?? new Asset(writeAppPage(bundle, root, language));
  pages.set(id, known);
  return known;
}

/** @throws Problem NOT_FOUND for a page that does not exist */
function checkPage(page: string, names: readonly string[]): void {
  if (names.includes(page)) return;
  const known = suggestion(page, names) || `; there are ${names.join(', ')}`;
  throw new Problem('NOT_FOUND', `There is no page ${page} below /app${known}`);
}

const showStart = publicOperation({
  ...page,
  id: 'app.start',
  path: '/app',
  summary: 'Dashboards in the browser: the first page',
  async handle({ language }) {
    return { headers: APP_HEADERS, body: await documentAt('', language) };
  },
});

const showPage = publicOperation({
  ...page,
  id: 'app.page',
  path: '/app/{page}',
  summary: 'Dashboards in the browser: a page',
  pathParameters: z.strictObject({
    page: text()
      .register(MEANINGS, { type: 'string', enum: [...APP_PAGES] })
      .describe('Name of the page'),
  }),
  problems: ['NOT_FOUND'],
  example: { path: { page: 'zeitreihe' } },
  async handle({ path: { page: name }, language }) {
    checkPage(name, APP_PAGES);
    return { headers: APP_HEADERS, body: await documentAt('../', language) };
  },
});

const showItem = publicOperation({
  ...page,
  id: 'app.item',
  path: '/app/{page}/{id}',
  summary: 'Dashboards in the browser: the page of one unit, or of one tender',
  pathParameters: z.strictObject({
    page: text()
      .register(MEANINGS, { type: 'string', enum: [...APP_PAGES_WITH_ID] })
      .describe('Name of the page'),
    id: text().describe('Number of the unit, or id of the tender'),
  }),
  problems: ['NOT_FOUND'],
  example: { path: { page: 'einheiten', id: 'SEE900000000001' } },
  async handle({ path: { page: name }, language }) {
    checkPage(name, APP_PAGES_WITH_ID);
    return { headers: APP_HEADERS, body: await documentAt('../../', language) };
  },
});

const showFile = publicOperation({
  ...common,
  id: 'app.file',
  path: '/app/files/{file}',
  summary: 'A file that the pages under /app load',
  pathParameters: z.strictObject({ file: text().describe('Name of the file, with a digest of its content') }),
  media: '*/*',
  problems: ['NOT_FOUND'],
  async handle({ path: { file } }) {
    const found = (await pageBundle()).files.get(file);
    if (found === undefined) {
      throw new Problem(
        'NOT_FOUND',
        `The pages have no file ${file}; a page that was opened before an update is loaded anew`,
      );
    }
    return {
      media: found.media,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      body: found.asset,
    };
  },
});

export const APP_OPERATIONS: readonly Operation[] = [...SESSION_OPERATIONS, showStart, showFile, showPage, showItem];
