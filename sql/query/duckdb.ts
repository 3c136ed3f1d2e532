import type { Kind } from '../catalogue/field.ts';
import type { Dialect } from './dialect.ts';

/** DuckDB's side of the query vocabulary. The column types stand in sql/warehouse/duckdb/columns.ts. */

function toJson(kind: Kind, expression: string): string {
  switch (kind) {
    case 'decimal':
    case 'degree':
    case 'signals':
      return `CAST(${expression} AS DOUBLE)`;
    case 'integer':
      return `CAST(${expression} AS INTEGER)`;
    case 'day':
      return `CAST(${expression} AS VARCHAR)`;
    case 'time':
      return `strftime(${expression}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
    default:
      return expression;
  }
}

function filterValue(kind: Kind, placeholder: string): string {
  switch (kind) {
    // A filter may carry more digits than the column: both sides meet as doubles, which hold every stored value.
    case 'decimal':
    case 'degree':
    case 'integer':
      return `CAST(${placeholder} AS DOUBLE)`;
    default:
      return storedValue(kind, placeholder);
  }
}

function storedValue(kind: Kind, placeholder: string): string {
  switch (kind) {
    case 'decimal':
      return `CAST(${placeholder} AS DECIMAL(18,3))`;
    case 'degree':
      return `CAST(${placeholder} AS DECIMAL(9,6))`;
    case 'integer':
      return `CAST(${placeholder} AS INTEGER)`;
    case 'day':
      return `CAST(${placeholder} AS DATE)`;
    case 'time':
      return `CAST(${placeholder} AS TIMESTAMP)`;
    case 'signals':
      return `CAST(${placeholder} AS UINTEGER)`;
    default:
      return placeholder;
  }
}

export const duckdb: Dialect = {
  name: 'duckdb',
  // The names of the catalogue are plain words, so quoting is only needed where one is a keyword; always is simpler.
  column: (name) => `"${name.replaceAll('"', '""')}"`,
  toJson,
  filterValue,
  storedValue,
  startsWith: (expression, placeholder) => `starts_with(${expression}, ${placeholder})`,
  folded: (expression) => `replace(lower(strip_accents(${expression})), 'ß', 'ss')`,
  contains: (expression, placeholder) => `contains(${expression}, ${placeholder})`,
  // A line break is part of no word that is searched for, so that none is found across two texts.
  joined: (expressions) => `concat_ws(chr(10), ${expressions.join(', ')})`,
};
