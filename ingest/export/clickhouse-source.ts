import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { duckdbValues } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { DUMP_COLUMNS } from '../../sql/warehouse/duckdb/dump.ts';
import { CHANGE_TABLES, type TablePart } from '../../sql/warehouse/duckdb/dump-changes.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { openReadWrite } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import { downloadParquet } from '../load/download.ts';
import type { LoadServer } from '../load/server.ts';
import type { Progress } from '../run/progress.ts';
import { CHANGED_SINCE, type DumpSource, dumpLimits, requireDumpColumns } from './source.ts';

/**
 * A version on a ClickHouse server. One statement, which completes even when the version is dropped meanwhile, fetches its
 * units into a file; for changes one for each table does. The dump is written from these by the same engine as without
 * ClickHouse, so both give the same bytes.
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
        if (changes) requireDumpColumns(columns, version, CHANGED_SINCE);
        await mkdir(work, { recursive: true });
        for (const part of changes ? CHANGE_TABLES : [WHOLE_UNITS]) {
          const file = join(work, `${part.table}.parquet`);
          await fetchRows(server, client, part, file, progress, signal);
          const values = part.table.startsWith('units') ? duckdbValues(part.columns) : '';
          await connection.run(`CREATE VIEW ${part.table} AS SELECT * ${values} FROM read_parquet(${literal(file)})`);
        }
        return connection;
      },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The columns of a dump, in its order. */
const WHOLE_UNITS: TablePart = { table: 'units', columns: ['nummer', ...DUMP_COLUMNS], rows: 'ORDER BY nummer' };

async function fetchRows(
  server: LoadServer,
  client: ClickHouseClient,
  { table, columns, rows }: TablePart,
  file: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const list = columns.map((name) => `${table}.${name} AS ${name}`).join(', ');
  const select = `SELECT ${list} FROM ${table} ${rows}`;
  const attempt = async () => {
    // A download cannot be resumed.
    await rm(file, { force: true });
    progress.stage(`${table} from ClickHouse`, 0, 'MB');
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
