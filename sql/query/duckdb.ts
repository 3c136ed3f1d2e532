import type { Kind } from '../catalogue/field.ts';
import {
  FLAG_COLUMNS,
  LAST_TEXT,
  PACKED_COLUMNS,
  type PackedEncoding,
  sharedBounds,
} from '../catalogue/packed-columns.ts';
import { PROJECTION_COLUMNS } from '../catalogue/projections.ts';
import { mastrBits } from '../register/mastr-number.ts';
import { COORDINATES_OF_UNITS, type Dialect, filterValueBy, type Target } from './dialect.ts';
import type { Binder } from './statement.ts';
import { firstAfterPrefix } from './suche.ts';

/** The dialect of DuckDB. The column types are in sql/warehouse/duckdb/columns.ts. */

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
  textsOf: (texts, values) => `SELECT unnest(CAST(${values.bind(texts)} AS VARCHAR[])) AS eintrag`,
  isOneOfNumbers: (expression, numbers, values) => duckdb.isOneOf(expression, values.bind(numbers)),
  sharesBits: (one, other) => `(${one} & ${other}) <> 0`,
  sharesItems: (list, placeholder) => `list_has_any(${list}, CAST(${placeholder} AS INTEGER[]))`,
  summed: (table) => table,
  places: 'combinations',
  storageEnergy: true,
  netCapacity: true,
  coordinates: COORDINATES_OF_UNITS,
  space: null,
  listedPlaces: true,
  counted: true,
  keepsReasons: true,
  sumOfNested: (placeholder, nth, value) =>
    `list_sum(list_transform(CAST(${placeholder} AS BIGINT[][][])[${nth} + 1], lambda item: ${value('item')}))`,
  nestedItems: (placeholder) => `SELECT unnest(CAST(${placeholder} AS BIGINT[][])) AS item`,
  characters: (expression) => `length(${expression})`,
  unitNumber: 'units.nummer',
  numberBits: (number, values) => `CAST(${values.bind(bitsText(number))} AS BIGINT)`,
  isOneOfBits: (expression, bits, values) => `${expression} IN (SELECT unnest(CAST(${values.bind(bits)} AS BIGINT[])))`,
  isIn: 'IN',
  unitsWithText: (placeholder) =>
    `SELECT unnest(einheiten) AS nummer FROM suchtexte WHERE contains(gefaltet, ${placeholder})`,
};

/**
 * The dialects of DuckDB's projections, in which labels are ENUMs and MaStR numbers 64 bits. A label that no unit has becomes
 * NULL, and finds none. It takes its type from the column: to look the type up by its name, the engine copies all labels, for
 * postal codes some milliseconds each time.
 */

const label = (text: string, column: string, values: Binder): string =>
  `TRY(cast_to_type(${values.bind(text)}, ${duckdb.unitColumn(column)}))`;

/** The projections of earlier releases: each column stands for itself, encoded as sql/catalogue/projections.ts says. */
export const duckdbUnpackedProjections: Dialect = {
  ...duckdb,
  coordinates: null,
  places: 'numbers',
  unitNumber: 'units.mastrNummer',
  isOneOfNumbers: (expression, numbers, values) =>
    `${expression} IN (SELECT unnest(CAST(${values.bind(numbers.map(bitsText))} AS BIGINT[])))`,
  filterValue(target, value, compare, values) {
    switch (PROJECTION_COLUMNS.get(target.name)) {
      case 'labels':
        return label(String(value), target.name, values);
      case 'number':
        return duckdb.numberBits(String(value), values);
      default:
        return duckdb.filterValue(target, value, compare, values);
    }
  },
  storedValue: (target, value, values) =>
    isNumber(target) ? duckdb.numberBits(value, values) : duckdb.storedValue(target, value, values),
};

const isNumber = ({ name }: Target): boolean => PROJECTION_COLUMNS.get(name) === 'number';

/** The form in which the projections of this release keep a column; `own` for one that they do not have. */
const encodingOf = (name: string): PackedEncoding => PACKED_COLUMNS.get(name) ?? { as: 'own' };

/** Tells whether the projections have only a digest of a column, which no text can be read from. */
export const isDigest = (name: string): boolean => encodingOf(name).as === 'digest';

/** The projections of this release, packed as sql/catalogue/packed-columns.ts says. */
export const duckdbProjections: Dialect = {
  ...duckdbUnpackedProjections,
  narrowProjections: true,
  space: 'in parts',
  pagesInParts: 'all',
  unitColumn(name) {
    const encoding = encodingOf(name);
    return duckdb.unitColumn(encoding.as === 'shared' ? encoding.column : name);
  },
  flag(name) {
    const encoding = encodingOf(name);
    return encoding.as === 'flag' ? `(units.${encoding.column} & ${2 ** encoding.bit}) <> 0` : null;
  },
  unitValue(name, stored) {
    if (encodingOf(name).as !== 'shared') return null;
    const { from } = sharedBounds(name);
    const text = `CAST(${stored} AS VARCHAR)`;
    return `CASE WHEN starts_with(${text}, '${from}') THEN substr(${text}, ${from.length + 1}) END`;
  },
  unitStartsWith(name, value, values) {
    if (encodingOf(name).as !== 'beginnings') return duckdb.unitStartsWith(name, value, values);
    const column = duckdbProjections.unitColumn(name);
    return `${column} >= ${label(value, name, values)} AND ${column} < ${label(value + LAST_TEXT, name, values)}`;
  },
  // Few units have a list, and only theirs are read as one.
  sharesItems: (list, placeholder) =>
    `${list} IS NOT NULL AND ${duckdb.sharesItems(`CAST(CAST(${list} AS VARCHAR) AS INTEGER[])`, placeholder)}`,
  filterValue(target, value, compare, values) {
    const encoding = encodingOf(target.name);
    switch (encoding.as) {
      case 'shared':
        return label(sharedBounds(target.name).from + value, encoding.column, values);
      case 'digest':
        return `md5_number_lower(${values.bind(value)})`;
      default:
        return duckdbUnpackedProjections.filterValue(target, value, compare, values);
    }
  },
};

/** The dialect of the projections of a version. @param columns of `units_by_number` */
export const duckdbProjectionsWith = (columns: ReadonlySet<string>): Dialect =>
  Object.keys(FLAG_COLUMNS).some((column) => columns.has(column)) ? duckdbProjections : duckdbUnpackedProjections;
