import { createHash } from 'node:crypto';
import { columnsRead, type Kind } from '../../catalogue/field.ts';
import { PASSING_COLUMNS, UNIT_COLUMN_NAMES } from '../../catalogue/unit-columns.ts';
import { READABLE_FIELDS, STORED_FIELDS, UNIT_FIELDS } from '../../catalogue/unit-fields.ts';
import { duckdbDigits, isInRange, type NumberRange } from '../../register/mastr-number.ts';
import { groupsOf } from '../rows/coded.ts';
import {
  EMPTY_TEXT,
  ESCAPE,
  ESCAPED,
  ESCAPED_IN_ITEMS,
  ESCAPED_IN_VALUES,
  escapeLetter,
  fieldCode,
  GROUP_SEPARATOR,
  type RowFields,
  UNIT_SEPARATOR,
} from '../rows/layout.ts';
import { duckdbUnitColumns } from './columns.ts';
import { USUAL_COLUMNS } from './usual-columns.ts';

/** Writes units as texts, one for each: the rows of the row file, and those of ClickHouse's `zeilen`. */

export interface RowColumn {
  readonly name: string;
  readonly kind: Kind;
}

/** The columns of a row: the served ones, and those that served values are computed from. */
export const ROW_COLUMNS: readonly RowColumn[] = [
  ...STORED_FIELDS,
  ...UNIT_FIELDS.filter(({ source, filterOnly }) => source === null && filterOnly === null)
    .flatMap(columnsRead)
    .filter((name, index, all) => UNIT_COLUMN_NAMES.includes(name) && all.indexOf(name) === index)
    .filter((name) => !STORED_FIELDS.some((field) => field.name === name))
    .map((name) => ({ name, kind: 'text' as const })),
];

/** The columns of the texts that lists are answered from: what units show in a list without further blocks, and what sorts it. */
const LIST_COLUMNS: readonly RowColumn[] = ROW_COLUMNS.filter(({ name }) =>
  READABLE_FIELDS.some((field) => (field.block === null || field.sortable) && columnsRead(field).includes(name)),
);

const NUMBER = 'mastrNummer';
const USUAL = ROW_COLUMNS.filter(({ name }) => USUAL_COLUMNS.has(name));
const RARE = ROW_COLUMNS.filter(({ name }) => name !== NUMBER && !USUAL_COLUMNS.has(name));

/**
 * The texts of a unit in ClickHouse, by the columns of `zeilen`: together they have every column of a row. Those that few units have
 * stand together, where one look finds that all of them are missing.
 */
export const UNIT_TEXTS = {
  liste: LIST_COLUMNS,
  weitere: [...USUAL, ...RARE].filter((column) => !LIST_COLUMNS.includes(column)),
} as const satisfies Readonly<Record<string, readonly RowColumn[]>>;

/** The fields of the row file. */
export const ROW_FIELDS: RowFields = {
  fields: RARE.map(({ name }) => name),
  placed: USUAL.map(({ name }) => name),
};

/** Rare columns that are looked at together: for most units one look finds that all of them are missing. */
const RARE_TOGETHER = 16;

const RARE_GROUPS = Array.from({ length: Math.ceil(RARE.length / RARE_TOGETHER) }, (_, group) =>
  RARE.slice(group * RARE_TOGETHER, (group + 1) * RARE_TOGETHER),
);

/** Selects the digits of the units of a range that have left with a build. */
export const departedUnits = (sequence: number, range: NumberRange): string =>
  `SELECT ${duckdbDigits('nummer')}::DOUBLE AS digits FROM units_departed WHERE abgangSeit = ${sequence} AND ${isInRange('nummer', range)}`;

/** Names everything that the text of a row depends on besides the values of its unit: the statement that writes it, and the engine. */
export function rowBasis(engineVersion: string): string {
  const statement = rowTexts('units', { zeile: rowOfFile });
  const hash = createHash('sha256').update(`${duckdbUnitColumns()}\n${statement}`).digest('hex');
  return `duckdb ${engineVersion}, rows ${hash.slice(0, 16)}`;
}

/**
 * Writes the rows of units to a file, as sql/warehouse/rows/layout.ts describes them, in any order.
 * @param relation has the columns of `units`
 */
export function copyRows(relation: string, range: NumberRange, file: string): string {
  return copyTo(file, rowTexts(`${relation} WHERE ${isInRange('nummer', range)}`, { zeile: rowOfFile }));
}

/** The condition that a unit has a value which may be another one though the unit has not changed. @param columns those of its table */
const hasPassing = (columns: ReadonlySet<string>): string =>
  `(${['false', ...PASSING_COLUMNS.filter((name) => columns.has(name)).map((name) => `${name} IS NOT NULL`)].join(' OR ')})`;

/**
 * The statement that makes `passing_units`: of `previous_version` the units that had such a value, which `copyChangedRows` asks for.
 * @param columns those that its units have
 */
export const passingUnits = (columns: ReadonlySet<string>): string =>
  `CREATE TABLE scratch.passing_units AS SELECT nummer FROM previous_version.units WHERE ${hasPassing(columns)}`;

/**
 * Writes the rows that may differ from those of the version before: of units that are new or have changed with the build
 * `sequence`, and of each that has a value, now or then, which goes on by itself.
 */
export function copyChangedRows(sequence: number, range: NumberRange, file: string): string {
  const inRange = isInRange('nummer', range);
  // They are found in few columns first: a condition with a subquery would read all columns of every unit.
  const changed = `SELECT rowid FROM units WHERE ${inRange} AND (inhaltSeit = ${sequence} OR ${hasPassing(new Set(PASSING_COLUMNS))}
    OR nummer IN (SELECT nummer FROM passing_units WHERE ${inRange}))`;
  return copyTo(file, rowTexts(`units WHERE ${inRange} AND rowid IN (${changed})`, { zeile: rowOfFile }));
}

