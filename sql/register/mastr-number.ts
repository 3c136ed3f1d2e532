/**
 * The numbers by which the register identifies units, actors and other objects: three capital letters and twelve digits,
 * e.g. SEE900000000001. As 64 bits a number is its letters in base 26, times 2^40, plus its digits, which keeps the order.
 * The scanner reads the same encoding from code units (ingest/stage/values.ts).
 */

/** Pattern of a MaStR number, without anchors, for regular expressions of JavaScript and SQL. */
export const MASTR_NUMBER = '[A-Z]{3}[0-9]{12}';

const UNIT_PREFIX = 'SEE';

/** Pattern of the number of a unit that generates or stores electricity, without anchors. */
export const UNIT_NUMBER = `${UNIT_PREFIX}[0-9]{12}`;

const WHOLE_NUMBER = new RegExp(`^${MASTR_NUMBER}$`);

export const isMastrNumber = (text: string): boolean => WHOLE_NUMBER.test(text);

const LENGTH = 15;
const DIGITS = 12;
const LETTER_A = 65;

/** The letters count in units of this, the smallest power of two above twelve digits. */
const LETTERS_UNIT = 2 ** 40;

/** A MaStR number as 64 bits. */
export function mastrBits(number: string): bigint {
  const letters = [...number.slice(0, 3)].reduce((value, letter) => value * 26 + letter.charCodeAt(0) - LETTER_A, 0);
  return BigInt(letters) * BigInt(LETTERS_UNIT) + BigInt(number.slice(3));
}

/** The digits of a unit's number as a number; NaN for a text that is no number of a unit. */
export const digitsOf = (number: string): number =>
  number.startsWith(UNIT_PREFIX) && number.length === LENGTH ? Number(number.slice(UNIT_PREFIX.length)) : Number.NaN;

/** The number of a unit with these digits. */
export const unitNumberOf = (digits: number): string => `${UNIT_PREFIX}${String(digits).padStart(DIGITS, '0')}`;

/** The 64 bits of a column of MaStR numbers, in SQL of DuckDB. */
export function duckdbMastrBits(column: string): string {
  const [first, second, third] = [1, 2, 3].map((place) => `(ord(substring(${column}, ${place}, 1)) - ${LETTER_A})`);
  return `(${first} * 676 + ${second} * 26 + ${third})::BIGINT * ${LETTERS_UNIT} + substring(${column}, 4)::BIGINT`;
}

/** The MaStR number of a column of 64 bits, in SQL of DuckDB. */
export function duckdbMastrNumber(bits: string): string {
  const letters = `(${bits} >> 40)::INTEGER`;
  const characters = [`${letters} // 676`, `${letters} // 26 % 26`, `${letters} % 26`].map(
    (letter) => `chr(${LETTER_A} + ${letter})`,
  );
  return `${characters.join(' || ')} || lpad(${duckdbDigits(bits)}::VARCHAR, ${DIGITS}, '0')`;
}

/** The 64 bits of a column of MaStR numbers, in SQL of ClickHouse. */
export function clickhouseMastrBits(column: string): string {
  const [first, second, third] = [1, 2, 3].map((place) => `(ascii(substring(${column}, ${place}, 1)) - ${LETTER_A})`);
  return `(${first} * 676 + ${second} * 26 + ${third}) * toInt64(${LETTERS_UNIT}) + toInt64(substring(${column}, 4))`;
}

/** Units by the twelve digits of their numbers, both ends included. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** The twelve digits of a number as 64 bits, in SQL of DuckDB. */
export const duckdbDigits = (bits: string): string => `(${bits} & ${LETTERS_UNIT - 1})`;

/** SQL for the units of a range, over a number as 64 bits. */
export const isInRange = (bits: string, { from, to }: NumberRange): string =>
  `${bits} BETWEEN ${mastrBits(unitNumberOf(from))} AND ${mastrBits(unitNumberOf(to))}`;

/**
 * A text with the signs that texts of the register are kept with: of the two ampersands that occur in it, the plain one. What
 * is asked for goes through it as well, so that both sides are spelled alike.
 */
export const plainSigns = (text: string): string => text.replaceAll('\uff06', '&');
