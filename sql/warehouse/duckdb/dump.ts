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

/** Decimals as they are stored, to the last digit; moments in UTC; lists as lists. */
export const typedColumns = (today: string): string =>
  READABLE_FIELDS.map((field) => `${typed(field, today)} AS "${field.name}"`).join(',\n  ');

/**
 * One JSON object with the values of the unit's own answer. It is joined value by value, because `to_json` of whole units
 * keeps the trees of some thousand of them in memory, several hundred megabytes.
 */
export function jsonLine(today: string): string {
  const members = READABLE_FIELDS.map(
    (field, place) => `'${place === 0 ? '{' : ','}"${field.name}":', coalesce(${jsonText(field, today)}, 'null')`,
  );
  return `concat(${members.join(', ')}, '}')`;
}

/** One record of RFC 4180, without its line break: a missing value is empty, an empty text is quoted, a list is JSON. */
export const csvLine = (today: string): string =>
  `concat_ws(',', ${READABLE_FIELDS.map((field) => `coalesce(${csvText(field, today)}, '')`).join(', ')})`;

/** The first record of a CSV dump. */
export const csvHeader = (): string => READABLE_FIELDS.map(({ name }) => name).join(',');

/** The value in the type of its kind. */
function typed({ name, kind, read }: UnitField, today: string): string {
  const value = read === null ? `"${name}"` : `(${read.sql.replaceAll('$today', `DATE '${today}'`)})`;
  switch (kind) {
    case 'integer':
      return `CAST(${value} AS INTEGER)`;
    case 'time':
      // Answers and ClickHouse have milliseconds; the register has seven digits.
      return `make_timestamptz(${milliseconds(value)} * 1000)`;
    case 'signals':
      return `list_filter([${SIGNAL_IDS.map((id, bit) => `CASE WHEN ${value} & ${2 ** bit} > 0 THEN '${id}' END`).join(', ')}], lambda id: id IS NOT NULL)`;
    default:
      return value;
  }
}

/** Writes the value as text: days and moments as in the API, numbers to the last digit, lists as JSON. */
function plainText(field: UnitField, today: string): string {
  const value = typed(field, today);
  switch (field.kind) {
    case 'time':
      return `strftime("${field.name}", '%Y-%m-%dT%H:%M:%S.%gZ')`;
    case 'list':
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

function csvText(field: UnitField, today: string): string {
  const text = plainText(field, today);
  switch (field.kind) {
    case 'list':
    case 'signals':
      return quoted(text);
    case 'text':
    case 'label':
      return `CASE WHEN regexp_matches(${text}, '[",\\r\\n]|^$') THEN ${quoted(text)} ELSE ${text} END`;
    default:
      return text;
  }
}

const quoted = (text: string): string => `'"' || replace(${text}, '"', '""') || '"'`;
