import {
  FLAG_COLUMNS,
  LAST_TEXT,
  PACKED_COLUMNS,
  type PackedEncoding,
  sharedBounds,
} from '../catalogue/packed-columns.ts';
import { PROJECTION_COLUMNS } from '../catalogue/projections.ts';
import { mastrBits } from '../register/mastr-number.ts';
import type { Dialect, Target } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import type { Binder } from './statement.ts';

/**
 * The dialects of DuckDB's projections, in which labels are ENUMs and MaStR numbers 64 bits. A label that no unit has becomes
 * NULL, and finds none. It takes its type from the column: to look the type up by its name, the engine copies all labels, for
 * postal codes some milliseconds each time.
 */

const bitsText = (number: string): string => String(mastrBits(number));

const label = (text: string, column: string, values: Binder): string =>
  `TRY(cast_to_type(${values.bind(text)}, ${duckdb.unitColumn(column)}))`;

/** The projections of earlier releases: each column stands for itself, encoded as sql/catalogue/projections.ts says. */
export const duckdbUnpackedProjections: Dialect = {
  ...duckdb,
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
