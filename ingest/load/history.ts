import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { UNIT_COLUMNS } from '../../sql/warehouse/clickhouse/columns.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { literal } from '../build/statements.ts';
import { openBuilding } from '../build/warehouse.ts';
import type { Work } from '../published/published.ts';
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
      await target.insist(
        () => download(inside, `SELECT * FROM ${table} ORDER BY ${order} FORMAT Parquet`, file),
        work,
      );
      await engine.run(`CREATE TABLE ${table} AS SELECT * ${asBuilt(table)} FROM read_parquet(${literal(file)})`);
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

async function download(inside: ClickHouseClient, query: string, file: string): Promise<void> {
  const { stream } = await inside.exec({ query });
  await pipeline(stream, createWriteStream(file));
}

/** Days, times and lists of units as the local file has them: the opposite of copied.ts. */
function asBuilt(table: string): string {
  if (!table.startsWith('units')) return '';
  const changed = UNIT_COLUMNS.flatMap(({ name, kind }) => {
    if (kind === 'day') return [`DATE '1970-01-01' + ${name} AS ${name}`];
    if (kind === 'time') return [`make_timestamp(${name} * 1000) AS ${name}`];
    if (kind === 'list') return [`CASE WHEN len(${name}) > 0 THEN ${name} END AS ${name}`];
    return [];
  });
  return `REPLACE (${changed.join(', ')})`;
}
