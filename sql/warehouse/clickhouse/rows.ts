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

/** A version keeps the fields of a text in the comment of its column, because later releases may have other fields. */
export const rowFields = (columns: readonly RowColumn[]): string => FIELDS + columns.map(({ name }) => name).join(', ');

/**
 * The fields that the codes of a text stand for, by the comment of its column.
 * @returns null for a column that is no such text
 */
export const fieldsOfRows = (comment: string): string[] | null =>
  comment.startsWith(FIELDS) ? comment.slice(FIELDS.length).split(', ') : null;

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
    .map(({ name, kind }) => (kind === 'list' ? `arrayStringConcat(${name})` : `ifNull(${name}, '')`));
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
  const items = `arrayMap(item -> ${escaped('item', ESCAPED_IN_ITEMS)}, ${name})`;
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
  const kind = kindOf(name);
  switch (kind) {
    case 'day':
    case 'time':
      return clickhouse.toJson(kind, name);
    case 'decimal':
      return `toDecimalString(${name}, 3)`;
    case 'degree':
      return `toDecimalString(${name}, 6)`;
    case 'boolean':
      return `toString(toUInt8(${name}))`;
    case 'list':
      return listText(name, name);
    default:
      return `toString(${name})`;
  }
}

const listText = (name: string, items: string): string =>
  `if(empty(${name}), NULL, arrayStringConcat(${items}, ${charOf(GROUP_SEPARATOR)}))`;

const charOf = (character: string): string => `char(${character.charCodeAt(0)})`;
