import { columnsRead, type Kind } from '../../catalogue/field.ts';
import { UNIT_COLUMN_NAMES } from '../../catalogue/unit-columns.ts';
import { STORED_FIELDS, UNIT_FIELDS } from '../../catalogue/unit-fields.ts';
import { mastrBits } from '../../register/mastr-number.ts';
import {
  ESCAPE,
  ESCAPED_IN_ITEMS,
  ESCAPED_IN_VALUES,
  escapeLetter,
  fieldCode,
  GROUP_SEPARATOR,
  TO_BE_ESCAPED,
  UNIT_SEPARATOR,
} from '../rows/layout.ts';

/** Writes `units` as texts, one for each unit: the rows of the row file. */

/** The columns of a row, in the order of their codes: the served ones, and those that served values are computed from. */
export const ROW_COLUMNS: readonly { readonly name: string; readonly kind: Kind }[] = [
  ...STORED_FIELDS,
  ...UNIT_FIELDS.filter(({ source, filterOnly }) => source === null && filterOnly === null)
    .flatMap(columnsRead)
    .filter((name, index, all) => UNIT_COLUMN_NAMES.includes(name) && all.indexOf(name) === index)
    .filter((name) => !STORED_FIELDS.some((field) => field.name === name))
    .map((name) => ({ name, kind: 'text' as const })),
];

/** Selects the units from one number to another, both included, with their rows in the order of the numbers. */
export const rowStatement = (from: string, to: string): string => `SELECT mastrNummer, ${duckdbRowText()}
FROM units WHERE nummer BETWEEN ${mastrBits(from)} AND ${mastrBits(to)} ORDER BY nummer`;

/** The kinds of columns whose texts may have any character. */
export const FREE_TEXT_KINDS: ReadonlySet<Kind> = new Set<Kind>(['text', 'label', 'list', 'objects']);

const FREE_COLUMNS = STORED_FIELDS.filter(({ kind }) => FREE_TEXT_KINDS.has(kind));

/**
 * Writes a row of `units` as one text. One match over all its texts decides about escapes: escaping each of them would
 * cost half as much as the row itself, and hardly any row needs it.
 */
export function duckdbRowText(): string {
  const texts = FREE_COLUMNS.map(({ name, kind }) => (kind === 'list' ? `array_to_string(${name}, '')` : name));
  return `CASE
  WHEN regexp_matches(concat(${texts.join(', ')}), '${TO_BE_ESCAPED}') THEN ${joined(asEscapedText)}
  ELSE ${joined(asText)}
END`;
}

function joined(textOf: (kind: Kind, column: string) => string): string {
  const values = ROW_COLUMNS.map(({ name, kind }, index) => `chr(${fieldCode(index)}) || ${textOf(kind, name)}`);
  return `concat_ws(${charOf(UNIT_SEPARATOR)}, ${values.join(', ')})`;
}

const charOf = (character: string): string => `chr(${character.charCodeAt(0)})`;

const FREE_NAMES: ReadonlySet<string> = new Set(FREE_COLUMNS.map(({ name }) => name));

function asEscapedText(kind: Kind, column: string): string {
  if (!FREE_NAMES.has(column)) return asText(kind, column);
  const items = `list_transform(${column}, lambda item: ${escaped('item', ESCAPED_IN_ITEMS)})`;
  return escaped(kind === 'list' ? asText('list', items) : column, ESCAPED_IN_VALUES);
}

const escaped = (text: string, characters: readonly string[]): string =>
  characters.reduce(
    (all, character) => `replace(${all}, ${charOf(character)}, ${charOf(ESCAPE)} || '${escapeLetter(character)}')`,
    text,
  );

/** Writes a value as in a row; NULL stays NULL, and the row leaves it out. */
function asText(kind: Kind, column: string): string {
  switch (kind) {
    case 'boolean':
      return `CASE WHEN ${column} THEN 1 WHEN NOT ${column} THEN 0 END`;
    case 'time':
      return `strftime(${column}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
    case 'list':
      return `array_to_string(${column}, ${charOf(GROUP_SEPARATOR)})`;
    default:
      return column;
  }
}
