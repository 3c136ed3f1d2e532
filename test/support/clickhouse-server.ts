import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering, freePort } from './listening.ts';

/**
 * ClickHouse with its own HTTP front end, in a process of its own on the loopback, with the users of users.sql. That
 * front end knows users from a file only, so the statements are written as one: names, grants and limits are theirs.
 */

export interface ClickHouseServer {
  /** Returns the WAREHOUSE_URL of a warehouse with the prefix. */
  warehouse(user: 'energy_loader' | 'energy_reader', prefix: string): string;
  /** Runs a statement; the default user is an administrator. Rejects with what the server says. */
  run(query: string, user?: string): Promise<string>;
  stop(): Promise<void>;
}

const PASSWORD = 'geheim';

const USERS = new URL('../../sql/warehouse/clickhouse/users.sql', import.meta.url);
const FRONT_END = new URL('./clickhouse-front-end.ts', import.meta.url).pathname;

/** A statement that does not end, because the engine ends with its last statement. */
const WAIT =
  'SELECT sleepEachRow(1) FROM numbers(1000000) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 100000000';

/** @param folder for its data and configuration */
export async function startClickHouse(folder: string): Promise<ClickHouseServer> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'users.xml'), usersFile(readFileSync(USERS, 'utf8')));
  writeFileSync(
    join(folder, 'config.xml'),
    `<clickhouse><logger><level>none</level></logger><user_directories><users_xml><path>${join(folder, 'users.xml')}</path></users_xml></user_directories></clickhouse>`,
  );
  const port = await freePort();
  const words = [
    ...[`--config-file=${join(folder, 'config.xml')}`, '--multiquery', `--path=${join(folder, 'data')}`],
    ...['--listen_host=127.0.0.1', `--http_port=${port}`, `--query=SYSTEM START LISTEN HTTP; ${WAIT}`],
  ];
  const child = spawn(process.execPath, [FRONT_END, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  await answering('ClickHouse', `http://127.0.0.1:${port}/ping`, child);
  return {
    warehouse: (user, prefix) => `clickhouse://${user}:${PASSWORD}@127.0.0.1:${port}/${prefix}`,
    async run(query, user = 'default') {
      const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': user === 'default' ? '' : PASSWORD };
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: query });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Users, grants and settings profiles of the statements, as the file that the front end reads. */
function usersFile(sql: string): string {
  const statements = sql
    .replace(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim());
  const all = (pattern: RegExp) =>
    statements.flatMap((statement) => [pattern.exec(statement) ?? []].filter((m) => m[0]));
  const profiles = all(/^CREATE SETTINGS PROFILE IF NOT EXISTS (\w+) SETTINGS (.*)$/).map(([, name, settings = '']) => {
    const each = settings.split(', ').map((text) => limitOf(text));
    return (
      `<${name}>${each.map(({ key, value }) => `<${key}>${value}</${key}>`).join('')}` +
      `<constraints>${each.map(({ key, bounds }) => (bounds === '' ? '' : `<${key}>${bounds}</${key}>`)).join('')}</constraints></${name}>`
    );
  });
  const grants = all(/^(GRANT .*) TO (\w+)$/);
  const users = all(/^CREATE USER IF NOT EXISTS (\w+) .*?(?: SETTINGS PROFILE '(\w+)')?$/).map(([, name, profile]) => {
    const own = grants.filter(([, , user]) => user === name);
    return userOf(
      name ?? '',
      PASSWORD,
      profile ?? 'default',
      `<grants>${own.map(([, grant]) => `<query>${grant}</query>`).join('')}</grants>`,
    );
  });
  const administrator = userOf('default', '', 'default', '<access_management>1</access_management>');
  return `<clickhouse><profiles><default/>${profiles.join('')}</profiles><quotas><default/></quotas><users>${administrator}${users.join('')}</users></clickhouse>`;
}

/** A setting of a profile, with what statements may make of it. */
function limitOf(text: string): { readonly key: string; readonly value: string; readonly bounds: string } {
  const [, key, value, min, max, fixed] = /^(\w+) = (\d+)(?: MIN (\d+))?(?: MAX (\d+))?( CONST)?$/.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new Error(`users.sql has a limit that this cannot read: ${text}`);
  const bound = (name: string, number: string | undefined) =>
    number === undefined ? '' : `<${name}>${number}</${name}>`;
  return { key, value, bounds: bound('min', min) + bound('max', max) + (fixed === undefined ? '' : '<const/>') };
}

const userOf = (name: string, password: string, profile: string, rights: string): string =>
  `<${name}><password>${password}</password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota>${rights}</${name}>`;
