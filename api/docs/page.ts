import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { operation } from '../operation.ts';
import { Problem } from '../problem/problem.ts';
import { MEANINGS, text } from '../wire/parameters.ts';

/** The page on which the interface is read and tried: Swagger UI from its package, and nothing from an outside host. */

const packages = createRequire(import.meta.url);
const own = (name: string): Buffer => readFileSync(new URL(`page/${name}`, import.meta.url));

/** Media type and content of the files that the page loads, by name. */
const FILES = new Map<string, readonly [media: string, content: Buffer]>([
  ['start.js', ['text/javascript; charset=utf-8', own('start.js')]],
  [
    'swagger-ui-bundle.js',
    ['text/javascript; charset=utf-8', readFileSync(packages.resolve('swagger-ui-dist/swagger-ui-bundle.js'))],
  ],
  ['swagger-ui.css', ['text/css; charset=utf-8', readFileSync(packages.resolve('swagger-ui-dist/swagger-ui.css'))]],
  ['favicon-32x32.png', ['image/png', readFileSync(packages.resolve('swagger-ui-dist/favicon-32x32.png'))]],
]);

const PAGE = own('index.html').toString();

/** What the page needs and no more: its own scripts, and calls to this service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const common = {
  method: 'GET',
  access: 'public',
  scope: null,
  module: null,
  cost: 'cheap',
  source: 'service',
} as const;

export const showPage = operation({
  ...common,
  id: 'docs.page',
  path: '/docs',
  summary: 'Page on which the interface is read and tried',
  pathParameters: z.strictObject({}),
  query: z.strictObject({}),
  media: 'text/html',
  answer: null,
  async handle() {
    return { headers: { 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' }, body: PAGE };
  },
});

export const showPageFile = operation({
  ...common,
  id: 'docs.file',
  path: '/docs/{file}',
  summary: 'A file of the page',
  pathParameters: z.strictObject({
    file: text()
      .register(MEANINGS, { type: 'string', enum: [...FILES.keys()] })
      .describe('Name of the file'),
  }),
  query: z.strictObject({}),
  media: '*/*',
  answer: null,
  problems: ['NOT_FOUND'],
  example: { path: { file: 'start.js' } },
  async handle({ path: { file } }) {
    const found = FILES.get(file);
    if (found === undefined) throw new Problem('NOT_FOUND', `The page has no file ${file}`);
    const [media, content] = found;
    return { headers: { 'Content-Type': media, 'Cache-Control': 'public, max-age=3600' }, body: content };
  },
});
