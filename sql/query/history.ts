import { z } from 'zod';
import { UNIT_COLUMN_NAMES } from '../catalogue/unit-columns.ts';
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
});

export type HeldRow = z.infer<typeof heldRow>;

/** Selects what rows units had and have, in no order, as rows of heldRow. Most have one: rows themselves are wide. */
export function heldRows(numbers: readonly string[], dialect: Dialect): WarehouseStatement {
  const values = binder();
  const isAsked = isOneOf(numbers, dialect, values);
  const rows = (table: string, end: string): string =>
    `SELECT nummer, ${BEGIN} AS since, ${end} AS until, '${table}' AS held FROM ${table} WHERE ${isAsked}`;
  const all = [rows('units', 'NULL'), ...Object.entries(FORMER).map(([table, { end }]) => rows(table, end))];
  return {
    text: `SELECT ${dialect.numberDigits('nummer')} AS digits, CAST(since AS DOUBLE) AS since, CAST(until AS DOUBLE) AS until, held AS "table"
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
 */
export function formerRows(
  numbers: readonly string[],
  table: FormerTable,
  dialect: Dialect,
  read: (name: string) => string | null,
): WarehouseStatement {
  const values = binder();
  const { end, reason } = FORMER[table];
  const builds = `CAST(${BEGIN} AS INTEGER) AS seit, CAST(${end} AS INTEGER) AS bis, CAST(${reason} AS VARCHAR) AS grund`;
  const from = `FROM ${table} AS units WHERE ${isOneOf(numbers, dialect, values)}`;
  const written = READ.flatMap((name) => {
    const expression = read(name);
    return expression === null ? [] : [`${expression} AS ${dialect.column(name)}`];
  }).join(', ');
  if (dialect.name !== 'duckdb') return { text: `SELECT ${written}, ${builds} ${from}`, values: values.values };
  const rows = `SELECT * EXCLUDE (nummer, inhalt) REPLACE (${written}), ${builds} ${from}`;
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
