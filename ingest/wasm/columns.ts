/**
 * Appends the values of a record to the columns: the inner loop of staging. This is AssemblyScript; `npm run wasm` compiles it
 * to columns.wasm, and stage/column-memory.ts calls it. It knows the plain form of each kind of value, in which nearly all of them
 * come; whatever else a text may be is left to columns.ts and values.ts, which know all forms and report what is wrong.
 *
 * The memory is that of the scanner, in which the text of the record is.
 */

import { isBlank, putUnits } from './utf8';

/** Appends the value of a column, whatever its form, and returns the number of its code units; 0 for one without a value. */
declare function readOther(column: i32): i32;

// A column as stage/column-memory.ts writes it.
const KIND: usize = 0;
const SLOT: usize = 4;
/** Slot of the flag that marks the value as not available; -1 when there is none. */
const FLAG_SLOT: usize = 8;
/** Addresses: a byte for each row, 1 = there is a value; the values; what else the kind needs. */
const PRESENT: usize = 12;
const VALUES: usize = 16;
const MORE: usize = 20;
const FIRST: usize = 24;
const LAST: usize = 28;
const LIMIT: usize = 32;
const COLUMN_BYTES: usize = 48;

const MASTR: i32 = 1;
const TIME: i32 = 2;
const DECIMAL: i32 = 3;
const INTEGER: i32 = 4;
const DAY: i32 = 5;
const BOOLEAN: i32 = 6;
const AT_LEAST: i32 = 7;
const TEXT: i32 = 8;
const LABEL: i32 = 9;
const LIST: i32 = 10;

const SPACE: u16 = 0x20;
const ZERO: u32 = 0x30;
const DASH: u16 = 0x2d;
const POINT: u16 = 0x2e;
const COLON: u16 = 0x3a;
const COMMA: u16 = 0x2c;
const SEMICOLON: u16 = 0x3b;
const LETTER_A: u32 = 0x41;
const LETTER_T: u16 = 0x54;
const LETTER_Z: u16 = 0x5a;

/** Digits that a number of 32 bits, and one that a double holds exactly, always has room for. */
const MAX_DIGITS_32: usize = 9;
const MAX_DIGITS: usize = 15;
/** The largest scaled decimal, as in values.ts. */
const MAX_DECIMAL: i64 = 999_999_999_999_999;

const UNIT: usize = 2;

let text: usize = 0;
let starts: usize = 0;
let ends: usize = 0;
let seen: usize = 0;
let columns: usize = 0;
let count: i32 = 0;
/** The place of the next text of a TEXT or LIST column, and the place from which on there is no room for those of a record. */
let texts: usize = 0;
let lastTexts: usize = 0;
/** Code units of the values that were appended, and how many are enough. */
let appended: i32 = 0;
let enough: i32 = 0;

/** Sets the addresses of the scanner's text and values by slot, and of the columns. */
export function arrange(
  newText: usize,
  newStarts: usize,
  newEnds: usize,
  newSeen: usize,
  newColumns: usize,
  newCount: i32,
): void {
  text = newText;
  starts = newStarts;
  ends = newEnds;
  seen = newSeen;
  columns = newColumns;
  count = newCount;
}

/** Forgets all texts: the next one goes to `at`. */
export function clear(at: usize, last: usize, enoughUnits: i32): void {
  texts = at;
  lastTexts = last;
  appended = 0;
  enough = enoughUnits;
}

export function getTexts(): usize {
  return texts;
}

/** Says that texts up to the address were written elsewhere. */
export function setTexts(at: usize): void {
  texts = at;
}

/** The digits of a key that is a MaStR number; -1 when it is anything else. */
export function keyDigits(slot: i32, stamp: i32): f64 {
  if (!isSeen(slot, stamp)) return -1;
  const start = trimmedStart(slot);
  const end = trimmedEnd(slot, start);
  const digits = mastrDigits(start, end);
  return <f64>digits;
}

/** Appends the values of the record with the stamp as a row; true when the rows have to be written then. */
export function appendRecord(row: i32, stamp: i32): bool {
  let column = columns;
  for (let index = 0; index < count; index++, column += COLUMN_BYTES) {
    const present = load<usize>(column + PRESENT) + <usize>row;
    store<u8>(present, 0);
    const slot = load<i32>(column + SLOT);
    if (!isSeen(slot, stamp)) continue;
    const start = trimmedStart(slot);
    const end = trimmedEnd(slot, start);
    if (start === end) continue;
    const flag = load<i32>(column + FLAG_SLOT);
    if ((flag < 0 || !isSeen(flag, stamp) || isPlainZero(flag)) && appendPlain(column, row, start, end)) {
      store<u8>(present, 1);
      appended += <i32>((end - start) >> 1);
    } else {
      appended += readOther(index);
    }
  }
  return appended > enough || texts > lastTexts;
}

