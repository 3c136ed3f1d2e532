import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { duckdbValues } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { openReadWrite } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import type { TaskContext } from '../run/task-context.ts';
import { downloadParquet } from './download.ts';
import type { LoadServer } from './server.ts';

/** Tables from which the next build takes history, with the order in which they are read. */
const TABLES: Readonly<Record<string, string>> = {
  units: 'nummer',
  units_departed: 'abgangSeit, nummer',
  units_ersetzt: 'ersetztSeit, nummer',
  vorgaenger: 'sequence',
  dataset: 'version',
};

/**
 * Fetches the tables of a version that hold history from ClickHouse into a database file like the one its build wrote.
 * @returns the path of the file
 */
export async function fetchHistory(server: LoadServer, version: string, task: TaskContext): Promise<string> {
  await mkdir(task.folder, { recursive: true });
  const path = join(task.folder, 'before.duckdb');
  await rm(path, { force: true });
  const limits = { memoryMb: task.memoryMb, threads: 1, temporaryFolder: join(task.folder, 'temporary') };
  const engine = await openReadWrite(path, limits, task.signal);
  const client = server.clientFor(databaseOf(server.prefix, version));
  try {
    task.progress.stage(`history of ${version}`, Object.keys(TABLES).length, 'tables');
    for (const [table, order] of Object.entries(TABLES)) {
      const file = join(task.folder, `${table}.parquet`);
      await server.retryPersistently(
        () => downloadParquet(client, `SELECT * FROM ${table} ORDER BY ${order}`, file, task.signal),
        task,
      );
      await engine.run(
        `CREATE TABLE ${table} AS SELECT * ${table.startsWith('units') ? duckdbValues() : ''} FROM read_parquet(${literal(file)})`,
      );
      await rm(file);
      task.progress.advance(1);
    }
    await engine.run('CHECKPOINT');
    return path;
  } finally {
    await client.close();
    engine.close();
  }
}
