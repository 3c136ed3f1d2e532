import { z } from 'zod';
import { type Operation, publicOperation } from '../operation/operation.ts';
import { PAGE_FILES, type PageFile } from '../pages/files.ts';
import { PAGE_POLICY } from '../pages/layout.ts';
import { Problem } from '../problem/problem.ts';
import { suggestion } from '../wire/nearest.ts';
import { MEANINGS, text } from '../wire/parameters.ts';
import { GUIDES } from './guides/documents.ts';
import { NOTEBOOKS } from './guides/notebooks.ts';
import { SEARCH_INDEX, type Site, type SiteOf } from './site.ts';

/** The pages under /docs: made by this service from its own operations and documents, with nothing from outside hosts. */

const common = { method: 'GET', cost: 'cheap', source: 'release' } as const;

/** @throws Problem NOT_FOUND when the site has no such page */
function pageOf(site: Site, path: string) {
  const page = site.page(path);
  if (page === null) throw new Problem('NOT_FOUND', `There is no page /${path}`);
  return { headers: { 'Content-Security-Policy': PAGE_POLICY }, body: page };
}

/** A page at a fixed path. */
const showPage = (siteOf: SiteOf, id: string, path: string, summary: string) =>
  publicOperation({
    ...common,
    id,
    path: `/${path}`,
    summary,
    media: 'text/html',
    answer: null,
    async handle({ service }) {
      return pageOf(siteOf(service.settings), path);
    },
  });

const GUIDE_NAMES = GUIDES.map(({ path }) => path.replace('docs/guides/', ''));

const showGuide = (siteOf: SiteOf) =>
  publicOperation({
    ...common,
    id: 'docs.guide',
    path: '/docs/guides/{guide}',
    summary: 'A guide, rendered from the documents of the service',
    pathParameters: z.strictObject({
      guide: text().register(MEANINGS, { type: 'string', enum: GUIDE_NAMES }).describe('Name of the guide'),
    }),
    media: 'text/html',
    answer: null,
    problems: ['NOT_FOUND'],
    example: { path: { guide: 'region-analysts' } },
    async handle({ path: { guide }, service }) {
      if (!GUIDE_NAMES.includes(guide)) {
        throw new Problem(
          'NOT_FOUND',
          `There is no guide ${guide}${suggestion(guide, GUIDE_NAMES) || `; there are ${GUIDE_NAMES.join(', ')}`}`,
        );
      }
      return pageOf(siteOf(service.settings), `docs/guides/${guide}`);
    },
  });

const showOperation = (siteOf: SiteOf, operations: () => readonly Operation[]) =>
  publicOperation({
    ...common,
    id: 'docs.operation',
    path: '/docs/reference/{operation}',
    summary: 'The page of one operation',
    pathParameters: z.strictObject({
      operation: text().describe('`operationId` of the OpenAPI document, such as `units.list`'),
    }),
    media: 'text/html',
    answer: null,
    problems: ['NOT_FOUND'],
    example: { path: { operation: 'units.list' } },
    async handle({ path: { operation }, service }) {
      const names = operations().map(({ id }) => id);
      if (!names.includes(operation)) {
        throw new Problem(
          'NOT_FOUND',
          `There is no operation ${operation}${suggestion(operation, names) || '; GET /docs lists them'}`,
        );
      }
      return pageOf(siteOf(service.settings), `docs/reference/${operation}`);
    },
  });

const WITH_DIGEST = /^(?<stem>[a-z0-9-]+)\.(?<digest>[0-9a-f]{16})(?<extension>\.[a-z]+)$/;

/** A file may be kept for good when its address has its digest; otherwise a browser asks each time whether it has changed. */
const cacheControlOf = ({ asset }: PageFile, requested: string | undefined): string =>
  requested === asset.digest ? 'public, max-age=31536000, immutable' : 'public, no-cache';

const showFile = (siteOf: SiteOf) =>
  publicOperation({
    ...common,
    id: 'docs.file',
    path: '/docs/files/{file}',
    summary: 'A file that the pages load, or a notebook',
    pathParameters: z.strictObject({
      file: text()
        .register(MEANINGS, { type: 'string', enum: [...PAGE_FILES.keys(), SEARCH_INDEX, ...NOTEBOOKS.keys()] })
        .describe('Name of the file; pages have its digest before the ending, and such an answer can be kept for good'),
    }),
    media: '*/*',
    answer: null,
    problems: ['NOT_FOUND'],
    example: { path: { file: 'page.js' } },
    async handle({ path: { file }, service }) {
      const { stem, digest, extension } = WITH_DIGEST.exec(file)?.groups ?? {};
      const name = stem === undefined ? file : `${stem}${extension}`;
      // Another release at the same address may have another digest: it answers with its own file.
      const own = PAGE_FILES.get(name) ?? NOTEBOOKS.get(name);
      const found = name === SEARCH_INDEX ? siteOf(service.settings).searchIndex : own;
      if (found === undefined) throw new Problem('NOT_FOUND', `The pages have no file ${file}`);
      return { media: found.media, headers: { 'Cache-Control': cacheControlOf(found, digest) }, body: found.asset };
    },
  });

/** The operations of the pages. @param operations everything they describe, themselves included */
export const pageOperations = (siteOf: SiteOf, operations: () => readonly Operation[]): readonly Operation[] => [
  showPage(siteOf, 'docs.page', 'docs', 'The reference: every operation, to read and to try'),
  showOperation(siteOf, operations),
  showGuide(siteOf),
  showPage(siteOf, 'docs.changelog', 'docs/changelog', 'What has changed from release to release'),
  showPage(siteOf, 'docs.errors', 'docs/errors', 'Every error code with cause and remedy'),
  showFile(siteOf),
];
