import { clickhouse } from '../../query/clickhouse.ts';
import { ROW_COLUMNS } from '../duckdb/rows.ts';
import { fieldCode, LIST_SEPARATOR, UNIT_SEPARATOR } from '../rows/layout.ts';
import { UNIT_COLUMNS } from './columns.ts';

/** Units as texts (rows.sql): the texts of the row file, but that the last value has a separator behind it, too. */

const FIELDS = 'fields by their codes: ';

/** What a version says of its texts, in the comment of their column: later code may have other fields. */
export const rowFields = (): string => FIELDS + ROW_COLUMNS.map(({ name }) => name).join(', ');

/**
 * The fields that the codes of a version stand for.
 * @param comment of the column zeilen.zeile
 * @throws Error when it does not say them
 */
export function fieldsOfRows(comment: string): string[] {
  if (!comment.startsWith(FIELDS)) throw new Error(`The column zeilen.zeile does not say its fields: ${comment}`);
  return comment.slice(FIELDS.length).split(', ');
}

/** The values that make a text, one per line. */
export const rowValues = (): string =>
  ROW_COLUMNS.map(({ name }, index) => {
    const code = String.fromCodePoint(fieldCode(index)).replace(/['\\]/, '\\$&');
    return `  ifNull(concat('${code}', ${asText(name)}, ${charOf(UNIT_SEPARATOR)}), '')`;
  }).join(',\n');

const KINDS = new Map(UNIT_COLUMNS.map(({ name, kind }) => [name, kind]));

/** A value as the row file has it; NULL where there is none. */
function asText(name: string): string {
  const column = `units.${name}`;
  const kind = KINDS.get(name)!;
  switch (kind) {
    case 'day':
    case 'time':
      return clickhouse.toJson(kind, column);
    case 'decimal':
      return `toDecimalString(${column}, 3)`;
    case 'degree':
      return `toDecimalString(${column}, 6)`;
    case 'boolean':
      return `toString(toUInt8(${column}))`;
    case 'list':
      return `if(empty(${column}), NULL, arrayStringConcat(${column}, ${charOf(LIST_SEPARATOR)}))`;
    default:
      return `toString(${column})`;
  }
}

const charOf = (separator: string): string => `char(${separator.charCodeAt(0)})`;
