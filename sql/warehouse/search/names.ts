import type { CheckedFile } from '../checked-file.ts';
import type { NameTable } from './layout.ts';
import { phraseOf, ranksOf } from './phrases.ts';
import { turns } from './turns.ts';
import { addBit, type Bits, bitsBetween, hasBit, keepCommon, noBits } from './unit-set.ts';
import { wordMatches } from './word-matches.ts';
import type { Words } from './words.ts';

/** Names in the order in which equally good matches are shown. */
export interface Names {
  /** Finds the best names, in order. */
  find(search: NameSearch): Promise<FoundName[]>;
  /** Reads what answers show of names. @param places as `find` returns them */
  records(places: readonly number[]): Promise<string[]>;
}

export interface NameSearch {
  /** Folded, not empty. */
  readonly text: string;
  /** Null = all. */
  readonly states: readonly string[] | null;
  readonly carriers: readonly string[] | null;
  readonly limit: number;
}

interface FoundName {
  /** 1 the name begins with the text, 2 one of its words does, 3 it holds it anywhere; 4 to 6 the same in the second part. */
  readonly matchRank: number;
  readonly place: number;
}

export interface NameLabels {
  readonly states: readonly string[];
  readonly carriers: readonly string[];
}

/** Ranks of matches, the best first: the beginning of a name, of a word, anywhere. */
const RANKS = [0, 1, 2] as const;

type Rank = (typeof RANKS)[number];

/** The names that match a text. */
interface Matches {
  /** Returns all names that match with a rank, and others. */
  candidates(rank: Rank): Promise<Bits>;
  /** Returns true when a candidate for a rank matches with it. The ranks before it have been asked for their candidates. */
  isRanked(name: number, rank: Rank): boolean;
}

const RECORD_START_BYTES = 8;

/** Names that are looked at before the time is looked at. */
const LOOKED_AT_ONCE = 256;

const NONE = noBits(0);

/** @param firstPart names before those that come after all others, however well they match; null = all */
export function openNames(
  file: CheckedFile,
  table: NameTable,
  words: Words,
  labels: NameLabels,
  firstPart: number | null = null,
): Names {
  const states = file.numbers(`${table}.states`, Uint16Array);
  const carriers = file.numbers(`${table}.carriers`, Uint16Array);
  const first = openWordLists(file, `${table}.first`);
  const later = openWordLists(file, `${table}.later`);
  const count = states.length;

  /** The names that have one of the words at these places. */
  const having = async (...lists: readonly (readonly [WordLists, readonly number[]])[]): Promise<Bits> => {
    const turn = turns();
    const bits = noBits(count);
    for (const [list, ofWords] of lists) {
      for (const word of ofWords) {
        list.addNames(bits, word);
        const pause = turn();
        if (pause !== null) await pause;
      }
    }
    return bits;
  };

  const ofOneWord = (text: Uint8Array): Matches => {
    const { beginning, behindSign, inside } = wordMatches(words, text);
    const made = new Map<Rank, Bits>();
    const make = (rank: Rank): Promise<Bits> => {
      if (rank === 0) return having([first, beginning]);
      if (rank === 1) return having([later, beginning], [first, behindSign], [later, behindSign]);
      return having([first, inside], [later, inside]);
    };
    return {
      async candidates(rank) {
        const names = made.get(rank) ?? (await make(rank));
        made.set(rank, names);
        return names;
      },
      // A name has several words, of which the best match counts.
      isRanked: (name, rank) => !RANKS.some((better) => better < rank && hasBit(made.get(better) ?? NONE, name)),
    };
  };

  /** The names with all parts of a text in adjacent words: the words of those are read that have the rarest part. */
  const ofAdjacentWords = async (texts: readonly Uint8Array[]): Promise<Matches> => {
    const parts = phraseOf(words, texts);
    const names = (ofWords: readonly number[]): number =>
      ofWords.reduce((sum, word) => sum + first.count(word) + later.count(word), 0);
    const [rarest = []] = parts.words.toSorted((one, other) => names(one) - names(other));
    const all = await having([first, rarest], [later, rarest]);
    const beginning = await having([first, parts.wholeBeginnings]);
    keepCommon(beginning, all);
    const rankOf = ranksOf(file, table, parts, count);
    return {
      candidates: async (rank) => (rank === 0 ? beginning : all),
      isRanked: (name, rank) => rankOf(name) === rank,
    };
  };

  const record = (place: number): string => {
    const bounds = file.read(`${table}.records.starts`, place * RECORD_START_BYTES, 2 * RECORD_START_BYTES);
    const view = new DataView(bounds.buffer, bounds.byteOffset, bounds.byteLength);
    const [from, to] = [view.getFloat64(0, true), view.getFloat64(RECORD_START_BYTES, true)];
    return Buffer.from(file.read(`${table}.records`, from, to - from)).toString();
  };

  return {
    async find({ text, states: chosenStates, carriers: chosenCarriers, limit }) {
      const texts = text.split(' ').map((part) => Buffer.from(part));
      const [only, ...others] = texts;
      const matches = only !== undefined && others.length === 0 ? ofOneWord(only) : await ofAdjacentWords(texts);
      const inStates = chosen(labels.states, chosenStates);
      const ofCarriers = chosen(labels.carriers, chosenCarriers);
      const isChosen = (name: number): boolean =>
        (inStates === null || inStates.has(states[name] ?? 0)) &&
        (ofCarriers === null || ofCarriers.has(carriers[name] ?? 0));
      const turn = turns();
      const found: FoundName[] = [];
      const parts = [
        { from: 0, to: firstPart ?? count, ranksBefore: 0 },
        { from: firstPart ?? count, to: count, ranksBefore: RANKS.length },
      ];
      for (const { from, to, ranksBefore } of parts) {
        for (const rank of RANKS) {
          if (from === to || found.length === limit) break;
          let looked = 0;
          for (const place of bitsBetween(await matches.candidates(rank), from, to)) {
            if (isChosen(place) && matches.isRanked(place, rank)) {
              found.push({ matchRank: ranksBefore + rank + 1, place });
              if (found.length === limit) break;
            }
            const pause = ++looked % LOOKED_AT_ONCE === 0 ? turn() : null;
            if (pause !== null) await pause;
          }
        }
      }
      return found;
    },
    records: async (places) => places.map(record),
  };
}

/** Returns the numbers of chosen labels; null = all. A label that no name has is left out. */
function chosen(labels: readonly string[], names: readonly string[] | null): ReadonlySet<number> | null {
  if (names === null) return null;
  return new Set(names.map((name) => labels.indexOf(name) + 1).filter((number) => number > 0));
}

interface WordLists {
  count(word: number): number;
  addNames(bits: Bits, word: number): void;
}

/** The names of each word, in memory: four bytes for each word of a name, and four for each word that occurs. */
function openWordLists(file: CheckedFile, section: string): WordLists {
  const starts = file.numbers(`${section}.starts`, Uint32Array);
  const names = file.numbers(`${section}.names`, Uint32Array);
  return {
    count: (word) => (starts[word + 1] ?? 0) - (starts[word] ?? 0),
    addNames(bits, word) {
      const end = starts[word + 1] ?? 0;
      for (let at = starts[word] ?? 0; at < end; at++) addBit(bits, names[at] ?? 0);
    },
  };
}
