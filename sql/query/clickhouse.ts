import type { Kind } from '../catalogue/field.ts';
import { PROJECTION_COLUMNS } from '../catalogue/projections.ts';
import { mastrBits } from '../register/mastr-number.ts';
import { COORDINATES_OF_UNITS, type Dialect, type Dialects, filterValueBy, type Target } from './dialect.ts';
import type { Binder } from './statement.ts';

/**
 * The dialects of ClickHouse. The column types are in sql/warehouse/clickhouse/columns.ts; days are numbers there.
 */

/** The modified Julian day of 1970-01-01: ClickHouse's functions of it know every day of the years 1 to 9999. */
const EPOCH = 40_587;
const DAY_MILLISECONDS = 86_400_000;

const dayText = (days: string): string => `fromModifiedJulianDay(${days} + ${EPOCH})`;

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
      return dayText(expression);
    case 'time': {
      const day = dayText(`toInt32(floor(${expression} / ${DAY_MILLISECONDS}))`);
      const time = `fromUnixTimestamp64Milli(positiveModulo(${expression}, ${DAY_MILLISECONDS}), 'UTC')`;
      return `concat(${day}, 'T', substring(toString(${time}), 12), 'Z')`;
    }
    default:
      return expression;
  }
}

const SQL_TYPES: Partial<Record<Kind, string>> = {
  decimal: 'Decimal(18, 3)',
  degree: 'Decimal(9, 6)',
  integer: 'Int32',
  carriers: 'UInt8',
  signals: 'UInt32',
  anomalies: 'UInt64',
};

const day = (placeholder: string): string => `(toModifiedJulianDay(${placeholder}) - ${EPOCH})`;

function storedValue({ kind }: Target, value: string, values: Binder): string {
  const type = SQL_TYPES[kind];
  const placeholder = values.bind(value);
  if (kind === 'day') return day(placeholder);
  return type === undefined ? placeholder : `CAST(${placeholder} AS ${type})`;
}

const filterValue = filterValueBy(storedValue);

/** The most numbers in one parameter: a server takes no form field above 128 KiB (http_max_field_value_size). */
const MAX_LIST = 5000;
/** The same for texts of up to 24 characters. */
const MAX_TEXTS = 4000;

/** A list of any length, as an array. */
function listOf(items: readonly string[], values: Binder, most = MAX_LIST): string {
  const lists = [values.bind(items.slice(0, most))];
  for (let from = most; from < items.length; from += most) {
    lists.push(values.bind(items.slice(from, from + most)));
  }
  return `arrayConcat(${lists.join(', ')})`;
}

const bitsText = (number: string): string => String(mastrBits(number));

/** The dialect of `units` and of tables with the same columns. */
export const clickhouse: Dialect = {
  name: 'clickhouse',
  column: (name) => `"${name.replaceAll('"', '""')}"`,
  unitColumn: (name) => `units.${clickhouse.column(name)}`,
  narrowProjections: false,
  // One thread reads in order, in small blocks.
  costInOrder: 4,
  // A sorted table has units without a value last: it is read backwards from the last unit with one.
  pagesInParts: 'backwards',
  startsAtCursor: true,
  flag: () => null,
  unitValue: () => null,
  toJson,
  filterValue,
  storedValue,
  startsWith: (expression, value, values) => `startsWith(${expression}, ${values.bind(value)})`,
  unitStartsWith: (name, value, values) => clickhouse.startsWith(clickhouse.unitColumn(name), value, values),
  day,
  year: (expression) => `toInt32(substring(${dayText(expression)}, 1, 4))`,
  month: (expression) => `toInt32(substring(${dayText(expression)}, 6, 2))`,
  numberDigits: (expression) => `CAST(bitAnd(${expression}, 1099511627775) AS DOUBLE)`,
  contains: (expression, placeholder) => `position(${expression}, ${placeholder}) > 0`,
  isAmong: (expression, placeholder) => `${expression} IN ${placeholder}`,
  isOneOf: (expression, placeholder) => `${expression} IN ${placeholder}`,
  textsOf: (texts, values) => `SELECT arrayJoin(${listOf(texts, values, MAX_TEXTS)}) AS eintrag`,
  isOneOfNumbers: (expression, numbers, values) => `${expression} IN (SELECT arrayJoin(${listOf(numbers, values)}))`,
  sharesBits: (one, other) => `bitAnd(${one}, ${other}) <> 0`,
  sharesItems: (list, placeholder) => `hasAny(${list}, CAST(${placeholder} AS Array(Int32)))`,
  summed: (table) => `${table} FINAL`,
  places: 'combinations',
  storageEnergy: true,
  netCapacity: true,
  coordinates: COORDINATES_OF_UNITS,
  space: null,
  listedPlaces: true,
  counted: true,
  keepsReasons: true,
  sumOfNested: (placeholder, nth, value) =>
    `arraySum(item -> ${value('item')}, JSONExtract(${placeholder}, 'Array(Array(Array(Int64)))')[${nth} + 1])`,
  nestedItems: (placeholder) => `SELECT arrayJoin(JSONExtract(${placeholder}, 'Array(Array(Int64))')) AS item`,
  characters: (expression) => `lengthUTF8(${expression})`,
  unitNumber: 'units.nummer',
  numberBits: (number, values) => `CAST(${values.bind(bitsText(number))} AS Int64)`,
  isOneOfBits: (expression, bits, values) => `${expression} IN (SELECT toInt64(arrayJoin(${listOf(bits, values)})))`,
  isIn: 'IN',
  unitsWithText: (placeholder) =>
    `SELECT arrayJoin(einheiten) AS nummer FROM suchtexte WHERE position(gefaltet, ${placeholder}) > 0`,
};

/** In projections, MaStR numbers are 64 bits. */
export const clickhouseProjections: Dialect = {
  ...clickhouse,
  coordinates: null,
  space: 'at once',
  places: 'numbers',
  unitNumber: 'units.mastrNummer',
  isOneOfNumbers: (expression, numbers, values) => clickhouse.isOneOfBits(expression, numbers.map(bitsText), values),
  filterValue: (target, value, compare, values) =>
    isNumber(target) ? clickhouse.numberBits(String(value), values) : filterValue(target, value, compare, values),
  storedValue: (target, value, values) =>
    isNumber(target) ? clickhouse.numberBits(value, values) : storedValue(target, value, values),
};

/**
 * The dialects of tables that lie on several shards, each of which has rows of its own for a group. Its mode `global` makes the
 * server write GLOBAL IN by itself, but it fails where a SELECT within reads several spread tables.
 */
export const acrossShards = ({ units, projections }: Dialects): Dialects => ({
  units: { ...units, ...ACROSS_SHARDS },
  projections: { ...projections, ...ACROSS_SHARDS },
});

const groupsOf: Dialect['summed'] = (table, groups) => `(SELECT DISTINCT ${groups.join(', ')} FROM ${table})`;

const ACROSS_SHARDS = { summed: groupsOf, isIn: 'GLOBAL IN' } satisfies Partial<Dialect>;

const isNumber = ({ name }: Target): boolean => PROJECTION_COLUMNS.get(name) === 'number';
