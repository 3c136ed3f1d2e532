import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** The mark that stands for personal data in the tests, and the search for it. */

/** Large letters, as no name of the register is written, that occur in no word of the catalogues. */
export const MARK = 'XQGEHEIM';

/** However it is written: in a name that was folded, in UTF-8, in UTF-16 of either order. */
export function holdsMark(bytes: Buffer): boolean {
  // Latin-1 keeps every byte as it is; UTF-16 has a zero beside each letter, of which byte stands first does not matter.
  const text = bytes.toString('latin1').toLowerCase();
  const small = MARK.toLowerCase();
  return text.includes(small) || text.includes(small.split('').join('\0'));
}

/** Files below a folder whose bytes hold the mark, by their paths in it. */
export function markedFiles(folder: string, except: RegExp = /(?!)/): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !except.test(path) && (holdsMark(Buffer.from(path)) || holdsMark(readFileSync(path))))
    .map((path) => path.slice(folder.length + 1));
}

type RunQuery = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

async function withEngine<T>(path: string, use: (query: RunQuery) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(path, path === ':memory:' ? {} : { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    return await use(async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson());
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const marked = (source: string): string =>
  `SELECT row::VARCHAR AS row FROM ${source} AS row WHERE contains(lower(row::VARCHAR), '${MARK.toLowerCase()}') LIMIT 3`;

/** Rows with the mark in any table of a database file: strings are packed there, so that bytes alone do not tell. */
export function markedRows(database: string): Promise<string[]> {
  return withEngine(database, async (query) => {
    const tables = await query('SELECT table_name AS name FROM duckdb_tables() WHERE NOT internal');
    if (tables.length === 0) throw new Error(`${database} has no tables`);
    const found: string[] = [];
    for (const { name } of tables) {
      for (const { row } of await query(marked(String(name)))) found.push(`${name}: ${row}`);
    }
    return found;
  });
}

/** Columns with the mark in the Parquet files below a folder. */
export function markedParquet(folder: string): Promise<{ files: number; found: string[] }> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.parquet'));
  return withEngine(':memory:', async (query) => {
    const found = new Set<string>();
    for (const name of files) {
      const source = `read_parquet('${join(folder, name)}')`;
      if ((await query(marked(source))).length === 0) continue;
      for (const { column_name: column } of await query(`DESCRIBE FROM ${source}`)) {
        const text = `lower("${column}"::VARCHAR)`;
        const [count] = await query(
          `SELECT count(*) AS n FROM ${source} WHERE contains(${text}, '${MARK.toLowerCase()}')`,
        );
        if (Number(count?.n) > 0) found.add(`${/^(?:.*\/stage\/)?([^/]+)/.exec(name)?.[1]}.${column}`);
      }
    }
    return { files: files.length, found: [...found].sort() };
  });
}
