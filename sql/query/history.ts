import { z } from 'zod';
import { PERSONAL_COLUMNS } from '../catalogue/personal.ts';
import { CONTENT_COLUMNS, PASSING_COLUMNS, UNIT_COLUMN_NAMES } from '../catalogue/unit-columns.ts';
import { mastrBits, unitNumberOf } from '../register/mastr-number.ts';
import type { Dialect, Dialects } from './dialect.ts';
import { BEGIN } from './state.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';

/** What a version knows of the past of single units: rows that were replaced, and the last ones of those that have left. */

/** The tables of former rows, each with the build in which a row of it ended. */
const FORMER = { units_ersetzt: 'ersetztSeit', units_departed: 'abgangSeit' } as const;

export type FormerTable = keyof typeof FORMER;

/** The column of both that says why the unit left with the row. */
export const REASON = 'abgangGrund';

/** The dialects of a version that says so of units alone which have not come back. */
export const withoutReasons = ({ units, projections }: Dialects): Dialects => ({
  units: { ...units, keepsReasons: false },
  projections,
});

/** A row that a unit had, or has. */
export const heldRow = z.strictObject({
  digits: z.number(),
  /** The build in which it began. */
  since: z.number(),
  /** The one in which it ended; null: it is served. */
  until: z.number().nullable(),
  table: z.enum(['units', ...(Object.keys(FORMER) as FormerTable[])]),
  /** The columns in which the row that followed differs, by comma; null: not known. */
  differing: z.string().nullable(),
});

export type HeldRow = z.infer<typeof heldRow>;

/** The table of the rows that units had. ClickHouse has none, nor has a version of an earlier release. */
export const COURSE = 'units_verlauf';

/** The columns in which rows are said to differ. */
export const DIFFERING_COLUMNS: readonly string[] = CONTENT_COLUMNS.filter(
  (name) => name !== 'mastrNummer' && !PERSONAL_COLUMNS.includes(name),
);

/** The columns in which rows may differ in any case: what goes on without a new row, and what may be forgotten. */
const ALWAYS_READ: readonly string[] = ['mastrNummer', ...PERSONAL_COLUMNS, ...PASSING_COLUMNS];

/** Returns the columns in which the former rows of a unit may differ from the present one; null: in any. */
export function differingColumns(rows: readonly HeldRow[]): readonly string[] | null {
  const inTurn = [...rows].sort((a, b) => a.since - b.since);
  if (inTurn.at(-1)?.until !== null) return null;
  const names = inTurn
    .slice(0, -1)
    .map(({ until, differing }, at) => (inTurn[at + 1]?.since === until ? differing : null));
  if (names.includes(null)) return null;
  return [...new Set([...ALWAYS_READ, ...names.flatMap((list) => list?.split(',') ?? [])])];
}

/**
 * Selects what rows units had and have, in no order, as rows of heldRow. Most have one: rows themselves are wide.
 * @param isListed whether COURSE is there, which leaves out units that always were as they are
 */
export function heldRows(numbers: readonly string[], dialect: Dialect, isListed: boolean): WarehouseStatement {
  const values = binder();
  const isAsked = isOneOf(numbers, dialect, values);
  const rowsIn = (table: HeldRow['table']): string => {
    const end = table === 'units' ? 'CAST(NULL AS INTEGER)' : FORMER[table];
    return `SELECT nummer, ${BEGIN} AS seit, ${end} AS bis, '${table}' AS tabelle, CAST(NULL AS VARCHAR) AS spalten FROM ${table} WHERE ${isAsked}`;
  };
  const found = isListed
    ? `${COURSE} WHERE ${isAsked}`
    : `(${heldRow.shape.table.options.map(rowsIn).join(' UNION ALL ')}) AS held_rows`;
  return {
    text: `SELECT ${dialect.numberDigits('nummer')} AS digits, CAST(seit AS DOUBLE) AS since, CAST(bis AS DOUBLE) AS until,
  tabelle AS "table", spalten AS differing FROM ${found}`,
    values: values.values,
  };
}

function isOneOf(numbers: readonly string[], dialect: Dialect, values: Binder): string {
  const [only, ...others] = numbers;
  if (only !== undefined && others.length === 0) return `nummer = ${dialect.numberBits(only, values)}`;
  return dialect.isOneOfBits(
    'nummer',
    numbers.map((number) => String(mastrBits(number))),
    values,
  );
}

/** The columns of former rows: the name of an operator is kept once (names-kept.sql), and nobody asks for hashes. */
const READ = UNIT_COLUMN_NAMES.filter((name) => !['betreiberName', 'nummer', 'inhalt'].includes(name));

/** Returns true where `formerRows` selects rows as texts of JSON, as `row`. */
export const isOneText = ({ name }: Dialect, columns: readonly string[] | null): boolean =>
  name === 'duckdb' && columns === null;

/**
 * Selects the former rows of units in one table, in no order, with the builds in which each began and ended. DuckDB writes all
 * columns of a row as one text, in half of the time that they take one by one.
 * @param held those that are read, at least one of this table and none of others: they stand in the order in which they ended
 * @param read the expression that reads a column; null where JSON has what the engine makes of its value
 * @param columns those that are read; null: all
 */
export function formerRows(
  held: readonly HeldRow[],
  table: FormerTable,
  dialect: Dialect,
  read: (name: string) => string | null,
  columns: readonly string[] | null,
): WarehouseStatement {
  const values = binder();
  const end = FORMER[table];
  const reason = table === 'units_departed' || dialect.keepsReasons ? `coalesce(${REASON}, '')` : "''";
  const builds = `CAST(${BEGIN} AS INTEGER) AS seit, CAST(${end} AS INTEGER) AS bis, ${reason} AS grund`;
  const numbers = [...new Set(held.map(({ digits }) => unitNumberOf(digits)))];
  const ends = [...new Set(held.map(({ until }) => until))];
  const from = `FROM ${table} AS units WHERE ${isOneOf(numbers, dialect, values)} AND ${end} IN (${ends.join(', ')})`;
  const written = READ.filter((name) => columns === null || columns.includes(name)).map(
    (name) => `${read(name) ?? dialect.unitColumn(name)} AS ${dialect.column(name)}`,
  );
  const rows = `SELECT ${[...written, builds].join(', ')} ${from}`;
  if (!isOneText(dialect, columns)) return { text: rows, values: values.values };
  return { text: `SELECT CAST(to_json(former) AS VARCHAR) AS "row" FROM (${rows}) AS former`, values: values.values };
}

/** The tables of names: of organisations today, and what they were called. Of the latter there are few. */
const NAMES = {
  marktakteure: `CAST(NULL AS INTEGER)`,
  akteurnamen: 'CAST(bis AS INTEGER)',
} as const;

/** Selects names of organisations, each with the build until which it was one: `until` is null for those of today. */
export function namesOfActors(
  numbers: readonly string[],
  tables: readonly (keyof typeof NAMES)[],
  dialect: Dialect,
): WarehouseStatement {
  const values = binder();
  const [only, ...others] = numbers;
  const isAsked =
    others.length === 0
      ? `mastrNummer = ${values.bind(only ?? '')}`
      : dialect.isOneOf('mastrNummer', values.bind(numbers));
  const all = tables.map(
    (table) =>
      `SELECT mastrNummer AS "number", name AS "name", ${NAMES[table]} AS "until" FROM ${table} WHERE ${isAsked}`,
  );
  return { text: all.join(' UNION ALL '), values: values.values };
}
