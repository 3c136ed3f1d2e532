import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqlFile } from '../../../../sql/query/sql-files.ts';
import { filesIn } from '../../support/files.ts';
import { dropFromPageCache } from '../../support/page-cache.ts';
import { note, run } from '../../support/register.ts';
import { COUNTED_VIEWS } from '../questions/counted.ts';
import { connect, type PostgresConnection } from './connection.ts';
import { type CachedPostgres, startCachedPostgres } from './server.ts';
import { type CopiedTable, copiedTables } from './tables.ts';

/** A PostgreSQL server that holds the rows of a version. */
export interface LoadedPostgres extends Pick<PostgresConnection, 'query'> {
  /** Its release, e.g. 15.14. */
  readonly release: string;
  /** Reads everything once, so that no question waits for the disk. */
  prewarm(): Promise<void>;
  /** Starts the server anew with none of its files in memory, and returns them. */
  restartCold(): Promise<readonly string[]>;
  /** Ends connection and server; the folder stays for the next run. */
  stop(): Promise<void>;
}

const INDEXES = sqlFile(import.meta.url, 'indexes.sql');

/**
 * Starts the server of this folder. Where it holds other rows or other indexes than it should, it is loaded anew.
 * @param programs the folder of `postgres`, `initdb` and `psql`
 * @param file the database file of the version
 */
export async function loadedPostgres(programs: string, folder: string, file: string): Promise<LoadedPostgres> {
  const { tables, content } = await copiedTables(file);
  const mark = join(folder, 'loaded.txt');
  const digest = createHash('sha256')
    .update(JSON.stringify([tables, content, INDEXES, COUNTED_VIEWS]))
    .digest('hex');
  const isLoaded = existsSync(mark) && readFileSync(mark, 'utf8') === digest;
  if (!isLoaded) rmSync(folder, { recursive: true, force: true });
  const start = () => startCachedPostgres(programs, folder);
  const server = await start();
  const connection = await connect(server.url);
  try {
    if (!isLoaded) {
      note(`Loading PostgreSQL in ${folder}; later runs use it again while rows and indexes are the same`);
      await Promise.all(tables.map((table) => copy(table, programs, server, file)));
      await makeIndexes(connection);
      writeFileSync(mark, digest);
    }
    return loaded(connection, server, await releaseOf(connection), { folder, start });
  } catch (error) {
    await connection.close();
    await server.stop();
    throw error;
  }
}

/** Files of tables and indexes have more bytes, those of the system's catalogue hardly any has. */
const TABLE_BYTES = 1e6;

/** @param start starts the server of the same folder again */
function loaded(
  connection: PostgresConnection,
  server: CachedPostgres,
  release: string,
  { folder, start }: { folder: string; start: () => Promise<CachedPostgres> },
): LoadedPostgres {
  let running = { connection, server };
  const stop = async () => {
    await running.connection.close();
    await running.server.stop();
  };
  return {
    release,
    query: (statement) => running.connection.query(statement),
    prewarm: () => prewarm(running.connection),
    async restartCold() {
      await stop();
      const files = filesIn(join(folder, 'data/base')).filter((file) => statSync(file).size >= TABLE_BYTES);
      dropFromPageCache(files);
      const again = await start();
      running = { server: again, connection: await connect(again.url) };
      return files;
    },
    stop,
  };
}

async function releaseOf(connection: PostgresConnection): Promise<string> {
  const [row] = await connection.query({ text: 'SHOW server_version', values: [] });
  return String(row?.server_version).replace(/ .*/, '');
}

/** The table is made in the transaction that fills it: then its rows need not be logged. */
const PIPE = `set -o pipefail
"$NODE" "$EXPORT" "$FILE" "$ROWS" | "$PROGRAMS/psql" --quiet --no-psqlrc --single-transaction -v ON_ERROR_STOP=1 \
  -c "$CREATE" -c "\\copy $TABLE FROM STDIN (FORMAT csv, FREEZE)" "$URL"`;

async function copy(table: CopiedTable, programs: string, server: CachedPostgres, file: string): Promise<void> {
  const begun = Date.now();
  await run('bash', ['-c', PIPE], {
    NODE: process.execPath,
    EXPORT: new URL('export.ts', import.meta.url).pathname,
    PROGRAMS: programs,
    FILE: file,
    ROWS: table.rows,
    CREATE: table.create,
    TABLE: table.name,
    URL: server.url,
  });
  note(`  ${table.name} copied in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
}

async function makeIndexes(connection: PostgresConnection): Promise<void> {
  const begun = Date.now();
  for (const text of [...INDEXES.split(/;\n/), ...COUNTED_VIEWS]) await connection.query({ text, values: [] });
  note(`  indexes and views made in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
}

async function prewarm(connection: PostgresConnection): Promise<void> {
  const text = `SELECT pg_prewarm(oid, 'read') FROM pg_class
    WHERE relkind IN ('r', 'm', 'i') AND relnamespace = 'public'::regnamespace`;
  await connection.query({ text, values: [] });
}
