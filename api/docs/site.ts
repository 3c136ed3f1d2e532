import type { Settings } from '../../runtime/settings.ts';
import type { Operation } from '../operation/operation.ts';
import { fileOf, type PageFile } from '../pages/files.ts';
import type { Content } from '../pages/html.ts';
import { type At, type Page, writePage } from '../pages/layout.ts';
import { Asset } from '../wire/asset.ts';
import { errorPage } from './errors.ts';
import { CHANGELOG, GUIDES } from './guides/documents.ts';
import { guidePage } from './guides/guide-page.ts';
import { navigationOf } from './navigation.ts';
import { openApiDocument } from './openapi/document.ts';
import type { OpenApiDocument } from './openapi/shape.ts';
import { documentedOperations, operationPage, operationPath } from './reference/operation-page.ts';
import { overviewPage } from './reference/overview.ts';
import { searchIndex } from './search-index.ts';

/** Everything that documents the service at one address. */
export interface Site {
  readonly openApi: Asset;
  readonly searchIndex: PageFile;
  /** Returns a page by its path from the root of the service; null when there is none. */
  page(path: string): Asset | null;
  /** Writes a page in the same look and with the same navigation. */
  write(page: Pick<Page, 'path' | 'title' | 'description' | 'form' | 'language' | 'content'>): string;
}

/** Finds the site for the settings of a service. */
export type SiteOf = (settings: Pick<Settings, 'BASE_URL'>) => Site;

/**
 * Opens the documentation of these operations. The address is part of it, in links of the OpenAPI document and in samples
 * of code, so it is made when the first page is asked for, and kept.
 */
export function openSite(operations: () => readonly Operation[]): SiteOf {
  let kept: { readonly baseUrl: string; readonly site: Site } | null = null;
  return ({ BASE_URL }) => {
    if (kept?.baseUrl !== BASE_URL) {
      kept = { baseUrl: BASE_URL, site: makeSite(openApiDocument(operations(), BASE_URL)) };
    }
    return kept.site;
  };
}

export const SEARCH_INDEX = 'search.json';

function makeSite(document: OpenApiDocument): Site {
  const navigation = navigationOf(document);
  const index = fileOf(SEARCH_INDEX, 'application/json', JSON.stringify(searchIndex(document)));
  const write: Site['write'] = (page) => writePage({ ...page, navigation, searchIndex: `docs/files/${index.address}` });
  const pages = new Map(pagesOf(document).map((page) => [page.path, page]));
  const written = new Map<string, Asset>();
  return {
    openApi: new Asset(JSON.stringify(document)),
    searchIndex: index,
    write,
    page(path) {
      const page = pages.get(path);
      if (page === undefined) return null;
      const asset = written.get(path) ?? new Asset(write(page));
      written.set(path, asset);
      return asset;
    },
  };
}

type SitePage = Pick<Page, 'path' | 'title' | 'description' | 'form' | 'content'>;

const pagesOf = (document: OpenApiDocument): SitePage[] => [
  text('docs', 'Reference', 'Every operation of the interface', (at) => overviewPage(document, at)),
  text('docs/errors', 'Error codes', 'Every error code with its cause and remedy', errorPage),
  ...[...GUIDES, CHANGELOG].map((guide) => text(guide.path, guide.title, guide.about, (at) => guidePage(guide, at))),
  ...documentedOperations(document).map((documented): SitePage => {
    const { method, path, entry } = documented;
    return {
      ...text(operationPath(entry), `${method} ${path}`, entry.summary, (at) =>
        operationPage(documented, document, at),
      ),
      form: 'wide',
    };
  }),
];

const text = (path: string, title: string, description: string, content: (at: At) => Content): SitePage => ({
  path,
  title: `${title} – Energy asset data`,
  description,
  form: 'text',
  content,
});
