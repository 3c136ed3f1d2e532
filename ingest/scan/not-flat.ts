import { XMLParser } from 'fast-xml-parser';
import { decodeText, unitsOf } from './text.ts';

/**
 * Records that are not flat. Their extent and well-formedness are found here; what they hold is read by
 * fast-xml-parser. Such records do not occur in the register's exports of today, so this path may be slow.
 */

export interface NotFlat {
  /** Code units to go on behind: the record, or for a broken one all up to the next record. */
  readonly length: number;
  /** Why the record is not well-formed; null when it is. */
  readonly broken: string | null;
  readonly fields: readonly { element: string; text: string; forbidden: number }[];
  readonly stray: readonly string[];
}

/** A node as fast-xml-parser gives it with `preserveOrder`: one element name, or text, or CDATA. */
type Node = { readonly [name: string]: readonly Node[] | string };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  processEntities: false,
  trimValues: false,
  parseTagValue: false,
  cdataPropName: '#cdata',
});

/**
 * Reads the record at the beginning of `text`.
 * @param complete no more text will come: what has no end by now has none
 */
export function readNotFlat(text: string, complete: boolean): NotFlat | 'incomplete' {
  const extent = findExtent(text);
  if (typeof extent === 'number') {
    const record = text.slice(0, extent);
    const content = readContent(record);
    return typeof content === 'string' ? broken(content, extent) : { length: extent, broken: null, ...content };
  }
  if (extent === null && !complete) return 'incomplete';
  const next = nextRecord(text);
  if (next === null && !complete) return 'incomplete';
  return broken(extent ?? 'the record has no end', next ?? text.length);
}

const broken = (reason: string, length: number): NotFlat => ({ length, broken: reason, fields: [], stray: [] });

const NAME = /^<([^\s/>=]+)/;

/** Where the next record begins, or the root ends: the place to go on after a broken record. */
function nextRecord(text: string): number | null {
  const name = NAME.exec(text)?.[1];
  if (name === undefined) {
    const next = text.indexOf('<', 1);
    return next < 0 ? null : next;
  }
  const again = new RegExp(`<${escapeForPattern(name)}[\\s/>]`, 'g');
  again.lastIndex = 1;
  const next = again.exec(text)?.index ?? null;
  if (next !== null) return next;
  // The last record of the member: its own end tag, when it has one, is behind the fault.
  const close = text.indexOf(`</${name}>`);
  return close < 0 ? null : close + name.length + 3;
}

const escapeForPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Length of the element at the beginning of `text`; null when its end is not in it; a reason when it is broken. */
function findExtent(text: string): number | string | null {
  const open: string[] = [];
  let at = 0;
  for (;;) {
    const tag = text.indexOf('<', at);
    if (tag < 0) return null;
    const skipped = skipUnparsed(text, tag);
    if (skipped === null) return null;
    if (skipped > tag) {
      at = skipped;
      continue;
    }
    const end = endOfTag(text, tag);
    if (end === null) return null;
    const name = /^<\/?([^\s/>]*)/.exec(text.slice(tag, end))?.[1] ?? '';
    if (text[tag + 1] === '/') {
      const expected = open.pop();
      if (expected !== name) return `</${name}> where </${expected}> belongs`;
    } else if (name === '' || /[<"'&=]/.test(name)) {
      return 'a tag without a name';
    } else {
      if (name === open[0]) return `<${name}> begins again before its end`;
      if (text[end - 2] !== '/') open.push(name);
    }
    if (open.length === 0) return end;
    at = end;
  }
}

/** Position behind a comment, CDATA section or processing instruction at `at`; `at` itself when there is none. */
function skipUnparsed(text: string, at: number): number | null {
  for (const [opening, closing] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (opening.startsWith(text.slice(at, at + opening.length)) && text.length < at + opening.length) return null;
    if (!text.startsWith(opening, at)) continue;
    const end = text.indexOf(closing, at + opening.length);
    return end < 0 ? null : end + closing.length;
  }
  return at;
}

/** Position behind the `>` of the tag at `at`, outside of quotes; null when it is not in the text. */
function endOfTag(text: string, at: number): number | null {
  let quote = '';
  for (let index = at + 1; index < text.length; index++) {
    const letter = text[index]!;
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '>') return index + 1;
    else if (letter === '<')
      return index; // a tag that was cut off: its name will not match
    else if (letter === '"' || letter === "'") quote = letter;
  }
  return null;
}

function readContent(record: string): Pick<NotFlat, 'fields' | 'stray'> | string {
  let nodes: Node[];
  try {
    nodes = parser.parse(record) as Node[];
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const fields: { element: string; text: string; forbidden: number }[] = [];
  const stray: string[] = [];
  const [root] = nodes;
  for (const node of Object.values(root ?? {})[0] ?? []) {
    if (typeof node === 'string') continue;
    const [element] = Object.keys(node);
    if (element === undefined || element.startsWith('?')) continue;
    if (element.startsWith('#')) {
      if (textOfNode(node).text.trim() !== '') stray.push('text between the fields of a record');
      continue;
    }
    const value = textOfNode(node);
    if (value.wrong !== null) return value.wrong;
    if (value.nested) stray.push(`elements inside <${element}>`);
    fields.push({ element, text: value.text, forbidden: value.forbidden });
  }
  return { fields, stray };
}

interface Text {
  text: string;
  forbidden: number;
  nested: boolean;
  /** A reference that is not well-formed or not known. */
  wrong: string | null;
}

/** All text inside a node, that of nested elements included. */
function textOfNode(node: Node, raw = false): Text {
  const all: Text = { text: '', forbidden: 0, nested: false, wrong: null };
  for (const [name, content] of Object.entries(node)) {
    if (name.startsWith('?')) continue;
    if (typeof content === 'string') {
      const decoded = raw ? { text: content, forbidden: 0 } : decode(content);
      if (decoded === null) return { ...all, wrong: `a reference that is not known in: ${content.slice(0, 60)}` };
      all.text += decoded.text;
      all.forbidden += decoded.forbidden;
      continue;
    }
    for (const child of content) {
      const inner = textOfNode(child, name === '#cdata');
      if (inner.wrong !== null) return inner;
      all.text += inner.text;
      all.forbidden += inner.forbidden;
      all.nested ||= inner.nested || !Object.keys(child)[0]?.startsWith('#');
    }
  }
  return all;
}

function decode(text: string): { text: string; forbidden: number } | null {
  const units = unitsOf(text);
  const target = new Uint16Array(units.length);
  const { length, forbidden } = decodeText(units, 0, units.length, target, 0);
  return length < 0 ? null : { text: Buffer.from(target.buffer, 0, length * 2).toString('utf16le'), forbidden };
}
