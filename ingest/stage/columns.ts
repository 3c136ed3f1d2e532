import { textOf } from '../scan/text.ts';
import { byteAt, int32At } from '../scan/typed-arrays.ts';
import type { EncodedColumn, ParquetType } from './parquet.ts';
import {
  BooleanStore,
  DictionaryStore,
  emptyIndices,
  encodeDictionary,
  Int32Store,
  Int64Store,
  type Store,
  TextStore,
} from './stores.ts';
import {
  mastrDigits,
  mastrPrefix,
  parseDay,
  parseDecimal,
  parseFlag,
  parseInteger,
  parseMicroseconds,
  parseSeconds,
} from './values.ts';

/**
 * Columns under construction. Each reads the value of its element straight from the scanner's code units and encodes any
 * selection of its rows as the bytes of a Parquet page.
 */

/** Reads `units[start, end)` into a row of a store; returns false when the text is not a valid value. */
type ReadValue = (units: Uint16Array, start: number, end: number, row: number) => boolean;

export class Column {
  readonly type: ParquetType;
  readonly #store: Store;
  readonly #readValue: ReadValue;
  /** One byte a row: 1 = there is a value. */
  readonly #present: Uint8Array;
  #rows = 0;

  constructor(type: ParquetType, capacity: number, store: Store, readValue: ReadValue) {
    this.type = type;
    this.#store = store;
    this.#readValue = readValue;
    this.#present = new Uint8Array(capacity);
  }

  /**
   * Appends a row with the value of a text, which is trimmed and not empty.
   * @returns false when the text is not a valid value; the row is null then
   */
  append(units: Uint16Array, start: number, end: number): boolean {
    const isValue = this.#readValue(units, start, end, this.#rows);
    this.#present[this.#rows++] = isValue ? 1 : 0;
    return isValue;
  }

  appendNull(): void {
    this.#present[this.#rows++] = 0;
  }

  /** Makes the last row null. */
  clearLast(): void {
    this.#present[this.#rows - 1] = 0;
  }

