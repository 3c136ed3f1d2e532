import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STAGED_ALIASES } from '../../../sql/catalogue/expression.ts';
import { STORED_FIELDS, UNIT_FIELDS } from '../../../sql/catalogue/unit-fields.ts';

/** The references that an expression of the catalogue declares are those that DuckDB's parser finds in its SQL. */

/** Columns that units.sql computes for each unit: they are no elements of the export. */
const COMPUTED = ['e.ab30Kw', 'e.einheitTyp'];

let connection: DuckDBConnection;
let instance: DuckDBInstance;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connection = await instance.connect();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

/** The columns that an expression names, qualified as they are written there. */
async function columnsIn(sql: string): Promise<string[]> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql(CAST($text AS VARCHAR)) AS tree', {
    text: `SELECT ${sql}`,
  });
  const tree = JSON.parse(String(reader.getRowObjectsJS()[0]?.tree)) as { error: boolean };
  expect(tree.error, sql).toBe(false);
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { class: kind, column_names: names } = node as { class?: string; column_names?: readonly string[] };
    if (kind === 'COLUMN_REF' && names !== undefined) found.push(names.join('.'));
    for (const child of Object.values(node)) visit(child);
  };
  visit(tree);
  return unique(found);
}

/** The parser writes `CASE x WHEN` as one comparison for each branch, so numbers of references do not compare. */
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

const ALIASES: ReadonlySet<string> = new Set(Object.values(STAGED_ALIASES));

describe('the elements of the export', () => {
  test.each(STORED_FIELDS.map((field) => [field.name, field.source] as const))('of %s', async (_, { sql, reads }) => {
    const found = (await columnsIn(sql)).filter((name) => ALIASES.has(name.split('.')[0] ?? ''));
    const declared = reads.map(({ table, name }) => `${STAGED_ALIASES[table]}.${name}`);
    expect(found.filter((name) => !COMPUTED.includes(name))).toEqual(unique(declared));
  });
});

const readExpressions = UNIT_FIELDS.flatMap(({ name, read, filters }) => [
  ...(read === null ? [] : [[name, read] as const]),
  ...filters.flatMap((filter) => (filter.over === undefined ? [] : [[filter.name, filter.over] as const])),
]);

describe('the columns of units', () => {
  test.each(readExpressions)('of %s', async (_, { sql, reads }) => {
    expect(await columnsIn(sql)).toEqual(unique(reads));
  });
});
