import { textOf } from '../scan/text.ts';
import type { EncodedColumn, ParquetType } from './parquet.ts';
import { day, decimal, flag, integer, mastrDigits, mastrPrefix, time } from './values.ts';

/**
 * Columns under construction: each takes the value of its element straight from the scanner's code units into the bytes
 * of a Parquet page. One class for each way of storing, none for a field.
 */

export interface Column {
  readonly type: ParquetType;
  /** Takes the text `units[start, end)`, trimmed and not empty. Returns false when it is no value: then it is null. */
  append(units: Uint16Array, start: number, end: number): boolean;
  appendNull(): void;
  /** The rows so far; then the column is empty again. The bytes are valid until the next append. */
  take(): EncodedColumn;
}

/** Validity bits and the count of nulls: what all columns share. */
class Validity {
  readonly bits: Uint8Array;
  rows = 0;
  nulls = 0;

  constructor(capacity: number) {
    this.bits = new Uint8Array((capacity + 7) >> 3);
  }

  value(): void {
    this.bits[this.rows >> 3]! |= 1 << (this.rows & 7);
    this.rows++;
  }

  null(): void {
    this.rows++;
    this.nulls++;
  }

  take(values: Uint8Array, dictionary?: EncodedColumn['dictionary']): EncodedColumn {
    const encoded = { nulls: this.nulls, validity: this.bits.slice(), values, ...(dictionary ? { dictionary } : {}) };
    this.bits.fill(0);
    this.rows = 0;
    this.nulls = 0;
    return encoded;
  }
}

type ReadNumber = (units: Uint16Array, start: number, end: number) => number;

export class Int32Column implements Column {
  readonly type: ParquetType;
  readonly #read: ReadNumber;
  readonly #values: Int32Array;
  readonly #validity: Validity;
  #count = 0;

  constructor(type: ParquetType, capacity: number, read: ReadNumber) {
    this.type = type;
    this.#read = read;
    this.#values = new Int32Array(capacity);
    this.#validity = new Validity(capacity);
  }

  append(units: Uint16Array, start: number, end: number): boolean {
    const value = this.#read(units, start, end);
    if (Number.isNaN(value)) {
      this.#validity.null();
      return false;
    }
    this.put(value);
    return true;
  }

  /** Takes a number that does not come from a text. */
  put(value: number): void {
    this.#values[this.#count++] = value;
    this.#validity.value();
  }

  appendNull(): void {
    this.#validity.null();
  }

  take(): EncodedColumn {
    const values = new Uint8Array(this.#values.buffer, 0, this.#count * 4);
    this.#count = 0;
    return this.#validity.take(values);
  }
}

/** Writes a value as two halves, the low one first; returns false when the text is no such value. */
type ReadHalves = (units: Uint16Array, start: number, end: number, halves: Int32Array, at: number) => boolean;

const TWO_TO_32 = 0x1_0000_0000;

function putHalves(value: number, halves: Int32Array, at: number): void {
  const high = Math.floor(value / TWO_TO_32);
  halves[at] = value - high * TWO_TO_32;
  halves[at + 1] = high;
}

/** Whole numbers up to 2^53 in magnitude. */
const wholeNumber =
  (read: ReadNumber): ReadHalves =>
  (units, start, end, halves, at) => {
    const value = read(units, start, end);
    if (Number.isNaN(value)) return false;
    putHalves(value, halves, at);
    return true;
  };

/** MaStR numbers: the three letters as a number times 2^40, plus the twelve digits. The order of the texts is kept. */
const mastrNumber: ReadHalves = (units, start, end, halves, at) => {
  const digits = mastrDigits(units, start, end);
  if (Number.isNaN(digits)) return false;
  putHalves(digits, halves, at);
  halves[at + 1]! += mastrPrefix(units, start) * 256;
  return true;
};

class Int64Column implements Column {
  readonly type: ParquetType;
  readonly #read: ReadHalves;
  readonly #halves: Int32Array;
  readonly #validity: Validity;
  #count = 0;

  constructor(type: ParquetType, capacity: number, read: ReadHalves) {
    this.type = type;
    this.#read = read;
    this.#halves = new Int32Array(capacity * 2);
    this.#validity = new Validity(capacity);
  }

  append(units: Uint16Array, start: number, end: number): boolean {
    if (!this.#read(units, start, end, this.#halves, this.#count)) {
      this.#validity.null();
      return false;
    }
    this.#count += 2;
    this.#validity.value();
    return true;
  }

  appendNull(): void {
    this.#validity.null();
  }

  take(): EncodedColumn {
    const values = new Uint8Array(this.#halves.buffer, 0, this.#count * 4);
    this.#count = 0;
    return this.#validity.take(values);
  }
}

class BooleanColumn implements Column {
  readonly type: ParquetType = 'boolean';
  readonly #bits: Uint8Array;
  readonly #validity: Validity;
  #count = 0;