  /** Encodes the given rows in the given order. */
  encode(rows: Int32Array): EncodedColumn {
    const validity = new Uint8Array((rows.length + 7) >> 3);
    const withValue = new Int32Array(rows.length);
    let values = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = int32At(rows, at);
      if (this.#present[row] === 0) continue;
      validity[at >> 3] = byteAt(validity, at >> 3) | (1 << (at & 7));
      withValue[values++] = row;
    }
    return { nulls: rows.length - values, validity, ...this.#store.encode(withValue.subarray(0, values)) };
  }

  /** Removes all rows. */
  clear(): void {
    this.#rows = 0;
    this.#store.clear();
  }
}

/** The same text in every row. */
export function constantColumn(text: string, rows: number): EncodedColumn {
  const dictionary = encodeDictionary([text]);
  const values = new Uint8Array(emptyIndices(dictionary, rows).buffer);
  return { nulls: 0, validity: new Uint8Array(0), values, dictionary };
}

/** A column without a single value, for an element that a kind of file does not have. */
export const absentColumn = (rows: number): EncodedColumn => ({
  nulls: rows,
  validity: new Uint8Array(0),
  values: new Uint8Array(0),
});

/** Numbers that do not come from the export, such as record numbers. */
export function numberColumn(numbers: Int32Array): EncodedColumn {
  return {
    nulls: 0,
    validity: new Uint8Array(0),
    values: new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
  };
}

const TWO_TO_32 = 0x1_0000_0000;

/** @param addend below 2^32; added here because the sum may exceed what a number holds exactly */
function putInt64(value: number, halves: Int32Array, row: number, addend = 0): void {
  const high = Math.floor(value / TWO_TO_32);
  const low = value - high * TWO_TO_32 + addend;
  halves[row * 2] = low;
  halves[row * 2 + 1] = low < TWO_TO_32 ? high : high + 1;
}

type ReadNumber = (units: Uint16Array, start: number, end: number) => number;

function int32Column(type: ParquetType, capacity: number, read: ReadNumber): Column {
  const store = new Int32Store(capacity);
  return new Column(type, capacity, store, (units, start, end, row) => {
    const value = read(units, start, end);
    store.values[row] = value;
    return !Number.isNaN(value);
  });
}

/** Whole numbers up to 2^53 in magnitude. */
function int64Column(type: ParquetType, capacity: number, read: ReadNumber): Column {
  const store = new Int64Store(capacity);
  return new Column(type, capacity, store, (units, start, end, row) => {
    const value = read(units, start, end);
    if (Number.isNaN(value)) return false;
    putInt64(value, store.halves, row);
    return true;
  });
}

/** Microseconds since 1970. Seconds times a million are a multiple of 64, and therefore exact far beyond 2^53. */
function timeColumn(capacity: number): Column {
  const store = new Int64Store(capacity);
  return new Column('time', capacity, store, (units, start, end, row) => {
    const value = parseSeconds(units, start, end);
    if (Number.isNaN(value)) return false;
    putInt64(value * 1_000_000, store.halves, row, parseMicroseconds(units, start, end));
    return true;
  });
}

/** MaStR numbers: the three letters as a number times 2^40, plus the twelve digits. The order of the texts is kept. */
function mastrColumn(capacity: number): Column {
  const store = new Int64Store(capacity);
  return new Column('int64', capacity, store, (units, start, end, row) => {
    const digits = mastrDigits(units, start, end);
    if (Number.isNaN(digits)) return false;
    putInt64(digits, store.halves, row);
    store.halves[row * 2 + 1] = int32At(store.halves, row * 2 + 1) + mastrPrefix(units, start) * 256;
    return true;
  });
}

function booleanColumn(capacity: number, read: ReadNumber): Column {
  const store = new BooleanStore(capacity);
  return new Column('boolean', capacity, store, (units, start, end, row) => {
    const value = read(units, start, end);
    store.values[row] = value;
    return !Number.isNaN(value);
  });
}

function textColumn(capacity: number): Column {
  const store = new TextStore(capacity);
  return new Column('text', capacity, store, (units, start, end, row) => {
    store.put(row, units, start, end);
    return true;
  });
}

/** Catalogue ids as their texts. */
function labelColumn(capacity: number, labels: ReadonlyMap<number, string>): Column {
  const store = new DictionaryStore(capacity);
  return new Column('text', capacity, store, (units, start, end, row) => {
    const label = labels.get(parseInteger(units, start, end));
    if (label === undefined) return false;
    store.put(row, label);
    return true;
  });
}

/** Separates the items of a list within one text. XML forbids the character, so no item contains it. */
export const STAGED_LIST_SEPARATOR = '\u001f';

/** Lists joined into one text: catalogue ids as their labels, numbers and other texts unchanged. */
function listColumn(
  capacity: number,
  labels: ReadonlyMap<number, string> | null,
  unknownItem: (raw: string) => void,
): Column {
  const store = new DictionaryStore(capacity);
  return new Column('text', capacity, store, (units, start, end, row) => {
    const items: string[] = [];
    const text = textOf(units, start, end).replaceAll('\uff06', '&').replace(/\s+/g, ' ');
    for (const part of text.split(/[,;]/)) {
      const item = part.trim();
      if (item === '') continue;
      const label = labels === null ? item : labels.get(/^[0-9]+$/.test(item) ? Number(item) : Number.NaN);
      if (label === undefined) unknownItem(item);
      else items.push(label);
    }
    if (items.length > 0) store.put(row, items.join(STAGED_LIST_SEPARATOR));
    return items.length > 0;
  });
}

/** The text of an element is stored in one of these forms. */
export type ColumnKind =
  | { readonly as: 'mastr' | 'text' | 'day' | 'time' | 'integer' | 'boolean' | 'list' }
  | { readonly as: 'decimal'; readonly places: number; readonly largest?: number }
  /** True when the number, before it is rounded, reaches a whole limit. */
  | { readonly as: 'atLeast'; readonly limit: number }
  | { readonly as: 'label' | 'labels'; readonly labels: ReadonlyMap<number, string> };

/** First and last plausible day, as days since 1970-01-01. */
export interface DayBounds {
  readonly first: number;
  readonly last: number;
}

/** The finding about a text that is not a valid value of its kind. */
export type ValueFault = 'wert_unlesbar' | 'tag_unplausibel' | 'katalog_id_unbekannt';

/**
 * Creates an empty column for values of a kind.
 * @param capacity maximum number of rows until `clear`
 * @param unknownItem called with every item of a list that is not in the catalogue
 */
export function columnFor(
  kind: ColumnKind,
  capacity: number,
  bounds: DayBounds,
  unknownItem: (raw: string) => void,
): Column {
  switch (kind.as) {
    case 'mastr':
      return mastrColumn(capacity);
    case 'time':
      return timeColumn(capacity);
    case 'decimal': {
      const { places, largest = Number.POSITIVE_INFINITY } = kind;
      const limit = largest * 10 ** places;
      return int64Column({ decimals: places }, capacity, (units, start, end) => {
        const value = parseDecimal(units, start, end, places);
        return Math.abs(value) > limit ? Number.NaN : value;
      });
    }
    case 'integer':
      return int32Column('int32', capacity, parseInteger);
    case 'day':
      return int32Column('day', capacity, (units, start, end) => {
        const value = parseDay(units, start, end);
        return value < bounds.first || value > bounds.last ? Number.NaN : value;
      });
    case 'boolean':
      return booleanColumn(capacity, parseFlag);
    case 'atLeast':
      return booleanColumn(capacity, (units, start, end) => {
        const whole = parseDecimal(units, start, end, 0, 'truncated');
        return Number.isNaN(whole) ? whole : Number(whole >= kind.limit);
      });
    case 'text':
      return textColumn(capacity);
    case 'label':
      return labelColumn(capacity, kind.labels);
    case 'labels':
      return listColumn(capacity, kind.labels, unknownItem);
    case 'list':
      return listColumn(capacity, null, unknownItem);
  }
}

/** Why a column refused a text; null for lists, whose unknown items are reported one by one. */
export function faultOf(kind: ColumnKind, units: Uint16Array, start: number, end: number): ValueFault | null {
  if (kind.as === 'labels' || kind.as === 'list') return null;
  if (kind.as === 'label' && !Number.isNaN(parseInteger(units, start, end))) return 'katalog_id_unbekannt';
  if (kind.as === 'day' && !Number.isNaN(parseDay(units, start, end))) return 'tag_unplausibel';
  return 'wert_unlesbar';
}
