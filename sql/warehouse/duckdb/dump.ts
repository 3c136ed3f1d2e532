import {
  type CsvDialect,
  DIALECTS,
  type DialectName,
  FORMULA,
  NEEDS_QUOTES,
  RFC_4180,
} from '../../../runtime/csv-dialect.ts';
import { anomaliesJson } from '../../catalogue/anomalies.ts';
import { CARRIERS } from '../../catalogue/carriers.ts';
import { columnsRead, type UnitField } from '../../catalogue/field.ts';
import { SIGNAL_IDS } from '../../catalogue/signals.ts';
import { READABLE_FIELDS } from '../../catalogue/unit-fields.ts';
import { milliseconds } from '../../query/duckdb.ts';

/**
 * The select lists of a dump: every field of a unit's own answer, in the order of the catalogue and under its name there,
 * in the types of Parquet or as one text for each unit. `units` has nothing that an answer hides.
 */

/** The columns of `units` that a dump needs: a version that lacks one was built by an older release. */
export const DUMP_COLUMNS: readonly string[] = [...new Set(READABLE_FIELDS.flatMap(columnsRead))];

/**
 * Decimals as they are stored, to the last digit, or as DOUBLE; moments in UTC; lists as lists, objects as JSON.
 * @param today calendar day, YYYY-MM-DD
 */
export const typedColumns = (fields: readonly UnitField[], today: string, decimals: 'exact' | 'double'): string =>
  fields
    .map((field) => {
      const value = typed(field, today);
      return `${decimals === 'double' && isDecimal(field) ? `CAST(${value} AS DOUBLE)` : value} AS "${field.name}"`;
    })
    .join(',\n  ');

const isDecimal = ({ kind }: UnitField): boolean => kind === 'decimal' || kind === 'degree';

/**
 * One JSON object with the values of the unit's own answer. It is joined value by value, because `to_json` of whole units
 * keeps the trees of some thousand of them in memory, several hundred megabytes.
 */
export function jsonLine(fields: readonly UnitField[], today: string): string {
  const members = fields.map(
    (field, place) => `'${place === 0 ? '{' : ','}"${field.name}":', coalesce(${jsonText(field, today)}, 'null')`,
  );
  return `concat(${members.join(', ')}, '}')`;
}

/**
 * One record of CSV, without its line break: a missing value is empty, an empty text is quoted, a list is JSON. For a
 * spreadsheet texts are made harmless that it would take for a formula; plain RFC 4180 has every text as it is.
 * @param dialect null = RFC 4180
 */
export function csvLine(fields: readonly UnitField[], today: string, dialect: DialectName | null): string {
  const cells = fields.map((field) => `coalesce(${csvText(field, today, dialect)}, '')`);
  return `concat_ws('${dialectNamed(dialect).separator}', ${cells.join(', ')})`;
}

/** The first record of a CSV dump, and what precedes it. */
export function csvHeader(fields: readonly UnitField[], dialect: DialectName | null): string {
  const { mark, separator } = dialectNamed(dialect);
  return mark + fields.map(({ name }) => name).join(separator);
}

const dialectNamed = (name: DialectName | null): CsvDialect => (name === null ? RFC_4180 : DIALECTS[name]);

/** The value in the type of its kind. */
function typed({ name, kind, read }: UnitField, today: string): string {
  const value = read === null ? `"${name}"` : `(${read.sql.replaceAll('$today', `DATE '${today}'`)})`;
  switch (kind) {
    case 'integer':
      return `CAST(${value} AS INTEGER)`;
    case 'time':
      // Answers and ClickHouse have milliseconds; the register has seven digits.
      return `make_timestamptz(${milliseconds(value)} * 1000)`;
    case 'carriers':
      return `CASE WHEN ${value} IS NOT NULL THEN ${namesOfBits(value, CARRIERS)} END`;
    case 'signals':
      return namesOfBits(value, SIGNAL_IDS);
    case 'anomalies':
      return anomaliesJson(value);
    default:
      return value;
  }
}

/** The names whose bits a mask has, as a list in their order. */
const namesOfBits = (mask: string, names: readonly string[]): string =>
  `list_filter([${names.map((name, bit) => `CASE WHEN ${mask} & ${2 ** bit} > 0 THEN '${name}' END`).join(', ')}], lambda name: name IS NOT NULL)`;

/** Writes the value as text: days and moments as in the API, numbers to the last digit, lists as JSON. */
export function plainText(field: UnitField, today: string): string {
  const value = typed(field, today);
  switch (field.kind) {
    case 'time':
      return `strftime("${field.name}", '%Y-%m-%dT%H:%M:%S.%gZ')`;
    case 'list':
    case 'carriers':
    case 'signals':
      return `CAST(to_json(${value}) AS VARCHAR)`;
    default:
      return `CAST(${value} AS VARCHAR)`;
  }
}

function jsonText(field: UnitField, today: string): string {
  const text = plainText(field, today);
  switch (field.kind) {
    case 'text':
    case 'label':
      return `CAST(to_json(${text}) AS VARCHAR)`;
    case 'number':
    case 'day':
    case 'time':
      return `'"' || ${text} || '"'`;
    default:
      return text;
  }
}

function csvText(field: UnitField, today: string, dialect: DialectName | null): string {
  const text = plainText(field, today);
  switch (field.kind) {
    case 'list':
    case 'objects':
    case 'carriers':
    case 'anomalies':
    case 'signals':
      return quoted(text);
    case 'text':
    case 'label':
      return quotedWhereNeeded(dialect === null ? text : harmless(text));
    case 'decimal':
    case 'degree':
      return dialect === null ? text : `replace(${text}, '.', '${dialectNamed(dialect).decimalPoint}')`;
    default:
      return text;
  }
}

const harmless = (text: string): string =>
  `CASE WHEN regexp_matches(${text}, ${pattern(FORMULA)}) THEN '''' || ${text} ELSE ${text} END`;

const quotedWhereNeeded = (text: string): string =>
  `CASE WHEN regexp_matches(${text}, ${pattern(NEEDS_QUOTES)}) THEN ${quoted(text)} ELSE ${text} END`;

const pattern = (expression: string): string => `'${expression.replaceAll("'", "''")}'`;

const quoted = (text: string): string => `'"' || replace(${text}, '"', '""') || '"'`;
