import { readFileSync } from 'node:fs';
import type { Engine } from './dialect.ts';

/** Reads a statement from a file in the folder of a module: `sqlFile(import.meta.url, 'zeitreihe.sql')`. */
export function sqlFile(moduleUrl: string, name: string): string {
  return readFileSync(new URL(name, moduleUrl), 'utf8').trim();
}

/** Reads the statement of each engine: `names.duckdb.sql`, `names.clickhouse.sql`. */
export const sqlFiles = (moduleUrl: string, name: string): Readonly<Record<Engine, string>> => ({
  duckdb: sqlFile(moduleUrl, `${name}.duckdb.sql`),
  clickhouse: sqlFile(moduleUrl, `${name}.clickhouse.sql`),
});

/**
 * Replaces every `{{name}}` with a fixed piece of SQL, which keeps its own line breaks. Names without a piece stay.
 */
export const withPieces = (text: string, pieces: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => pieces[name] ?? place);

/** Takes a file of several statements apart, each of which ends its last line with a semicolon. */
export const statementsOf = (text: string): string[] =>
  text
    .split(/;\n|;$/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
