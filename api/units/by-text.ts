import { setImmediate as othersTurn } from 'node:timers/promises';
import { type Condition, searchWords } from '../../sql/query/conditions.ts';
import { type ReachingWord, reachingWords, type SearchWord } from '../../sql/query/suche.ts';
import type { UnitCriteria } from '../../sql/query/units.ts';
import {
  addBit,
  type Bits,
  countBits,
  firstBits,
  hasBit,
  keepCommon,
  without,
} from '../../sql/warehouse/search/unit-set.ts';
import type { TextSearch, VersionReader } from '../warehouse/version.ts';

/** Finds units by free text in the search index of a version; without one, statements find them (sql/query/suche.ts). */

type Searched = Pick<VersionReader, 'search' | 'units'>;

/** Units in the order of their numbers. */
export interface FoundUnits {
  readonly count: number;
  has(number: string): boolean;
  /** Returns the numbers of the first units behind one; null = from the beginning. */
  after(number: string | null, limit: number): string[];
}

/** Units whose numbers are compared with a word: each is read from the row file. */
const MOST_COMPARED = 2000;

/** Units that are compared before other work gets its turn: about a millisecond. */
const COMPARED_AT_ONCE = 200;

/**
 * Finds the units that have every word.
 * @returns null when statements find them: there is no index, every unit has the words, or too many numbers would have to be
 * compared with one of them
 */
export async function unitsWithWords(dataset: Searched, words: readonly SearchWord[]): Promise<FoundUnits | null> {
  const { search } = dataset;
  if (search === null) return null;
  const found = await placesWithWords(dataset, search, reachingWords(words));
  if (found === null) return null;
  const { places } = search;
  return {
    count: countBits(found),
    has(number) {
      const place = places.of(number);
      return place !== null && hasBit(found, place);
    },
    after: (number, limit) => firstBits(found, number === null ? 0 : places.after(number), limit).map(places.numberAt),
  };
}

async function placesWithWords(
  dataset: Searched,
  search: TextSearch,
  words: readonly ReachingWord[],
): Promise<Bits | null> {
  // Words that numbers may contain come last: only the numbers of units with the others are compared with them.
  const inOrder = words.toSorted((one, other) => one.numbers.length - other.numbers.length);
  if ((inOrder[0]?.numbers.length ?? 1) > 0) return null;
  let found: Bits | null = null;
  for (const word of inOrder) {
    const having = await placesWithText(search, word);
    if (found !== null && word.numbers.length > 0 && !(await addNumbers(dataset, search, having, found, word)))
      return null;
    if (found === null) found = having;
    else keepCommon(found, having);
  }
  return found;
}

/** Finds the units with a word in a text of the register or of the organisation. */
async function placesWithText({ unitsWith, places }: TextSearch, { text, own }: SearchWord): Promise<Bits> {
  const having = await unitsWith(text);
  for (const number of own) {
    const place = places.of(number);
    if (place !== null) addBit(having, place);
  }
  return having;
}

/**
 * Adds to the units with a word those of `among` that have it in a number.
 * @returns false when there are too many to compare
 */
async function addNumbers(
  { units }: Searched,
  { places }: TextSearch,
  having: Bits,
  among: Bits,
  word: ReachingWord,
): Promise<boolean> {
  const others = without(among, having);
  if (countBits(others) > MOST_COMPARED) return false;
  const columns = new Set(word.numbers);
  const part = word.text.toUpperCase();
  const compared = firstBits(others, 0, MOST_COMPARED);
  for (let from = 0; from < compared.length; from += COMPARED_AT_ONCE) {
    const some = compared.slice(from, from + COMPARED_AT_ONCE);
    const rows = await units.read(some.map(places.numberAt), columns);
    for (const [index, texts] of rows.entries()) {
      if (word.numbers.some((name) => texts?.get(name)?.includes(part))) addBit(having, some[index] ?? 0);
    }
    await othersTurn();
  }
  return true;
}

/** More units than this are not named in a statement: it would take longer to read than to find them again. */
export const MOST_NAMED = 2000;

interface SearchedCriteria<Criteria> {
  /** Their free text names the units that have it, when they are few. */
  readonly criteria: Criteria;
  /** The units that have the free text; null when statements find them, or when there is none. */
  readonly found: FoundUnits | null;
}

/** Finds the units of the free text among criteria. */
export async function searchedCriteria<Criteria extends UnitCriteria>(
  dataset: Searched,
  criteria: Criteria,
): Promise<SearchedCriteria<Criteria>> {
  const search = criteria.conditions.find(isSearch);
  const found = search === undefined ? null : await unitsWithWords(dataset, searchWords(search));
  if (search === undefined || found === null || found.count > MOST_NAMED) return { criteria, found };
  const named: Condition = { ...search, found: found.after(null, MOST_NAMED) };
  const conditions = criteria.conditions.map((condition) => (condition === search ? named : condition));
  return { criteria: { ...criteria, conditions }, found };
}

/** Returns criteria whose free text names the units that have it, when they are few. */
export const withUnitsFound = async <Criteria extends UnitCriteria>(
  dataset: Searched,
  criteria: Criteria,
): Promise<Criteria> => (await searchedCriteria(dataset, criteria)).criteria;

const isSearch = ({ filter }: Condition): boolean => filter.compare === 'search';
