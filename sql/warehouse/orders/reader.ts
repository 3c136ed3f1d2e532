import { entryOf, itemAt } from '../../../runtime/present.ts';
import { unitNumberOf } from '../../register/mastr-number.ts';
import { type CheckedFile, openCheckedFile } from '../checked-file.ts';
import { Damaged, VERSION_REMEDY } from '../damage.ts';
import type { UnitPlaces } from '../rows/reader.ts';
import { type Kind, MAGIC, ORDERED, type OrderedField, type OrdersHeader, RECORD_BYTES } from './layout.ts';

export interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** The last unit before a page. @property value null = it has none, or the order is that of numbers */
interface After {
  readonly value: number | null;
  readonly number: string;
}

/** A page of a list. Units of equal values are in the order of their numbers. */
export interface OrderedPage {
  /** Null for the order of numbers. */
  readonly field: OrderedField | null;
  readonly direction: 'asc' | 'desc';
  /** Bounds of the field, both included; null = units without a value belong to the list too. */
  readonly bounds: Bounds | null;
  /** By the number of a kind whether its units belong to the list; null = all do. */
  readonly ofKind: Uint8Array | null;
  readonly after: After | null;
  readonly limit: number;
}

export interface UnitOrders {
  readonly units: number;
  readonly kinds: readonly Kind[];
  /** Units of each kind. */
  readonly counts: readonly number[];
  /** Returns how many units have a value within bounds. */
  count(field: OrderedField, bounds: Bounds): number;
  /**
   * Reads the MaStR numbers of a page.
   * @returns null when more units would have to be looked at than a statement takes time for
   * @throws Damaged when a block is not as it was written
   */
  page(page: OrderedPage): string[] | null;
  /** Reads every block. @returns a message for each that differs from what was written */
  damagedBlocks(): Generator<string>;
  close(): void;
}

/** Units that are looked at for a page at most: a millisecond. */
const MOST_LOOKED_AT = 50_000;

/**
 * @param places of the units of the version
 * @returns null for a file that cannot tell all kinds of units apart
 * @throws Damaged when the file has no complete orders of these units
 */