  constructor(capacity: number) {
    this.#bits = new Uint8Array((capacity + 7) >> 3);
    this.#validity = new Validity(capacity);
  }

  append(units: Uint16Array, start: number, end: number): boolean {
    const value = flag(units, start, end);
    if (Number.isNaN(value)) {
      this.#validity.null();
      return false;
    }
    if (value === 1) this.#bits[this.#count >> 3]! |= 1 << (this.#count & 7);
    this.#count++;
    this.#validity.value();
    return true;
  }

  appendNull(): void {
    this.#validity.null();
  }

  take(): EncodedColumn {
    const values = this.#bits.slice(0, (this.#count + 7) >> 3);
    this.#bits.fill(0);
    this.#count = 0;
    return this.#validity.take(values);
  }
}

/** White space, the non-breaking one and control characters included. */
export const isBlank = (unit: number): boolean => unit <= 0x20 || unit === 0xa0;

/** UTF-8 texts with their length in front, in one growing piece of memory. */
class Texts {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  /** Appends code units as one text. White space is collapsed to one blank, U+FF06 becomes `&`. */
  append(units: Uint16Array, start: number, end: number): void {
    const needed = this.#length + 4 + (end - start) * 3;
    if (needed > this.#bytes.length) this.#grow(needed);
    const bytes = this.#bytes;
    const first = this.#length + 4;
    let at = first;
    for (let read = start; read < end; read++) {
      const unit = units[read]!;
      if (isBlank(unit)) {
        if (bytes[at - 1] !== 0x20 || at === first) bytes[at++] = 0x20;
      } else if (unit < 0x80) bytes[at++] = unit;
      else if (unit === FULL_WIDTH_AMPERSAND) bytes[at++] = 0x26;
      else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else if (unit >= 0xd800 && unit <= 0xdbff) {
        const code = 0x10000 + ((unit - 0xd800) << 10) + (units[++read]! - 0xdc00);
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
      } else {
        bytes[at++] = 0xe0 | (unit >> 12);
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[at++] = 0x80 | (unit & 0x3f);
      }
    }
    this.#finish(at - first);
  }

  appendString(text: string): void {
    const encoded = Buffer.from(text);
    const needed = this.#length + 4 + encoded.length;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#bytes.set(encoded, this.#length + 4);
    this.#finish(encoded.length);
  }

  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #finish(size: number): void {
    const bytes = this.#bytes;
    const at = this.#length;
    bytes[at] = size & 0xff;
    bytes[at + 1] = (size >> 8) & 0xff;
    bytes[at + 2] = (size >> 16) & 0xff;
    bytes[at + 3] = size >>> 24;
    this.#length = at + 4 + size;
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(needed * 2);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

const FULL_WIDTH_AMPERSAND = 0xff06;

class TextColumn implements Column {
  readonly type: ParquetType = 'text';
  readonly #texts = new Texts();
  readonly #validity: Validity;

  constructor(capacity: number) {
    this.#validity = new Validity(capacity);
  }

  append(units: Uint16Array, start: number, end: number): boolean {
    this.#texts.append(units, start, end);
    this.#validity.value();
    return true;
  }

  appendNull(): void {
    this.#validity.null();
  }

  take(): EncodedColumn {
    return this.#validity.take(this.#texts.take());
  }
}

/** Texts of which few are different, behind a dictionary: catalogue ids resolved, constants. */
class Dictionary {
  readonly #places = new Map<string, number>();
  readonly #texts = new Texts();
  readonly #indices: Uint16Array;
  #count = 0;

  constructor(capacity: number) {
    this.#indices = new Uint16Array(capacity);
  }

  append(text: string): void {
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(text, place);
      this.#texts.appendString(text);
    }
    this.#indices[this.#count++] = place;
  }

  take(): { values: Uint8Array; dictionary: { values: Uint8Array; size: number } } {
    // Bit-packed runs come in groups of eight.
    const padded = Math.ceil(this.#count / 8) * 8;
    const values = new Uint8Array(padded * 2);
    values.set(new Uint8Array(this.#indices.buffer, 0, this.#count * 2));
    const dictionary = { values: this.#texts.take(), size: this.#places.size };
    this.#places.clear();
    this.#count = 0;
    return { values, dictionary };
  }
}

/** The same text in every row. */
export function constantColumn(text: string, rows: number): EncodedColumn {
  const texts = new Texts();
  texts.appendString(text);
  const padded = Math.ceil(rows / 8) * 8;
  return {
    nulls: 0,
    validity: new Uint8Array(0),
    values: new Uint8Array(padded * 2),
    dictionary: { values: texts.take(), size: 1 },
  };
}

/** Catalogue ids as their texts. */
class LabelColumn implements Column {
  readonly type: ParquetType = 'text';
  readonly #labels: ReadonlyMap<number, string>;
  readonly #dictionary: Dictionary;
  readonly #validity: Validity;

  constructor(capacity: number, labels: ReadonlyMap<number, string>) {
    this.#labels = labels;
    this.#dictionary = new Dictionary(capacity);
    this.#validity = new Validity(capacity);
  }

  append(units: Uint16Array, start: number, end: number): boolean {
    const label = this.#labels.get(integer(units, start, end));
    if (label === undefined) {
      this.#validity.null();
      return false;
    }
    this.#dictionary.append(label);
    this.#validity.value();
    return true;
  }

  appendNull(): void {
    this.#validity.null();
  }

  take(): EncodedColumn {
    const { values, dictionary } = this.#dictionary.take();
    return this.#validity.take(values, dictionary);
  }
}

/** Separates the items of a list inside one text: a character that XML forbids, so that no item holds it. */
export const LIST_SEPARATOR = '\u001f';

/** Lists of catalogue ids as their texts, joined; lists of numbers or texts as they are. */
class ListColumn implements Column {
  readonly type: ParquetType = 'text';
  readonly #labels: ReadonlyMap<number, string> | null;
  readonly #unknown: (raw: string) => void;
  readonly #dictionary: Dictionary;
  readonly #validity: Validity;

  constructor(capacity: number, labels: ReadonlyMap<number, string> | null, unknown: (raw: string) => void) {
    this.#labels = labels;
    this.#unknown = unknown;
    this.#dictionary = new Dictionary(capacity);
    this.#validity = new Validity(capacity);
  }

  append(units: Uint16Array, start: number, end: number): boolean {
    const items: string[] = [];
    for (const part of textOf(units, start, end).split(/[,;]/)) {
      const item = part.trim();
      if (item === '') continue;
      const text = this.#labels === null ? item : this.#labels.get(Number(item));
      if (text === undefined) this.#unknown(item);
      else items.push(text);
    }
    if (items.length === 0) {
      this.#validity.null();
      return true;
    }
    this.#dictionary.append(items.join(LIST_SEPARATOR));
    this.#validity.value();
    return true;
  }

  appendNull(): void {
    this.#validity.null();
  }

  take(): EncodedColumn {
    const { values, dictionary } = this.#dictionary.take();
    return this.#validity.take(values, dictionary);
  }
}

/** How the text of an element is stored. */
export type ColumnKind =
  | { readonly as: 'mastr' | 'text' | 'day' | 'time' | 'integer' | 'boolean' | 'list' }
  | { readonly as: 'decimal'; readonly places: number }
  | { readonly as: 'label' | 'labels'; readonly labels: ReadonlyMap<number, string> };

/** First and last day, as days since 1970-01-01, that is believed. */
export interface DayBounds {
  readonly first: number;
  readonly last: number;
}

/** What is wrong with a text that is no value of its kind. */
export type Fault = 'wert_unlesbar' | 'tag_unplausibel' | 'katalog_id_unbekannt';

/**
 * An empty column for values of a kind.
 * @param capacity rows until `take`
 * @param unknownItem told of every item of a list of catalogue ids that has no text
 */
export function columnFor(
  kind: ColumnKind,
  capacity: number,
  bounds: DayBounds,
  unknownItem: (raw: string) => void,
): Column {
  switch (kind.as) {
    case 'mastr':
      return new Int64Column('int64', capacity, mastrNumber);
    case 'time':
      return new Int64Column('time', capacity, wholeNumber(time));
    case 'decimal': {
      const { places } = kind;
      const read: ReadNumber = (units, start, end) => decimal(units, start, end, places);
      return new Int64Column({ decimals: places }, capacity, wholeNumber(read));
    }
    case 'integer':
      return new Int32Column('int32', capacity, integer);
    case 'day':
      return new Int32Column('day', capacity, (units, start, end) => {
        const value = day(units, start, end);
        return value < bounds.first || value > bounds.last ? Number.NaN : value;
      });
    case 'boolean':
      return new BooleanColumn(capacity);
    case 'text':
      return new TextColumn(capacity);
    case 'label':
      return new LabelColumn(capacity, kind.labels);
    case 'labels':
      return new ListColumn(capacity, kind.labels, unknownItem);
    case 'list':
      return new ListColumn(capacity, null, unknownItem);
  }
}

/** Why a column did not take a text. */
export function faultOf(kind: ColumnKind, units: Uint16Array, start: number, end: number): Fault {
  if (kind.as === 'label' && !Number.isNaN(integer(units, start, end))) return 'katalog_id_unbekannt';
  if (kind.as === 'day' && !Number.isNaN(day(units, start, end))) return 'tag_unplausibel';
  return 'wert_unlesbar';
}
