import { entryOf, itemAt } from '../../runtime/present.ts';
import type { EarlierOrders } from '../../sql/warehouse/orders/earlier.ts';
import type { OrderedField } from '../../sql/warehouse/orders/layout.ts';
import type { OrdersWriter } from '../../sql/warehouse/orders/writer.ts';
import { indexIn } from './number-places.ts';
import type { KindNumbers } from './unit-kinds.ts';

/** The present rows of units that may have changed, in the order by a field: digits, codes of kinds, values. */
export interface ChangedUnits {
  readonly digits: number[];
  readonly codes: number[];
  readonly values: (number | null)[];
}

interface OrdersToMerge {
  readonly earlier: EarlierOrders;
  /** The digits of all units that may have changed, come or gone, ascending. */
  readonly changed: Float64Array;
  readonly rows: ReadonlyMap<OrderedField, ChangedUnits>;
  readonly file: OrdersWriter;
  readonly kinds: KindNumbers;
}

/** Writes the orders of the version before with the present rows of the units that have changed. @returns the kinds of units by number */
export function mergeOrders({ earlier, changed, rows, file, kinds }: OrdersToMerge): Uint16Array {
  const isChanged = membersOf(changed);
  const numbers = earlier.kinds.map(() => -1);
  const numberOf = (kind: number): number => {
    const known = numbers[kind] ?? -1;
    if (known >= 0) return known;
    const number = kinds.ofKind(itemAt(earlier.kinds, kind));
    numbers[kind] = number;
    return number;
  };
  /** Of the units between two that have changed, how many there are; and which of the latter were there before. */
  const between = new Uint32Array(changed.length + 1);
  const wasThere = new Uint8Array(changed.length);
  const kindNow = new Int32Array(changed.length).fill(-1);

  for (const [index, field] of [...rows.keys()].entries()) {
    const { digits, codes, values } = entryOf(rows, field);
    let next = 0;
    const addChanged = (): void => {
      const [number, kind] = [itemAt(digits, next), kinds.of(itemAt(codes, next))];
      file.add(number, kind, itemAt(values, next));
      if (index === 0) kindNow[indexIn(changed, number)] = kind;
      next++;
    };
    file.begin(field);
    earlier.read(field, (number, kind, value) => {
      const same = isChanged(number);
      if (index === 0) {
        const place = indexIn(changed, number);
        if (same) wasThere[place] = 1;
        else between[place] = (between[place] ?? 0) + 1;
      }
      if (same) return;
      while (next < digits.length && isBefore(itemAt(values, next), itemAt(digits, next), value, number)) addChanged();
      file.add(number, numberOf(kind), value);
    });
    while (next < digits.length) addChanged();
  }
  return byNumber();

  function byNumber(): Uint16Array {
    const before = earlier.kindsByNumber();
    const now = new Uint16Array(before.length + changed.length);
    let [from, to] = [0, 0];
    for (let place = 0; place <= changed.length; place++) {
      for (const end = from + (between[place] ?? 0); from < end; from++) now[to++] = numberOf(before[from] ?? 0);
      if (wasThere[place] === 1) from++;
      const kind = kindNow[place] ?? -1;
      if (kind >= 0) now[to++] = kind;
    }
    return now.subarray(0, to);
  }
}

/** Units without a value come last, those of a value by number. */
const isBefore = (value: number | null, digits: number, other: number | null, otherDigits: number): boolean =>
  value === other ? digits < otherDigits : other === null || (value !== null && value < other);

/** Bits by which most numbers are told from all of a set. */
const FILTER_BITS = 20;

/** Returns a function that tells whether a number is one of these. Hardly any is, so a look at its last bits comes first. */
function membersOf(numbers: Float64Array): (number: number) => boolean {
  const mask = 2 ** FILTER_BITS - 1;
  const seen = new Uint8Array(mask + 1);
  for (const number of numbers) seen[(number >>> 0) & mask] = 1;
  const all = new Set(numbers);
  return (number) => seen[(number >>> 0) & mask] === 1 && all.has(number);
}
