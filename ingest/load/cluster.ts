import { text } from 'node:stream/consumers';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { z } from 'zod';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import type { Progress } from '../run/progress.ts';
import type { LoadServer } from './server.ts';

/** Loads and publications cope with servers of a cluster that are away. */

/** The types of the client do not know this mode. */
const DEFINITION_SETTINGS: Readonly<Record<string, string>> = {
  // Servers that are up must have done it; those that are away do it when they are back, before anything that comes later.
  distributed_ddl_output_mode: 'throw_only_active',
  distributed_ddl_task_timeout: '120',
};

/** A server that has not carried a statement out has no status. */
const NO_STATUS = '\\N';

/**
 * Carries out a statement ON CLUSTER on all servers that are up, and tells of each that is away once. On one server it is any
 * statement without an answer.
 * @param client the server's own, or one with a default database
 */
export async function carryOut(
  { told }: Pick<LoadServer, 'told'>,
  client: ClickHouseClient,
  query: string,
  progress?: Pick<Progress, 'note'>,
): Promise<void> {
  const { stream } = await client.exec({ query, clickhouse_settings: DEFINITION_SETTINGS });
  const statuses = (await text(stream)).split('\n').map((line) => line.split('\t'));
  const away = statuses.flatMap(([host, port, status]) => (status === NO_STATUS ? [`${host}:${port}`] : []));
  for (const name of away.filter((one) => !told.has(one))) {
    told.add(name);
    progress?.note(`${name} of the cluster is away: the others go on, and it catches up when it is back`);
  }
}

const replicasRow = z.strictObject({ total: z.int(), active: z.int() });

/**
 * Settings of an insert whose row must outlive the server that takes it: it is stored once the majority of the replicas has it,
 * or all that are up where they are fewer. Readers with sequential consistency then see it, or are refused.
 * @param table one that every server holds whole
 */
export async function quorumSettings(
  { client, placement }: Pick<LoadServer, 'client' | 'placement'>,
  database: string,
  table: string,
): Promise<ClickHouseSettings> {
  if (placement.cluster === null) return {};
  const [replicas] = await queryRows(
    client,
    replicasRow,
    `SELECT toInt32(total_replicas) AS total, toInt32(active_replicas) AS active
     FROM system.replicas WHERE database = {database:String} AND table = {table:String}`,
    { database, table },
  );
  const quorum = replicas === undefined ? 1 : Math.min(Math.floor(replicas.total / 2) + 1, replicas.active);
  if (quorum < 2) return {};
  return { insert_quorum: String(quorum), insert_quorum_parallel: 0, insert_quorum_timeout: QUORUM_MILLISECONDS };
}

/** After that the insert is sent again; its row is not stored twice. */
const QUORUM_MILLISECONDS = 60_000;
