import { XMLParser } from 'fast-xml-parser';
import { isKnownName } from '../../sql/register/fields.ts';
import type { Search } from './search.ts';
import { decodeText, textOf, unitsOf } from './text.ts';

/**
 * Records that are not flat. Their extent and well-formedness are found here; what they hold is read by
 * fast-xml-parser. Such records do not occur in the register's exports of today, so this path may be slow.
 */

/** A well-formed record. */
export interface NotFlat {
  /** Code units of the record. */
  readonly length: number;
  readonly fields: readonly { element: string; text: string; forbidden: number }[];
  readonly stray: readonly string[];
}

/** A record that is not well-formed. */
export interface Broken {
  readonly broken: string;
  /** Code units up to the fault; where the end is known, of the record. */
  readonly length: number;
  /** Reading can go on there; otherwise the next record has to be looked for. */
  readonly endsThere: boolean;
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
 * @param complete no more text can belong to it: what has no end by now has none
 * @param record name of the records so far; empty when there was none
 */
function readRecord(
  text: string,
  complete: boolean,
  record: string,
  closing: FindClosing,
): NotFlat | Broken | 'incomplete' {
  const extent = findExtent(text, record, closing);
  if (!('end' in extent)) {
    if (extent.broken === null && !complete) return 'incomplete';
    return { broken: extent.broken ?? NO_END, length: extent.at, endsThere: false };
  }
  const { end } = extent;
  const content = readContent(text.slice(0, end));
  const foreign = record !== '' && nameOf(text) !== record;
  if (typeof content === 'string') return { broken: content, length: end, endsThere: !foreign };
  // Something without fields that has not the name of a record is the rest of one whose start tag is damaged.
  if (foreign && content.fields.length === 0) {
    return { broken: 'fields outside of a record', length: end, endsThere: false };
  }
  return { length: end, ...content };
}

/** Code units of the first attempt. */
const FIRST_ATTEMPT = 1 << 11;

/** Reads the record at the beginning of `units[from, limit)`, in attempts of growing size until one holds its end. */
export function readNotFlat(
  units: Uint16Array,
  from: number,
  limit: number,
  complete: boolean,
  record: string,
  search: Search,
): NotFlat | Broken | 'incomplete' {
  const closing = (text: string, at: number) => {
    const end = search.after(text, units, from + at, limit);
    return end >= 0 ? end - from : complete ? 'absent' : 'incomplete';
  };
  for (let size = FIRST_ATTEMPT; ; size *= 4) {
    const to = Math.min(limit, from + size);
    const found = readRecord(textOf(units, from, to), complete && to === limit, record, closing);
    if (found !== 'incomplete' || to === limit) return found;
  }
}

export const NO_END = 'the record has no end';

/** Elements inside elements: far more than in any document that people make by hand. */
const MAX_DEPTH = 64;

/**
 * Looks beyond the text for what closes a comment, section or instruction, from `at`: the position after it, `absent`
 * when it cannot come any more, `incomplete` when it may.
 */
type FindClosing = (closing: string, at: number) => number | 'absent' | 'incomplete';

/** Name of the element at the beginning of the text. */
export const nameOf = (text: string): string => /^<([^\s/><]{1,100})/.exec(text)?.[1] ?? '';

const isEndOf = (name: string, tag: string): boolean => tag.slice(2, -1).trimEnd() === name;

/** The end of an element, or the place of its fault and the reason; null when the text does not hold its end. */
type Extent = { readonly end: number } | { readonly broken: string | null; readonly at: number };

/** A name out of a record that is damaged may be a piece of a text in which a `<` stands. */
const shown = (name = ''): string => (isKnownName(name) ? `<${name}>` : 'with an unknown name');

/** The extent of the element at the beginning of `text`. */
function findExtent(text: string, record: string, closing: FindClosing): Extent {
  const open: string[] = [];
  let at = 0;
  for (;;) {
    const tag = text.indexOf('<', at);
    if (tag < 0) return { broken: null, at: Math.min(at, text.length) };
    const fault = (reason: string | null) => ({ broken: reason, at: tag });
    const skipped = skipUnparsed(text, tag, closing);
    if (skipped === 'incomplete') return fault(null);
    if (skipped === 'absent') return fault(NO_END);
    if (skipped === 'dashes') return fault('a comment with -- in it');
    if (skipped > tag) {
      at = skipped;
      continue;
    }
    const end = endOfElementTag(text, tag);
    if (end === null) return fault(null);
    if (end === 'cut') return fault('a tag without its end');
    const name = /^<\/?([^\s/>]*)/.exec(text.slice(tag, end))?.[1] ?? '';
    if (text[tag + 1] === '/') {
      const expected = open.pop();
      if (!isEndOf(expected ?? '', text.slice(tag, end))) {
        return fault(`an end tag ${shown(name)} where one ${shown(expected)} belongs`);
      }
    } else if (name === '' || /["'&=]/.test(name)) {
      return fault('a tag without a name');
    } else {
      const within = open.length > 0 && (name === open[0] || name === record);
      if (within) return fault(`a tag ${shown(name)} before the end of a record ${shown(open[0])}`);
      if (text[end - 2] !== '/') open.push(name);
      if (open.length > MAX_DEPTH) return fault(`elements more than ${MAX_DEPTH} deep`);
    }
    if (open.length === 0) return { end };
    at = end;
  }
}

const UNPARSED = [
  { opening: '<!--', closing: '--' },
  { opening: '<![CDATA[', closing: ']]>' },
  { opening: '<?', closing: '?>' },
] as const;

/** Position after a comment, CDATA section or processing instruction at `at`; `at` itself when there is none. */
function skipUnparsed(text: string, at: number, find: FindClosing): ReturnType<FindClosing> | 'dashes' {
  for (const { opening, closing } of UNPARSED) {
    const begins = text.slice(at, at + opening.length);
    if (begins.length < opening.length && opening.startsWith(begins)) return 'incomplete';
    if (begins !== opening) continue;
    const end = find(closing, at + opening.length);
    if (closing !== '--' || typeof end === 'string') return end;
    // XML 1.0, section 2.5: so that a comment without an end does not take a part of the next record with it.
    if (end >= text.length) return 'incomplete';
    return text[end] === '>' ? end + 1 : 'dashes';
  }
  return at;
}

/** Position after the `>` of the tag at `at`, outside of quotes; null when it is not in the text. */
function endOfElementTag(text: string, at: number): number | null | 'cut' {
  let quote = '';
  for (let index = at + 1; index < text.length; index++) {
    const letter = text[index];
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
