import { readFileSync } from 'node:fs';
import { NOTEBOOKS } from './notebooks.ts';

/** A document of the repository that is also a page of the service. */
export interface ServedDocument {
  /** Path of the file in the repository. */
  readonly file: string;
  /** Path of the page, from the root of the service. */
  readonly path: string;
  /** Text of the link beside the pages. */
  readonly title: string;
  /** For cards and search engines. */
  readonly about: string;
}

const guide = (name: string, title: string, about: string): ServedDocument => ({
  file: `docs/${name}.md`,
  path: `docs/guides/${name}`,
  title,
  about,
});

/** The guides, in the order of the navigation. */
export const GUIDES: readonly ServedDocument[] = [
  guide('region-analysts', 'For region analysts', 'Growth, age and plans of a region, with requests and answers'),
  guide('api-clients', 'For API clients', 'From the first call to a copy that follows the register'),
  guide('webhooks', 'For webhooks', 'Endpoints, signatures, retries, and receivers in JavaScript and Python'),
  guide('recipes', 'Recipes', 'From a key to a chart or a table: Python, R, Excel, DuckDB'),
  guide('german-names', 'German names', 'The German words of register and interface, and every field of a unit'),
  guide('older-variant', 'Older variant', 'The interface under /api/v1, which is deprecated'),
  guide('operations', 'For operators', 'The nightly run, the service, its stores, metrics and alerts'),
  guide('glossary', 'Glossary', 'The terms of the domain and of the code'),
];

export const CHANGELOG: ServedDocument = {
  file: 'CHANGELOG.md',
  path: 'docs/changelog',
  title: 'Changelog',
  about: 'What users and operators notice from release to release',
};

const SERVED: readonly ServedDocument[] = [...GUIDES, CHANGELOG];

const ROOT = new URL('../../../', import.meta.url);

export const readDocument = ({ file }: ServedDocument): string => readFileSync(new URL(file, ROOT), 'utf8');

/**
 * Finds what a link in a document leads to on the pages.
 * @returns its path from the root of the service, with its anchor; an address as it is; null for a file that is not served
 */
export function linkTarget(
  href: string,
  { file, path }: ServedDocument,
): { path: string } | { address: string } | null {
  if (/^[a-z]+:/i.test(href)) return { address: href };
  const { pathname, hash } = new URL(href, `file:///${file}`);
  if (pathname === `/${file}`) return { path: `${path}${hash}` };
  const notebook = pathname.match(/^\/docs\/notebooks\/([\w-]+\.\w+)$/)?.[1];
  if (notebook !== undefined && NOTEBOOKS.has(notebook)) return { path: `docs/files/${notebook}` };
  const target = SERVED.find((document) => `/${document.file}` === pathname);
  return target === undefined ? null : { path: `${target.path}${hash}` };
}
