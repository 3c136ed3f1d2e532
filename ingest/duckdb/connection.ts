import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { unreadable } from '../../sql/warehouse/damage.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { isOutOfMemory, withKind, withoutExportValues } from './engine-error.ts';
import { type SharedMemory, sharedMemory } from './shared-memory.ts';
import { statementsIn } from './statements-in.ts';

/** One connection to the file of a version. Errors carry no values of the export. */
export interface WarehouseConnection {
  readonly engineVersion: string;
  run(sql: string): Promise<void>;
  rows<T>(sql: string): Promise<T[]>;
  /** Streams the first two columns of a result, which may be larger than memory. */
  pairs(sql: string, take: (first: string, second: string) => void): Promise<void>;
  /** Streams a result, which may be larger than memory, in pieces of some thousand rows: the values of each column. */
  columns(sql: string, take: (columns: readonly (readonly unknown[])[]) => void): Promise<void>;
  /** Appends rows to a table: texts, whole numbers, and `null` where a value is missing. */
  append(table: string, rows: readonly (readonly (string | number | bigint | null)[])[]): Promise<void>;
  /** Sets the memory that the engine may hold, for all connections. */
  limitMemory(megabytes: number): Promise<void>;
  /** Opens another connection to the same database, whose statements run beside those of this one. */
  another(): Promise<WarehouseConnection>;
  /**
   * Closes the connection and those opened from it, once their statements have ended, which it interrupts; the one that opened the
   * database closes that, too. The engine blocks a thread for ever where a connection is closed while a statement runs on it.
   */
  close(): Promise<void>;
}

export interface EngineLimits {
  readonly memoryMb: number;
  readonly threads: number;
  readonly temporaryFolder: string;
  /** Is told of a statement that runs again, alone, since it found too little memory beside others. */
  readonly repeats?: () => void;
}

/**
 * Opens a database file for writing, or creates it.
 * @param signal interrupts the running statement and refuses further ones
 */
export async function openReadWrite(
  path: string,
  limits: EngineLimits,
  signal?: AbortSignal,
): Promise<WarehouseConnection> {
  const { instance, close } = await openInstance(path, 'READ_WRITE', limits);
  const memory = await engineMemory(instance, limits);
  return connect(instance, memory, await openScratch(instance), signal, async () => {
    await memory.close();
    close();
  });
}

/**
 * Attaches a database in memory for what several connections share and no version keeps: temporary tables belong to one
 * connection. Names are looked up in both.
 * @returns the statement that prepares a connection
 */
async function openScratch(instance: DuckDBInstance): Promise<string> {
  const connection = await instance.connect();
  try {
    await connection.run(`ATTACH ':memory:' AS scratch`);
    const { name } = firstRow(await rowsOf<{ name: string }>(connection, 'SELECT current_database() AS name'));
    return `SET search_path = '"${name}",scratch'`;
  } finally {
    connection.closeSync();
  }
}

/** Opens the file of a finished version for reading. @throws Damaged */
export async function openReadOnly(
  path: string,
  limits: EngineLimits,
  signal?: AbortSignal,
): Promise<WarehouseConnection> {
  const { instance, close } = await openInstance(path, 'READ_ONLY', limits);
  const memory = await engineMemory(instance, limits);
  return connect(instance, memory, null, signal, async () => {
    await memory.close();
    close();
  });
}

interface OpenInstance {
  readonly instance: DuckDBInstance;
  close(): void;
}

