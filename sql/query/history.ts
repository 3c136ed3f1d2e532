import { z } from 'zod';
import { PERSONAL_COLUMNS } from '../catalogue/personal.ts';
import { CONTENT_COLUMNS, PASSING_COLUMNS, UNIT_COLUMN_NAMES } from '../catalogue/unit-columns.ts';
import { mastrBits } from '../register/mastr-number.ts';
import type { Dialect } from './dialect.ts';
import { BEGIN } from './state.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';

/** What a version knows of the past of single units: rows that were replaced, and the last ones of those that have left. */

/** The tables of former rows, each with the build in which a row of it ended, and why. */
const FORMER = {
  units_ersetzt: { end: 'ersetztSeit', reason: "''" },
  units_departed: { end: 'abgangSeit', reason: 'abgangGrund' },
} as const;

export type FormerTable = keyof typeof FORMER;

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

/** The table that says in which columns former rows differ from those that followed them; ClickHouse has none. */
export const DIFFERENCES = 'unterschiede';

/** The columns that it can name. */
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
 * @param tables those of the version
 */
export function heldRows(
  numbers: readonly string[],
  dialect: Dialect,
  tables: ReadonlySet<string>,
): WarehouseStatement {
  const values = binder();
  const isAsked = isOneOf(numbers, dialect, values);
  const rows = (table: string, end: string): string => {
    const hasDifferences = table === 'units_ersetzt' && tables.has(DIFFERENCES);
    const join = hasDifferences ? ` LEFT JOIN ${DIFFERENCES} USING (nummer, ersetztSeit)` : '';
    return `SELECT nummer, ${BEGIN} AS since, ${end} AS until, '${table}' AS held, ${hasDifferences ? 'spalten' : 'NULL'} AS differing
  FROM ${table}${join} WHERE ${isAsked}`;
  };
  const all = [rows('units', 'NULL'), ...Object.entries(FORMER).map(([table, { end }]) => rows(table, end))];
  return {
    text: `SELECT ${dialect.numberDigits('nummer')} AS digits, CAST(since AS DOUBLE) AS since, CAST(until AS DOUBLE) AS until,
  held AS "table", CAST(differing AS ${dialect.name === 'duckdb' ? 'VARCHAR' : 'Nullable(String)'}) AS differing
FROM (${all.join(' UNION ALL ')}) AS held_rows`,
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

/**
 * Selects the former rows of units in one table, in no order, with the builds in which each began and ended. DuckDB writes each as one
 * text, in half of the time that its columns take.
 * @param read the expression that reads a column; null where JSON has what the engine makes of its value
 * @param columns those that are read; null: all
 */
export function formerRows(
  numbers: readonly string[],
  table: FormerTable,
  dialect: Dialect,
  read: (name: string) => string | null,
  columns: readonly string[] | null,
): WarehouseStatement {
  const values = binder();
  const { end, reason } = FORMER[table];
  const builds = `CAST(${BEGIN} AS INTEGER) AS seit, CAST(${end} AS INTEGER) AS bis, CAST(${reason} AS VARCHAR) AS grund`;
  const from = `FROM ${table} AS units WHERE ${isOneOf(numbers, dialect, values)}`;
  const written = READ.filter((name) => columns === null || columns.includes(name)).map(
    (name) => `${read(name) ?? dialect.unitColumn(name)} AS ${dialect.column(name)}`,
  );
  const rows = `SELECT ${[...written, builds].join(', ')} ${from}`;
  if (dialect.name !== 'duckdb') return { text: rows, values: values.values };
  return { text: `SELECT CAST(to_json(former) AS VARCHAR) AS "row" FROM (${rows}) AS former`, values: values.values };
}

/** Selects the names that organisations had until a build, and have: `bis` is null for those of today. */
export function namesOfActors(numbers: readonly string[], dialect: Dialect): WarehouseStatement {
  const values = binder();
  const [only, ...others] = numbers;
  const isAsked =
    others.length === 0
      ? `mastrNummer = ${values.bind(only ?? '')}`
      : dialect.isOneOf('mastrNummer', values.bind(numbers));
  return {
    text: `SELECT mastrNummer AS "number", name AS "name", CAST(NULL AS INTEGER) AS "until" FROM marktakteure WHERE ${isAsked}
UNION ALL SELECT mastrNummer, name, CAST(bis AS INTEGER) FROM akteurnamen WHERE ${isAsked}`,
    values: values.values,
  };
}
