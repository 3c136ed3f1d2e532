/** Parsers for the values of the export, over UTF-16 code units. NaN means that the text is not such a value. */

import { itemAt } from '../../runtime/present.ts';
import { unitAt } from '../scan/characters.ts';
import { unitsOf } from '../scan/text.ts';

const ZERO = 0x30;
const NINE = 0x39;
const DASH = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const COLON = 0x3a;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;
const LETTER_A = 0x41;
const SECONDS_PER_DAY = 86_400;

const MASTR_LENGTH = 15;

/** The 12 digits of a MaStR number (three letters, twelve digits) as a number. */
export function mastrDigits(units: Uint16Array, start: number, end: number): number {
  if (end - start !== MASTR_LENGTH) return Number.NaN;
  for (let at = start; at < start + 3; at++)
    if (unitAt(units, at) < LETTER_A || unitAt(units, at) > LETTER_Z) return Number.NaN;
  return parseDigits(units, start + 3, end);
}

/** The three letters of a MaStR number as a number below 26³: AAA = 0, AAB = 1. */
export function mastrPrefix(units: Uint16Array, start: number): number {
  return (
    (unitAt(units, start) - LETTER_A) * 676 +
    (unitAt(units, start + 1) - LETTER_A) * 26 +
    (unitAt(units, start + 2) - LETTER_A)
  );
}

function parseDigits(units: Uint16Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const unit = unitAt(units, at);
    if (unit < ZERO || unit > NINE) return Number.NaN;
    value = value * 10 + (unit - ZERO);
  }
  return value;
}

/** A whole number within the range of 32 bits. */
export function parseInteger(units: Uint16Array, start: number, end: number): number {
  const sign = units[start] === DASH ? -1 : 1;
  const first = units[start] === DASH || units[start] === PLUS ? start + 1 : start;
  if (first === end || end - first > 10) return Number.NaN;
  const value = sign * parseDigits(units, first, end);
  return value === (value | 0) ? value + 0 : Number.NaN;
}

/** 0, 1, false, true; NaN for anything else. */
export function parseFlag(units: Uint16Array, start: number, end: number): number {
  if (end - start === 1) return units[start] === ZERO ? 0 : units[start] === ZERO + 1 ? 1 : Number.NaN;
  if (spells('true', units, start, end)) return 1;
  if (spells('false', units, start, end)) return 0;
  return Number.NaN;
}

function spells(word: string, units: Uint16Array, start: number, end: number): boolean {
  if (end - start !== word.length) return false;
  for (let at = 0; at < word.length; at++) if ((unitAt(units, start + at) | 0x20) !== word.charCodeAt(at)) return false;
  return true;
}

/** The largest scaled decimal; up to it every whole number is exact in a double. */
const MAX_DECIMAL = 999_999_999_999_999;

/** Digits beyond the last place are rounded half away from zero, or dropped. */
type Rounding = 'rounded' | 'truncated';

/** A decimal as a multiple of 10^-places. Exponents are accepted (xs:float). */
export function parseDecimal(
  units: Uint16Array,
  start: number,
  end: number,
  places: number,
  rounding: Rounding = 'rounded',
): number {
  let at = start;
  const negative = units[at] === DASH;
  if (negative || units[at] === PLUS) at++;
  let value = 0;
  let read = 0;
  let fraction = -1;
  let round = 0;
  for (; at < end; at++) {
    const unit = unitAt(units, at);
    if (unit === POINT && fraction < 0) {
      fraction = 0;
      continue;
    }
    if (unit < ZERO || unit > NINE) return decimalWithExponent(units, start, end, places, rounding);
    read++;
    if (fraction >= places) {
      if (fraction === places && unit >= ZERO + 5) round = 1;
      fraction++;
      continue;
    }
    if (fraction >= 0) fraction++;
    value = value * 10 + (unit - ZERO);
  }
  if (read === 0) return Number.NaN;
  for (let place = Math.max(0, fraction); place < places; place++) value *= 10;
  if (rounding === 'rounded') value += round;
  if (value > MAX_DECIMAL) return Number.NaN;
  return negative && value !== 0 ? -value : value;
}

/** Longest text and largest exponent accepted in a decimal with an exponent: all of xs:float and more. */
const MAX_LENGTH_WITH_EXPONENT = 64;
const MAX_EXPONENT = 400;

