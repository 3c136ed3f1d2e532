import { describedInEnglish } from '../../sql/catalogue/english.ts';
import { UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { CODES, type Code, codeEntry } from '../problem/codes.ts';
import { CHANGELOG, GUIDES, type ServedDocument } from './guides/documents.ts';
import { fieldAnchor } from './guides/fields.ts';
import { renderDocument } from './guides/guide-page.ts';
import type { OpenApiDocument } from './openapi/shape.ts';
import { documentedOperations, operationPath } from './reference/operation-page.ts';

/** Entries that the search of the pages finds; `path` is from the root of the service. */
export interface SearchEntry {
  readonly title: string;
  readonly kind: 'Operation' | 'Parameter' | 'Field' | 'Guide' | 'Error code';
  readonly text: string;
  readonly path: string;
}

/** Makes the index of operations, their parameters, the fields of a unit, headings of the guides, and error codes. */
export const searchIndex = (document: OpenApiDocument): SearchEntry[] => [
  ...operationEntries(document),
  ...parameterEntries(document),
  ...UNIT_FIELDS.map((field) => ({
    title: field.name,
    kind: 'Field' as const,
    text: `${describedInEnglish(field)} · ${field.meaning}`,
    path: `docs/guides/german-names#${fieldAnchor(field)}`,
  })),
  ...[...GUIDES, CHANGELOG].flatMap(headingEntries),
  ...(Object.keys(CODES) as Code[]).map((code) => ({
    title: code,
    kind: 'Error code' as const,
    text: codeEntry(code).title,
    path: `docs/errors#${code}`,
  })),
];

const operationEntries = (document: OpenApiDocument): SearchEntry[] =>
  documentedOperations(document).map(({ method, path, entry }) => ({
    title: `${method} ${path}`,
    kind: 'Operation',
    text: entry.summary,
    path: operationPath(entry),
  }));

/** Each parameter once, at the first operation that has it with this meaning: filters are the same in many. */
function parameterEntries(document: OpenApiDocument): SearchEntry[] {
  const entries = new Map<string, SearchEntry>();
  for (const { path, entry } of documentedOperations(document)) {
    for (const { name, description } of entry.parameters) {
      const key = `${name} ${description}`;
      if (entries.has(key)) continue;
      const text = `${path} · ${description}`;
      entries.set(key, { title: name, kind: 'Parameter', text, path: `${operationPath(entry)}#${name}` });
    }
  }
  return [...entries.values()];
}

function headingEntries(document: ServedDocument): SearchEntry[] {
  const { headings } = renderDocument(document, (path) => path);
  return headings.map(({ text, id, depth }) => ({
    title: text,
    kind: 'Guide',
    text: depth === 1 ? document.about : document.title,
    path: depth === 1 ? document.path : `${document.path}#${id}`,
  }));
}
