import { readFileSync } from 'node:fs';
import type { Engine } from './dialect.ts';

/**
 * A statement and the values of its named parameters (`$p0`, `$stichtag` …). No value ever stands in the text; how it gets
 * there is the engine's matter (inlined.ts, bound.ts).
 */
export interface Statement {
  readonly text: string;
  readonly values: Readonly<Record<string, Value>>;
}

export type Value = string | number | boolean | null | readonly string[] | Day;

/** A calendar day, YYYY-MM-DD, that compares with columns of days. */
export interface Day {
  readonly day: string;
}

export const isDay = (value: Value): value is Day => typeof value === 'object' && value !== null && 'day' in value;

/** Texts, quoted names and comments, in which a dollar sign is one; and parameters. */
export const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$(\w+)/g;

/** Names values p0, p1, … in the order in which they are met, so that equal questions give equal statements. */
export interface Binder {
  /** Takes a value and returns the placeholder that stands for it. */
  bind(value: Value): string;
  readonly values: Readonly<Record<string, Value>>;
}

/** @param fixed values of parameters that carry a name of their own, e.g. `today` */
export function binder(fixed: Readonly<Record<string, Value>> = {}): Binder {
  const values: Record<string, Value> = { ...fixed };
  let next = 0;
  return {
    values,
    bind(value) {
      const name = `p${next++}`;
      values[name] = value;
      return `$${name}`;
    },
  };
}

/** Reads a statement that stands in a file of its own: `sqlFile(import.meta.url, 'zeitreihe.sql')`. */
export function sqlFile(beside: string, name: string): string {
  return readFileSync(new URL(name, beside), 'utf8').trim();
}

/** The same question in the words of each engine: `names.duckdb.sql`, `names.clickhouse.sql`. */
export const sqlFiles = (beside: string, name: string): Readonly<Record<Engine, string>> => ({
  duckdb: sqlFile(beside, `${name}.duckdb.sql`),
  clickhouse: sqlFile(beside, `${name}.clickhouse.sql`),
});

/**
 * Puts fixed pieces of SQL in the place of `{{name}}`, wherever it stands; a piece keeps its own line breaks. A name that
 * is not among the pieces stays as it is.
 */
export const withPieces = (text: string, pieces: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => pieces[name] ?? place);
