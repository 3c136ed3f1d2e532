import { STORED_FIELDS } from '../catalogue/unit-fields.ts';
import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';

/**
 * Free text over what the register says of a unit: its texts, by way of the table of all texts that occur, and every
 * MaStR number that it carries. Case, accents and the spelling of ß do not count.
 */

/** A word to search for. */
export interface SearchWord {
  /** Folded (fold.ts). */
  readonly text: string;
  /** MaStR numbers of units that bear the word in a text of the caller's organisation. */
  readonly own: readonly string[];
}

/** The letters that the numbers of a field begin with: format reference of the export, "MaStR numbers". */
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

const NUMBERS = STORED_FIELDS.filter(({ kind }) => kind === 'number').map(({ name }) => name);

const PART_OF_NUMBER = /^([a-z]{0,3})([0-9]{0,12})$/;

/** Letters alone, or with fewer digits than that, stand in the numbers of more units than should be gathered. */
const TELLING_DIGITS = 3;

/** A word and the fields whose numbers may hold it. */
interface WordSearch extends SearchWord {
  readonly numbers: readonly string[];
  /**
   * How the units with such a number are found: `gather` them all, as few have it and the engine finds them fast;
   * `scan`, the same, but every number has to be looked at; `test` unit by unit, as so many have it.
   */
  readonly way: 'gather' | 'scan' | 'test';
}

/**
 * The condition that every one of the words occurs somewhere in the unit.
 * @param words at least one
 */
export function sucheSql(words: readonly SearchWord[], dialect: Dialect, values: Binder): string {
  const found = matchingUnitsSql(words, dialect, values);
  return found === null ? 'true' : `${dialect.unitNumber} IN (${found})`;
}

/**
 * The numbers of the units that have every one of the words, as `nummer`; a number may come more than once.
 * @returns null where every unit has them
 */
export function matchingUnitsSql(words: readonly SearchWord[], dialect: Dialect, values: Binder): string | null {
  // What every number of a unit begins with, every unit has.
  const tasks = words.filter(({ text }) => !'see'.includes(text)).map(wordSearch);
  // Beside a word that finds few units, it is enough to look at the numbers of these.
  const few = tasks.some(({ way }) => way === 'gather');
  const isTested = ({ way }: WordSearch) => way === 'test' || (way === 'scan' && few);
  const [first, ...others] = tasks
    .filter((task) => !isTested(task))
    .map((task) => unitsWithWord(task, dialect, values));
  // Small sets meet before the table of units is asked.
  const inside = others.map((rows, index) => `${index === 0 ? 'WHERE' : '  AND'} nummer IN (${rows})`).join('\n    ');
  const found = first === undefined ? [] : [`SELECT nummer FROM (${first})\n    ${inside}`.trimEnd()];
  const tests = tasks.filter(isTested).map((task) => wordCondition(task, dialect, values));
  if (tests.length === 0) return found[0] ?? null;
  const among = found.map((numbers) => `nummer IN (${numbers})`);
  return numbersWhere([...among, ...tests].join('\n  AND '));
}

function wordSearch(word: SearchWord): WordSearch {
  const parts = PART_OF_NUMBER.exec(word.text);
  if (parts === null) return { ...word, numbers: [], way: 'gather' };
  const [, letters, digits] = parts as unknown as [string, string, string];
  const telling = digits.length >= TELLING_DIGITS;
  // Letters that no number begins with may be those of a kind that is not known here, when there is more behind them.
  const anyLetters = letters.length === 3 && telling;
  const fits = (known: string) => (digits === '' ? known.includes(letters) : known.endsWith(letters));
  const numbers = NUMBERS.filter((name) => anyLetters || LETTERS[name]!.some(fits));
  if (numbers.length === 0 || anyLetters) return { ...word, numbers, way: 'gather' };
  return { ...word, numbers, way: telling ? 'scan' : 'test' };
}

/** The numbers of the units that bear a word, as `nummer`; a number may come more than once. */
function unitsWithWord({ text, own, numbers }: WordSearch, dialect: Dialect, values: Binder): string {
  const selects = [dialect.unitsWithText(values.bind(text))];
  for (const name of numbers) selects.push(numbersWhere(numberContains(dialect.column(name), text, dialect, values)));
  if (own.length > 0) {
    selects.push(numbersWhere(dialect.isOneOf(dialect.column('mastrNummer'), values.bind(own))));
  }
  return selects.join('\n    UNION ALL ');
}

const numbersWhere = (condition: string): string => `SELECT nummer FROM units WHERE ${condition}`;

/** Whole numbers and their beginnings are told apart: for them the engine passes over most of the table. */
function numberContains(column: string, text: string, dialect: Dialect, values: Binder): string {
  const number = text.toUpperCase();
  if (text.length === 15) return `${column} = ${values.bind(number)}`;
  if (/^[a-z]{3}/.test(text)) return dialect.startsWith(column, number, values);
  return dialect.contains(column, values.bind(number));
}

function wordCondition({ text, own, numbers }: WordSearch, dialect: Dialect, values: Binder): string {
  const number = values.bind(text.toUpperCase());
  const ways = numbers.map((name) => dialect.contains(dialect.column(name), number));
  if (own.length > 0) ways.push(dialect.isOneOf(dialect.column('mastrNummer'), values.bind(own)));
  ways.push(`nummer IN (${dialect.unitsWithText(values.bind(text))})`);
  return `(${ways.join('\n    OR ')})`;
}
