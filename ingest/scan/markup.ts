import { EXCLAMATION, GREATER, QUESTION } from './characters.ts';
import type { Search } from './search.ts';
import { CUT, UNFINISHED } from './tags.ts';
import { textOf } from './text.ts';

/** Markup that may stand between records. The last one is tried last, since the others begin like it. */
const MARKUP = [
  { opening: '<!--', closing: '--' },
  { opening: '<![CDATA[', closing: ']]>' },
  { opening: '<?', closing: '?>' },
  { opening: '<!', closing: '>' },
] as const;
/** Returns true for the second code unit of a declaration, comment, CDATA section or doctype. */
export const beginsMarkup = (second: number): boolean => second === EXCLAMATION || second === QUESTION;

export const MAX_OPENING_LENGTH = 9;

/**
 * Position after the declaration, comment, CDATA section or doctype at `at`; UNFINISHED when its end is not there yet, CUT
 * when it is none of them. A comment holds no `--` (XML 1.0, section 2.5): one without an end takes no record with it.
 */
export function endOfMarkup(units: Uint16Array, at: number, length: number, longest: number, search: Search): number {
  const begins = textOf(units, at, Math.min(length, at + MAX_OPENING_LENGTH));
  const markup = MARKUP.find(({ opening }) => opening.startsWith(begins.slice(0, opening.length)));
  if (markup === undefined) return CUT;
  const { opening, closing } = markup;
  if (begins.length < opening.length) return UNFINISHED;
  const from = at + opening.length;
  const end = search.after(closing, units, from, Math.min(length, from + longest));
  if (end < 0) return UNFINISHED;
  if (closing !== '--') return end;
  if (end === length) return UNFINISHED;
  return units[end] === GREATER ? end + 1 : CUT;
}
