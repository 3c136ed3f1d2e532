import { clickhouse } from '../../query/clickhouse.ts';
import { FREE_TEXT_KINDS, type RowColumn } from '../duckdb/rows.ts';
import { type CodedColumn, groupsOf } from '../rows/coded.ts';
import {
  ESCAPE,
  ESCAPED_IN_ITEMS,
  ESCAPED_IN_VALUES,
  escapeLetter,
  GROUP_SEPARATOR,
  UNIT_SEPARATOR,
} from '../rows/layout.ts';
import { type ClickhouseColumn, UNIT_COLUMNS } from './columns.ts';

/** Writes units as texts with codes (sql/warehouse/rows/coded.ts). */

const FIELDS = 'fields by their codes, all or none of four: ';
/** Before, a missing value had no code. A service of that time would take one that has for a text, so it shall not know the comment. */
const FIELDS_BEFORE = 'fields by their codes: ';

/** A version keeps the fields of a text in the comment of its column, because later releases may have other fields. */
export const rowFields = (columns: readonly RowColumn[]): string => FIELDS + columns.map(({ name }) => name).join(', ');

/**
 * The fields that the codes of a text stand for, by the comment of its column.
 * @returns null for a column that is no such text
 */
export function fieldsOfRows(comment: string): string[] | null {
  const prefix = [FIELDS, FIELDS_BEFORE].find((one) => comment.startsWith(one));
  return prefix === undefined ? null : comment.slice(prefix.length).split(', ');
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

/** Writes the values of a unit as one text. */
export const clickhouseRowText = (columns: readonly RowColumn[]): string =>
  `concat(\n${groupsOf(columns).map(textOfGroup).join(',\n')}\n)`;

/**
 * One call joins a group, as every further function over its texts would copy them. Texts are escaped without a look whether they need it:
 * a condition costs a copy of each column that it concerns, and of columns with few values only these are escaped.
 */
function textOfGroup(group: readonly CodedColumn[]): string {
  const values = group.map(
    ({ name, code }) => `  ${literal(code)}, ifNull(${asEscapedText(name)}, ''), ${charOf(UNIT_SEPARATOR)}`,
  );
  return `if(${group.map(({ name }) => hasNone(name)).join(' AND ')}, '', concat(\n${values.join(',\n')}))`;
}

const hasNone = (name: string): string => (kindOf(name) === 'list' ? `empty(${name})` : `isNull(${name})`);

const literal = (character: string): string => `'${character.replace(/['\\]/, '\\$&')}'`;

function asEscapedText(name: string): string {
  const kind = kindOf(name);
  if (!isFree(name)) return asText(name);
  if (kind !== 'list') return escaped(name, ESCAPED_IN_VALUES);
  const items = `arrayMap(item -> ${escaped('item', ESCAPED_IN_ITEMS)}, ${name})`;
  const text = escaped(`arrayStringConcat(${items}, ${charOf(GROUP_SEPARATOR)})`, ESCAPED_IN_VALUES);
  return `if(empty(${name}), NULL, ${text})`;
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
    default:
      return `toString(${name})`;
  }
}

const charOf = (character: string): string => `char(${character.charCodeAt(0)})`;
