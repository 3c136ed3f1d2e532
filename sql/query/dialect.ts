import type { Kind } from '../catalogue/field.ts';

/** What differs between the engines: quoting, types, and how a value looks on its way to and from JSON. */
export interface Dialect {
  readonly name: string;
  /** A column or alias. */
  column(name: string): string;
  /** An expression of this kind as it goes out: days and times as text, decimals as JSON numbers. */
  toJson(kind: Kind, expression: string): string;
  /** A bound filter value in the type in which it compares with this kind without losing a digit. */
  filterValue(kind: Kind, placeholder: string): string;
  /** A bound value that came out of `toJson`, turned back into exactly the stored value. */
  storedValue(kind: Kind, placeholder: string): string;
  startsWith(expression: string, placeholder: string): string;
  contains(expression: string, placeholder: string): string;
  /** Whether an expression is one of a bound list of texts, which may be long. */
  isOneOf(expression: string, placeholder: string): string;
  /** The place of a row in its table: what `einheiten` in `suchtexte` means. */
  row(table: string): string;
  /** SELECT of the rows of units, as `zeile`, one of whose texts contains a bound folded text. */
  rowsWithText(placeholder: string): string;
}
