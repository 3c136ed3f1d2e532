import type { CheckedFile } from './checked-file.ts';
import type { NameTable } from './layout.ts';
import { turns } from './turns.ts';
import { type Bits, bitsBetween } from './unit-set.ts';
import { wordMatches } from './word-matches.ts';
import type { Words } from './words.ts';

/** A text of several words: it lies in adjacent words, of which the first ends with its first word, and so on. */
export interface MatchingParts {
  /** Per part: the words that it may lie in. */
  readonly words: readonly (readonly number[])[];
  /** Per word: where the first part lies in it, as one of the constants below. */
  readonly beginnings: Uint8Array;
}

/** Names that are read at once. */
const NAMES_AT_ONCE = 4096;

const NUMBER_BYTES = 4;

/** Where the first part lies in a word, of which it is the end. */
const NOWHERE = 0;
const WHOLE_WORD = 1;
const BEHIND_SIGN = 2;
const INSIDE = 3;

/** How well a name matches: it begins with the text, or a word of it does, or it holds the text elsewhere. */
export type SequenceRank = 0 | 1 | 2;

/** The words of each name, in order; they stay on the disk. */
export function openWordSequences(file: CheckedFile, table: NameTable, words: Words) {
  const read = (section: string, from: number, to: number): Uint32Array =>
    new Uint32Array(file.read(section, from * NUMBER_BYTES, (to - from) * NUMBER_BYTES).slice().buffer);

  return {
    /** @param parts at least two */
    partsOf(parts: readonly Uint8Array[]): MatchingParts {
      const matches = parts.map((part, index) => wordMatches(words, part, index < parts.length - 1));
      const beginnings = new Uint8Array(words.count);
      const [start] = matches;
      for (const word of start?.beginning ?? []) beginnings[word] = WHOLE_WORD;
      for (const word of start?.behindSign ?? []) beginnings[word] = BEHIND_SIGN;
      for (const word of start?.inside ?? []) beginnings[word] = INSIDE;
      return {
        words: matches.map(({ beginning, behindSign, inside }, index) =>
          index === 0 ? [...beginning, ...behindSign, ...inside] : beginning,
        ),
        beginnings,
      };
    },
    /**
     * Calls `take` for each of the names in which the parts lie.
     * @param count of all names
     */
    async eachMatch(
      names: Bits,
      count: number,
      parts: MatchingParts,
      take: (name: number, rank: SequenceRank) => void,
    ): Promise<void> {
      const turn = turns();
      const others = parts.words.slice(1).map((some) => new Set(some));
      for (let from = 0; from < count; from += NAMES_AT_ONCE) {
        const to = Math.min(count, from + NAMES_AT_ONCE);
        const some = [...bitsBetween(names, from, to)];
        if (some.length === 0) continue;
        const starts = read(`${table}.words.starts`, from, to + 1);
        const [base = 0, end = 0] = [starts[0], starts[to - from]];
        const sequence = read(`${table}.words`, base, end);
        for (const name of some) {
          const [begin = 0, behind = 0] = [starts[name - from], starts[name - from + 1]];
          const rank = rankOf(sequence.subarray(begin - base, behind - base), parts.beginnings, others);
          if (rank !== null) take(name, rank);
        }
        const pause = turn();
        if (pause !== null) await pause;
      }
    },
  };
}

/**
 * Returns how well a name matches; null when it does not.
 * @param sequence its words
 * @param others per part behind the first: the words that it may lie in
 */
function rankOf(
  sequence: Uint32Array,
  beginnings: Uint8Array,
  others: readonly ReadonlySet<number>[],
): SequenceRank | null {
  let best: SequenceRank | null = null;
  for (let at = 0; at + others.length < sequence.length; at++) {
    const beginning = beginnings[sequence[at] ?? 0];
    if (beginning === NOWHERE) continue;
    if (!others.every((words, index) => words.has(sequence[at + 1 + index] ?? 0))) continue;
    if (beginning === WHOLE_WORD && at === 0) return 0;
    if (beginning !== INSIDE) best = 1;
    else best ??= 2;
  }
  return best;
}
