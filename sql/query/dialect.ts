import type { Comparison, Kind } from '../catalogue/field.ts';
import type { Binder } from './statement.ts';

/** The left side of a comparison: a column, or an expression in place of its name, and the kind of its values. */
export interface Target {
  readonly name: string;
  readonly kind: Kind;
}

/** The columns of coordinates of a table. */
export type CoordinateColumns = Readonly<Record<'latitude' | 'longitude', string>>;

export const COORDINATES_OF_UNITS: CoordinateColumns = { longitude: 'longitude', latitude: 'latitude' };

export type Engine = 'duckdb' | 'clickhouse';

/** The dialects of an engine: one for `units` and tables with its columns, one for the projections. */
export interface Dialects {
  readonly units: Dialect;
  readonly projections: Dialect;
}

/** The differences between the engines: quoting, types, and the conversion of values to and from JSON. */
export interface Dialect {
  readonly name: Engine;
  /** A column or alias. */
  column(name: string): string;
  /** The column of the table `units` that has the values of a stored field, perhaps among those of others. */
  unitColumn(name: string): string;
  /** True where what few units have stands in some projections alone (`OF_SELDOM`). */
  readonly narrowProjections: boolean;
  /** Time for a row of a projection that is read in its order, in that for a row of a whole one which is sorted afterwards. */
  readonly costInOrder: number;
  /**
   * The pages of a sorted table that are read in parts, units with a value of the first key before those without: all pages,
   * those that are read backwards, of a part or the whole of the table, or none.
   */
  readonly pagesInParts: 'all' | 'backwards' | 'none';
  /** True where it is kept why a unit had left that came back later. */
  readonly keepsReasons: boolean;
  /** True where a page of a sorted table is read from its cursor on, whatever lies before. */
  readonly startsAtCursor: boolean;
  /** The condition that a column is true, or has a value, of which nothing but that is kept; null = the column is kept. */
  flag(name: string): string | null;
  /**
   * The value of a stored field that a value of `unitColumn` stands for, which may be none; null = each stands for itself.
   * Groups are counted by the column first, as that is cheaper.
   */
  unitValue(name: string, stored: string): string | null;
  /** An expression as its JSON value: days and times as text, decimals as numbers. */
  toJson(kind: Kind, expression: string): string;
  /** Binds a filter value in a type that compares with the target without losing a digit. */
  filterValue(target: Target, value: string | number, compare: Comparison, values: Binder): string;
  /** Binds a value that `toJson` returned and converts it back to exactly the stored value. */
  storedValue(target: Target, value: string, values: Binder): string;
  startsWith(expression: string, value: string, values: Binder): string;
  /** The same for a stored field of units. */
  unitStartsWith(name: string, value: string, values: Binder): string;
  /** A placeholder as a calendar day. */
  day(placeholder: string): string;
  /** The calendar year of a day. */
  year(expression: string): string;
  /** The month of a day, 1 to 12. */
  month(expression: string): string;
  /** The twelve digits of `unitNumber`, as a JSON number. */
  numberDigits(expression: string): string;
  contains(expression: string, placeholder: string): string;
  /** Condition that an expression is one of a bound list of texts. */
  isAmong(expression: string, placeholder: string): string;
  /** The same for a list that may be long. */
  isOneOf(expression: string, placeholder: string): string;
  /** SELECT of a list of short texts, of which there may be many, as `eintrag`. */
  textsOf(texts: readonly string[], values: Binder): string;
  /** Condition that a column of MaStR numbers has one of these, of which there may be many. */
  isOneOfNumbers(expression: string, numbers: readonly string[], values: Binder): string;
  /** Condition that two bit masks have a bit in common. */
  sharesBits(one: string, other: string): string;
  /** Condition that a list of integers has one of a bound list of their texts; not true for a unit without a list. */
  sharesItems(list: string, placeholder: string): string;
  /** A roll-up with exactly one row for each group of the columns, for statements that do not add its rows up. */
  summed(table: string, groups: readonly string[]): string;
  /**
   * The way in which a row says where it lies: `numbers` by the row of `gebiete`; `combinations` by its official key, name and
   * state, as former rows refer to places of earlier versions. A version of an earlier release has no `gebiete`: its rows say
   * it by the key alone (`keys`), or not at all beyond their names (`names`).
   */
  readonly places: 'numbers' | 'combinations' | 'keys' | 'names';
  /** False for a version of an earlier release, which has no energy of storage to be added up. */
  readonly storageEnergy: boolean;
  /** False for the projections of a version of an earlier release, which have no net capacity. */
  readonly netCapacity: boolean;
  /** False for the state of an earlier version, whose units were not counted before (state.ts). */
  readonly counted: boolean;
  /** False for a version of an earlier release, which has no official list of places. */
  readonly listedPlaces: boolean;
  /** Null for projections, most of which keep of coordinates only whether there are some. */
  readonly coordinates: CoordinateColumns | null;
  /**
   * How units in a part of the map are read from `OF_SPACE`: by one condition, or in parts, where an engine skips blocks by no
   * condition with alternatives; null = there is no such table, as in a version of an earlier release.
   */
  readonly space: 'at once' | 'in parts' | null;
  /**
   * Adds up a value of each item of the nth, from 0, of some lists; NULL or 0 where there is no such list.
   * @param placeholder the lists of lists of integers, as the text of their JSON
   */
  sumOfNested(placeholder: string, nth: string, value: (item: string) => string): string;
  /** SELECT of the items of a list of lists of integers, as `item`. @param placeholder the text of its JSON */
  nestedItems(placeholder: string): string;
  /** The number of characters of a text. */
  characters(expression: string): string;
  /** The MaStR number of a unit as 64 bits: `nummer` of the table `units`. */
  readonly unitNumber: string;
  /** A MaStR number, bound, as 64 bits. */
  numberBits(number: string, values: Binder): string;
  /** Condition that a MaStR number, as 64 bits, is one of these; the list may be long. */
  isOneOfBits(expression: string, bits: readonly string[], values: Binder): string;
  /** Stands between a number of a unit and a SELECT of such numbers, which may read units several times. */
  readonly isIn: 'IN' | 'GLOBAL IN';
  /** SELECT of the numbers, as `nummer`, of the units with a text that contains a bound folded text. */
  unitsWithText(placeholder: string): string;
}

