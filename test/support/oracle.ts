import { XMLParser } from 'fast-xml-parser';
import { SLOTS } from './xml.ts';

/** An independent reader of whole documents: fast-xml-parser, told to resolve all that XML 1.0 resolves. */

type Node = { readonly [name: string]: readonly Node[] | string };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: { enabled: true, maxExpandedLength: Number.MAX_SAFE_INTEGER },
  htmlEntities: true,
  trimValues: false,
  parseTagValue: false,
});

export interface OracleRecord {
  readonly values: Readonly<Record<number, string>>;
  readonly unknown: readonly { readonly unknown: string; readonly text: string }[];
}

/** The records of a document: the last of repeated elements, the text of nested ones and CDATA included. */
export function readByOracle(text: string, slots = SLOTS): OracleRecord[] {
  const bySpelling = new Map([...slots].map(([name, slot]) => [name.toLowerCase(), slot]));
  const nodes = parser.parse(text.replace(/^\ufeff/, '')) as Node[];
  const root = nodes.find((node) => !Object.keys(node)[0]!.startsWith('#'))!;
  return children(root).map((record) => {
    const values: Record<number, string> = {};
    const unknown: { unknown: string; text: string }[] = [];
    for (const field of children(record)) {
      const element = Object.keys(field)[0]!;
      const slot = bySpelling.get(element.toLowerCase());
      if (slot === undefined) unknown.push({ unknown: element, text: contentOf(field) });
      else values[slot] = contentOf(field);
    }
    return { values, unknown };
  });
}

const children = (node: Node): Node[] =>
  (Object.values(node)[0] as readonly Node[]).filter((child) => !Object.keys(child)[0]!.startsWith('#'));

const contentOf = (node: Node): string =>
  Object.values(node)
    .flatMap((content) => (typeof content === 'string' ? [content] : content.map(contentOf)))
    .join('');
