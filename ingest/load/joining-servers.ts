import { z } from 'zod';
import { onCluster } from '../../sql/warehouse/clickhouse/placement.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import type { Progress } from '../run/progress.ts';
import { carryOut } from './cluster.ts';
import type { LoadServer } from './server.ts';

/**
 * Makes databases with their tables on servers of the cluster that lack them: one that was added, and one that was away for
 * longer than the cluster keeps statements. Replication then brings the rows.
 */
export async function extendToAllServers(
  server: LoadServer,
  databases: readonly string[],
  progress: Progress,
): Promise<void> {
  const { client, placement } = server;
  if (placement.cluster === null) return;
  for (const database of await unevenDatabases(server, databases)) {
    const create = `CREATE DATABASE IF NOT EXISTS ${database}${onCluster(placement)}`;
    for (const statement of [create, ...(await definitions(server, database))])
      await carryOut(server, client, statement, progress);
    progress.note(`${database} was not on all servers of the cluster: its tables were made where they were missing`);
  }
}

/** The databases with tables that belong to one server, because they were made before it was in a cluster. */
export async function databasesOfOneServer(
  { client, placement }: LoadServer,
  databases: readonly string[],
): Promise<string[]> {
  if (placement.cluster === null) return [];
  const rows = await queryRows(
    client,
    z.strictObject({ database: z.string() }),
    `SELECT DISTINCT database FROM system.tables
     WHERE database IN {databases:Array(String)} AND engine LIKE '%MergeTree' AND NOT engine LIKE 'Replicated%'`,
    { databases },
  );
  return rows.map(({ database }) => database);
}

/** The databases that some server which is up has not at all, or not with as many tables as another one. */
async function unevenDatabases(
  { client, placement: { cluster } }: LoadServer,
  databases: readonly string[],
): Promise<string[]> {
  const rows = await queryRows(
    client,
    z.strictObject({ database: z.string() }),
    `SELECT database FROM (
       SELECT _shard_num AS server, database, count() AS tables
       FROM clusterAllReplicas('${cluster}', system.tables)
       WHERE database IN {databases:Array(String)}
       GROUP BY server, database
     )
     GROUP BY database
     HAVING min(tables) < max(tables)
       OR count() < (SELECT uniqExact(_shard_num) FROM clusterAllReplicas('${cluster}', system.databases))
     ORDER BY database
     SETTINGS skip_unavailable_shards = 1`,
    { databases },
  );
  return rows.map(({ database }) => database);
}

/**
 * The statements with which this server has made the tables of a database, views last. They name the UUID of each table, by
 * which its replicas find each other.
 */
async function definitions({ client, placement }: LoadServer, database: string): Promise<string[]> {
  const rows = await queryRows(
    client,
    z.strictObject({ definition: z.string() }),
    `SELECT create_table_query AS definition FROM system.tables WHERE database = {database:String}
     ORDER BY engine = 'MaterializedView', name
     SETTINGS show_table_uuid_in_table_create_query_if_not_nil = 1`,
    { database },
  );
  return rows.map(({ definition }) => definition.replace(HEAD, `CREATE $1 IF NOT EXISTS $2${onCluster(placement)}`));
}

/** The beginning of every definition, up to where ON CLUSTER stands. */
const HEAD = /^CREATE (TABLE|MATERIALIZED VIEW) (\S+ UUID '[^']+')/;
