import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { duckdbValues } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { DUMP_COLUMNS } from '../../sql/warehouse/duckdb/dump.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { openReadWrite } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import { downloadParquet } from '../load/download.ts';
import type { LoadServer } from '../load/server.ts';
import { BuildRefused } from '../run/build-refused.ts';
import type { Progress } from '../run/progress.ts';
import { type DumpSource, dumpLimits, requireDumpColumns } from './source.ts';

/**
 * A version on a ClickHouse server. One statement, which completes even when the version is dropped meanwhile, fetches its
 * units into a file. The dump is written from it by the same engine as without ClickHouse, so both give the same bytes.
 * @throws BuildRefused when an older release has built the version; ServerFailed when the server does not answer
 */
export async function openClickhouseSource(
  server: LoadServer,
  version: string,
  memoryMb: number,
  signal: AbortSignal,
): Promise<DumpSource> {
  const database = databaseOf(server.prefix, version);
  const columns = await server.retryBriefly(() => columnsOf(server.client, database));
  requireDumpColumns(columns, version);
  const client = server.clientFor(database);
  const connection = await openReadWrite(':memory:', dumpLimits(memoryMb), signal);
  let isOpen = true;
  const closeAll = async () => {
    if (isOpen) await connection.close();
    isOpen = false;
    await client.close();
  };
  try {
    const about = await server.retryBriefly(() =>
      queryRows(
        client,
        z.strictObject({ day: z.string(), units: z.string() }),
        'SELECT toString(exportDay) AS day, toString((SELECT count() FROM units)) AS units FROM dataset',
      ),
    );
    const { day: exportDay, units } = firstRow(about);
    return {
      exportDay,
      units: Number(units),
      async engine(changes, work, progress) {
        if (changes)
          throw new BuildRefused('Changes are exported from a warehouse folder only, not from a ClickHouse server');
        await mkdir(work, { recursive: true });
        const file = join(work, 'units.parquet');
        await fetchUnits(server, client, file, progress, signal);
        await connection.run(
          `CREATE VIEW units AS SELECT * ${duckdbValues(FETCHED_COLUMNS)} FROM read_parquet(${literal(file)})`,
        );
        return connection;
      },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The columns of a dump, and the one by which it is sorted. */
const FETCHED_COLUMNS: readonly string[] = ['nummer', ...DUMP_COLUMNS];

async function fetchUnits(
  server: LoadServer,
  client: ClickHouseClient,
  file: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const select = `SELECT ${FETCHED_COLUMNS.map((name) => `units.${name} AS ${name}`).join(', ')} FROM units ORDER BY nummer`;
  const attempt = async () => {
    // A download cannot be resumed.
    await rm(file, { force: true });
    progress.stage('units from ClickHouse', 0, 'MB');
    await downloadParquet(client, select, file, signal, (bytes) => progress.advance(bytes));
  };
  await server.retryPersistently(attempt, { signal, progress });
}

async function columnsOf(client: ClickHouseClient, database: string): Promise<Set<string>> {
  const rows = await queryRows(
    client,
    z.strictObject({ name: z.string() }),
    "SELECT name FROM system.columns WHERE database = {database:String} AND table = 'units'",
    { database },
  );
  return new Set(rows.map(({ name }) => name));
}
