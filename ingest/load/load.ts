import { readFileSync } from 'node:fs';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { z } from 'zod';
import { COPIED_TABLES, OPTIONAL_TABLES } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { onCluster } from '../../sql/warehouse/clickhouse/placement.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { schemaStatements } from '../../sql/warehouse/clickhouse/schema.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { reportFile } from '../../sql/warehouse/versions.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { BuildRefused } from '../run/build-refused.ts';
import type { TaskContext } from '../run/task-context.ts';
import { blocksOf, LOAD_BLOCK_ROWS } from './blocks.ts';
import { carryOut, quorumSettings } from './cluster.ts';
import { compareTables, copiedTables, filledTables } from './compare.ts';
import type { LoadServer } from './server.ts';

export interface Load {
  readonly server: LoadServer;
  /** The finished file of the version, open. */
  readonly engine: WarehouseConnection;
  /** Folder of the warehouse. */
  readonly folder: string;
  readonly version: string;
  readonly task: TaskContext;
}

/**
 * Fills the ClickHouse database of a version block by block from its finished file, compares the two, and only then
 * completes the database with the row of its table `dataset`. A load that ends early leaves a database without that row,
 * which the next load drops.
 * @throws BuildRefused when an older release has built the file; ServerFailed when the server does not answer, refuses, or
 *   its rows differ from those of the file
 */
export async function loadVersion(load: Load): Promise<void> {
  const { server, version, task } = load;
  const tables = await presentTables(load);
  const database = databaseOf(server.prefix, version);
  const client = server.clientFor(database);
  try {
    task.progress.stage('ClickHouse: tables');
    await server.retryPersistently(() => createTables(load, database, client), task);
    for (const { table, columns } of tables) await copyTable(load, client, table, columns);
    await syncReplicas(load, database);
    await compareTables(load, { database, client, tables: [...copiedTables(tables), ...filledTables()] });
    await storeReport(load, JSON.stringify(JSON.parse(readFileSync(reportFile(load.folder, version), 'utf8'))));
    await copyTable(load, client, 'dataset', COPIED_TABLES.dataset, () => quorumSettings(server, database, 'dataset'));
    task.progress.end();
  } finally {
    await client.close();
  }
}

interface CopiedTable {
  readonly table: string;
  readonly columns: string;
}

/** The tables that are copied before `dataset`: those that the file has. */
async function presentTables({ engine, version }: Load): Promise<CopiedTable[]> {
  const names = await engine.rows<{ name: string }>('SELECT table_name AS name FROM duckdb_tables()');
  const present = new Set(names.map(({ name }) => name));
  const { dataset: _, ...copied } = COPIED_TABLES;
  const absent = Object.keys(copied).filter((table) => !present.has(table));
  const missing = absent.filter((table) => !OPTIONAL_TABLES.has(table));
  if (missing.length > 0) {
    throw new BuildRefused(
      `${version} was built by an older release and has no ${missing.join(', ')}: build the export again`,
    );
  }
  return Object.entries(copied).flatMap(([table, columns]) => (present.has(table) ? [{ table, columns }] : []));
}

/** Drops the still empty database of an attempt whose connection broke, and creates it. */
export async function createTables(
  { server, task }: Pick<Load, 'server' | 'task'>,
  database: string,
  client: ClickHouseClient,
  made: Parameters<typeof schemaStatements>[1] = 'from nothing',
): Promise<void> {
  const { client: administrator, placement, loader } = server;
  const where = onCluster(placement);
  const onAll = (by: ClickHouseClient, statement: string) => carryOut(server, by, statement, task.progress);
  await onAll(administrator, `DROP DATABASE IF EXISTS ${database}${where} SYNC`);
  await onAll(administrator, `CREATE DATABASE ${database}${where} COMMENT ${quoted(loader)}`);
  for (const statement of schemaStatements(placement, made)) await onAll(client, statement);
}

/** Drops a database, where it is there. */
export async function dropDatabase({ server, task }: Pick<Load, 'server' | 'task'>, database: string): Promise<void> {
  const query = `DROP DATABASE IF EXISTS ${database}${onCluster(server.placement)} SYNC`;
  await server.retryPersistently(() => carryOut(server, server.client, query, task.progress), task);
}

/** A text as a literal, for statements that take no parameters. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A block becomes one part of its table, and of each table that views fill, even when it is sent twice. */
export const BLOCK_SETTINGS: ClickHouseSettings = {
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  max_insert_threads: '1',
  parallel_view_processing: 0,
  max_insert_block_size: String(LOAD_BLOCK_ROWS),
  min_insert_block_size_rows: String(LOAD_BLOCK_ROWS),
  min_insert_block_size_bytes: '0',
  // Views have grouped a block already: to sort and add up its rows again would take half of the time of a roll-up.
  optimize_on_insert: 0,
  // An insert through a Distributed table is answered once the shards have it.
  distributed_foreground_insert: 1,
  // A column that the file lacks is an error instead of nulls.
  input_format_parquet_allow_missing_columns: 0,
};

export async function copyTable(
  { server, engine, version, task }: Omit<Load, 'folder'>,
  client: ClickHouseClient,
  table: string,
  columns: string,
  moreSettings: () => Promise<ClickHouseSettings> = async () => ({}),
): Promise<void> {
  const { n } = firstRow(await engine.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${table}`));
  const rows = Number(n);
  task.progress.stage(`ClickHouse: ${table}`, rows, 'rows');
  for await (const block of blocksOf(engine, task.folder, table, columns, rows)) {
    const insert_deduplication_token = `${version}/${table}/${block.number}`;
    const send = async () =>
      client.insert({
        table,
        clickhouse_settings: { ...BLOCK_SETTINGS, ...(await moreSettings()), insert_deduplication_token },
        values: block.open(),
        format: 'Parquet',
      });
    await server.retryPersistently(send, task);
    task.progress.advance(block.rows);
  }
}

/** Waits until every replica that is up has every row: a reader may find the pointer on one and the version on another. */
export async function syncReplicas({ server, task }: Pick<Load, 'server' | 'task'>, database: string): Promise<void> {
  const { client, placement } = server;
  if (placement.cluster === null) return;
  const tables = await queryRows(
    client,
    z.strictObject({ name: z.string() }),
    "SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE 'Replicated%'",
    { database },
  );
  task.progress.stage('ClickHouse: replicas', tables.length, 'tables');
  for (const { name } of tables) {
    // It does not wait for merges, which change no row.
    const query = `SYSTEM SYNC REPLICA${onCluster(placement)} ${database}.${name} LIGHTWEIGHT`;
    await server.retryPersistently(() => carryOut(server, client, query, task.progress), task);
    task.progress.advance(1);
  }
}

/** Stores the report for machines that do not have the folder. @param report as JSON */
export async function storeReport(
  { server, version, task }: Pick<Load, 'server' | 'version' | 'task'>,
  report: string,
): Promise<void> {
  await server.retryPersistently(
    () =>
      server.client.insert({
        table: `${server.prefix}.reports`,
        values: [{ version, report }],
        format: 'JSONEachRow',
        clickhouse_settings: { insert_deduplication_token: `report/${version}` },
      }),
    task,
  );
}
