import type { Kind } from '../catalogue/field.ts';
import { mastrBits } from '../register/mastr-number.ts';
import type { Dialect, Target } from './dialect.ts';
import { filterValueBy } from './filter-value.ts';
import { firstAfterPrefix } from './prefix.ts';
import type { Binder } from './statement.ts';

/** The dialect of DuckDB. The column types are in sql/warehouse/duckdb/columns.ts; duckdb-projections.ts has that of projections. */

/**
 * Milliseconds since 1970 of a moment, truncated like those of `toJson`: `epoch_ms` alone truncates towards 1970, so that an
 * earlier moment moves into the next millisecond, at worst into the next year.
 */
export const milliseconds = (moment: string): string => `epoch_ms(date_trunc('milliseconds', ${moment}))`;

function toJson(kind: Kind, expression: string): string {
  switch (kind) {
    case 'decimal':
    case 'degree':
    case 'carriers':
    case 'signals':
    case 'anomalies':
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

const SQL_TYPES: Partial<Record<Kind, string>> = {
  decimal: 'DECIMAL(18,3)',
  degree: 'DECIMAL(9,6)',
  integer: 'INTEGER',
  day: 'DATE',
  time: 'TIMESTAMP',
  carriers: 'UTINYINT',
  signals: 'UINTEGER',
  anomalies: 'UBIGINT',
};

function storedValue({ kind }: Target, value: string, values: Binder): string {
  const type = SQL_TYPES[kind];
  const placeholder = values.bind(value);
  return type === undefined ? placeholder : `CAST(${placeholder} AS ${type})`;
}

const filterValue = filterValueBy(storedValue);

const bitsText = (number: string): string => String(mastrBits(number));

/** The dialect of `units` and of tables with the same columns. */
export const duckdb: Dialect = {
  name: 'duckdb',
  // The names of the catalogue are plain words. Only keywords need quotes, but quoting all of them is simpler.
  column: (name) => `"${name.replaceAll('"', '""')}"`,
  unitColumn: (name) => `units.${duckdb.column(name)}`,
  narrowProjections: false,
  costInOrder: 1,
  pagesInParts: 'none',
  startsAtCursor: false,
  flag: () => null,
  unitValue: () => null,
  toJson,
  filterValue,
  storedValue,
  startsWith(expression, value, values) {
    const from = values.bind(value);
    return `${expression} >= ${from} AND ${expression} < ${values.bind(firstAfterPrefix(value))}`;
  },
  unitStartsWith: (name, value, values) => duckdb.startsWith(duckdb.unitColumn(name), value, values),
  day: (placeholder) => `CAST(${placeholder} AS DATE)`,
  year: (expression) => `year(${expression})`,
  month: (expression) => `month(${expression})`,
  numberDigits: (expression) => `CAST(${expression} & 1099511627775 AS DOUBLE)`,
  contains: (expression, placeholder) => `contains(${expression}, ${placeholder})`,
  isAmong: (expression, placeholder) => `list_contains(CAST(${placeholder} AS VARCHAR[]), ${expression})`,
  isOneOf: (expression, placeholder) => `${expression} IN (SELECT unnest(CAST(${placeholder} AS VARCHAR[])))`,
  isOneOfNumbers: (expression, numbers, values) => duckdb.isOneOf(expression, values.bind(numbers)),
  sharesBits: (one, other) => `(${one} & ${other}) <> 0`,
  sharesItems: (list, placeholder) => `list_has_any(${list}, CAST(${placeholder} AS INTEGER[]))`,
  summed: (table) => table,
  places: 'combinations',
  storageEnergy: true,
  listedPlaces: true,
  characters: (expression) => `length(${expression})`,
  unitNumber: 'units.nummer',
  numberBits: (number, values) => `CAST(${values.bind(bitsText(number))} AS BIGINT)`,
  isOneOfBits: (expression, bits, values) => `${expression} IN (SELECT unnest(CAST(${values.bind(bits)} AS BIGINT[])))`,
  isIn: 'IN',
  unitsWithText: (placeholder) =>
    `SELECT unnest(einheiten) AS nummer FROM suchtexte WHERE contains(gefaltet, ${placeholder})`,
};
