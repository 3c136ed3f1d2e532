import { setImmediate as othersTurn } from 'node:timers/promises';
import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBListValue,
  type DuckDBMaterializedResult,
  type DuckDBValue,
} from '@duckdb/node-api';
import pLimit from 'p-limit';
import { z } from 'zod';
import { duckdb, duckdbProjectionsWith } from '../../../sql/query/duckdb.ts';
import { type WarehouseStatement, withLiterals } from '../../../sql/query/statement.ts';
import { Damaged, VERSION_REMEDY } from '../../../sql/warehouse/damage.ts';
import { openOrders, type UnitOrders } from '../../../sql/warehouse/orders/reader.ts';
import { openRegionDays, type RegionDays } from '../../../sql/warehouse/regions/reader.ts';
import { openRowFile, type RowFile } from '../../../sql/warehouse/rows/reader.ts';
import type { Names } from '../../../sql/warehouse/search/names.ts';
import { openSearchIndex, type SearchIndex } from '../../../sql/warehouse/search/reader.ts';
import {
  type ConnectionGauges,
  checkedRows,
  columnMissing,
  type DaysReader,
  dialectsOf,
  keptRows,
  type OpenVersion,
  type OrdersReader,
  type QueryLimits,
  STATEMENT_SECONDS,
  startTimer,
  type TextSearch,
  tooCostly,
  type UnitReader,
  type VersionBeside,
  type VersionMeter,
  type VersionReader,
} from '../version.ts';

const TABLES = { text: 'SELECT table_name AS name FROM duckdb_tables()', values: {} };

const columnsOf = (table: string) => ({
  text: `SELECT column_name AS name FROM duckdb_columns() WHERE table_name = '${table}'`,
  values: {},
});

const nameRow = z.strictObject({ name: z.string() });

/** Node runs native work on four threads by default; more connections than that would only wait there. */
const CONNECTIONS = 4;

/** The files of a version. */
export interface VersionFiles {
  /** The database. */
  readonly tables: string;
  readonly rows: string;
  /** The search index; null in a version of an earlier release. */
  readonly search: string | null;
  /** The orders of units; null in a version of an earlier release. */
  readonly orders: string | null;
  /** The days of regions; null in a version of an earlier release. */
  readonly regionDays: string | null;
}

/** Opens the files of a version read-only; the engine is shut off from all other files and from the network. */
export async function openDuckdbVersion(
  files: VersionFiles,
  limits: QueryLimits,
  meter: VersionMeter,
): Promise<OpenVersion> {
  const file = openRowFile(files.rows);
  let index: SearchIndex | null = null;
  let orders: UnitOrders | null = null;
  let days: RegionDays | null = null;
  const closeFiles = (): void => {
    for (const one of [file, index, orders, days]) one?.close();
  };
  try {
    index = files.search === null ? null : openSearchIndex(files.search, file.units);
    orders = files.orders === null ? null : openOrders(files.orders, file.places);
    days = files.regionDays === null ? null : openRegionDays(files.regionDays);
    const opened = await openDuckdbTables(files.tables, limits, meter, CONNECTIONS);
    const { close, gauges, recordDamage, damage, ...tables } = opened;
    const reader: VersionReader = {
      ...tables,
      ...keptRows()(tables.query),
      units: unitReader(file, meter, recordDamage),
      search: index === null ? null : textSearch(index, file, recordDamage),
      orders: orders === null ? null : ordersReader(orders, recordDamage),
      regionDays: days === null ? null : daysReader(days, recordDamage),
    };
    return {
      reader: () => reader,
      connections: gauges,
      damage,
      close() {
        closeFiles();
        close();
      },
    };
  } catch (error) {
    closeFiles();
    throw error;
  }
}

/** The tables of a version alone. */
interface DuckdbTables extends VersionBeside {
  gauges(): ConnectionGauges;
  readonly recordDamage: RecordDamage;
  damage(): Damaged | null;
}

/** Where groups are counted, the search for equal parts of a statement takes half of the time of all optimizers. */
const COSTLY_OPTIMIZERS = 'common_subplan';