/** Writes the value of a filter alike for every engine; the engine itself writes a stored value. */
export const filterValueBy =
  (storedValue: Dialect['storedValue']): Dialect['filterValue'] =>
  (target, value, compare, values) => {
    // A filter may have more digits than the column. It is rounded so that no stored value lies in between, because a
    // comparison in another type than the column's would have to read every row.
    if (target.kind === 'decimal' && typeof value === 'number') {
      return storedValue(target, atMostThreeDecimals(value, compare === 'min' ? 'up' : 'down'), values);
    }
    if (target.kind === 'degree' || target.kind === 'integer') return `CAST(${values.bind(value)} AS DOUBLE)`;
    return storedValue(target, String(value), values);
  };

/** The largest value of DECIMAL(18,3), in thousandths; values of the register are far below. */
const MAX_VALUE = 999_999_999_999_999_999n;

/**
 * Rounds a bound for a column of three decimals so that it selects the same values: `up` for a minimum, `down` for a maximum.
 * @returns digits that the column can hold, as `12.345`
 */
export function atMostThreeDecimals(value: number, direction: 'up' | 'down'): string {
  const [whole = '', fraction = ''] = plain(value).split('.');
  const kept = BigInt(whole + fraction.slice(0, 3).padEnd(3, '0')); // cut towards zero, in thousandths
  const rest = /[1-9]/.test(fraction.slice(3));
  const negative = value < 0;
  const away = rest && negative === (direction === 'down') ? 1n : 0n;
  const magnitude = (kept < 0n ? -kept : kept) + away;
  const digits = String(magnitude > MAX_VALUE ? MAX_VALUE : magnitude).padStart(4, '0');
  return `${negative && magnitude > 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/** Writes the shortest digits that are this number, without an exponent. */
const plain = (value: number): string => (String(value).includes('e') ? value.toFixed(20) : String(value));
