import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Connection } from '../driver.ts';
import { ranMigrations } from '../migrate.ts';
import { headerOf, type Piece, readFile, type Sums, syncFolderOf, writeFile } from './file.ts';
import { columnNames, linesOf, type Table, tablesOf } from './tables.ts';

/** The content of a backup, by table. */
export interface Held {
  readonly file: string;
  /** When it was made, RFC 3339. */
  readonly createdAt: string;
  readonly tables: Sums;
}

/** The new file has no place: there is one of its name already, or no folder. */
export class NoPlace extends Error {}

/**
 * Writes everything in the store as it is at one moment into a new file, reads the file back, and compares it with what
 * the store had. The file has its name only when it is whole.
 * @param connection a transaction in which nothing was asked yet
 * @throws NoPlace
 */
export async function writeBackup(connection: Connection, path: string): Promise<Held> {
  mustBeFree(path);
  const draft = `${path}.partial`;
  rmSync(draft, { force: true });
  try {
    await connection.exec('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const header = headerOf(await ranMigrations(connection));
    const tables = await tablesOf(connection);
    const written = await writeFile(draft, header, piecesOf(connection, tables));
    const { sums } = await readFile(draft);
    for (const { name } of tables) {
      const [had, wrote, read] = [await count(connection, name), written[name], sums[name]];
      if (wrote?.rows === had && read?.rows === had && read.sha256 === wrote.sha256) continue;
      throw new Error(
        `The backup was given up: read back, it does not have the ${had} rows of ${name} that the store has`,
      );
    }
    mustBeFree(path);
    renameSync(draft, path);
    syncFolderOf(path);
    return { file: path, createdAt: header.createdAt, tables: sums };
  } finally {
    rmSync(draft, { force: true });
  }
}

export function mustBeFree(path: string): void {
  if (existsSync(path)) throw new NoPlace(`There is a file ${path} already, and it is not written over`);
  if (!existsSync(dirname(path))) throw new NoPlace(`There is no folder ${dirname(path)} to write a backup into`);
}

async function* piecesOf(connection: Connection, tables: readonly Table[]): AsyncGenerator<Piece> {
  for (const table of tables) {
    const piece = { table: table.name, columns: columnNames(table) };
    // A table without rows is a table, too.
    yield { ...piece, lines: [] };
    for await (const lines of linesOf(connection, table)) yield { ...piece, lines };
  }
}

async function count(connection: Connection, table: string): Promise<number> {
  const { rows } = await connection.query(`SELECT count(*) AS n FROM ${table}`, []);
  return (rows as { n: number }[])[0]?.n ?? Number.NaN;
}
