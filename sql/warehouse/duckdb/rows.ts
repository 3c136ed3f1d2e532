import { columnsRead, type Kind } from '../../catalogue/field.ts';
import { UNIT_COLUMN_NAMES } from '../../catalogue/unit-columns.ts';
import { STORED_FIELDS, UNIT_FIELDS } from '../../catalogue/unit-fields.ts';
import { isInRange, type NumberRange } from '../../register/mastr-number.ts';
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
import { USUAL_COLUMNS } from './usual-columns.ts';

/** Writes units as texts, one for each: the rows of the row file. */

interface RowColumn {
  readonly name: string;
  readonly kind: Kind;
}

/** The served columns, and those that served values are computed from. */
const COLUMNS: readonly RowColumn[] = [
  ...STORED_FIELDS,
  ...UNIT_FIELDS.filter(({ source, filterOnly }) => source === null && filterOnly === null)
    .flatMap(columnsRead)
    .filter((name, index, all) => UNIT_COLUMN_NAMES.includes(name) && all.indexOf(name) === index)
    .filter((name) => !STORED_FIELDS.some((field) => field.name === name))
    .map((name) => ({ name, kind: 'text' as const })),
];

const [USUAL, RARE] = [true, false].map((usual) => COLUMNS.filter(({ name }) => USUAL_COLUMNS.has(name) === usual)) as [
  RowColumn[],
  RowColumn[],
];

/** The columns of a row, in the order of their codes: the usual ones first, which then have the codes of one byte. */
export const ROW_COLUMNS: readonly RowColumn[] = [...USUAL, ...RARE];

const CODES = new Map(ROW_COLUMNS.map(({ name }, index) => [name, fieldCode(index)]));

/** Rare columns that are looked at together: for most units one look finds that all of them are missing. */
const RARE_TOGETHER = 16;

const RARE_GROUPS = Array.from({ length: Math.ceil(RARE.length / RARE_TOGETHER) }, (_, group) =>
  RARE.slice(group * RARE_TOGETHER, (group + 1) * RARE_TOGETHER),
);

/** Writes the rows of a file (sql/warehouse/rows/layout.ts), in any order. */
export function copyRows(relation: string, range: NumberRange, file: string): string {
  const where = `WHERE ${isInRange('nummer', range)}`;
  // Without quotes and escapes the texts are written as they are, each with a line feed.
  return `COPY (SELECT zeile FROM (${rowTexts(relation, where)}))
TO '${file.replaceAll("'", "''")}' (FORMAT csv, HEADER false, DELIMITER '', QUOTE '', ESCAPE '')`;
}

/** The kinds of columns whose texts may have any character. */
export const FREE_TEXT_KINDS: ReadonlySet<Kind> = new Set<Kind>(['text', 'label', 'list', 'objects']);

const FREE_NAMES: ReadonlySet<string> = new Set(
  STORED_FIELDS.filter(({ kind }) => FREE_TEXT_KINDS.has(kind)).map(({ name }) => name),
);

const isFree = ({ name }: RowColumn): boolean => FREE_NAMES.has(name);

/**
 * Selects `nummer` and the row, as `zeile`, of units. One look at all texts of a unit decides about escapes: escaping each
 * of them would cost half as much as the row itself, and hardly any row needs it.
 * @param relation has the columns of `units`
 */
export function rowTexts(relation: string, where = ''): string {
  const mustEscape = ESCAPED.map((character) => `contains(free_texts, ${charOf(character)})`).join(' OR ');
  return `SELECT nummer, CASE WHEN ${mustEscape} THEN ${joined(asEscapedText)} ELSE ${joined(asText)} END AS zeile
FROM (SELECT *, ${freeTexts()} AS free_texts FROM ${relation} ${where})`;
}

/** All texts of a unit that may have any character. */
function freeTexts(): string {
  const textOf = ({ name, kind }: RowColumn) => (kind === 'list' ? `array_to_string(${name}, '')` : name);
  const textsOf = (columns: readonly RowColumn[]) => `concat(${columns.map(textOf).join(', ')})`;
  const rare = RARE_GROUPS.map((group) => group.filter(isFree)).filter((group) => group.length > 0);
  return `concat(${[...USUAL.filter(isFree).map(textOf), ...rare.map((group) => ifAny(group, textsOf(group)))].join(', ')})`;
}

function joined(textOf: (column: RowColumn) => string): string {
  const valueText = (column: RowColumn) => `chr(${CODES.get(column.name)}) || ${textOf(column)}`;
  const all = (values: readonly string[]) => `concat_ws(${charOf(UNIT_SEPARATOR)}, ${values.join(', ')})`;
  return all([...USUAL.map(valueText), ...RARE_GROUPS.map((group) => ifAny(group, all(group.map(valueText))))]);
}

/** The text where one of the columns has a value, else NULL. */
const ifAny = (columns: readonly RowColumn[], text: string): string =>
  `CASE WHEN ${columns.map(({ name }) => `${name} IS NOT NULL`).join(' OR ')} THEN ${text} END`;

const charOf = (character: string): string => `chr(${character.charCodeAt(0)})`;

function asEscapedText(column: RowColumn): string {
  if (!isFree(column)) return asText(column);
  const { name, kind } = column;
  const items = `list_transform(${name}, lambda item: ${escaped('item', ESCAPED_IN_ITEMS)})`;
  return escaped(kind === 'list' ? asText({ name: items, kind }) : name, ESCAPED_IN_VALUES);
}

const escaped = (text: string, characters: readonly string[]): string =>
  characters.reduce(
    (all, character) => `replace(${all}, ${charOf(character)}, ${charOf(ESCAPE)} || '${escapeLetter(character)}')`,
    text,
  );

/** Writes a value as in a row; NULL stays NULL, and the row leaves it out. */
function asText({ kind, name }: RowColumn): string {
  switch (kind) {
    case 'boolean':
      return `CASE WHEN ${name} THEN 1 WHEN NOT ${name} THEN 0 END`;
    case 'time':
      return `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%gZ')`;
    case 'list':
      return `array_to_string(${name}, ${charOf(GROUP_SEPARATOR)})`;
    default:
      return name;
  }
}
