import type { Comparison, Kind } from '../catalogue/field.ts';
import type { Binder } from './statement.ts';

/** What a value is compared with: a column, or an expression in the place of its name; and the kind of its values. */
export interface Target {
  readonly name: string;
  readonly kind: Kind;
}

export type Engine = 'duckdb' | 'clickhouse';

/** The dialects of an engine: for `units` and what has its columns, and for the question tables. */
export interface Dialects {
  readonly units: Dialect;
  readonly projections: Dialect;
}

/** What differs between the engines: quoting, types, and how a value looks on its way to and from JSON. */
export interface Dialect {
  readonly name: Engine;
  /** A column or alias. */
  column(name: string): string;
  /** An expression of this kind as it goes out: days and times as text, decimals as JSON numbers. */
  toJson(kind: Kind, expression: string): string;
  /** A filter value, bound, in the type in which it compares with the target without losing a digit. */
  filterValue(target: Target, value: string | number, compare: Comparison, values: Binder): string;
  /** A value that came out of `toJson`, bound and turned back into exactly the stored value. */
  storedValue(target: Target, value: string, values: Binder): string;
  startsWith(expression: string, value: string, values: Binder): string;
  /** A placeholder as a calendar day. */
  day(placeholder: string): string;
  /** The calendar year of a day. */
  year(expression: string): string;
  /** The month of a day, 1 to 12. */
  month(expression: string): string;
  /** The twelve digits of `unitNumber`, as a JSON number. */
  numberDigits(expression: string): string;
  contains(expression: string, placeholder: string): string;
  /** Whether an expression is one of a bound list of texts. */
  isAmong(expression: string, placeholder: string): string;
  /** The same where the list may be long. */
  isOneOf(expression: string, placeholder: string): string;
  /** Whether two bit masks have a bit in common. */
  sharesBits(one: string, other: string): string;
  /** A roll-up with one row for each group, where it is not enough that its rows add up. */
  summed(table: string): string;
  /** Of a unit that is asked for, its MaStR number as 64 bits: `nummer` of the table `units`. */
  readonly unitNumber: string;
  /** A MaStR number, bound, as 64 bits. */
  numberBits(number: string, values: Binder): string;
  /** SELECT of the numbers, as `nummer`, of the units one of whose texts contains a bound folded text. */
  unitsWithText(placeholder: string): string;
}
