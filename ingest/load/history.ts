import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { duckdbValues } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { literal } from '../../sql/warehouse/duckdb/sql-file.ts';
import { openBuilding } from '../assembly/warehouse.ts';
import type { Work } from '../published/published.ts';
import { download } from './download.ts';
import type { Target } from './target.ts';

/** Tables that the next build takes history from, with the order in which they are read. */
const TABLES: Readonly<Record<string, string>> = {
  units: 'nummer',
  units_departed: 'abgangSeit, nummer',
  units_ersetzt: 'ersetztSeit, nummer',
  vorgaenger: 'sequence',
  dataset: 'version',
};

/**
 * Brings what history needs of a version back from ClickHouse, into a database file as the build of the version had it.
 * @returns path of the file
 */
export async function fetchHistory(target: Target, version: string, work: Work): Promise<string> {
  await mkdir(work.folder, { recursive: true });
  const path = join(work.folder, 'before.duckdb');
  await rm(path, { force: true });
  const limits = { memoryMb: work.memoryMb, threads: 1, temporaryFolder: join(work.folder, 'temporary') };
  const engine = await openBuilding(path, limits, work.signal);
  const inside = target.inside(databaseOf(target.prefix, version));
  try {
    work.progress.stage(`history of ${version}`, Object.keys(TABLES).length, 'tables');
    for (const [table, order] of Object.entries(TABLES)) {
      const file = join(work.folder, `${table}.parquet`);
      await target.insist(() => download(inside, `SELECT * FROM ${table} ORDER BY ${order}`, file, work.signal), work);
      await engine.run(
        `CREATE TABLE ${table} AS SELECT * ${table.startsWith('units') ? duckdbValues() : ''} FROM read_parquet(${literal(file)})`,
      );
      await rm(file);
      work.progress.advance(1);
    }
    await engine.run('CHECKPOINT');
    return path;
  } finally {
    await inside.close();
    engine.close();
  }
}
