import { textOf } from '../scan/text.ts';
import { int32At } from '../scan/typed-arrays.ts';
import type { Chunk, ValueSource } from './chunk.ts';
import { ColumnMemory, type PlainForm } from './column-memory.ts';
import type { ParquetType } from './parquet.ts';
import { BooleanStore, DictionaryStore, Int32Store, Int64Store, type Store, TextStore } from './stores.ts';
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
 * Columns under construction. Plain values are read by WebAssembly (ingest/wasm/columns.ts), all others here, both straight from the
 * scanner's code units. A column appends any selection of its rows to a chunk.
 */

/** Reads `units[start, end)` into a row of a store, whatever its form; returns false when the text is not a valid value. */
type ReadValue = (units: Uint16Array, start: number, end: number, row: number) => boolean;

/** Rows with a value, while a column is appended: one array for all columns, since a new one for each keeps the collector busy. */
let scratch = new Int32Array(0);

export class Column implements ValueSource {
  /** The reader of plain values; null when all go through `append`. */
  readonly plain: PlainForm | null;
  /** One byte a row: 1 = there is a value. */
  readonly present: Uint8Array;
  readonly #store: Store;
  readonly #readValue: ReadValue;

  constructor(place: Place, store: Store, plain: PlainForm | null, readValue: ReadValue) {
    this.plain = plain;
    this.present = place.memory.uint8s(place.capacity);
    this.#store = store;
    this.#readValue = readValue;
  }

  /**
   * Sets a row to the value of a text, which is trimmed and not empty.
   * @returns false when the text is not a valid value; the row is null then
   */
  put(row: number, units: Uint16Array, start: number, end: number): boolean {
    const isValue = this.#readValue(units, start, end, row);
    this.present[row] = isValue ? 1 : 0;
    return isValue;
  }

  putNull(row: number): void {
    this.present[row] = 0;
  }

  /** Appends the given rows in the given order. */
  appendTo(chunk: Chunk, rows: Int32Array): void {
    if (scratch.length < rows.length) scratch = new Int32Array(rows.length);
    const withValue = scratch;
    const first = chunk.addRows(rows.length);
    let values = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = int32At(rows, at);
      if (this.present[row] === 0) continue;
      chunk.setPresent(first + at);
      withValue[values++] = row;
    }
    this.#store.appendTo(chunk, withValue.subarray(0, values));
  }

  /** Removes all rows. */
  clear(): void {
    this.#store.clear();
  }
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

/** The place of a column in memory, and its number of rows. */
export interface Place {
  readonly memory: ColumnMemory;
  readonly capacity: number;
}

/** Ids below this one are looked up by WebAssembly; catalogues have had ids up to some 3,500. */
const PLAIN_IDS = 4096;

/** Bytes of memory that a column of any kind takes at most. */
export const bytesOfColumn = (capacity: number): number =>
  ColumnMemory.bytesFor(capacity) + ColumnMemory.bytesFor(capacity * 4) * 2 + ColumnMemory.bytesFor(PLAIN_IDS * 4);

function int32Column(place: Place, plain: Omit<PlainForm, 'values'>, read: ReadNumber): Column {
  const store = new Int32Store(place.memory, place.capacity);
  return new Column(place, store, { ...plain, values: store.values }, (units, start, end, row) => {
    const value = read(units, start, end);
    store.values[row] = value;
    return !Number.isNaN(value);
  });
}

/** Whole numbers up to 2^53 in magnitude. */
function decimalColumn(place: Place, places: number, largest: number): Column {
  const store = new Int64Store(place.memory, place.capacity);
  const limit = largest * 10 ** places;
  const plain = { kind: 'decimal', values: store.halves, first: places, limit } as const;
  return new Column(place, store, plain, (units, start, end, row) => {
    const value = parseDecimal(units, start, end, places);
    if (Number.isNaN(value) || Math.abs(value) > limit) return false;
    putInt64(value, store.halves, row);
    return true;
  });
}

/** Microseconds since 1970. Seconds times a million are a multiple of 64, and therefore exact far beyond 2^53. */
function timeColumn(place: Place): Column {
  const store = new Int64Store(place.memory, place.capacity);
  const plain = { kind: 'time', values: store.halves } as const;
  return new Column(place, store, plain, (units, start, end, row) => {
    const value = parseSeconds(units, start, end);
    if (Number.isNaN(value)) return false;
    putInt64(value * 1_000_000, store.halves, row, parseMicroseconds(units, start, end));
    return true;
  });
}

/** MaStR numbers: the three letters as a number times 2^40, plus the twelve digits. The order of the texts is kept. */
function mastrColumn(place: Place): Column {
  const store = new Int64Store(place.memory, place.capacity);
  const plain = { kind: 'mastr', values: store.halves } as const;
  return new Column(place, store, plain, (units, start, end, row) => {
    const digits = mastrDigits(units, start, end);
    if (Number.isNaN(digits)) return false;
    putInt64(digits, store.halves, row);
    store.halves[row * 2 + 1] = int32At(store.halves, row * 2 + 1) + mastrPrefix(units, start) * 256;
    return true;
  });
}

function booleanColumn(place: Place, plain: Omit<PlainForm, 'values'>, read: ReadNumber): Column {
  const store = new BooleanStore(place.memory, place.capacity);
  return new Column(place, store, { ...plain, values: store.values }, (units, start, end, row) => {
    const value = read(units, start, end);
    store.values[row] = value;
    return !Number.isNaN(value);
  });
}