/** Two engines give their temporary files the same names, so each has a folder of its own; without a folder they have no disk. */
async function openInstance(
  path: string,
  access_mode: 'READ_WRITE' | 'READ_ONLY',
  { memoryMb, threads, temporaryFolder }: EngineLimits,
): Promise<OpenInstance> {
  if (temporaryFolder !== '') mkdirSync(temporaryFolder, { recursive: true });
  const own = temporaryFolder === '' ? null : mkdtempSync(join(temporaryFolder, 'engine-'));
  const release = () => own === null || rmSync(own, { recursive: true, force: true });
  try {
    const instance = await DuckDBInstance.create(path, {
      access_mode,
      memory_limit: `${memoryMb}MB`,
      threads: String(threads),
      temp_directory: own ?? '',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const close = () => {
      instance.closeSync();
      release();
    };
    return { instance, close };
  } catch (error) {
    release();
    throw access_mode === 'READ_ONLY' ? unreadable(path, error) : error;
  }
}

/** The memory that an engine may hold. */
interface EngineMemory extends SharedMemory {
  limit(megabytes: number): Promise<void>;
  close(): Promise<void>;
}

const LOOKED_AT_EVERY_MS = 1000;

/** Megabytes that the process may have beside what the engine may hold, before it gives back what was freed. */
const BESIDE_ENGINE_MB = 300;

/**
 * The C library keeps what the engine frees, in pieces between those in use: up to twice what the engine holds. All of it goes back
 * to the system when the limit is set, so a process that has grown large sets it again. That takes up to a tenth of the time of a
 * build, every second; so a small register does without.
 */
async function engineMemory(instance: DuckDBInstance, { memoryMb, repeats }: EngineLimits): Promise<EngineMemory> {
  const connection = await instance.connect();
  let limited = memoryMb;
  const limit = async (): Promise<void> => {
    await connection.run(`SET memory_limit = '${limited}MB'`);
  };
  const most = (memoryMb + BESIDE_ENGINE_MB) * 1024 * 1024;
  let givingBack: Promise<void> | null = null;
  const giveBack = () => {
    if (givingBack !== null || process.memoryUsage.rss() <= most) return;
    givingBack = limit()
      // An engine that holds all it may cannot set a limit, and has nothing to give back.
      .catch(() => {})
      .finally(() => {
        givingBack = null;
      });
  };
  const timer = setInterval(giveBack, LOOKED_AT_EVERY_MS).unref();
  return {
    ...sharedMemory(repeats),
    limit(megabytes) {
      limited = megabytes;
      return limit();
    },
    async close() {
      clearInterval(timer);
      await givingBack;
      connection.closeSync();
    },
  };
}

/** @param prepare the statement that prepares each connection */
async function connect(
  instance: DuckDBInstance,
  memory: EngineMemory,
  prepare: string | null,
  signal: AbortSignal | undefined,
  closed: () => Promise<void>,
): Promise<WarehouseConnection> {
  const connection = await instance.connect();
  if (prepare !== null) await connection.run(prepare);
  const { v: engineVersion } = firstRow(
    await rowsOf<{ v: string }>(connection, 'SELECT library_version AS v FROM pragma_version()'),
  );
  let isClosed = false;
  const running = new Set<Promise<unknown>>();
  const run = <T>(sql: string, statement: () => Promise<T>, isRepeatable = isOutOfMemory): Promise<T> => {
    const unlessStopped = async (): Promise<T> => {
      signal?.throwIfAborted();
      if (isClosed) throw new Error('The connection is closed');
      return statement();
    };
    const ended = withoutValues(sql, () => memory.run(unlessStopped, isRepeatable));
    running.add(ended);
    const end = () => running.delete(ended);
    ended.then(end, end);
    return ended;
  };
  /** Rows that were passed on cannot be taken back, so it is not repeated. */
  const runOnce = <T>(sql: string, statement: () => Promise<T>): Promise<T> => run(sql, statement, () => false);
  const others: WarehouseConnection[] = [];
  const interrupt = () => connection.interrupt();
  signal?.addEventListener('abort', interrupt);
  return {
    engineVersion,
    run: async (sql) => {
      // One that is repeated does not repeat those before it.
      for (const statement of statementsIn(sql)) await run(statement, () => connection.run(statement));
    },
    rows: (sql) => run(sql, () => rowsOf(connection, sql)),
    pairs: (sql, take) => runOnce(sql, () => eachPair(connection, sql, take, signal)),
    columns: (sql, take) => runOnce(sql, () => eachPiece(connection, sql, take, signal)),
    append: (table, rows) => runOnce(`INSERT INTO ${table}`, () => appendRows(connection, table, rows)),
    limitMemory: (megabytes) => withoutValues('SET memory_limit', () => memory.limit(megabytes)),
    another: async () => {
      const other = await connect(instance, memory, prepare, signal, async () => {});
      others.push(other);
      return other;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      signal?.removeEventListener('abort', interrupt);
      interrupt();
      await Promise.all(others.map((other) => other.close()));
      await Promise.allSettled(running);
      connection.closeSync();
      await closed();
    },
  };
}

/**
 * The columns of a table or view in an attached database; none when there is no such table. The list of all columns takes longer the more
 * databases are attached: a night asked a tenth of its time.
 */
export async function columnsOf(engine: WarehouseConnection, database: string, table: string): Promise<Set<string>> {
  const named = `database_name = '${database}' AND`;
  const found = await engine.rows(
    `SELECT 1 FROM duckdb_tables() WHERE ${named} table_name = '${table}'
     UNION ALL SELECT 1 FROM duckdb_views() WHERE ${named} view_name = '${table}'`,
  );
  if (found.length === 0) return new Set();
  const rows = await engine.rows<{ name: string }>(
    `SELECT name FROM pragma_table_info('"${database}"."${table}"') ORDER BY cid`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Runs a statement; its errors come without values of the export. */
async function withoutValues<T>(sql: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw withoutExportValues(error, sql);
  }
}

async function eachPair(
  connection: DuckDBConnection,
  sql: string,
  take: (first: string, second: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const result = await connection.stream(sql);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    signal?.throwIfAborted();
    const [first, second] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let row = 0; row < chunk.rowCount; row++) take(String(first.getItem(row)), String(second.getItem(row)));
  }
}

async function eachPiece(
  connection: DuckDBConnection,
  sql: string,
  take: (columns: readonly (readonly unknown[])[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  const result = await connection.stream(sql);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    signal?.throwIfAborted();
    take(chunk.getColumns());
  }
}

async function rowsOf<T>(connection: DuckDBConnection, sql: string): Promise<T[]> {
  const result = await connection.runAndReadAll(sql);
  return result.getRowObjectsJS() as T[];
}

/** No statement is planned for them: a hundred rows of parameters take as long as ten thousand appended ones. */
async function appendRows(
  connection: DuckDBConnection,
  table: string,
  rows: readonly (readonly (string | number | bigint | null)[])[],
): Promise<void> {
  const [name = table, database] = table.split('.').reverse();
  const appender = await connection.createAppender(name, 'main', database);
  try {
    for (const row of rows) {
      for (const value of row) {
        if (value === null) appender.appendNull();
        else if (typeof value === 'string') appender.appendVarchar(value);
        else appender.appendBigInt(BigInt(value));
      }
      appender.endRow();
    }
    appender.closeSync();
  } catch (error) {
    throw withKind(error);
  }
}
