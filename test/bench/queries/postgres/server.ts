import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../support/listening.ts';
import { answers, ordinaryUser } from '../../../support/postgres.ts';

/** A PostgreSQL server over a folder that is kept, set up for the machine it runs on. */
export interface CachedPostgres {
  readonly url: string;
  /** Lets it write everything to disk, so that the folder can be used again. */
  stop(): Promise<void>;
}

/**
 * The settings of the server. It gets the memory that its documentation recommends for a dedicated machine, although the
 * service runs beside it. Statements are not compiled, which takes longer than most of them; random reads cost as on a
 * flash disk; a load can be repeated, so it neither waits for the disk nor is logged; nothing changes, so nothing is
 * vacuumed.
 */
function settings(): Record<string, string> {
  const quarter = Math.floor(totalmem() / 4 / 2 ** 20);
  return {
    listen_addresses: '127.0.0.1',
    shared_buffers: `${Math.min(4096, quarter)}MB`,
    effective_cache_size: `${quarter * 2}MB`,
    work_mem: '64MB',
    maintenance_work_mem: '1GB',
    random_page_cost: '1.1',
    jit: 'off',
    max_parallel_workers_per_gather: '2',
    max_parallel_maintenance_workers: '2',
    // The parts of a later page have to come in their order.
    enable_parallel_append: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '8GB',
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    timezone: 'UTC',
    log_min_messages: 'fatal',
    log_min_error_statement: 'fatal',
  };
}

/** Ends in good order when the standard input of the shell around it ends, however the process that began it ends. */
const SCRIPT = `
set -e
test -e "$FOLDER/data/PG_VERSION" || "$PROGRAMS/initdb" --pgdata="$FOLDER/data" --username=postgres --auth=trust \
  --encoding=UTF8 --locale=C.UTF-8 --no-sync --no-instructions >/dev/null
"$PROGRAMS/postgres" -D "$FOLDER/data" -p "$PORT" -k "" "$@" </dev/null &
server=$!
exec 3<&0
(cat <&3 >/dev/null; kill -INT $server) 2>/dev/null &
wait $server
`;

/** @param programs the folder of `postgres` and `initdb` */
export async function startCachedPostgres(programs: string, folder: string): Promise<CachedPostgres> {
  mkdirSync(folder, { recursive: true });
  const user = ordinaryUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o755);
  const port = await freePort();
  const settingOptions = Object.entries(settings()).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'postgres', ...settingOptions], {
    ...user,
    detached: true,
    cwd: folder,
    env: { PATH: process.env.PATH, PROGRAMS: programs, FOLDER: folder, PORT: String(port) },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  shell.stderr.on('data', (piece: Buffer) => {
    output = (output + piece).slice(-2000);
  });
  const ended = once(shell, 'close');
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  while (!(await answers(url))) {
    if (shell.exitCode !== null) {
      await ended;
      throw new Error(`Postgres did not start: ${output}`);
    }
    await sleep(50);
  }
  return {
    url,
    async stop() {
      shell.stdin.end();
      await ended;
    },
  };
}