/** Stores a text and returns the address behind it; it begins at `getTexts` before. */
export function putText(start: i32, end: i32): usize {
  texts = putUnits(text + ((<usize>start) << 1), text + ((<usize>end) << 1), texts);
  return texts;
}

function isSeen(slot: i32, stamp: i32): bool {
  return slot >= 0 && load<i32>(seen + ((<usize>slot) << 2)) === stamp;
}

function trimmedStart(slot: i32): usize {
  let start = text + ((<usize>load<i32>(starts + ((<usize>slot) << 2))) << 1);
  const end = text + ((<usize>load<i32>(ends + ((<usize>slot) << 2))) << 1);
  while (start < end && isBlank(load<u16>(start))) start += UNIT;
  return start;
}

function trimmedEnd(slot: i32, start: usize): usize {
  let end = text + ((<usize>load<i32>(ends + ((<usize>slot) << 2))) << 1);
  while (end > start && isBlank(load<u16>(end - UNIT))) end -= UNIT;
  return end;
}

/** A flag that says nothing against the value. */
function isPlainZero(slot: i32): bool {
  const start = load<i32>(starts + ((<usize>slot) << 2));
  return load<i32>(ends + ((<usize>slot) << 2)) - start === 1 && load<u16>(text + ((<usize>start) << 1)) === ZERO;
}

/** Returns false, and has stored nothing that counts, when the text is not the plain form of a value. */
function appendPlain(column: usize, row: i32, start: usize, end: usize): bool {
  const values = load<usize>(column + VALUES);
  switch (load<i32>(column + KIND)) {
    case MASTR:
      return putMastr(values + ((<usize>row) << 3), start, end);
    case TIME:
      return putTime(values + ((<usize>row) << 3), start, end);
    case DECIMAL:
      return putDecimal(column, values + ((<usize>row) << 3), start, end);
    case INTEGER:
      return putInteger(values + ((<usize>row) << 2), start, end);
    case DAY:
      return putDay(column, values + ((<usize>row) << 2), start, end);
    case BOOLEAN:
      return putBoolean(values + <usize>row, start, end);
    case AT_LEAST:
      return putAtLeast(column, values + <usize>row, start, end);
    case LABEL:
      return putLabel(column, values + ((<usize>row) << 2), start, end);
    case LIST:
      return isOneItem(start, end) && putTextOf(column, values + ((<usize>row) << 2), row, start, end);
    case TEXT:
      return putTextOf(column, values + ((<usize>row) << 2), row, start, end);
    default:
      return false;
  }
}

function mastrDigits(start: usize, end: usize): i64 {
  if (end - start !== 15 * UNIT) return -1;
  for (let at = start; at < start + 3 * UNIT; at += UNIT) if (<u32>load<u16>(at) - LETTER_A > 25) return -1;
  return digitsOf(start + 3 * UNIT, end);
}

