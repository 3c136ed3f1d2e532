import type { UnitField } from '../catalogue/field.ts';
import { STORED_FIELDS } from '../catalogue/unit-fields.ts';
import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';

/**
 * Free text over what the register says of a unit: its texts, by way of the table of all texts that occur, and every
 * MaStR number that it carries. Case, accents and the spelling of ß do not count.
 */

/** A word to search for. */
export interface Word {
  /** Folded (fold.ts). */
  readonly text: string;
  /** MaStR numbers of units that bear the word in a text of the caller's organisation. */
  readonly own: readonly string[];
}

const NUMBERS: readonly UnitField[] = STORED_FIELDS.filter(({ kind }) => kind === 'number');

/** What stands somewhere in a MaStR number: the end of its letters and the beginning of its digits, or a part of one. */
const PART_OF_NUMBER = /^[a-z]{0,3}[0-9]{0,12}$/;

/** Letters, and fewer digits than that, stand in the numbers of more units than a table of units found should hold. */
const TELLING = /[0-9]{3}/;

/**
 * The condition that every one of the words occurs somewhere in the unit.
 * @param words at least one
 */
export function sucheSql(words: readonly Word[], dialect: Dialect, values: Binder): string {
  const [telling, vague] = [words.filter((word) => !isVague(word)), words.filter(isVague)];
  const row = dialect.row('units');
  const [first, ...others] = telling.map((word) => rowsWith(word, dialect, values));
  // Small sets meet before the table of units is asked.
  const inside = others.map((rows) => `\n      AND zeile IN (${rows})`).join('');
  const found = first === undefined ? [] : [`${row} IN (SELECT zeile FROM (${first}) WHERE true${inside})`];
  return [...found, ...vague.map((word) => vagueSql(word, dialect, values))].join('\n  AND ');
}

const isVague = ({ text }: Word): boolean => PART_OF_NUMBER.test(text) && !TELLING.test(text);

/** The rows of the units that bear a word, as `zeile`; a row may come more than once. */
function rowsWith({ text, own }: Word, dialect: Dialect, values: Binder): string {
  const selects = [dialect.rowsWithText(values.bind(text))];
  if (PART_OF_NUMBER.test(text)) {
    const number = values.bind(text.toUpperCase());
    selects.push(...NUMBERS.map((field) => rowsWhere(numberHas(text, number, field, dialect), dialect)));
  }
  if (own.length > 0)
    selects.push(rowsWhere(dialect.isOneOf(dialect.column('mastrNummer'), values.bind(own)), dialect));
  return selects.join('\n      UNION ALL ');
}

const rowsWhere = (condition: string, dialect: Dialect): string =>
  `SELECT ${dialect.row('units')} AS zeile FROM units WHERE ${condition}`;

/** Whole numbers and their beginnings are told apart, because the engine passes over parts of the table for them. */
function numberHas(text: string, placeholder: string, { name }: UnitField, dialect: Dialect): string {
  const column = dialect.column(name);
  if (text.length === 15) return `${column} = ${placeholder}`;
  return /^[a-z]{3}/.test(text) ? dialect.startsWith(column, placeholder) : dialect.contains(column, placeholder);
}

/** A word that many numbers hold, unit by unit. */
function vagueSql({ text, own }: Word, dialect: Dialect, values: Binder): string {
  const number = values.bind(text.toUpperCase());
  const inNumbers = NUMBERS.map(({ name }) => dialect.contains(`units.${dialect.column(name)}`, number));
  const texts = dialect.rowsWithText(values.bind(text));
  const inOwn = own.length === 0 ? [] : [dialect.isOneOf(`units.${dialect.column('mastrNummer')}`, values.bind(own))];
  return `(${[...inNumbers, ...inOwn, `${dialect.row('units')} IN (${texts})`].join('\n    OR ')})`;
}
