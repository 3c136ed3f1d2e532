import { XMLParser } from 'fast-xml-parser';
import { isKnownName } from '../../sql/register/fields.ts';
import { decodeText, unitsOf } from './text.ts';

/**
 * Records that are not flat. Their extent and well-formedness are found here; what they hold is read by
 * fast-xml-parser. Such records do not occur in the register's exports of today, so this path may be slow.
 */

export interface NotFlat {
  /** Code units to go on behind: the record, or for a broken one all up to the next record. */
  readonly length: number;
  /** Why the record is not well-formed, without anything of its content; null when it is. */
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
 * @param landmarks names of the root and of the records so far: where to go on when the record is broken
 */
export function readNotFlat(text: string, complete: boolean, landmarks: Landmarks): NotFlat | 'incomplete' {
  const extent = findExtent(text, landmarks.record);
  if ('end' in extent) {
    const content = readContent(text.slice(0, extent.end));
    if (typeof content !== 'string' && content.fields.length === 0 && isOther(text, landmarks.record)) {
      const next = nextRecord(text, extent.end, landmarks, null);
      if (next === null && !complete) return 'incomplete';
      return broken('fields outside of a record', next ?? extent.end);
    }
    return typeof content === 'string' ? broken(content, extent.end) : { length: extent.end, broken: null, ...content };
  }
  if (extent.broken === null && !complete) return 'incomplete';
  const next = nextRecord(text, extent.at, landmarks, extent.outside);
  if (next === null && !complete) return 'incomplete';
  return broken(extent.broken ?? 'the record has no end', next ?? extent.outside ?? text.length);
}

export interface Landmarks {
  readonly root: string;
  /** Name of the records that were read so far; empty when there was none. */
  readonly record: string;
}

const broken = (reason: string, length: number): NotFlat => ({ length, broken: reason, fields: [], stray: [] });

const NAME = /^<([^\s/><]+)/;

/** Something without fields that has not the name of a record: the rest of one whose start tag is damaged. */
const isOther = (text: string, record: string): boolean => record !== '' && NAME.exec(text)?.[1] !== record;

/**
 * Where to go on after a fault at `fault`: behind the record's own end tag or at the next record. When the root ends
 * before any of them: at `outside`, or else at the root's end.
 */
function nextRecord(text: string, fault: number, { root, record }: Landmarks, outside: number | null): number | null {
  const names = [NAME.exec(text)?.[1] ?? '', record].filter((name) => name !== '');
  const any = names.length === 0 ? '(?!)' : `(?:${names.map(escapeForPattern).join('|')})`;
  const next = new RegExp(`<${any}[\\s/>]|</${any}\\s*>|</${escapeForPattern(root)}\\s*>`, 'g');
  next.lastIndex = Math.max(1, fault);
  const found = next.exec(text);
  if (found === null) return null;
  if (!found[0].startsWith('</')) return found.index;
  return isEndOf(root, found[0]) && !names.includes(root) ? (outside ?? found.index) : next.lastIndex;
}

const isEndOf = (name: string, tag: string): boolean => tag.slice(2, -1).trimEnd() === name;

const escapeForPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Where an element ends, or where its fault is and why; without a reason: its end is not in the text. */
type Extent =
  | { readonly end: number }
  | { readonly broken: string | null; readonly at: number; readonly outside: number | null };

/** A name out of a record that is damaged may be a piece of a text in which a `<` stands. */
const shown = (name = ''): string => (isKnownName(name) ? `<${name}>` : 'with an unknown name');

/** The extent of the element at the beginning of `text`. */
function findExtent(text: string, record: string): Extent {
  const open: string[] = [];
  let at = 0;
  for (;;) {
    const tag = text.indexOf('<', at);
    const fault = (reason: string | null, outside: number | null = null) => ({ broken: reason, at: tag, outside });
    if (tag < 0) return { ...fault(null), at };
    const skipped = skipUnparsed(text, tag);
    if (skipped === null) return fault(null);
    if (skipped === 'broken') return fault('a comment with -- in it');
    if (skipped > tag) {
      at = skipped;
      continue;
    }
    const end = endOfTag(text, tag);
    if (end === null) return fault(null);
    if (end === 'cut') return fault('a tag without its end');
    const name = /^<\/?([^\s/>]*)/.exec(text.slice(tag, end))?.[1] ?? '';
    if (text[tag + 1] === '/') {
      const expected = open.pop();
      if (!isEndOf(expected ?? '', text.slice(tag, end))) {
        // The record's own end tag, when it is the beginning of the record that is damaged.
        return fault(`an end tag ${shown(name)} where one ${shown(expected)} belongs`, open.length === 0 ? end : null);
      }
    } else if (name === '' || /["'&=]/.test(name)) {
      return fault('a tag without a name');
    } else {
      const within = open.length > 0 && (name === open[0] || name === record);
      if (within) return fault(`a tag ${shown(name)} before the end of a record ${shown(open[0])}`);
      if (text[end - 2] !== '/') open.push(name);
    }
    if (open.length === 0) return { end };
    at = end;
  }
}

/** Position behind a comment, CDATA section or processing instruction at `at`; `at` itself when there is none. */
function skipUnparsed(text: string, at: number): number | null | 'broken' {
  for (const [opening, closing] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (opening.startsWith(text.slice(at, at + opening.length)) && text.length < at + opening.length) return null;
    if (!text.startsWith(opening, at)) continue;
    const end = text.indexOf(closing, at + opening.length);
    // XML 1.0, section 2.5: so that a comment without an end does not take a part of the next record with it.
    const dashes = closing === '-->' ? text.indexOf('--', at + opening.length) : -1;
    if (dashes >= 0 && dashes + 2 < text.length && dashes !== end) return 'broken';
    return end < 0 ? null : end + closing.length;
  }
  return at;
}

/** Position behind the `>` of the tag at `at`, outside of quotes; null when it is not in the text. */
function endOfTag(text: string, at: number): number | null | 'cut' {
  let quote = '';
  for (let index = at + 1; index < text.length; index++) {
    const letter = text[index]!;
    if (letter === '<') return 'cut'; // not even in an attribute may it stand
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '>') return index + 1;
    else if (letter === '"' || letter === "'") quote = letter;
  }
  return null;
}

function readContent(record: string): Pick<NotFlat, 'fields' | 'stray'> | string {
  let nodes: Node[];
  try {
    nodes = parser.parse(record) as Node[];
  } catch {
    // The parser's own words quote the text.
    return 'a record that the XML parser refuses';
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
    if (value.nested) stray.push(`elements inside an element ${shown(element)}`);
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
      const decoded = decode(content, raw);
      if (decoded === null) return { ...all, wrong: 'a reference that is not known' };
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

/** @param raw references are not resolved: CDATA */
function decode(text: string, raw: boolean): { text: string; forbidden: number } | null {
  const units = unitsOf(text);
  const target = new Uint16Array(units.length);
  const { length, forbidden } = decodeText(units, 0, units.length, target, 0, !raw);
  return length < 0 ? null : { text: Buffer.from(target.buffer, 0, length * 2).toString('utf16le'), forbidden };
}
