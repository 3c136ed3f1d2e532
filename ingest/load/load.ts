import { readFileSync } from 'node:fs';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { z } from 'zod';
import { LISTED_PROJECTIONS, PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { COPIED_TABLES, OPTIONAL_TABLES } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { onCluster } from '../../sql/warehouse/clickhouse/placement.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { schemaStatements } from '../../sql/warehouse/clickhouse/schema.ts';
import { unpackedColumns } from '../../sql/warehouse/duckdb/projections.ts';
import { codedRows, LIST_COLUMNS } from '../../sql/warehouse/duckdb/rows.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { reportFile } from '../../sql/warehouse/versions.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { BuildRefused } from '../run/build-refused.ts';
import type { TaskContext } from '../run/task-context.ts';
import { blocksOf, LOAD_BLOCK_ROWS } from './blocks.ts';
import { carryOut, quorumSettings } from './cluster.ts';
import { differences, type LocalSums, localSums } from './fingerprint.ts';
import { ServerFailed } from './retry-request.ts';
import { rollupDifferences } from './rollups.ts';
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

/** Roll-ups that materialized views fill. */
const ROLLUPS = ['region_tage', 'bundesland_tage', 'deutschland_tage', 'deutschland_monate', 'aggregationen'];

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
    await compare(load, { database, client, tables });
    await storeReport(load);
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
async function createTables({ server, task }: Load, database: string, client: ClickHouseClient): Promise<void> {
  const { client: administrator, placement, loader } = server;
  const where = onCluster(placement);
  const onAll = (by: ClickHouseClient, statement: string) => carryOut(server, by, statement, task.progress);
  await onAll(administrator, `DROP DATABASE IF EXISTS ${database}${where} SYNC`);
  await onAll(administrator, `CREATE DATABASE ${database}${where} COMMENT ${quoted(loader)}`);
  for (const statement of schemaStatements(placement)) await onAll(client, statement);
}

/** A text as a literal, for statements that take no parameters. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A block becomes one part of its table, and of each table that views fill, even when it is sent twice. */
const BLOCK_SETTINGS: ClickHouseSettings = {
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  max_insert_threads: '1',
  parallel_view_processing: 0,
  max_insert_block_size: String(LOAD_BLOCK_ROWS),
  min_insert_block_size_rows: String(LOAD_BLOCK_ROWS),
  min_insert_block_size_bytes: '0',
  // An insert through a Distributed table is answered once the shards have it.
  distributed_foreground_insert: 1,
  // A column that the file lacks is an error instead of nulls.
  input_format_parquet_allow_missing_columns: 0,
};

async function copyTable(
  { server, engine, version, task }: Load,
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
async function syncReplicas({ server, task }: Load, database: string): Promise<void> {
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

interface LoadedDatabase {
  readonly database: string;
  readonly client: ClickHouseClient;
  readonly tables: readonly CopiedTable[];
}

/** @throws ServerFailed naming every figure that differs */
async function compare(
  { server, engine, version, task }: Load,
  { database, client, tables: copied }: LoadedDatabase,
): Promise<void> {
  // ClickHouse has all units in each, and a column for each of `units`; the file has neither.
  const projected = `(SELECT ${unpackedColumns()} FROM units)`;
  const listed = `(SELECT ${unpackedColumns()}, zeile FROM units JOIN (${codedRows(LIST_COLUMNS)}) USING (nummer))`;
  const tables = [
    ...copied.map(({ table, columns }) => ({ table, source: `(SELECT ${columns} FROM ${table})` })),
    ...Object.keys(PROJECTIONS).map((table) => ({ table, source: LISTED_PROJECTIONS.has(table) ? listed : projected })),
    { table: 'zeilen', source: `(${codedRows()})` },
  ];
  task.progress.stage('ClickHouse: check', tables.length + ROLLUPS.length, 'tables');
  const faults: string[] = [];
  const summed = new Map<string, LocalSums>();
  const check = async (findDifferences: () => Promise<string[]>) => {
    faults.push(...(await server.retryPersistently(findDifferences, task)));
    task.progress.advance(1);
  };
  for (const { table, source } of tables) {
    const local = summed.get(source) ?? (await localSums(engine, source));
    summed.set(source, local);
    await check(() => differences(local, client, table));
  }
  for (const table of ROLLUPS) await check(() => rollupDifferences(engine, client, database, table));
  if (faults.length === 0) return;
  throw new ServerFailed(
    `${server.name} does not hold what ${version} holds, so it was not published; what was served is still served:\n` +
      faults.map((fault) => `  ${fault}`).join('\n'),
  );
}

/** Stores the report for machines that do not have the folder. */
async function storeReport({ server, folder, version, task }: Load): Promise<void> {
  const report = JSON.stringify(JSON.parse(readFileSync(reportFile(folder, version), 'utf8')));
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
