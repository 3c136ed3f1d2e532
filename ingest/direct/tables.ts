import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { duckdbSupportValues, duckdbValues } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import type { WantedTables } from '../destination/version-tables.ts';
import { openReadWrite, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import { downloadParquet } from '../load/download.ts';
import type { LoadServer } from '../load/server.ts';

async function tablesIn({ client, prefix }: LoadServer, version: string): Promise<Set<string>> {
  const rows = await queryRows(
    client,
    z.strictObject({ name: z.string() }),
    'SELECT name FROM system.tables WHERE database = {database:String}',
    { database: databaseOf(prefix, version) },
  );
  return new Set(rows.map(({ name }) => name));
}

/** Memory that is enough for rows of a few units. */
const MEMORY_MB = 500;

/** Fetches rows of a version on the server into an engine in memory, in tables with the types that the file of a version has. */
export async function fetchTables(
  server: LoadServer,
  version: string,
  wanted: WantedTables,
  signal: AbortSignal,
): Promise<WarehouseConnection> {
  const client = server.clientFor(databaseOf(server.prefix, version));
  const folder = mkdtempSync(join(tmpdir(), 'version-'));
  const engine = await openReadWrite(':memory:', { memoryMb: MEMORY_MB, threads: 1, temporaryFolder: folder }, signal);
  try {
    const present = await server.retryBriefly(() => tablesIn(server, version));
    for (const [table, { columns, where }] of Object.entries(wanted)) {
      // A version of an earlier release may lack a table.
      if (!present.has(table)) continue;
      const file = join(folder, `${table}.parquet`);
      const select = `SELECT ${columns?.join(', ') ?? '*'} FROM ${table}${where === undefined ? '' : ` WHERE ${where}`}`;
      await server.retryBriefly(() => downloadParquet(client, select, file, signal));
      const values = table === 'foerderung' ? duckdbSupportValues() : duckdbValues(columns ?? []);
      await engine.run(`CREATE TABLE ${table} AS SELECT * ${values} FROM read_parquet(${literal(file)})`);
    }
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
