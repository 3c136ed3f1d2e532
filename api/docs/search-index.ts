import { describedInEnglish } from '../../sql/catalogue/english.ts';
import { UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { CODES, type Code, codeEntry } from '../problem/codes.ts';
import { CHANGELOG, GUIDES, readDocument, type ServedDocument } from './guides/documents.ts';
import { fieldAnchor } from './guides/fields.ts';
import { renderDocument } from './guides/guide-page.ts';
import type { OpenApiDocument } from './openapi/shape.ts';
import { documentedOperations, operationPath } from './reference/operation-page.ts';
import { SYNONYMS } from './search-words.ts';

/** Entries that the search of the pages finds; `path` is from the root of the service. */
interface SearchEntry {
  readonly title: string;
  readonly kind: 'Operation' | 'Parameter' | 'Field' | 'Guide' | 'Error code';
  readonly text: string;
  readonly path: string;
  /** Further words by which it is found, which are not shown: of its text, and what they are called in the other language. */
  readonly words: string;
}

type Entry = Omit<SearchEntry, 'words'> & { readonly words?: string };

/** Makes the index of operations, their parameters, the fields of a unit, headings of the guides, and error codes. */
export const searchIndex = (document: OpenApiDocument): SearchEntry[] => entriesOf(document).map(withSynonyms);

const entriesOf = (document: OpenApiDocument): Entry[] => [
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

/** Adds what people call the things that an entry is about. */
function withSynonyms({ words = '', ...entry }: Entry): SearchEntry {
  const shown = `${entry.title} ${entry.text}`.toLowerCase();
  const all = `${shown} ${words}`.toLowerCase();
  const others = SYNONYM_GROUPS.filter(({ begins }) => begins.test(all)).flatMap(({ group }) => group);
  const hidden = new Set([...distinctWords(words), ...others]);
  return { ...entry, words: [...hidden].filter((word) => !shown.includes(word)).join(' ') };
}

const SYNONYM_GROUPS = SYNONYMS.map((group) => ({
  group,
  begins: new RegExp(`(?<!\\p{L})(?:${group.join('|')})`, 'u'),
}));

const distinctWords = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

const operationEntries = (document: OpenApiDocument): Entry[] =>
  documentedOperations(document).map(({ method, path, entry }) => ({
    title: `${method} ${path}`,
    kind: 'Operation',
    text: entry.summary,
    path: operationPath(entry),
    words: entry.description,
  }));

/** Each parameter once, at the first operation that has it with this meaning: filters are the same in many. */
function parameterEntries(document: OpenApiDocument): Entry[] {
  const entries = new Map<string, Entry>();
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

/** Each part of a guide by its heading, with the words of its text. */
function headingEntries(document: ServedDocument): Entry[] {
  const { headings } = renderDocument(document, (path) => path);
  const texts = textsOf(readDocument(document));
  return headings.map(({ text, id, depth }, index) => ({
    title: text,
    kind: 'Guide',
    words: texts[index + 1] ?? '',
    text: depth === 1 ? document.about : document.title,
    path: depth === 1 ? document.path : `${document.path}#${id}`,
  }));
}

/** The text before the first heading, and that under each; what looks like a heading in a block of code is none. */
const textsOf = (markdown: string): readonly string[] =>
  markdown.replaceAll(/^```[\s\S]*?^```/gm, '').split(/^#{1,6} .*$/m);
