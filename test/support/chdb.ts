import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Session } from 'chdb';
import { createChdbConnection } from 'chdb/connection';
import type { ClientOptions } from '../../sql/warehouse/clickhouse/client.ts';

/** The real engine of ClickHouse inside this process, behind the client that production uses. One folder per process. */

type Connection = NonNullable<ClientOptions['connection']>;

/** CHDB_FOLDER is kept; where nothing is said the folder goes with the process, or at the end of the run. */
const folder = process.env.CHDB_FOLDER ?? mkdtempSync(join(tmpdir(), 'chdb-'));
if (process.env.CHDB_FOLDER === undefined) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Settings that only a server knows. */
const SERVER_ONLY =
  /^(wait_end_of_query|send_progress_in_http_headers|http_headers_progress_interval_ms|enable_http_compression)$/;

/** Compiling expressions to machine code costs more than these few rows take without it. */
const INTERPRETED = 'SET compile_expressions = 0, compile_aggregate_expressions = 0, compile_sort_description = 0';

/**
 * A connection whose statements are about the tables of a database. Rows that are inserted go through a file: the
 * package's own connection takes them for text.
 */
export function connectChdb(database: string | null): Connection {
  const inner = createChdbConnection({ path: folder }) as unknown as Connection;
  const before = database === null ? INTERPRETED : `${INTERPRETED}; USE ${database}`;
  const at = <P extends { query: string }>(params: P): P => ({ ...params, query: `${before}; ${params.query}` });
  return {
    query: (params) => inner.query(at(params)),
    exec: (params) => inner.exec(at(params)),
    command: (params) => inner.command(at(params)),
    async insert(params) {
      const file = join(folder, `${randomUUID()}.rows`);
      await writeFile(file, params.values);
      try {
        const { clickhouse_settings, values: _, ...rest } = params;
        return await inner.command(at({ ...rest, query: fromFile(params.query, file, clickhouse_settings ?? {}) }));
      } finally {
        await rm(file);
      }
    },
    ping: (params) => inner.ping(params),
    close: () => inner.close(),
  };
}

/** `INSERT INTO t FORMAT x` as an engine without a network takes it; the settings hold for this statement alone. */
function fromFile(query: string, file: string, settings: object): string {
  const [, into, format] = /^(.*?)\s+FORMAT (\w+)\s*$/s.exec(query)!;
  const given = Object.entries(settings)
    .filter(([name]) => !SERVER_ONLY.test(name))
    .map(([name, value]) => `${name} = '${value}'`);
  return `${into} FROM INFILE '${file}' SETTINGS ${given.join(', ')} FORMAT ${format}`;
}

/** Runs a statement before anything else of this process goes on. */
export function atOnce(statement: string): void {
  const session = new Session(folder);
  try {
    session.query(statement);
  } finally {
    session.close();
  }
}
