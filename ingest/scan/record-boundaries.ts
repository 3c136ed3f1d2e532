import { GREATER, LESS, SLASH, SPACE } from './characters.ts';
import { matches } from './names.ts';

/** Finds where reading continues after a broken record, and the name of the records around it. */

/** Characters of white space accepted before the end of an end tag. */
const MAX_SPACE = 64;

export interface RecordBoundary {
  /** Position to continue at; without a boundary, the position up to which there is none. */
  readonly at: number;
  readonly found: boolean;
}

/**
 * Finds the first of these in `units[from, length)`: the beginning of a record, the end of one (to continue after it), the
 * end of the root. When records have the name of the root, an end tag counts as that of a record.
 * @param ended true when no more text will come
 */
export function nextRecordBoundary(
  units: Uint16Array,
  from: number,
  length: number,
  record: Uint16Array,
  root: Uint16Array,
  ended: boolean,
): RecordBoundary {
  const text = units.subarray(0, length);
  const longest = Math.max(record.length, root.length) + MAX_SPACE + 3;
  for (let at = text.indexOf(LESS, from); at >= 0; at = text.indexOf(LESS, at + 1)) {
    if (!ended && at + longest > length) return { at, found: false };
    if (text[at + 1] !== SLASH) {
      if (beginsTag(text, at, record)) return { at, found: true };
      continue;
    }
    const end = endOfEndTag(text, at, record);
    if (end >= 0) return { at: end, found: true };
    if (endOfEndTag(text, at, root) >= 0) return { at, found: true };
  }
  return { at: length, found: false };
}

function beginsTag(text: Uint16Array, at: number, name: Uint16Array): boolean {
  if (name.length === 0 || !matches(name, text, at + 1)) return false;
  const after = text[at + 1 + name.length];
  return after !== undefined && (after <= SPACE || after === SLASH || after === GREATER);
}

function endOfEndTag(text: Uint16Array, at: number, name: Uint16Array): number {
  if (name.length === 0 || !matches(name, text, at + 2)) return -1;
  let after = at + 2 + name.length;
  const last = after + MAX_SPACE;
  while (after < last && (text[after] ?? GREATER) <= SPACE) after++;
  return text[after] === GREATER ? after + 1 : -1;
}

/** Matches the rest of a start tag: a value in quotes may hold a `>`, and none holds a `<`. */
const ATTRIBUTES = /(?:\s(?:[^<>"']|"[^<"]*"|'[^<']*')*)?/.source;

/** A start tag that markup follows: in a flat document, that of a record before its first field. */
const BEGINS_RECORD = new RegExp(`<([^\\s/><!?"'=&]{1,100})${ATTRIBUTES}(?<!/)>(?=\\s*<[^/])`, 'g');
/** The end tag of a record after that of its last field. */
const ENDS_RECORD = /<\/[^\s/><]{1,100}\s*>(?=\s*<\/([^\s/><]{1,100})\s*>)/g;

/**
 * Name of the records in a text in which the first is damaged, or not flat: the name that most often stands where only
 * records have their tags. Empty when nothing looks like a record.
 * @param empty name of an element without content at the beginning: a record, if another one of its name holds fields
 * @param expected name that the field table gives them: elements that nest in the first record may outnumber all records
 */
export function recordNameIn(text: string, empty: string, expected: string): string {
  const begun = new Map<string, number>();
  for (const [, name = ''] of text.matchAll(BEGINS_RECORD)) begun.set(name, (begun.get(name) ?? 0) + 1);
  if (begun.has(expected)) return expected;
  if (begun.has(empty)) return empty;
  for (const [, name = ''] of text.matchAll(ENDS_RECORD)) {
    const count = begun.get(name);
    if (count !== undefined) begun.set(name, count + 1);
  }
  let best = '';
  for (const [name, count] of begun) if (count > (begun.get(best) ?? 0)) best = name;
  return best;
}

const WRAPPED_RECORD = new RegExp(`^<([^\\s/><]+)${ATTRIBUTES}>\\s*<([^\\s/><]+)${ATTRIBUTES}>\\s*<([^\\s/><!?]+)`);

/** An element that seems to lie around the records, their name, and that of the first field in them. */
export interface Wrapper {
  readonly outer: string;
  readonly inner: string;
  readonly field: string;
}

/** The element around the records, when they seem to lie one level deeper than in any export; null when they do not. */
export function wrapperOf(text: string, record: string): Wrapper | null {
  const [, outer = '', inner = '', field = ''] = WRAPPED_RECORD.exec(text) ?? [];
  return outer !== '' && inner === record && outer !== record ? { outer, inner, field } : null;
}
