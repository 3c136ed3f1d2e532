import { clickhouse } from '../../query/clickhouse.ts';
import { FREE_TEXT_KINDS, type RowColumn } from '../duckdb/rows.ts';
import {
  ESCAPE,
  ESCAPED,
  ESCAPED_IN_ITEMS,
  ESCAPED_IN_VALUES,
  escapeLetter,
  fieldCode,
  GROUP_SEPARATOR,
  UNIT_SEPARATOR,
} from '../rows/layout.ts';
import { type ClickhouseColumn, UNIT_COLUMNS } from './columns.ts';

/** Units as texts (rows.sql): every value has a code, and a separator follows the last one, too. */

const FIELDS = 'fields by their codes: ';

/** A version keeps the fields of its texts in the comment of their column, because later releases may have other fields. */
export const rowFields = (columns: readonly RowColumn[]): string => FIELDS + columns.map(({ name }) => name).join(', ');

/**
 * The fields that the codes of a version stand for.
 * @param comment of the column zeile
 * @throws Error when it does not say them
 */
export function fieldsOfRows(comment: string): string[] {
  if (!comment.startsWith(FIELDS)) throw new Error(`The column zeile does not say its fields: ${comment}`);
  return comment.slice(FIELDS.length).split(', ');
}

const KINDS = new Map(UNIT_COLUMNS.map(({ name, kind }) => [name, kind]));

function kindOf(name: string): ClickhouseColumn['kind'] {
  const kind = KINDS.get(name);
  if (kind === undefined) throw new Error(`units has no column ${name}`);
  return kind;
}

const isFree = (name: string): boolean => {
  const kind = kindOf(name);
  return kind !== 'bits' && kind !== 'integers' && FREE_TEXT_KINDS.has(kind);
};

/** Writes a unit as one text. One match over all its texts decides about escapes, which hardly any unit needs. */
export function clickhouseRowText(columns: readonly RowColumn[]): string {
  const texts = columns
    .filter(({ name }) => isFree(name))
    .map(({ name, kind }) => (kind === 'list' ? `arrayStringConcat(units.${name})` : `ifNull(units.${name}, '')`));
  return `if(match(concat(${texts.join(', ')}), concat('[', ${ESCAPED.map(charOf).join(', ')}, ']')),
concat(
${joined(columns, asEscapedText)}
),
concat(
${joined(columns, asText)}
))`;
}

/** Joins the values of a text, one per line. */
const joined = (columns: readonly RowColumn[], textOf: (name: string) => string): string =>
  columns
    .map(({ name }, index) => {
      const code = String.fromCodePoint(fieldCode(index)).replace(/['\\]/, '\\$&');
      return `  ifNull(concat('${code}', ${textOf(name)}, ${charOf(UNIT_SEPARATOR)}), '')`;
    })
    .join(',\n');

function asEscapedText(name: string): string {
  if (!isFree(name)) return asText(name);
  if (kindOf(name) !== 'list') return escaped(asText(name), ESCAPED_IN_VALUES);
  const items = `arrayMap(item -> ${escaped('item', ESCAPED_IN_ITEMS)}, units.${name})`;
  return escaped(listText(name, items), ESCAPED_IN_VALUES);
}

const escaped = (text: string, characters: readonly string[]): string =>
  characters.reduce(
    (all, character) =>
      `replaceAll(${all}, ${charOf(character)}, concat(${charOf(ESCAPE)}, '${escapeLetter(character).replace('\\', '\\\\')}'))`,
    text,
  );

/** Writes a value as in the row file; NULL when there is none. */
function asText(name: string): string {
  const column = `units.${name}`;
  const kind = kindOf(name);
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
      return listText(name, column);
    default:
      return `toString(${column})`;
  }
}

const listText = (name: string, items: string): string =>
  `if(empty(units.${name}), NULL, arrayStringConcat(${items}, ${charOf(GROUP_SEPARATOR)}))`;

const charOf = (character: string): string => `char(${character.charCodeAt(0)})`;
