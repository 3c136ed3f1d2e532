import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** Runs the SQL of a guide in the engine of this project, which writes CSV as DuckDB's own client does. */

/** Returns false for a program that loads an extension which is not installed here. */
export const loadsExtension = (text: string): Promise<boolean> =>
  withConnection(async (connection) => {
    const loads = text.match(/^LOAD \w+;$/gm) ?? [];
    try {
      for (const statement of loads) await connection.run(statement);
      return true;
    } catch {
      return false;
    }
  });

/**
 * @param folder where relative paths lead
 * @returns the rows of the last statement as CSV
 */
export const runSql = (text: string, folder: string): Promise<string> =>
  withConnection(async (connection) => {
    const printed = join(folder, 'printed.csv');
    const statements = text.split(/;\s*(?:\n|$)/).filter((statement) => statement !== '');
    await connection.run(`SET file_search_path = '${folder}'`);
    for (const statement of statements.slice(0, -1)) await connection.run(statement);
    await connection.run(`COPY (${statements.at(-1)}) TO '${printed}' (FORMAT csv, HEADER)`);
    return readFileSync(printed, 'utf8');
  });

async function withConnection<T>(use: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return await use(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
