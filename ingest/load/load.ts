import { readFileSync } from 'node:fs';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { COPIED_TABLES } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { onCluster, placedStatements } from '../../sql/warehouse/clickhouse/placement.ts';
import { databaseOf, rowsOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { schemaStatements } from '../../sql/warehouse/clickhouse/schema.ts';
import { rowText } from '../../sql/warehouse/duckdb/rows.ts';
import { reportFile } from '../../sql/warehouse/versions.ts';
import type { BuildingWarehouse } from '../assembly/warehouse.ts';
import type { Work } from '../published/published.ts';
import { BLOCK_ROWS, blocksOf } from './blocks.ts';
import { differences } from './fingerprint.ts';
import { ServerFailed } from './retry.ts';
import { rollupDifferences } from './rollups.ts';
import type { Target } from './target.ts';

/** From the finished file of a version to its database in ClickHouse. */

export interface Load {
  readonly target: Target;
  /** The finished file, opened. */
  readonly engine: BuildingWarehouse;
  /** Folder of the warehouse. */
  readonly folder: string;
  readonly version: string;
  readonly work: Work;
}

/** Roll-ups that views fill. */
const ROLLUPS = ['region_tage', 'bundesland_tage', 'deutschland_tage', 'deutschland_monate', 'aggregationen'];

/**
 * Fills the database of a version block by block, compares it with the file, and only then makes it complete by the row
 * of its table `dataset`. A load that ends early leaves a database without that row, which the next one removes.
 * @throws ServerFailed when the server stays away, refuses, or holds other rows than the file
 */
export async function loadVersion(load: Load): Promise<void> {
  const { target, version, work } = load;
  const database = databaseOf(target.prefix, version);
  const inside = target.inside(database);
  try {
    work.progress.stage('ClickHouse: tables');
    await target.insist(() => makeTables(load, database, inside), work);
    for (const [table, columns] of Object.entries(COPIED_TABLES)) {
      if (table !== 'dataset') await copyTable(load, inside, table, columns);
    }
    await settle(load, database);
    await compare(load, database, inside);
    await keepReport(load);
    await copyTable(load, inside, 'dataset', COPIED_TABLES.dataset!);
    work.progress.end();
  } finally {
    await inside.close();
  }
}

/** Begins anew if a part of it was made before the connection broke: nothing is in it yet. */
async function makeTables({ target }: Load, database: string, inside: ClickHouseClient): Promise<void> {
  const { client, placement, loader } = target;
  const where = onCluster(placement);
  await client.command({ query: `DROP DATABASE IF EXISTS ${database}${where} SYNC` });
  await client.command({ query: `CREATE DATABASE ${database}${where} COMMENT ${quoted(loader)}` });
  for (const query of placedStatements(schemaStatements(placement), placement)) await inside.command({ query });
}

/** A text in a statement that takes no parameters. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** What makes a block one part of its table and of each that views fill, also when it is sent again. */
const BLOCK_SETTINGS: ClickHouseSettings = {
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  max_insert_threads: '1',
  parallel_view_processing: 0,
  max_insert_block_size: String(BLOCK_ROWS),
  min_insert_block_size_rows: String(BLOCK_ROWS),
  min_insert_block_size_bytes: '0',
  // Through a Distributed table: answered when the shards have it.
  distributed_foreground_insert: 1,
  // A column that the file does not have is a fault, no null.
  input_format_parquet_allow_missing_columns: 0,
};

async function copyTable(
  { target, engine, version, work }: Load,
  inside: ClickHouseClient,
  table: string,
  columns: string,
): Promise<void> {
  const [count] = await engine.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${table}`);
  const rows = Number(count!.n);
  work.progress.stage(`ClickHouse: ${table}`, rows, 'rows');
  for await (const block of blocksOf(engine, work.folder, table, columns, rows)) {
    const insert_deduplication_token = `${version}/${table}/${block.number}`;
    const send = () =>
      inside.insert({
        table,
        values: block.open(),
        format: 'Parquet',
        clickhouse_settings: { ...BLOCK_SETTINGS, insert_deduplication_token },
      });
    await target.insist(send, work);
    work.progress.advance(block.rows);
  }
}

/** Waits until every replica has every row: the pointer may be read from one and the version from another. */
async function settle({ target, work }: Load, database: string): Promise<void> {
  const { client, placement } = target;
  if (placement.cluster === null) return;
  const tables = await rowsOf<{ name: string }>(
    client,
    "SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE 'Replicated%'",
    { database },
  );
  work.progress.stage('ClickHouse: replicas', tables.length, 'tables');
  for (const { name } of tables) {
    const query = `SYSTEM SYNC REPLICA${onCluster(placement)} ${database}.${name}`;
    await target.insist(() => client.command({ query }), work);
    work.progress.advance(1);
  }
}

/** @throws ServerFailed naming every figure that differs */
async function compare(
  { target, engine, version, work }: Load,
  database: string,
  inside: ClickHouseClient,
): Promise<void> {
  const copied = Object.entries(COPIED_TABLES).filter(([table]) => table !== 'dataset');
  const tables = [
    ...copied.map(([table, columns]) => ({ table, source: `(SELECT ${columns} FROM ${table})` })),
    ...Object.keys(PROJECTIONS).map((table) => ({ table, source: table })),
    // There the last value has a separator behind it, too.
    { table: 'zeilen', source: `(SELECT nummer, ${rowText()} || chr(31) AS zeile FROM units)` },
  ];
  work.progress.stage('ClickHouse: check', tables.length + ROLLUPS.length, 'tables');
  const faults: string[] = [];
  const check = async (compared: () => Promise<string[]>) => {
    faults.push(...(await target.insist(compared, work)));
    work.progress.advance(1);
  };
  for (const { table, source } of tables) await check(() => differences(engine, inside, table, source));
  for (const table of ROLLUPS) await check(() => rollupDifferences(engine, inside, database, table));
  if (faults.length === 0) return;
  throw new ServerFailed(
    `${target.name} does not hold what ${version} holds, so it was not published; what was served is still served:\n` +
      faults.map((fault) => `  ${fault}`).join('\n'),
  );
}

/** The report, for machines that do not have the folder. */
async function keepReport({ target, folder, version, work }: Load): Promise<void> {
  const report = JSON.stringify(JSON.parse(readFileSync(reportFile(folder, version), 'utf8')));
  await target.insist(
    () =>
      target.client.insert({
        table: `${target.prefix}.reports`,
        values: [{ version, report }],
        format: 'JSONEachRow',
        clickhouse_settings: { insert_deduplication_token: `report/${version}` },
      }),
    work,
  );
}
