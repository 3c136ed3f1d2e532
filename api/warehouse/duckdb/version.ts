import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBListValue,
  type DuckDBMaterializedResult,
  type DuckDBValue,
} from '@duckdb/node-api';
import { duckdb, duckdbProjections } from '../../../sql/query/duckdb.ts';
import { withLiterals } from '../../../sql/query/inlined.ts';
import type { WarehouseStatement } from '../../../sql/query/statement.ts';
import { Damaged, VERSION_REMEDY } from '../../../sql/warehouse/damage.ts';
import { openRowFile, type RowFile } from '../../../sql/warehouse/rows/reader.ts';
import { Problem } from '../../problem/problem.ts';
import {
  type ConnectionGauges,
  type OpenVersion,
  type QueryLimits,
  STATEMENT_SECONDS,
  startTimer,
  totalCache,
  type UnitReader,
  type VersionMeter,
  type VersionReader,
} from '../version.ts';

/** Node runs native work on four threads by default; more connections than that would only wait there. */
const CONNECTIONS = 4;

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
  let damage: Damaged | null = null;
  const recordDamage = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const damaged = damageIn(error, path);
      if (damaged === null) throw error;
      damage ??= damaged;
      throw damaged;
    }
  };
  const instance = await recordDamage(() => openInstance(path, limits));
  try {
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()));
    await connections[0]!.run('SET enable_external_access = false');
    await connections[0]!.run('SET lock_configuration = true');
    const pool = connectionPool(connections);
    const query: VersionReader['query'] = (statement) =>
      recordDamage(() => pool.use((connection) => run(connection, statement, meter)));
    const totals = totalCache();
    const reading: VersionReader = {
      dialects: { units: duckdb, projections: duckdbProjections },
      query,
      total: (statement) => totals(statement, query),
      units: unitReader(units, meter, recordDamage),
    };
    return {
      reader: () => reading,
      connections: pool.state,
      damage: () => damage,
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

/** The row file is read at once: a page of it takes less time than a turn of the event loop. */
const unitReader = (file: RowFile, meter: VersionMeter, recordDamage: RecordDamage): UnitReader => ({
  existing: async (numbers) => new Set(numbers.filter(file.has)),
  async read(numbers, columns) {
    meter.unitsRead(numbers.length);
    return recordDamage(async () => file.read(numbers, columns));
  },
});

/** Does work, and remembers the damage that it meets. */
type RecordDamage = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Opens the tables. The engine is shut off from what it could fetch. */
const openInstance = (path: string, limits: QueryLimits): Promise<DuckDBInstance> =>
  DuckDBInstance.create(path, {
    access_mode: 'READ_ONLY',
    threads: String(limits.threads),
    memory_limit: `${limits.memoryMb}MB`,
    // A published version is never written to, not even beside: what does not fit into memory is refused.
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });

/** The damage that an error tells of: of the rows, or of the tables in the words of the engine; null for any other error. */
function damageIn(error: unknown, tables: string): Damaged | null {
  if (error instanceof Damaged) return error;
  if (!(error instanceof Error) || !CORRUPT.test(error.message)) return null;
  return new Damaged(tables, error.message.split('\n')[0] ?? '', VERSION_REMEDY, error);
}

const CORRUPT = /^(IO|Serialization|Fatal) Error|Corrupt|not a valid DuckDB database/i;

async function run<Row>(
  connection: DuckDBConnection,
  statement: WarehouseStatement,
  meter: VersionMeter,
): Promise<Row[]> {
  const ended = startTimer(meter);
  const timer = setTimeout(() => connection.interrupt(), STATEMENT_SECONDS * 1000);
  try {
    const rows = await rowsOf(await connection.run(withLiterals(statement)));
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
      for (const [column, name] of names.entries()) values[name] = plainValue(vectors[column]!.getItem(row));
      rows.push(values);
    }
  }
  return rows;
}

const plainValue = (value: DuckDBValue): unknown => (value instanceof DuckDBListValue ? value.items : value);

const isExhaustion = (error: unknown): boolean =>
  error instanceof Error && /^(Out of Memory|INTERRUPT) Error/i.test(error.message);

/** Lends connections; whoever finds none waits in line. */
function connectionPool(connections: readonly DuckDBConnection[]) {
  const idle = [...connections];
  const waiting: ((connection: DuckDBConnection) => void)[] = [];
  return {
    state: (): ConnectionGauges => ({
      busy: connections.length - idle.length,
      idle: idle.length,
      waiting: waiting.length,
    }),
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
