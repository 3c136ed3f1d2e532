import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { usersFile } from './clickhouse-users.ts';
import { answering, freePort } from './listening.ts';

/**
 * ClickHouse with its own HTTP and TCP front ends, in a process of its own on the loopback, with the users of users.sql:
 * names, grants and limits are theirs.
 */
export interface ClickHouseServer extends ClickHouseAccess {
  /** The id of its process. */
  readonly pid: number;
  /** Stops answering until `resume`; connections stay open and take requests. */
  pause(): void;
  resume(): void;
  /** Ends the process as a power cut would. */
  kill(): Promise<void>;
  /** Starts the process again, on the same ports with what the disk has kept. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The server as tests use it that did not start it. */
export interface ClickHouseAccess {
  readonly port: number;
  /** Returns the WAREHOUSE_URL of a warehouse with the prefix, which begins with `energy`. */
  warehouse(user: 'energy_loader' | 'energy_reader', prefix: string): string;
  /** Runs a statement; the default user is an administrator. Rejects with what the server says. */
  run(query: string, user?: string): Promise<string>;
}

/** The cluster of `startShards` and `startReplicas`. */
export const CLUSTER = 'energy';

const PASSWORD = 'geheim';

const FRONT_END = new URL('./clickhouse-front-end.ts', import.meta.url).pathname;

/** A statement that does not end, because the engine ends with its last statement. */
const WAIT =
  'SELECT sleepEachRow(1) FROM numbers(1000000) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 100000000';

/** The library that the package chdb brings for this machine, where it has one. */
export const hasClickHouse = (): boolean =>
  createRequire(import.meta.url)
    .resolve.paths('@chdb')
    ?.some((folder) => existsSync(join(folder, `@chdb/lib-${process.platform}-${process.arch}-gnu/libchdb.so`))) ??
  false;

/** The server on a port of this machine. */
export const clickhouseAt = (port: number): ClickHouseAccess => ({
  port,
  warehouse: (user, prefix) => `clickhouse://${user}:${PASSWORD}@127.0.0.1:${port}/${prefix}`,
  async run(query, user = 'default') {
    const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': user === 'default' ? '' : PASSWORD };
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: query });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  },
});

/** @param folder for its data and configuration */
export async function startClickHouse(folder: string): Promise<ClickHouseServer> {
  return startAt(folder, await freePort(), await freePort(), '');
}

/** Starts servers that are the shards of CLUSTER, each with its data in a folder within this one. */
export const startShards = (folder: string, count: number): Promise<ClickHouseServer[]> =>
  startCluster(folder, count, (replicas) => replicas.map((replica) => `<shard>${replica}</shard>`).join(''));

/** Starts servers that are the replicas of the one shard of CLUSTER. */
export const startReplicas = (folder: string, count: number): Promise<ClickHouseServer[]> =>
  startCluster(
    folder,
    count,
    (replicas) => `<shard><internal_replication>true</internal_replication>${replicas.join('')}</shard>`,
  );

async function startCluster(
  folder: string,
  count: number,
  layout: (replicas: readonly string[]) => string,
): Promise<ClickHouseServer[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const servers = layout(ports.map((port) => `<replica><host>127.0.0.1</host><port>${port}</port></replica>`));
  // With a secret, a statement runs on the other servers for the user who sent it.
  const cluster = `<remote_servers><${CLUSTER}><secret>${PASSWORD}</secret>${servers}</${CLUSTER}></remote_servers>`;
  return Promise.all(
    ports.map(async (port, index) => startAt(join(folder, String(index)), await freePort(), port, cluster)),
  );
}

async function startAt(folder: string, port: number, tcpPort: number, more: string): Promise<ClickHouseServer> {
  mkdirSync(folder, { recursive: true });
  const [users, config] = [join(folder, 'users.xml'), join(folder, 'config.xml')];
  writeFileSync(users, usersFile(PASSWORD, more !== ''));
  writeFileSync(
    config,
    `<clickhouse><logger><level>none</level></logger><tcp_port>${tcpPort}</tcp_port>${GRANTS}${LOGS}${more}` +
      `<user_directories><users_xml><path>${users}</path></users_xml></user_directories></clickhouse>`,
  );
  const words = [
    ...[`--config-file=${config}`, '--multiquery', `--path=${join(folder, 'data')}`, '--listen_host=127.0.0.1'],
    ...[`--http_port=${port}`, `--tcp_port=${tcpPort}`],
    `--query=SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; ${WAIT}`,
  ];
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(process.execPath, [FRONT_END, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    process.once('exit', () => started.kill('SIGKILL'));
    await answering('ClickHouse', `http://127.0.0.1:${port}/ping`, started);
    return started;
  };
  let child = await start();
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    ...clickhouseAt(port),
    get pid() {
      return child.pid ?? 0;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    async restart() {
      await kill();
      child = await start();
    },
    stop: kill,
  };
}

/** As in the configuration that servers come with, engines of tables are among what has to be granted. */
const GRANTS =
  '<access_control_improvements><table_engines_require_grant>true</table_engines_require_grant></access_control_improvements>';

/** Tests read there what a statement was, and a view, once they have them written: by itself the server writes each half minute. */
const LOGS = ['query_log', 'query_views_log']
  .map(
    (name) =>
      `<${name}><database>system</database><table>${name}</table><flush_interval_milliseconds>30000</flush_interval_milliseconds></${name}>`,
  )
  .join('');