export function openOrders(path: string, places: UnitPlaces): UnitOrders | null {
  const file = openCheckedFile(path, MAGIC);
  try {
    const { units, kinds, counts, isComplete } = file.about as OrdersHeader;
    if (units !== places.count) {
      throw new Damaged(path, `it has ${units} units, and the row file ${places.count}`, VERSION_REMEDY);
    }
    if (!isComplete) {
      file.close();
      return null;
    }
    const orders = new Map<OrderedField | null, UnitOrder>([
      [null, orderOfNumbers(file, places)],
      ...(Object.keys(ORDERED) as OrderedField[]).map((field) => [field, openOrder(file, field, units)] as const),
    ]);
    return {
      units,
      kinds,
      counts,
      count: (field, bounds) => entryOf(orders, field).count(bounds),
      page: (page) => readPage(entryOf(orders, page.field), page),
      damagedBlocks: file.damagedBlocks,
      close: file.close,
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Units one after the other. */
interface UnitOrder {
  count(bounds: Bounds): number;
  /** Finds the stretches in which the units of a list lie after the last one of the page before, in the order of the list. */
  stretches(page: Pick<OrderedPage, 'after' | 'bounds' | 'direction'>): Iterable<Stretch>;
  /** Returns the number of the kind of a unit. @param index in the order */
  kindAt(index: number): number;
  /** Returns the MaStR number of a unit. */
  numberAt(index: number): string;
}

/** Units from one index to before another, which are read upwards, or downwards where the second is less. */
type Stretch = readonly [from: number, to: number];

function readPage(order: UnitOrder, { ofKind, limit, ...page }: OrderedPage): string[] | null {
  const numbers: string[] = [];
  let lookedAt = 0;
  for (const [from, to] of order.stretches(page)) {
    const step = from <= to ? 1 : -1;
    for (let index = from; index !== to; index += step) {
      if (numbers.length === limit) return numbers;
      if (++lookedAt > MOST_LOOKED_AT) return null;
      if (ofKind === null || ofKind[order.kindAt(index)] === 1) numbers.push(order.numberAt(index));
    }
  }
  return numbers;
}

/** Kinds have two bytes, in every order. */
const KIND_BYTES = 2;

/** The row file has the numbers, in order, and the service keeps them in memory. */
function orderOfNumbers(file: CheckedFile, places: UnitPlaces): UnitOrder {
  const kinds = windowOf(file, 'number.kinds', KIND_BYTES, places.count);
  return {
    count: () => places.count,
    *stretches({ direction, after }) {
      if (direction === 'asc') {
        yield [after === null ? 0 : places.after(after.number), places.count];
      } else {
        // Above the place of a number that is not there lies the last one before it.
        const place = after === null ? places.count : (places.of(after.number) ?? places.after(after.number));
        yield [place - 1, -1];
      }
    },
    kindAt(place) {
      const at = kinds.at(place);
      return kinds.byte(at) + kinds.byte(at + 1) * 256;
    },
    numberAt: places.numberAt,
  };
}

function openOrder(file: CheckedFile, field: OrderedField, units: number): UnitOrder {
  const keys = file.numbers(`${field}.keys`, Float64Array);
  const starts = file.numbers(`${field}.starts`, Float64Array);
  const records = windowOf(file, `${field}.units`, RECORD_BYTES, units);
  const startOf = (key: number): number => itemAt(starts, key);

  const digitsAt = (index: number): number => {
    const at = records.at(index);
    const [one, two, three, four, five] = [0, 1, 2, 3, 4].map((byte) => records.byte(at + byte)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    return one + two * 2 ** 8 + three * 2 ** 16 + four * 2 ** 24 + five * 2 ** 32;
  };
  const numberAt = (index: number): string => unitNumberOf(digitsAt(index));

  /** The first of the units of a value whose number is above one. */
  const firstAbove = (number: string, [from, to]: Stretch): number => {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numberAt(middle) <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const ofKey = (key: number): Stretch => [startOf(key), startOf(key + 1)];
  const without: Stretch = [startOf(keys.length), units];

  return {
    count: ({ from, to }) => {
      const [low, high] = [firstKey(keys, from), firstKeyAbove(keys, to)];
      return low < high ? startOf(high) - startOf(low) : 0;
    },
    *stretches({ direction, bounds, after }) {
      let low = bounds === null ? 0 : firstKey(keys, bounds.from);
      let high = bounds === null ? keys.length : firstKeyAbove(keys, bounds.to);
      if (after !== null && after.value === null) {
        if (bounds === null) yield [firstAbove(after.number, without), without[1]];
        return;
      }
      if (after?.value != null) {
        const key = firstKey(keys, after.value);
        const isThere = keys[key] === after.value && key >= low && key < high;
        if (isThere) yield [firstAbove(after.number, ofKey(key)), startOf(key + 1)];
        if (direction === 'asc') low = Math.max(low, firstKeyAbove(keys, after.value));
        else high = Math.min(high, key);
      }
      if (direction === 'asc') {
        if (low < high) yield [startOf(low), startOf(high)];
      } else {
        for (let key = high - 1; key >= low; key--) yield ofKey(key);
      }
      if (bounds === null) yield without;
    },
    kindAt(index) {
      const at = records.at(index) + RECORD_BYTES - KIND_BYTES;
      return records.byte(at) + records.byte(at + 1) * 256;
    },
    numberAt,
  };
}

/** The index of the first key that is not below a value. */
function firstKey(keys: Float64Array, value: number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(keys, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const firstKeyAbove = (keys: Float64Array, value: number): number => {
  const key = firstKey(keys, value);
  return keys[key] === value ? key + 1 : key;
};

/** Records that are read at once: a page looks at neighbours. */
const WINDOW = 512;

/** Reads a section of records of equal length, a window at a time. */
function windowOf(file: CheckedFile, section: string, recordBytes: number, records: number) {
  let bytes = new Uint8Array();
  let first = -1;
  return {
    /** Returns where a record begins among the bytes of its window, which is read if necessary. */
    at(index: number): number {
      const begin = index - (index % WINDOW);
      if (begin !== first) {
        const length = Math.min(WINDOW, records - begin) * recordBytes;
        bytes = file.read(section, begin * recordBytes, length).slice();
        first = begin;
      }
      return (index - begin) * recordBytes;
    },
    byte: (at: number): number => itemAt(bytes, at),
  };
}
