import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { publicOperation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { Asset } from '../wire/asset.ts';
import { MEANINGS, text } from '../wire/parameters.ts';

/** The page on which the interface is read and tried: Swagger UI from its package, and nothing from an outside host. */

const packages = createRequire(import.meta.url);
const own = (name: string): Buffer => readFileSync(new URL(`page/${name}`, import.meta.url));
const packaged = (name: string): Buffer => readFileSync(packages.resolve(`swagger-ui-dist/${name}`));

/** Media type and content of the files that the page loads, by name. */
const FILES = new Map<string, readonly [media: string, asset: Asset]>([
  ['start.js', ['text/javascript', new Asset(own('start.js'))]],
  ['swagger-ui-bundle.js', ['text/javascript', new Asset(packaged('swagger-ui-bundle.js'))]],
  ['swagger-ui.css', ['text/css', new Asset(packaged('swagger-ui.css'))]],
  ['favicon-32x32.png', ['image/png', new Asset(packaged('favicon-32x32.png'))]],
]);

/** The page names its files with their digests, so that a browser may keep them for good. */
const page = new Asset(
  own('index.html')
    .toString()
    .replaceAll(/(?<="docs\/)([a-z0-9-]+)(\.[a-z]+)(?=")/g, (name, stem, extension) => {
      const file = FILES.get(name);
      if (file === undefined) throw new Error(`The page loads ${name}, which it does not have`);
      return `${stem}.${file[1].digest}${extension}`;
    }),
);

const WITH_DIGEST = /^(?<stem>[a-z0-9-]+)\.(?<digest>[0-9a-f]{16})(?<extension>\.[a-z]+)$/;

/** A file may be kept for good when its address has its digest; otherwise a browser asks each time whether it has changed. */
const cacheControlOf = ({ digest }: Asset, requested: string | undefined): string =>
  requested === digest ? 'public, max-age=31536000, immutable' : 'public, no-cache';

/** Allows what the page needs and no more: its own scripts, and calls to this service. */
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
  cost: 'cheap',
  source: 'release',
} as const;

export const showPage = publicOperation({
  ...common,
  id: 'docs.page',
  path: '/docs',
  summary: 'Page on which the interface is read and tried',
  media: 'text/html',
  answer: null,
  async handle() {
    return { headers: { 'Content-Security-Policy': POLICY }, body: page };
  },
});

export const showPageFile = publicOperation({
  ...common,
  id: 'docs.file',
  path: '/docs/{file}',
  summary: 'A file of the page',
  pathParameters: z.strictObject({
    file: text()
      .register(MEANINGS, { type: 'string', enum: [...FILES.keys()] })
      .describe('Name of the file; the page has its digest before the ending, and such an answer can be kept for good'),
  }),
  media: '*/*',
  answer: null,
  problems: ['NOT_FOUND'],
  example: { path: { file: 'start.js' } },
  async handle({ path: { file } }) {
    const { stem, digest, extension } = WITH_DIGEST.exec(file)?.groups ?? {};
    const name = stem === undefined ? file : `${stem}${extension}`;
    // Another release at the same address may have another digest: it answers with its own file.
    const found = FILES.get(name);
    if (found === undefined) throw new Problem('NOT_FOUND', `The page has no file ${file}`);
    const [media, asset] = found;
    return { media, headers: { 'Cache-Control': cacheControlOf(asset, digest) }, body: asset };
  },
});