/** Opens the database of a version read-only. @param count connections, each for one statement at a time */
export async function openDuckdbTables(
  path: string,
  limits: QueryLimits,
  meter: VersionMeter,
  count: number,
): Promise<DuckdbTables> {
  let damage: Damaged | null = null;
  const recordDamage: RecordDamage = async (work) => {
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
    const first = await instance.connect();
    // These settings hold for the whole instance.
    await first.run('SET enable_external_access = false');
    await first.run(`SET disabled_optimizers = '${COSTLY_OPTIMIZERS}'`);
    await first.run('SET lock_configuration = true');
    const others = await Promise.all(Array.from({ length: count - 1 }, () => instance.connect()));
    const connections = [first, ...others];
    const pool = connectionPool(connections);
    const tables = new Set<string>();
    const columns = new Set<string>();
    const query: VersionReader['query'] = async (shape, statement) => {
      try {
        const rows = await recordDamage(() => pool.use((connection) => run(connection, statement, meter)));
        return await checkedRows(shape, rows, statement);
      } catch (error) {
        throw isUnknownColumn(error) ? columnMissing(error, columns) : error;
      }
    };
    for (const { name } of await query(nameRow, TABLES)) tables.add(name);
    for (const { name } of await query(nameRow, columnsOf('units'))) columns.add(name);
    const namesIn = async (table: string) => new Set((await query(nameRow, columnsOf(table))).map(({ name }) => name));
    const [projected, replaced] = [await namesIn('units_by_number'), await namesIn('units_ersetzt')];
    const dialects = { units: duckdb, projections: duckdbProjectionsWith(projected) };
    return {
      tables,
      dialects: dialectsOf(dialects, { tables, columns, replaced, projected }),
      query,
      gauges: pool.gauges,
      recordDamage,
      damage: () => damage,
      close: () =>
        pool.whenIdle(() => {
          for (const connection of connections) connection.closeSync();
          instance.closeSync();
        }),
    };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** The row file is read synchronously: a page of it takes less time than a turn of the event loop. */
const unitReader = (file: RowFile, meter: VersionMeter, recordDamage: RecordDamage): UnitReader => ({
  listed: null,
  existing: async (numbers) => new Set(numbers.filter(file.has)),
  async read(numbers, columns) {
    meter.unitsRead(numbers.length);
    return recordDamage(async () => file.read(numbers, columns));
  },
});

const textSearch = (
  { unitsWith, unitNames, actors }: SearchIndex,
  { places }: RowFile,
  recordDamage: RecordDamage,
): TextSearch => {
  const recorded = ({ find, records }: Names): Names => ({
    find: (request) => recordDamage(() => find(request)),
    records: (found) => recordDamage(() => records(found)),
  });
  return {
    places,
    unitsWith: (word) => recordDamage(() => unitsWith(word)),
    unitNames: recorded(unitNames),
    actors: recorded(actors),
  };
};

const ordersReader = ({ units, kinds, counts, count, page }: UnitOrders, recordDamage: RecordDamage): OrdersReader => ({
  units,
  kinds,
  counts,
  count,
  page: (asked) => recordDamage(async () => page(asked)),
});

const daysReader = ({ withPostcode, read }: RegionDays, recordDamage: RecordDamage): DaysReader => ({
  withPostcode,
  read: (regions, takes) => recordDamage(() => read(regions, takes)),
});

/** Does work, and keeps the first damage that it meets. */
type RecordDamage = <Result>(work: () => Promise<Result>) => Promise<Result>;

const openInstance = (path: string, limits: QueryLimits): Promise<DuckDBInstance> =>
  DuckDBInstance.create(path, {
    access_mode: 'READ_ONLY',
    ...(limits.threads === null ? {} : { threads: String(limits.threads) }),
    memory_limit: `${limits.memoryMb}MB`,
    // Nothing is written beside a published version: a statement that does not fit into memory is refused.
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });

/** Returns the damage that an error reports, of the row file or of the tables; null for any other error. */
function damageIn(error: unknown, tables: string): Damaged | null {
  if (error instanceof Damaged) return error;
  if (!(error instanceof Error) || !CORRUPT.test(error.message)) return null;
  return new Damaged(tables, error.message.split('\n')[0] ?? '', VERSION_REMEDY, error);
}

/** DuckDB has no codes of errors, and takes the qualifier of a column that is missing for a missing table. */
const isUnknownColumn = (error: unknown): boolean =>
  error instanceof Error && /^Binder Error: .*(Referenced (column|table)|does not have a column)/.test(error.message);

const CORRUPT = /^(IO|Serialization|Fatal) Error|Corrupt|not a valid DuckDB database/i;

async function run(
  connection: DuckDBConnection,
  statement: WarehouseStatement,
  meter: VersionMeter,
): Promise<object[]> {
  const ended = startTimer(meter);
  const timer = setTimeout(() => connection.interrupt(), STATEMENT_SECONDS * 1000);
  try {
    const rows = await rowsOf(await connection.run(withLiterals(statement)));
    ended('done');
    return rows;
  } catch (error) {
    ended(isExhaustion(error) ? 'exhausted' : 'failed');
    throw isExhaustion(error) ? tooCostly(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads column by column, as the engine stores them: the client's own conversion looks up the type of each value. Other
 * work gets its turn between chunks, which have 2,048 rows.
 */
async function rowsOf(result: DuckDBMaterializedResult): Promise<object[]> {
  const names = result.columnNames();
  const rows: Record<string, unknown>[] = [];
  for (let place = 0; place < result.chunkCount; place++) {
    if (place > 0) await othersTurn();
    // What the statement has found is in memory: `fetchChunk` would have a thread bring each chunk, and the end.
    const chunk = result.getChunk(place);
    const columns = names.map((name, column) => ({ name, vector: chunk.getColumnVector(column) }));
    for (let row = 0; row < chunk.rowCount; row++) {
      const values: Record<string, unknown> = {};
      for (const { name, vector } of columns) values[name] = plainValue(vector.getItem(row));
      rows.push(values);
    }
  }
  return rows;
}

const plainValue = (value: DuckDBValue): unknown => (value instanceof DuckDBListValue ? value.items : value);

const isExhaustion = (error: unknown): boolean =>
  error instanceof Error && /^(Out of Memory|INTERRUPT) Error/i.test(error.message);

/** Runs as many statements at a time as there are connections; the others wait in line. */
function connectionPool(connections: readonly DuckDBConnection[]) {
  const limit = pLimit(connections.length);
  const idle = [...connections];
  let afterAll: (() => void) | null = null;
  const endIfIdle = (): void => {
    if (idle.length < connections.length || limit.pendingCount > 0) return;
    afterAll?.();
    afterAll = null;
  };
  return {
    gauges: (): ConnectionGauges => ({
      busy: limit.activeCount,
      idle: connections.length - limit.activeCount,
      waiting: limit.pendingCount,
    }),
    use: <Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> =>
      limit(async () => {
        const connection = idle.pop();
        if (connection === undefined) throw new Error('More statements run than there are connections');
        try {
          return await work(connection);
        } finally {
          idle.push(connection);
          endIfIdle();
        }
      }),
    /**
     * Does something once no statement runs: the engine blocks a thread of the process for ever where a connection is closed
     * while a statement runs on it, and a request that failed may have left one.
     */
    whenIdle(work: () => void): void {
      afterAll = work;
      endIfIdle();
    },
  };
}