/** At least one digit and nothing else, as a number; -1 for any other text. */
function digitsOf(start: usize, end: usize): i64 {
  let value: i64 = 0;
  for (let at = start; at < end; at += UNIT) {
    const digit = <u32>load<u16>(at) - ZERO;
    if (digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function putMastr(at: usize, start: usize, end: usize): bool {
  const digits = mastrDigits(start, end);
  if (digits < 0) return false;
  const first = <u32>load<u16>(start) - LETTER_A;
  const second = <u32>load<u16>(start + UNIT) - LETTER_A;
  const third = <u32>load<u16>(start + 2 * UNIT) - LETTER_A;
  store<i64>(at, digits + ((<i64>(first * 676 + second * 26 + third)) << 40));
  return true;
}

function putInteger(at: usize, start: usize, end: usize): bool {
  if (end - start > MAX_DIGITS_32 * UNIT) return false;
  const value = digitsOf(start, end);
  if (value < 0) return false;
  store<i32>(at, <i32>value);
  return true;
}

function putBoolean(at: usize, start: usize, end: usize): bool {
  if (end - start !== UNIT) return false;
  const value = <u32>load<u16>(start) - ZERO;
  if (value > 1) return false;
  store<u8>(at, <u8>value);
  return true;
}

/** FIRST of a decimal is the number of its places. More digits than that are rounded elsewhere. */
function putDecimal(column: usize, target: usize, start: usize, end: usize): bool {
  const places = load<i32>(column + FIRST);
  let value: i64 = 0;
  let digits = 0;
  let fraction = -1;
  for (let at = start; at < end; at += UNIT) {
    const unit = load<u16>(at);
    if (unit === POINT && fraction < 0) {
      fraction = 0;
      continue;
    }
    const digit = <u32>unit - ZERO;
    if (digit > 9 || fraction === places) return false;
    if (fraction >= 0) fraction++;
    value = value * 10 + digit;
    digits++;
  }
  const missing = places - max(fraction, 0);
  if (digits === 0 || digits + missing > <i32>MAX_DIGITS) return false;
  for (let place = 0; place < missing; place++) value *= 10;
  if (<f64>value > load<f64>(column + LIMIT) || value > MAX_DECIMAL) return false;
  store<i64>(target, value);
  return true;
}

function putAtLeast(column: usize, target: usize, start: usize, end: usize): bool {
  let point = start;
  while (point < end && load<u16>(point) !== POINT) point += UNIT;
  if (point === start || point - start > MAX_DIGITS * UNIT) return false;
  const whole = digitsOf(start, point);
  if (whole < 0) return false;
  for (let at = point + UNIT; at < end; at += UNIT) if (<u32>load<u16>(at) - ZERO > 9) return false;
  store<u8>(target, <u8>(<f64>whole >= load<f64>(column + LIMIT)));
  return true;
}

/** No day has this number. */
const NO_DAY: i64 = i64.MIN_VALUE;

/** Days since 1970-01-01 of the `YYYY-MM-DD` at `at`. */
function dayAt(at: usize): i64 {
  if (load<u16>(at + 4 * UNIT) !== DASH || load<u16>(at + 7 * UNIT) !== DASH) return NO_DAY;
  const year = <i32>digitsOf(at, at + 4 * UNIT);
  const month = <i32>digitsOf(at + 5 * UNIT, at + 7 * UNIT);
  const day = <i32>digitsOf(at + 8 * UNIT, at + 10 * UNIT);
  // Only the days that every month has are plain, and those of the long months.
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31) return NO_DAY;
  if (day > 28 && (month === 2 || (day === 31 && (month === 4 || month === 6 || month === 9 || month === 11))))
    return NO_DAY;
  // Years begin in March here, so that the leap day is the last one.
  const y = month <= 2 ? year - 1 : year;
  const dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return y * 365 + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468;
}

/** FIRST and LAST of a day are the plausible ones. */
function putDay(column: usize, target: usize, start: usize, end: usize): bool {
  if (end - start !== 10 * UNIT) return false;
  const day = dayAt(start);
  if (day === NO_DAY || day < load<i32>(column + FIRST) || day > load<i32>(column + LAST)) return false;
  store<i32>(target, <i32>day);
  return true;
}

/** `YYYY-MM-DDThh:mm:ss`, with or without a fraction and `Z`, as microseconds. */
function putTime(target: usize, start: usize, end: usize): bool {
  const fraction = start + 19 * UNIT;
  if (end < fraction) return false;
  if (load<u16>(start + 10 * UNIT) !== LETTER_T) return false;
  if (load<u16>(start + 13 * UNIT) !== COLON || load<u16>(start + 16 * UNIT) !== COLON) return false;
  const day = dayAt(start);
  const hours = digitsOf(start + 11 * UNIT, start + 13 * UNIT);
  const minutes = digitsOf(start + 14 * UNIT, start + 16 * UNIT);
  const seconds = digitsOf(start + 17 * UNIT, fraction);
  if (day === NO_DAY || hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59)
    return false;
  const last = load<u16>(end - UNIT) === LETTER_Z ? end - UNIT : end;
  let micros: i64 = 0;
  if (last > fraction) {
    if (load<u16>(fraction) !== POINT || last === fraction + UNIT) return false;
    let place: i64 = 100_000;
    for (let at = fraction + UNIT; at < last; at += UNIT, place /= 10) {
      const digit = <u32>load<u16>(at) - ZERO;
      if (digit > 9) return false;
      micros += place * digit;
    }
  }
  store<i64>(target, (day * 86_400 + (hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros);
  return true;
}

/** MORE of a label is a table with the index of the text, plus 1, of each id below LAST; 0 where it is not known yet. */
function putLabel(column: usize, target: usize, start: usize, end: usize): bool {
  if (end - start > MAX_DIGITS_32 * UNIT) return false;
  const id = digitsOf(start, end);
  if (id < 0 || id >= load<i32>(column + LAST)) return false;
  const index = load<i32>(load<usize>(column + MORE) + ((<usize>id) << 2));
  if (index === 0) return false;
  store<i32>(target, index - 1);
  return true;
}

/** A list of one item, which is all of the text. */
function isOneItem(start: usize, end: usize): bool {
  for (let at = start; at < end; at += UNIT) {
    const unit = load<u16>(at);
    if (unit === COMMA || unit === SEMICOLON || unit <= SPACE || unit > 0x7e) return false;
  }
  return true;
}

/** MORE of a text is where the addresses behind the texts are; those of their beginnings are the values. */
function putTextOf(column: usize, target: usize, row: i32, start: usize, end: usize): bool {
  store<usize>(target, texts);
  texts = putUnits(start, end, texts);
  store<usize>(load<usize>(column + MORE) + ((<usize>row) << 2), texts);
  return true;
}
