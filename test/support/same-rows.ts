import { join } from 'node:path';
import { expect } from 'vitest';
import { openReadOnly } from '../../ingest/duckdb/connection.ts';
import { compareTables, copiedTables, filledTables } from '../../ingest/load/compare.ts';
import { silentProgress } from '../../ingest/run/progress.ts';
import { COPIED_TABLES } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { versionFile } from '../../sql/warehouse/versions.ts';
import { loadServer } from './clickhouse.ts';

/** Compares a version on the server with its file in a warehouse folder, table by table; beside the folder is the work of it. */
export async function expectSameRows(files: string, prefix: string, version: string): Promise<void> {
  const server = await loadServer(prefix);
  const database = databaseOf(prefix, version);
  const here = server.clientFor(database);
  const limits = { memoryMb: 500, threads: 1, temporaryFolder: join(files, '..', 'temporary') };
  const engine = await openReadOnly(versionFile(files, version), limits);
  try {
    const copied = Object.entries(COPIED_TABLES).flatMap(([table, columns]) => {
      if (table === 'suchtexte') return [];
      // The two were not built in the same moment.
      return [{ table, columns: table === 'dataset' ? '* EXCLUDE (builtAt)' : columns }];
    });
    const task = { folder: join(files, '..', 'work'), memoryMb: 500, progress: silentProgress };
    await compareTables(
      { server, engine, version, task },
      { database, client: here, tables: [...copiedTables(copied), ...filledTables()] },
    );
    // The units of a text stand in the order of those that were computed last.
    const inFiles = await engine.rows<{ n: bigint; sum: string }>(
      `SELECT count(*) AS n, sum(one.unit * strlen(gefaltet))::VARCHAR AS sum FROM (SELECT gefaltet, unnest(einheiten)::HUGEINT AS unit FROM suchtexte) AS one`,
    );
    const there = await here.query({
      query: `SELECT toString(count()) AS n, toString(sum(toInt256(unit) * length(gefaltet))) AS sum FROM suchtexte ARRAY JOIN einheiten AS unit`,
      format: 'JSONEachRow',
    });
    expect(await there.json()).toEqual(inFiles.map(({ n, sum }) => ({ n: String(n), sum })));
  } finally {
    await engine.close();
    await here.close();
    await server.close();
  }
}
