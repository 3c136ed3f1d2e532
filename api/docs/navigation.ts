import type { NavigationGroup } from '../pages/layout.ts';
import { CHANGELOG, GUIDES } from './guides/documents.ts';
import type { OpenApiDocument } from './openapi/shape.ts';
import { type DocumentedOperation, documentedOperations, operationPath } from './reference/operation-page.ts';

/** The links beside every page: guides first, then the operations by resource. */
export function navigationOf(document: OpenApiDocument): readonly NavigationGroup[] {
  const operations = documentedOperations(document);
  return [
    {
      title: 'Start',
      links: [
        { path: '', text: 'Overview' },
        { path: 'docs', text: 'Reference' },
        { path: 'docs/errors', text: 'Error codes' },
        { path: CHANGELOG.path, text: CHANGELOG.title },
      ],
    },
    { title: 'Guides', links: GUIDES.map(({ path, title }) => ({ path, text: title })) },
    ...document.tags.map(({ name }) => ({
      title: name,
      links: operations.filter(({ entry }) => entry.tags.includes(name)).map(linkTo),
    })),
  ];
}

/** Operations are known by their paths, which are shorter than what they do. */
const linkTo = ({ method, path, entry }: DocumentedOperation) => ({
  path: operationPath(entry),
  text: path.replace(/^\/v1(?=\/.)/, ''),
  method,
});