/** Writes the decimal out without its exponent first, so that it is rounded as exactly as any other. */
function decimalWithExponent(
  units: Uint16Array,
  start: number,
  end: number,
  places: number,
  rounding: Rounding,
): number {
  if (end - start > MAX_LENGTH_WITH_EXPONENT) return Number.NaN;
  const text = String.fromCharCode(...units.subarray(start, end));
  const match = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)[eE]([+-]?\d+)$/.exec(text);
  if (match === null || Math.abs(Number(match[4])) > MAX_EXPONENT) return Number.NaN;
  const [, sign = '', whole = '', fraction = ''] = match;
  const point = whole.length + Number(match[4]);
  const digits = (whole + fraction).padEnd(point, '0').padStart((whole + fraction).length - Math.min(0, point), '0');
  const at = Math.max(0, point);
  const plain = unitsOf(`${sign}${digits.slice(0, at)}.${digits.slice(at)}`);
  return parseDecimal(plain, 0, plain.length, places, rounding);
}

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** Days since 1970-01-01 of a day of the Gregorian calendar, years 1 to 9999; NaN when there is no such day. */
export function dayNumber(year: number, month: number, day: number): number {
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1)) return Number.NaN;
  const leapDay = month === 2 && isLeapYear(year) ? 1 : 0;
  if (day > itemAt(DAYS_IN_MONTH, month - 1) + leapDay) return Number.NaN;
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  const passed = itemAt(DAYS_BEFORE_MONTH, month - 1) + (month > 2 && isLeapYear(year) ? 1 : 0);
  return before * 365 + leapDays + passed + day - 1 - 719_162;
}

/** Days since 1970-01-01 of `YYYY-MM-DD`. A time of day after it is ignored, since these values have no time zone. */
export function parseDay(units: Uint16Array, start: number, end: number): number {
  if (end - start < 10 || (end - start > 10 && units[start + 10] !== LETTER_T)) return Number.NaN;
  if (units[start + 4] !== DASH || units[start + 7] !== DASH) return Number.NaN;
  return dayNumber(
    parseDigits(units, start, start + 4),
    parseDigits(units, start + 5, start + 7),
    parseDigits(units, start + 8, start + 10),
  );
}

/**
 * Whole seconds since 1970-01-01T00:00Z of `YYYY-MM-DDThh:mm:ss[.fffffff][Z]`; the register writes UTC. A day without a
 * time means midnight.
 */
export function parseSeconds(units: Uint16Array, start: number, end: number): number {
  const days = parseDay(units, start, end);
  if (end - start === 10) return days * SECONDS_PER_DAY;
  const last = endOfFraction(units, end);
  if (last - start < BEFORE_FRACTION || units[start + 13] !== COLON || units[start + 16] !== COLON) return Number.NaN;
  const hours = parseDigits(units, start + 11, start + 13);
  const minutes = parseDigits(units, start + 14, start + 16);
  const whole = parseDigits(units, start + 17, start + BEFORE_FRACTION);
  if (!(hours < 24 && minutes < 60 && whole < 60)) return Number.NaN;
  if (last - start > BEFORE_FRACTION) {
    if (units[start + BEFORE_FRACTION] !== POINT || last - start === BEFORE_FRACTION + 1) return Number.NaN;
    if (Number.isNaN(parseDigits(units, start + BEFORE_FRACTION + 1, last))) return Number.NaN;
  }
  return days * SECONDS_PER_DAY + (hours * 60 + minutes) * 60 + whole;
}

/**
 * The fraction of a second in a text that `seconds` accepts, in microseconds; digits beyond the sixth are dropped. It is
 * separate from the seconds because their sum exceeds 2^53 from the year 2255 on and would be rounded.
 */
export function parseMicroseconds(units: Uint16Array, start: number, end: number): number {
  const last = endOfFraction(units, end);
  let micros = 0;
  for (let at = start + BEFORE_FRACTION + 1, place = 100_000; at < last && place >= 1; at++, place /= 10) {
    micros += (unitAt(units, at) - ZERO) * place;
  }
  return micros;
}

/** Length of a time up to the point of its fraction. */
const BEFORE_FRACTION = 'YYYY-MM-DDThh:mm:ss'.length;

const endOfFraction = (units: Uint16Array, end: number): number => (units[end - 1] === LETTER_Z ? end - 1 : end);
