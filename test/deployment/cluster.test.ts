import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROOT } from '../docs/folders.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { folderOfTests } from '../support/exports.ts';

/** A server reads the configuration of the cluster as it is meant. The tests have no Keeper, so that it goes no further. */

describe('cluster.xml', () => {
  const folder = folderOfTests();
  let server: ClickHouseServer;

  beforeAll(async () => {
    mkdirSync(join(folder.path, 'config.d'));
    cpSync(join(ROOT, 'sql/warehouse/clickhouse/cluster.xml'), join(folder.path, 'config.d/energy.xml'));
    for (const [name, value] of Object.entries({ SHARD: '1', REPLICA: 'clickhouse-2', CLUSTER_SECRET: 'geheim' }))
      vi.stubEnv(name, value);
    server = await startClickHouse(folder.path);
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await server?.stop();
    folder.remove();
  });

  test.each([
    [
      'one shard of three replicas, which copy from each other',
      "SELECT shard_num, host_name, port, internal_replication FROM system.clusters WHERE cluster = 'energy'",
      '1\tclickhouse-1\t9000\t1\n1\tclickhouse-2\t9000\t1\n1\tclickhouse-3\t9000\t1\n',
    ],
    ['the macros in the paths of replicas', "SELECT getMacro('shard'), getMacro('replica')", '1\tclickhouse-2\n'],
    [
      'the name under which the others fetch from it',
      "SELECT value FROM system.server_settings WHERE name = 'interserver_http_host'",
      'clickhouse-2\n',
    ],
    [
      'the delay from which a balancer passes it over',
      "SELECT value FROM system.merge_tree_settings WHERE name = 'min_relative_delay_to_close'",
      '10\n',
    ],
  ])('%s', async (_, question, answer) => {
    expect(await server.run(question)).toBe(answer);
  });

  test('it tells balancers how its replicas are', async () => {
    const { status } = await fetch(`http://127.0.0.1:${server.port}/replicas_status`);
    expect(status).toBe(200);
  });
});
