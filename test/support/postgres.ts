import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './listening.ts';

/** A Postgres server for tests on 127.0.0.1, started from the programs of Debian's package `postgresql`. */
export interface PostgresServer {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Stops the server at once, as a crash would, and removes its files. */
  stop(): Promise<void>;
}

/** The one role that needs a password. */
export const GUARDED = 'guarded';

const DEBIAN = '/usr/lib/postgresql';

/** Returns the folder of the newest programs that are installed, or null. */
export function postgresPrograms(): string | null {
  const releases = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const folders = releases.sort((left, right) => right - left).map((release) => `${DEBIAN}/${release}/bin`);
  return folders.find((folder) => existsSync(`${folder}/postgres`)) ?? null;
}

/**
 * The server runs as long as the standard input of the shell around it is open. So it stops, and its folder is removed,
 * however the process that started it ends.
 */
const SCRIPT = `
set -e
trap 'rm -rf "$FOLDER"' EXIT
"$PROGRAMS/initdb" --pgdata="$FOLDER/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 \
  --no-sync --no-instructions >/dev/null
echo "host all ${GUARDED} 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust" >"$FOLDER/data/pg_hba.conf"
"$PROGRAMS/postgres" -D "$FOLDER/data" -p "$PORT" -k "" -c listen_addresses=127.0.0.1 -c max_connections=300 \
  -c fsync=off -c full_page_writes=off -c log_min_messages=fatal -c log_min_error_statement=fatal </dev/null &
server=$!
exec 3<&0
(cat <&3 >/dev/null; kill -QUIT $server) 2>/dev/null &
wait $server
`;

/** @param port by default a free one */
export async function startPostgres(programs: string, port?: number): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const user = ordinaryUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const ownPort = port ?? (await freePort());
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    ...user,
    // In a process group of its own, the Ctrl-C that ends the tests does not reach it: it ends after them.
    detached: true,
    cwd: folder,
    env: { PATH: process.env.PATH, PROGRAMS: programs, FOLDER: folder, PORT: String(ownPort) },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  shell.stderr.on('data', (piece: Buffer) => {
    output = (output + piece).slice(-2000);
  });
  const ended = once(shell, 'close');
  const url = `postgres://postgres@127.0.0.1:${ownPort}/postgres`;
  while (!(await answers(url))) {
    if (shell.exitCode !== null) {
      await ended;
      throw new Error(`Postgres did not start: ${output}`);
    }
    await sleep(30);
  }
  return {
    url,
    port: ownPort,
    async stop() {
      shell.stdin.end();
      await ended;
    },
  };
}

/** Postgres refuses to run as root, so then it runs as the user of the package, or as nobody. */
export function ordinaryUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  return users.get('postgres') ?? users.get('nobody') ?? null;
}

/** Returns true when the server accepts its superuser. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
