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

/** Fields that are looked at together: where a unit has none of them, that is all, and one look decides about escapes, too. */
const LOOKED_AT_TOGETHER = 8;

/** Writes the values of a unit as one text. */
export function clickhouseRowText(columns: readonly RowColumn[]): string {
  const names = columns.map(({ name }) => name);
  const groups = names.flatMap((_, first) =>
    first % LOOKED_AT_TOGETHER === 0 ? [textOfGroup(names.slice(first, first + LOOKED_AT_TOGETHER), first)] : [],
  );
  return `concat(\n${groups.join(',\n')}\n)`;
}

/** Writes the values of neighbouring fields, of which the first has this place. */
function textOfGroup(names: readonly string[], first: number): string {
  const joined = (textOf: (name: string) => string) =>
    `concat(\n${names.map((name, index) => withCode(fieldCode(first + index), textOf(name))).join(',\n')})`;
  const needEscapes = names.filter(isFree).map(needsEscapes).join(' OR ');
  const text = needEscapes === '' ? joined(asText) : `if(${needEscapes}, ${joined(asEscapedText)}, ${joined(asText)})`;
  return `if(${names.map(hasNone).join(' AND ')}, '', ${text})`;
}

/** A match for each text is faster than one for all of them joined, as a dictionary has few values. */
const needsEscapes = (name: string): string =>
  `ifNull(match(${kindOf(name) === 'list' ? `arrayStringConcat(${name})` : name}, concat('[', ${ESCAPED.map(charOf).join(', ')}, ']')), 0)`;

const hasNone = (name: string): string => (kindOf(name) === 'list' ? `empty(${name})` : `isNull(${name})`);

function withCode(code: number, text: string): string {
  const character = String.fromCodePoint(code).replace(/['\\]/, '\\$&');
  return `  ifNull(concat('${character}', ${text}, ${charOf(UNIT_SEPARATOR)}), '')`;
}

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
