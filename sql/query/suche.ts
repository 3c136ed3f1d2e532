import { STORED_FIELDS } from '../catalogue/unit-fields.ts';
import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';

/**
 * Free-text search over the texts of a unit, through the table of all texts that occur, and over every MaStR number of the
 * unit. Case, accents and the spelling of ß are ignored.
 */

/** A word to search for. */
export interface SearchWord {
  /** Folded (fold.ts). */
  readonly text: string;
  /** MaStR numbers of units with the word in a text of the caller's organisation. */
  readonly own: readonly string[];
}

/** The prefixes of the numbers in a field. Source: format reference of the export, "MaStR numbers". */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  mastrNummer: ['see'],
  betreiberMastrNummer: ['abr'],
  eegMastrNummer: ['eeg'],
  kwkMastrNummer: ['kwk'],
  netzbetreiberMastrNummer: ['snb', 'gnb'],
  netzanschlusspunktMastrNummer: ['san', 'gan'],
  lokationMastrNummer: ['sel', 'svl', 'gel', 'gvl'],
  genehmigungMastrNummer: ['sge', 'gen'],
  speicherMastrNummer: ['sse', 'spe'],
  speicherSolareinheitMastrNummer: ['see'],
};

/** @throws Error for a field of numbers whose letters are missing here */
function prefixesOf(field: string): readonly string[] {
  const prefixes = LETTERS[field];
  if (prefixes === undefined) throw new Error(`The letters of the numbers of ${field} are unknown`);
  return prefixes;
}

const NUMBERS = STORED_FIELDS.filter(({ kind }) => kind === 'number').map(({ name }) => name);

const PART_OF_NUMBER = /^([a-z]{0,3})([0-9]{0,12})$/;

/** Letters alone, or with fewer digits, occur in the numbers of too many units to list them. */
const SELECTIVE_DIGITS = 3;

/** A word and the fields whose numbers may contain it. */
interface WordSearch extends SearchWord {
  readonly numbers: readonly string[];
  /**
   * `index`: few units have such a number, and the engine skips most of the table. `scan`: few units have it, but every
   * number has to be compared. `filter`: so many units have it that each unit is tested.
   */
  readonly strategy: 'index' | 'scan' | 'filter';
}

/**
 * Writes the condition that every word occurs somewhere in the unit.
 * @param words at least one
 */
export function sucheSql(words: readonly SearchWord[], dialect: Dialect, values: Binder): string {
  const found = matchingUnitsSql(words, dialect, values);
  return found === null ? 'true' : `${dialect.unitNumber} ${dialect.isIn} (${found})`;
}

/**
 * Selects the numbers of the units that have every word, as `nummer`; a number may come more than once.
 * @returns null when every unit has them
 */
export function matchingUnitsSql(words: readonly SearchWord[], dialect: Dialect, values: Binder): string | null {
  const searches = words.filter(isSelective).map(wordSearch);
  // Next to a word that finds few units, only the numbers of these have to be compared.
  const few = searches.some(({ strategy }) => strategy === 'index');
  const isFilter = ({ strategy }: WordSearch) => strategy === 'filter' || (strategy === 'scan' && few);
  const [first, ...others] = searches
    .filter((search) => !isFilter(search))
    .map((search) => unitsWithWord(search, dialect, values));
  // Small sets are intersected before the table of units is read.
  const intersections = others
    .map((rows, index) => `${index === 0 ? 'WHERE' : '  AND'} nummer ${dialect.isIn} (${rows})`)
    .join('\n    ');
  const found = first === undefined ? [] : [`SELECT nummer FROM (${first})\n    ${intersections}`.trimEnd()];
  const filters = searches.filter(isFilter).map((search) => wordCondition(search, dialect, values));
  if (filters.length === 0) return found[0] ?? null;
  const among = found.map((numbers) => `nummer ${dialect.isIn} (${numbers})`);
  return numbersWhere([...among, ...filters].join('\n  AND '));
}

/** A word as it is searched for without statements. */
export interface ReachingWord extends SearchWord {
  /** Fields whose numbers may contain the word; the texts of a unit are searched for every word. */
  readonly numbers: readonly string[];
}

/** Returns the words that not every unit has, each with the fields that it may lie in. */
export const reachingWords = (words: readonly SearchWord[]): ReachingWord[] =>
  words.filter(isSelective).map(wordSearch);

/** Every number of a unit begins with these letters. */
const isSelective = ({ text }: SearchWord): boolean => !'see'.includes(text);

function wordSearch(word: SearchWord): WordSearch {
  const parts = PART_OF_NUMBER.exec(word.text);
  if (parts === null) return { ...word, numbers: [], strategy: 'index' };
  const [, letters = '', digits = ''] = parts;
  const selective = digits.length >= SELECTIVE_DIGITS;
  // Three letters before digits may begin numbers of a kind that is not listed here.
  const anyLetters = letters.length === 3 && selective;
  const fits = (prefix: string) => (digits === '' ? prefix.includes(letters) : prefix.endsWith(letters));
  const numbers = NUMBERS.filter((name) => anyLetters || prefixesOf(name).some(fits));
  if (numbers.length === 0 || anyLetters) return { ...word, numbers, strategy: 'index' };
  return { ...word, numbers, strategy: selective ? 'scan' : 'filter' };
}

/** Selects the numbers of the units that have a word, as `nummer`; a number may come more than once. */
function unitsWithWord({ text, own, numbers }: WordSearch, dialect: Dialect, values: Binder): string {
  const selects = [dialect.unitsWithText(values.bind(text))];
  for (const name of numbers) selects.push(numbersWhere(numberContains(dialect.column(name), text, dialect, values)));
  if (own.length > 0) {
    selects.push(numbersWhere(dialect.isOneOf(dialect.column('mastrNummer'), values.bind(own))));
  }
  return selects.join('\n    UNION ALL ');
}

const numbersWhere = (condition: string): string => `SELECT nummer FROM units WHERE ${condition}`;

/** Complete numbers and their beginnings have special conditions that let the engine skip most of the table. */
function numberContains(column: string, text: string, dialect: Dialect, values: Binder): string {
  const number = text.toUpperCase();
  if (text.length === 15) return `${column} = ${values.bind(number)}`;
  if (/^[a-z]{3}/.test(text)) return dialect.startsWith(column, number, values);
  return dialect.contains(column, values.bind(number));
}

function wordCondition({ text, own, numbers }: WordSearch, dialect: Dialect, values: Binder): string {
  const number = values.bind(text.toUpperCase());
  const alternatives = numbers.map((name) => dialect.contains(dialect.column(name), number));
  if (own.length > 0) alternatives.push(dialect.isOneOf(dialect.column('mastrNummer'), values.bind(own)));
  alternatives.push(`nummer IN (${dialect.unitsWithText(values.bind(text))})`);
  return `(${alternatives.join('\n    OR ')})`;
}

const LAST_BEFORE_SURROGATES = 0xd7ff;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST = 0x10ffff;

/** Returns the least text above all that begin with the prefix, which is not empty. Texts compare by code point. */
export function firstAfterPrefix(prefix: string): string {
  const points = [...prefix];
  const last = points.pop()?.codePointAt(0);
  if (last === undefined) throw new Error('Every text begins with the empty one, so that none follows');
  // Nothing follows the last code point. Unicode reserves it, so that no text has it twice.
  if (last === LAST) return prefix + String.fromCodePoint(LAST, LAST);
  return points.join('') + String.fromCodePoint(last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1);
}
