import { setImmediate as othersTurn } from 'node:timers/promises';
import { z } from 'zod';
import { CHUNK_CHARACTERS } from './backup-file.ts';
import type { Connection } from './driver.ts';

/** A table of the store, as a backup reads and fills it. Names are quoted where they have to be. */
export interface StoreTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The terms of its primary key, by which its rows come in one order on every engine. */
  readonly key: readonly string[];
}

const tableRow = z.strictObject({
  name: z.string(),
  columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
  key: z.array(z.string()),
  parents: z.array(z.string()),
});

/**
 * The tables come from the catalogue of Postgres itself, so that none can be forgotten. Unlogged tables, which a crash
 * may empty, hold nothing worth keeping.
 */
const TABLES = `
  SELECT c.relname::text AS name,
    (SELECT json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
       ORDER BY a.attnum)
     FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT json_agg(quote_ident(a.attname) || CASE WHEN a.attcollation = 0 THEN '' ELSE ' COLLATE "C"' END
       ORDER BY array_position(i.indkey::int2[], a.attnum))
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
    coalesce((SELECT json_agg(DISTINCT p.relname::text) FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
     WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid), '[]') AS parents
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
    AND c.relname <> 'schema_migrations'
  ORDER BY c.relname COLLATE "C"`;

/** Lists the tables in an order in which they can be filled: a table comes after those that it refers to. */
export async function tablesOf(connection: Connection): Promise<StoreTable[]> {
  const rest = z.array(tableRow).parse((await connection.query(TABLES, [])).rows);
  const sorted: StoreTable[] = [];
  while (rest.length > 0) {
    const next = rest.findIndex(({ parents }) => !rest.some(({ name }) => parents.includes(name)));
    const [table] = rest.splice(next, 1);
    if (next === -1 || table === undefined) throw new Error('Tables of the store refer to each other in a circle');
    sorted.push({ name: table.name, columns: table.columns, key: table.key });
  }
  return sorted;
}

export const columnNames = ({ columns }: StoreTable): string[] => columns.map(({ name }) => name);

/** Most rows that are fetched at a time. */
const MAX_ROWS = 2048;

/**
 * Reads the rows of a table in the order of its key, in bounded chunks. A row is a line: the JSON array of its columns
 * as Postgres writes them as text, so that it is the same on every engine.
 */
export async function* linesOf(connection: Connection, table: StoreTable): AsyncGenerator<string[]> {
  const texts = columnNames(table).map((column) => `${column}::text`);
  await connection.exec(`DECLARE lines NO SCROLL CURSOR FOR
    SELECT array_to_json(ARRAY[${texts.join(', ')}])::text AS line FROM ${table.name} ORDER BY ${table.key.join(', ')}`);
  let rows = 16;
  for (;;) {
    const fetched = await connection.query(`FETCH ${rows} FROM lines`, []);
    if (fetched.rows.length === 0) break;
    const lines = (fetched.rows as { line: string }[]).map(({ line }) => line);
    yield lines;
    // Postgres inside this process answers without ever yielding to other work.
    await othersTurn();
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    if (length > CHUNK_CHARACTERS) rows = Math.max(1, rows / 4);
    else if (length < CHUNK_CHARACTERS / 4) rows = Math.min(MAX_ROWS, rows * 2);
  }
  await connection.exec('CLOSE lines');
}

/** Inserts lines into a table. */
export async function insertLines(connection: Connection, table: StoreTable, lines: readonly string[]): Promise<void> {
  const values = table.columns.map(({ type }, place) => `(line->>${place})::${type}`);
  await connection.query(
    `INSERT INTO ${table.name} (${columnNames(table).join(', ')})
     SELECT ${values.join(', ')} FROM jsonb_array_elements($1::text::jsonb) AS line`,
    [`[${lines.join(',')}]`],
  );
}
