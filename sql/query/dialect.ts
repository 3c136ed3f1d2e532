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
  /** A text as searches compare it: lower case, without accents, ß as ss. */
  folded(expression: string): string;
  contains(expression: string, placeholder: string): string;
  /** Texts as one text of several lines; nulls left out. */
  joined(expressions: readonly string[]): string;
}
