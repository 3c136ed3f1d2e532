import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PublicationTarget } from '../../ingest/destination/target.ts';
import { clickhouseTarget } from '../../ingest/publication/clickhouse.ts';
import { silentProgress } from '../../ingest/run/progress.ts';
import { clickhouseAddress } from '../../runtime/clickhouse-address.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { publishRegister } from '../support/built.ts';
import { openReplicaFront, type ReplicaFront } from '../support/clickhouse-replicas.ts';
import { CLUSTER, type ClickHouseServer, clickhouseAt, startReplicas } from '../support/clickhouse-server.ts';
import { folderOfTests } from '../support/exports.ts';
import { type OwnSubject, type ServiceResponse, serve } from '../support/service.ts';

/**
 * Servers that hold the same tables: one is away while a version is loaded and published, and one is added later. They have no
 * Keeper, for which a front stands: it carries out on each server what the loader says to the cluster.
 */

const PREFIX = 'energy';
const VERSION = '20261101-0001';
const DATABASE = databaseOf(PREFIX, VERSION);

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');

describe('replicas', () => {
  let servers: [ClickHouseServer, ClickHouseServer, ClickHouseServer];
  let front: ReplicaFront;
  let target: PublicationTarget;
  let fromFolder: OwnSubject;
  const notes: string[] = [];
  const progress = { ...silentProgress, note: (text: string) => void notes.push(text) };
  const task = { folder: join(folder.path, 'work'), memoryMb: 300, progress };

  beforeAll(async () => {
    const [first, second, later] = await startReplicas(join(folder.path, 'servers'), 3);
    servers = [first!, second!, later!];
    // It is named in the configuration of the others, and has nothing yet.
    await servers[2].kill();
    front = await openReplicaFront(servers.slice(0, 2));
    target = clickhouseTarget(warehouse, {
      address: clickhouseAddress(clickhouseAt(front.port).warehouse('energy_loader', PREFIX)),
      placement: { cluster: CLUSTER, shards: 1 },
      policy: { firstPauseMs: 100, longestPauseMs: 200, maxElapsedMs: 2_000 },
    });
    await publishRegister(warehouse);
    fromFolder = await serve(warehouse);
  }, 300_000);

  afterAll(async () => {
    await fromFolder?.stop();
    await target?.close();
    await front?.close();
    for (const server of servers ?? []) await server.stop();
    folder.remove();
  });

  const PATHS = [
    '/v1/units?limit=20&sort=bruttoleistungKw:desc&include=technik',
    '/v1/aggregations?groupBy=landkreis&leistungMinKw=10',
    '/v1/region/zeitreihe?periode=jahr',
    '/v1/search?q=wind',
  ];

  /** Expects a reader of this server to answer as the folder does. */
  async function expectAnswers(server: ClickHouseServer): Promise<void> {
    const service = await serve(warehouse, { WAREHOUSE_URL: server.warehouse('energy_reader', PREFIX) });
    const body = ({ status, json: { data } }: ServiceResponse) => ({ status, data });
    const without = (response: ServiceResponse) =>
      JSON.parse(JSON.stringify(body(response)).replaceAll(service.url, fromFolder.url));
    try {
      for (const path of PATHS) expect(without(await service.get(path))).toEqual(body(await fromFolder.get(path)));
    } finally {
      await service.stop();
    }
  }

  /** The quorum that the last insert into a table has asked for. */
  const quorumOf = (table: string) =>
    front.requests
      .findLast(({ statement }) => statement.startsWith(`INSERT INTO ${table} `))!
      .parameters.get('insert_quorum');

  test('one that dies in the middle neither stops a load nor hides its publication, and is told of once', async () => {
    let hasDied = false;
    front.before = async (statement) => {
      if (!hasDied && statement.startsWith('INSERT INTO units ')) await servers[1].kill();
      hasDied ||= statement.startsWith('INSERT INTO units ');
      return undefined;
    };
    await target.load(VERSION, task);
    await target.publish(VERSION, 'build');
    expect(hasDied).toBe(true);
    expect(notes).toEqual([
      `127.0.0.1:${servers[1].port} of the cluster is away: the others go on, and it catches up when it is back`,
    ]);
    // All that are up, which is one of two: there is nobody to wait for.
    expect(quorumOf('dataset')).toBeNull();
    await expectAnswers(servers[0]);
  }, 300_000);

  test('it answers all the same once it is back and has caught up', async () => {
    await servers[1].restart();
    await front.catchUp(servers[1]);
    await expectAnswers(servers[1]);
  }, 300_000);

  test('one that is added later gets the same tables from the next load, though the version is there already', async () => {
    await servers[2].restart();
    front.add(servers[2]);
    await target.load(VERSION, task);
    const tables = (server: ClickHouseServer) =>
      server.run(
        `SELECT database, name, create_table_query FROM system.tables
         WHERE database IN ('${PREFIX}', '${DATABASE}') ORDER BY ALL SETTINGS show_table_uuid_in_table_create_query_if_not_nil = 1`,
      );
    expect(await tables(servers[2])).toBe(await tables(servers[0]));
    expect(notes.slice(1)).toEqual(
      [PREFIX, DATABASE].map(
        (database) => `${database} was not on all servers of the cluster: its tables were made where they were missing`,
      ),
    );
    await front.catchUp(servers[2]);
    await expectAnswers(servers[2]);
  }, 300_000);

  test('when all have their tables, nothing is made again', async () => {
    const before = front.requests.length;
    await target.load(VERSION, task);
    const made = front.requests
      .slice(before)
      .filter(({ statement }) => statement.includes(DATABASE) && /^CREATE/.test(statement));
    expect(made).toEqual([]);
  });

  test('a publication waits for the majority of three', async () => {
    await target.publish(VERSION, 'rollback');
    expect(quorumOf(`${PREFIX}.publications`)).toBe('2');
    for (const server of servers) expect(await server.run(`SELECT count() FROM ${PREFIX}.publications`)).toBe('2\n');
    const read = front.requests.findLast(({ statement }) => /^SELECT version, sequence/.test(statement));
    expect(read!.parameters.get('select_sequential_consistency')).toBe('1');
  });

  test('the engine parses what the loader has told the cluster, to the letter', async () => {
    const told = front.requests.map(({ statement }) => statement.trim()).filter((one) => one.includes('ON CLUSTER'));
    const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
    for (const statement of new Set(told)) await servers[0].run(`SELECT formatQuery(${quoted(statement)})`);
    const uuid = /UUID '[0-9a-f-]{36}'/;
    expect(told.map((statement) => statement.replace(uuid, "UUID '…'").split('\n', 1)[0])).toEqual(
      expect.arrayContaining([
        `CREATE DATABASE IF NOT EXISTS ${PREFIX} ON CLUSTER 'energy'`,
        `DROP DATABASE IF EXISTS ${DATABASE} ON CLUSTER 'energy' SYNC`,
        expect.stringMatching(`^CREATE DATABASE ${DATABASE} ON CLUSTER 'energy' COMMENT '`),
        `SYSTEM SYNC REPLICA ON CLUSTER 'energy' ${DATABASE}.units LIGHTWEIGHT`,
        `CREATE DATABASE IF NOT EXISTS ${DATABASE} ON CLUSTER 'energy'`,
        expect.stringMatching(
          `^CREATE TABLE IF NOT EXISTS ${DATABASE}.units UUID '…' ON CLUSTER 'energy' \\(\`mastrNummer\``,
        ),
        expect.stringMatching(
          `^CREATE MATERIALIZED VIEW IF NOT EXISTS ${DATABASE}.zeilen_aus_units UUID '…' ON CLUSTER 'energy' TO `,
        ),
      ]),
    );
    const definitions = front.requests.filter(({ statement }) => statement.includes('ON CLUSTER'));
    for (const { parameters } of definitions)
      expect([parameters.get('distributed_ddl_output_mode'), parameters.get('distributed_ddl_task_timeout')]).toEqual([
        'throw_only_active',
        '120',
      ]);
  });

  test('a pointer from the time before the cluster, which others could not copy, is refused', async () => {
    front.before = async (statement) =>
      statement.startsWith('SELECT DISTINCT database FROM system.tables')
        ? { status: 200, headers: {}, text: Buffer.from(`{"database":"${PREFIX}"}\n`) }
        : undefined;
    await expect(target.load(VERSION, task)).rejects.toThrow(/The database energy .* is not replicated/);
  });

  test('a version that looks incomplete on a replica behind is not dropped', async () => {
    for (const server of servers) await server.run(`TRUNCATE TABLE ${DATABASE}.dataset`);
    front.before = async (statement) =>
      statement.startsWith(`SELECT 1 FROM ${DATABASE}.dataset`)
        ? { status: 500, headers: { 'x-clickhouse-exception-code': '289' }, text: NOT_IN_QUORUM }
        : undefined;
    await expect(target.prune(1)).rejects.toThrow(/does not answer: .*quorum/);
    expect(await servers[0].run(`EXISTS DATABASE ${DATABASE}`)).toBe('1\n');
  });
});

const NOT_IN_QUORUM = Buffer.from(
  "Code: 289. DB::Exception: Replica doesn't have part which was successfully written to quorum of other replicas. (REPLICA_IS_NOT_IN_QUORUM)",
);