function textColumn(place: Place): Column {
  const store = new TextStore(place.memory, place.capacity);
  const plain = { kind: 'text', values: store.starts, more: store.ends } as const;
  return new Column(place, store, plain, (_units, start, end, row) => {
    store.putUnits(row, start, end);
    return true;
  });
}

/** Catalogue ids as their texts. The index of a text is known to WebAssembly as soon as its id has occurred. */
function labelColumn(place: Place, labels: ReadonlyMap<number, string>): Column {
  const store = new LabelStore(place.memory, place.capacity);
  const plain = { kind: 'label', values: store.indices, more: store.known, last: PLAIN_IDS } as const;
  return new Column(place, store, plain, (units, start, end, row) => {
    const id = parseInteger(units, start, end);
    const label = labels.get(id);
    if (label === undefined) return false;
    const index = store.put(row, label);
    if (id >= 0 && id < PLAIN_IDS) store.known[id] = index + 1;
    return true;
  });
}

/** It notes the index of each id, plus 1; 0 where there is none yet. */
class LabelStore extends DictionaryStore {
  readonly known: Int32Array;

  constructor(memory: ColumnMemory, capacity: number) {
    super(memory, capacity);
    this.known = memory.int32s(PLAIN_IDS).fill(0);
  }

  override clear(): void {
    super.clear();
    this.known.fill(0);
  }
}

/** Separates the items of a list within one text. XML forbids the character, so no item contains it. */
export const STAGED_LIST_SEPARATOR = '\u001f';

/** Lists of numbers and other texts, joined into one text. */
function listColumn(place: Place): Column {
  const store = new TextStore(place.memory, place.capacity);
  const plain = { kind: 'list', values: store.starts, more: store.ends } as const;
  return new Column(place, store, plain, (units, start, end, row) => {
    const items = itemsOf(units, start, end);
    if (items.length > 0) store.putText(row, items.join(STAGED_LIST_SEPARATOR));
    return items.length > 0;
  });
}

/** Lists of catalogue ids, joined as their labels into one text. */
function labelsColumn(place: Place, labels: ReadonlyMap<number, string>, unknownItem: (raw: string) => void): Column {
  const store = new DictionaryStore(place.memory, place.capacity);
  return new Column(place, store, null, (units, start, end, row) => {
    const items = new Set<string>();
    for (const item of itemsOf(units, start, end)) {
      const label = labels.get(/^[0-9]+$/.test(item) ? Number(item) : Number.NaN);
      if (label === undefined) unknownItem(item);
      else items.add(label);
    }
    if (items.size > 0) store.put(row, [...items].join(STAGED_LIST_SEPARATOR));
    return items.size > 0;
  });
}

/** The distinct items of a list, in their order: lists of the register are sets. */
function itemsOf(units: Uint16Array, start: number, end: number): string[] {
  const text = textOf(units, start, end).replaceAll('\uff06', '&').replace(/\s+/g, ' ');
  const items = text.split(/[,;]/).map((part) => part.trim());
  return [...new Set(items)].filter((item) => item !== '');
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

/** The form in which the values of a kind are written. */
export function parquetTypeOf(kind: ColumnKind): ParquetType {
  switch (kind.as) {
    case 'mastr':
      return 'int64';
    case 'decimal':
      return { decimals: kind.places };
    case 'integer':
      return 'int32';
    case 'boolean':
    case 'atLeast':
      return 'boolean';
    case 'day':
    case 'time':
      return kind.as;
    default:
      return 'text';
  }
}

/**
 * Creates an empty column for values of a kind.
 * @param unknownItem called with every item of a list that is not in the catalogue
 */
export function columnFor(
  kind: ColumnKind,
  place: Place,
  bounds: DayBounds,
  unknownItem: (raw: string) => void,
): Column {
  switch (kind.as) {
    case 'mastr':
      return mastrColumn(place);
    case 'time':
      return timeColumn(place);
    case 'decimal':
      return decimalColumn(place, kind.places, kind.largest ?? Number.POSITIVE_INFINITY);
    case 'integer':
      return int32Column(place, { kind: 'integer' }, parseInteger);
    case 'day':
      return int32Column(place, { kind: 'day', ...bounds }, (units, start, end) => {
        const value = parseDay(units, start, end);
        return value < bounds.first || value > bounds.last ? Number.NaN : value;
      });
    case 'boolean':
      return booleanColumn(place, { kind: 'boolean' }, parseFlag);
    case 'atLeast':
      return booleanColumn(place, { kind: 'atLeast', limit: kind.limit }, (units, start, end) => {
        const whole = parseDecimal(units, start, end, 0, 'truncated');
        return Number.isNaN(whole) ? whole : Number(whole >= kind.limit);
      });
    case 'text':
      return textColumn(place);
    case 'label':
      return labelColumn(place, kind.labels);
    case 'labels':
      return labelsColumn(place, kind.labels, unknownItem);
    case 'list':
      return listColumn(place);
  }
}

/** Why a column refused a text; null for lists, whose unknown items are reported one by one. */
export function faultOf(kind: ColumnKind, units: Uint16Array, start: number, end: number): ValueFault | null {
  if (kind.as === 'labels' || kind.as === 'list') return null;
  if (kind.as === 'label' && !Number.isNaN(parseInteger(units, start, end))) return 'katalog_id_unbekannt';
  if (kind.as === 'day' && !Number.isNaN(parseDay(units, start, end))) return 'tag_unplausibel';
  return 'wert_unlesbar';
}
