import type { CheckedFile } from '../checked-file.ts';
import type { NameTable } from './layout.ts';
import { wordMatches } from './word-matches.ts';
import type { Words } from './words.ts';

/** A text of several words lies in adjacent words of a name: its first word at the end of one of them, and so on. */

export interface Phrase {
  /** Per part of the text: the words of names that it may lie in. */
  readonly words: readonly (readonly number[])[];
  /** The words that are the first part as a whole. */
  readonly wholeBeginnings: readonly number[];
  /** Per part: a mark for each of its words; of the first part, where it lies in the word. */
  readonly marks: readonly Uint8Array[];
}

const NOWHERE = 0;
const WHOLE_WORD = 1;
const BEHIND_SIGN = 2;
const INSIDE = 3;

/** @param parts at least two */
export function phraseOf(words: Words, parts: readonly Uint8Array[]): Phrase {
  const last = parts.length - 1;
  const matches = parts.map((part, index) => wordMatches(words, part, index < last));
  const wholeBeginnings = matches[0]?.beginning ?? [];
  const marks = matches.map(({ beginning, behindSign, inside }, index) => {
    const marked = new Uint8Array(words.count);
    for (const word of beginning) marked[word] = WHOLE_WORD;
    // Only the first part may begin within a word.
    if (index > 0) return marked;
    for (const word of behindSign) marked[word] = BEHIND_SIGN;
    for (const word of inside) marked[word] = INSIDE;
    return marked;
  });
  const ofParts = matches.map(({ beginning, behindSign, inside }, index) =>
    index > 0 ? beginning : [...beginning, ...behindSign, ...inside],
  );
  return { words: ofParts, wholeBeginnings, marks };
}

/** Names whose words are read at once. */
const NAMES_AT_ONCE = 1024;

const NUMBER_BYTES = 4;

/**
 * Returns a function that says how a name matches: 0 it begins with the text, 1 a word of it does, 2 it holds it elsewhere;
 * null = it does not. Names are best asked for in order, as their words are read from the disk in stretches.
 * @param count of all names
 */
export function ranksOf(file: CheckedFile, table: NameTable, phrase: Phrase, count: number) {
  const read = (section: string, from: number, to: number): Uint32Array =>
    new Uint32Array(file.read(section, from * NUMBER_BYTES, (to - from) * NUMBER_BYTES).slice().buffer);
  let stretch = -1;
  let starts: Uint32Array = new Uint32Array(0);
  let words: Uint32Array = new Uint32Array(0);
  return (name: number): 0 | 1 | 2 | null => {
    const from = name - (name % NAMES_AT_ONCE);
    if (from !== stretch) {
      stretch = from;
      starts = read(`${table}.words.starts`, from, Math.min(count, from + NAMES_AT_ONCE) + 1);
      words = read(`${table}.words`, starts[0] ?? 0, starts.at(-1) ?? 0);
    }
    const base = starts[0] ?? 0;
    const [begin = 0, end = 0] = [starts[name - from], starts[name - from + 1]];
    return rankOf(words, begin - base, end - base, phrase.marks);
  };
}

/** @param begin of the words of a name @param end of them */
function rankOf(words: Uint32Array, begin: number, end: number, marks: readonly Uint8Array[]): 0 | 1 | 2 | null {
  let best: 1 | 2 | null = null;
  for (let at = begin; at + marks.length <= end; at++) {
    let part = 0;
    while (part < marks.length && marks[part]?.[words[at + part] ?? 0] !== NOWHERE) part++;
    if (part < marks.length) continue;
    const place = marks[0]?.[words[at] ?? 0];
    if (place === WHOLE_WORD && at === begin) return 0;
    if (place !== INSIDE) best = 1;
    else best ??= 2;
  }
  return best;
}
