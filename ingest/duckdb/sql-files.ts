import { readFileSync } from 'node:fs';

/** The .sql files of the warehouse, with their {{placeholders}} filled. */

const FOLDER = new URL('../../sql/warehouse/duckdb/', import.meta.url);

/**
 * The text of a .sql file. Values are put in as they are: they come from the catalogue and from numbers of the build,
 * never from an export.
 * @throws when a placeholder has no value
 */
export function sqlFile(file: string, values: Readonly<Record<string, string | number>> = {}): string {
  return readFileSync(new URL(file, FOLDER), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${file} needs a value for {{${name}}}`);
    return String(value);
  });
}

/** A text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
