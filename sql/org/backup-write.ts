import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { headerOf, readBackupFile, syncParentFolder, type TableChunk, writeBackupFile } from './backup-file.ts';
import { columnNames, linesOf, type StoreTable, tablesOf } from './backup-tables.ts';
import type { BackupSummary, Connection } from './driver.ts';
import { appliedMigrations } from './migrate.ts';

/** The file exists already, or its folder does not exist. */
export class BackupTargetRefused extends Error {}

/**
 * Writes a snapshot of the store into a new file, reads the file back and compares it with the store. The file gets its
 * name only when it is complete.
 * @param connection a transaction without a statement so far
 * @throws NoPlace
 */
export async function writeBackup(connection: Connection, path: string): Promise<BackupSummary> {
  targetMustBeFree(path);
  const draft = `${path}.partial`;
  rmSync(draft, { force: true });
  try {
    await connection.exec('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const header = headerOf(await appliedMigrations(connection));
    const tables = await tablesOf(connection);
    const written = await writeBackupFile(draft, header, chunksOf(connection, tables));
    const { sums } = await readBackupFile(draft);
    for (const { name } of tables) {
      const [had, wrote, read] = [await count(connection, name), written[name], sums[name]];
      if (wrote?.rows === had && read?.rows === had && read.sha256 === wrote.sha256) continue;
      throw new Error(
        `The backup was given up: read back, it does not have the ${had} rows of ${name} that the store has`,
      );
    }
    targetMustBeFree(path);
    renameSync(draft, path);
    syncParentFolder(path);
    return { file: path, createdAt: header.createdAt, tables: sums };
  } finally {
    rmSync(draft, { force: true });
  }
}

export function targetMustBeFree(path: string): void {
  if (existsSync(path)) throw new BackupTargetRefused(`There is a file ${path} already, and it is not written over`);
  if (!existsSync(dirname(path)))
    throw new BackupTargetRefused(`There is no folder ${dirname(path)} to write a backup into`);
}

async function* chunksOf(connection: Connection, tables: readonly StoreTable[]): AsyncGenerator<TableChunk> {
  for (const table of tables) {
    const piece = { table: table.name, columns: columnNames(table) };
    // A table without rows has a header line, too.
    yield { ...piece, lines: [] };
    for await (const lines of linesOf(connection, table)) yield { ...piece, lines };
  }
}

async function count(connection: Connection, table: string): Promise<number> {
  const { rows } = await connection.query(`SELECT count(*) AS n FROM ${table}`, []);
  return (rows as { n: number }[])[0]?.n ?? Number.NaN;
}
