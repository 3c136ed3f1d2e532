import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBListValue,
  type DuckDBMaterializedResult,
  type DuckDBValue,
} from '@duckdb/node-api';
import { inlined } from '../../sql/query/inlined.ts';
import type { Statement } from '../../sql/query/statement.ts';
import { openRowFile, type RowFile } from '../../sql/warehouse/rows/reader.ts';
import { Problem } from '../problem/problem.ts';

/** One dataset version, opened for reading. */
export interface OpenVersion {
  /**
   * Runs a statement and returns its rows as objects named after the columns. `Row` is what the statement's SELECT
   * promises: every column cast to VARCHAR, DOUBLE, INTEGER, BOOLEAN or VARCHAR[].
   * @throws Problem SERVICE_UNAVAILABLE when the statement needs more time or memory than it may take
   */
  query<Row>(statement: Statement): Promise<Row[]>;
  /** The one number that a statement answers as `total`; remembered, as a version never changes. */
  total(statement: Statement): Promise<number>;
  /** Its units, by their numbers. */
  readonly units: Pick<RowFile, 'has' | 'read'>;
  connections(): Connections;
  close(): void;
}

/** How the connections of a version stand. */
export interface Connections {
  readonly busy: number;
  readonly idle: number;
  /** Statements that wait for one. */
  readonly waiting: number;
}

/** Is told what versions are asked. */
export interface VersionMeter {
  /** `exhausted`: it needed more time or memory than it may take. */
  statementEnded(outcome: 'done' | 'exhausted' | 'failed', seconds: number): void;
  unitsRead(count: number): void;
}

export interface QueryLimits {
  readonly threads: number;
  readonly memoryMb: number;
}

/** Node runs native work on four threads by default; more connections than that would only wait there. */
const CONNECTIONS = 4;

/** A statement that runs longer is interrupted. */
const STATEMENT_MILLISECONDS = 30_000;

/** Totals that a version remembers. */
const TOTALS = 10_000;

/**
 * Opens the files of a version read-only; the engine is shut off from all other files and from the network.
 * @param path file of the database
 * @param rows file of the units
 */
export async function openVersion(
  path: string,
  rows: string,
  limits: QueryLimits,
  meter: VersionMeter,
): Promise<OpenVersion> {
  if (!existsSync(rows)) throw new Error(`There is no ${rows}: an older release built the version, build it again`);
  const units = openRowFile(rows);
  try {
    return await openTables(path, units, limits, meter);
  } catch (error) {
    units.close();
    throw error;
  }
}

async function openTables(
  path: string,
  units: RowFile,
  limits: QueryLimits,
  meter: VersionMeter,
): Promise<OpenVersion> {
  const instance = await DuckDBInstance.create(path, {
    access_mode: 'READ_ONLY',
    threads: String(limits.threads),
    memory_limit: `${limits.memoryMb}MB`,
    // A published version is never written to, not even beside: what does not fit into memory is refused.
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()));
    await connections[0]!.run('SET enable_external_access = false');
    await connections[0]!.run('SET lock_configuration = true');
    const pool = connectionPool(connections);
    const query: OpenVersion['query'] = (statement) => pool.use((connection) => run(connection, statement, meter));
    return {
      query,
      total: remembered(TOTALS, async (statement) => {
        const [row] = await query<{ total: number }>(statement);
        return row?.total ?? 0;
      }),
      units: {
        has: units.has,
        read(numbers, columns) {
          meter.unitsRead(numbers.length);
          return units.read(numbers, columns);
        },
      },
      connections: pool.state,
      close() {
        units.close();
        for (const connection of connections) connection.closeSync();
        instance.closeSync();
      },
    };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function run<Row>(connection: DuckDBConnection, statement: Statement, meter: VersionMeter): Promise<Row[]> {
  const began = performance.now();
  const ended = (outcome: Parameters<VersionMeter['statementEnded']>[0]) =>
    meter.statementEnded(outcome, (performance.now() - began) / 1000);
  const timer = setTimeout(() => connection.interrupt(), STATEMENT_MILLISECONDS);
  try {
    const rows = await rowsOf(await connection.run(inlined(statement)));
    ended('done');
    return rows as Row[];
  } catch (error) {
    ended(isExhaustion(error) ? 'exhausted' : 'failed');
    if (isExhaustion(error)) {
      const detail = 'The question needs more time or memory than one request may take';
      throw new Problem('SERVICE_UNAVAILABLE', detail, { retryAt: Date.now() + 30_000, cause: error });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The rows as objects. Column by column, as the engine has them: the client's own conversion asks each value for its type. */
async function rowsOf(result: DuckDBMaterializedResult): Promise<Record<string, unknown>[]> {
  const names = result.columnNames();
  const rows: Record<string, unknown>[] = [];
  for (const chunk of await result.fetchAllChunks()) {
    const vectors = names.map((_, column) => chunk.getColumnVector(column));
    for (let row = 0; row < chunk.rowCount; row++) {
      const values: Record<string, unknown> = {};
      for (const [column, name] of names.entries()) values[name] = plain(vectors[column]!.getItem(row));
      rows.push(values);
    }
  }
  return rows;
}

const plain = (value: DuckDBValue): unknown => (value instanceof DuckDBListValue ? value.items : value);

const isExhaustion = (error: unknown): boolean =>
  error instanceof Error && /^(Out of Memory|INTERRUPT) Error/i.test(error.message);

/** Lends connections; whoever finds none waits in line. */
function connectionPool(connections: readonly DuckDBConnection[]) {
  const idle = [...connections];
  const waiting: ((connection: DuckDBConnection) => void)[] = [];
  return {
    state: (): Connections => ({ busy: connections.length - idle.length, idle: idle.length, waiting: waiting.length }),
    async use<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
      const connection = idle.pop() ?? (await new Promise<DuckDBConnection>((resolve) => waiting.push(resolve)));
      try {
        return await work(connection);
      } finally {
        const next = waiting.shift();
        if (next === undefined) idle.push(connection);
        else next(connection);
      }
    },
  };
}

/** Answers statements that were asked before from memory; the one asked longest ago is forgotten first. */
function remembered(most: number, ask: (statement: Statement) => Promise<number>) {
  const known = new Map<string, number>();
  return async (statement: Statement): Promise<number> => {
    // A digest: a statement may carry thousands of numbers of units.
    const key = createHash('sha256').update(JSON.stringify(statement)).digest('base64url');
    const answer = known.get(key) ?? (await ask(statement));
    known.delete(key);
    known.set(key, answer);
    if (known.size > most) known.delete(known.keys().next().value!);
    return answer;
  };
}