/** Without quotes and escapes the texts are written as they are, each with a line feed. */
const copyTo = (file: string, texts: string): string =>
  `COPY (SELECT zeile FROM (${texts}))
TO '${file.replaceAll("'", "''")}' (FORMAT csv, HEADER false, DELIMITER '', QUOTE '', ESCAPE '')`;

/** Selects `nummer` and these texts of all units as ClickHouse has them. */
export const codedRows = (...texts: readonly (keyof typeof UNIT_TEXTS)[]): string =>
  rowTexts('units', Object.fromEntries(texts.map((text) => [text, codedRow(UNIT_TEXTS[text])])));

const codedRow =
  (columns: readonly RowColumn[]): RowOf =>
  (textOf) => {
    const groups = groupsOf(columns).map((group) => {
      const values = group.map((column) => `${charOf(column.code)}, ${textOf(column)}, ${SEPARATOR}`);
      return `CASE WHEN ${hasAny(group)} THEN concat(${values.join(', ')}) END`;
    });
    return `concat(${groups.join(', ')})`;
  };

/** Writes a value; NULL when there is none. */
type TextOf = (column: RowColumn) => string;

/** Writes a row of values. */
type RowOf = (textOf: TextOf) => string;

/**
 * Selects `nummer` and rows by their names. One look at all texts of a unit decides about escapes: escaping each of them
 * would cost half as much as the row itself, and hardly any row needs it.
 */
function rowTexts(source: string, rows: Readonly<Record<string, RowOf>>): string {
  const needsEscapes = [
    ...ESCAPED.map((character) => `contains(free_texts, ${charOf(character)})`),
    ...USUAL.filter(isFree).map(({ name }) => `${name} = ''`),
  ].join(' OR ');
  const texts = Object.entries(rows).map(
    ([name, rowOf]) => `CASE WHEN ${needsEscapes} THEN ${rowOf(escapedText)} ELSE ${rowOf(plainText)} END AS ${name}`,
  );
  return `SELECT nummer, ${texts.join(', ')}
FROM (SELECT *, ${freeTexts()} AS free_texts FROM (
  SELECT *, ${RARE_GROUPS.map((columns, group) => `${hasAny(columns)} AS has_${group}`).join(', ')} FROM ${source}
))`;
}

/** All texts of a unit that may have any character. */
function freeTexts(): string {
  const textOf: TextOf = ({ name, kind }) => (kind === 'list' ? `array_to_string(${name}, '')` : name);
  const usual = USUAL.filter(isFree).map(textOf);
  const rare = RARE_GROUPS.map((columns, group) => {
    const texts = columns.filter(isFree).map(textOf);
    return ifHas(group, texts.length === 0 ? 'NULL' : `concat(${texts.join(', ')})`);
  });
  return `concat(${[...usual, ...rare].join(', ')})`;
}

function rowOfFile(textOf: TextOf): string {
  const rare = RARE_GROUPS.map((columns, group) => {
    const values = columns.map((column) => `${SEPARATOR} || ${codeAt(RARE.indexOf(column))} || ${textOf(column)}`);
    return ifHas(group, `concat(${values.join(', ')})`);
  });
  const usual = USUAL.map((column) => `${SEPARATOR}, ${placedText(column, textOf)}`);
  return `concat(${[NUMBER, ...rare, SEPARATOR, ...usual].join(', ')})`;
}

/** In its place, a text without characters is written differently from none. */
const placedText = (column: RowColumn, textOf: TextOf): string =>
  textOf === escapedText && isFree(column)
    ? `CASE WHEN ${column.name} = '' THEN ${EMPTY} ELSE ${textOf(column)} END`
    : textOf(column);

const hasAny = (columns: readonly RowColumn[]): string =>
  `(${columns.map(({ name }) => `${name} IS NOT NULL`).join(' OR ')})`;

/** The text where a column of the group has a value, else NULL. */
const ifHas = (group: number, text: string): string => `CASE WHEN has_${group} THEN ${text} END`;

const codeAt = (place: number): string => `chr(${fieldCode(place)})`;

const charOf = (character: string): string => `chr(${character.charCodeAt(0)})`;

const SEPARATOR = charOf(UNIT_SEPARATOR);
const EMPTY = [...EMPTY_TEXT].map(charOf).join(' || ');

/** The kinds of columns whose texts may have any character. */
export const FREE_TEXT_KINDS: ReadonlySet<Kind> = new Set<Kind>(['text', 'label', 'list', 'objects']);

const FREE_NAMES: ReadonlySet<string> = new Set(
  STORED_FIELDS.filter(({ kind }) => FREE_TEXT_KINDS.has(kind)).map(({ name }) => name),
);

const isFree = ({ name }: RowColumn): boolean => FREE_NAMES.has(name);

function escapedText(column: RowColumn): string {
  if (!isFree(column)) return plainText(column);
  const { name, kind } = column;
  const items = `list_transform(${name}, lambda item: ${escaped('item', ESCAPED_IN_ITEMS)})`;
  return escaped(kind === 'list' ? plainText({ name: items, kind }) : name, ESCAPED_IN_VALUES);
}

const escaped = (text: string, characters: readonly string[]): string =>
  characters.reduce(
    (all, character) => `replace(${all}, ${charOf(character)}, ${charOf(ESCAPE)} || '${escapeLetter(character)}')`,
    text,
  );

function plainText({ kind, name }: RowColumn): string {
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
