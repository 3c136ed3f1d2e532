import { createHash } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { OF_SPACE } from '../../sql/catalogue/projections.ts';
import { UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import type { Dialects } from '../../sql/query/dialect.ts';
import { SUMMED_ENERGY, withoutEnergy } from '../../sql/query/energy.ts';
import { REASON, withoutReasons } from '../../sql/query/history.ts';
import { NET_CAPACITY, withoutNetCapacity } from '../../sql/query/net-capacity.ts';
import { withoutList } from '../../sql/query/per-place.ts';
import { withoutPlaces } from '../../sql/query/places.ts';
import { withoutSpace } from '../../sql/query/space.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import type { Damaged } from '../../sql/warehouse/damage.ts';
import type { OrderedPage, UnitOrders } from '../../sql/warehouse/orders/reader.ts';
import type { RegionDays } from '../../sql/warehouse/regions/reader.ts';
import type { UnitPlaces } from '../../sql/warehouse/rows/reader.ts';
import type { UnitTexts } from '../../sql/warehouse/rows/texts.ts';
import type { Names } from '../../sql/warehouse/search/names.ts';
import type { SearchIndex } from '../../sql/warehouse/search/reader.ts';
import { Problem } from '../problem/problem.ts';

/** One dataset version, opened for reading; duckdb/ and clickhouse/ implement it. */
export interface OpenVersion {
  /** Returns a reader whose statements carry the tag, as far as the engine records one. */
  reader(tag: QueryTag): VersionReader;
  connections(): ConnectionGauges;
  /** The first damage of its files that a request has met; null while there was none. */
  damage(): Damaged | null;
  close(): void;
}

/** A version that is read beside the served one: no request waits for its statements, which run one at a time. */
export interface VersionBeside extends Pick<VersionReader, 'dialects' | 'query' | 'tables'> {
  close(): void;
}

/** The call on whose behalf a statement runs. */
export interface QueryTag {
  /** Id of the operation. */
  readonly operation: string;
  readonly request: string | null;
  /** Trace of the caller (W3C); null when there is none. */
  readonly trace: string | null;
}

export interface VersionReader {
  /** Statements are written in these. */
  readonly dialects: Dialects;
  /**
   * Runs a statement and returns its rows as objects named after the columns, each checked against the shape. The
   * SELECT casts every column to VARCHAR, DOUBLE, INTEGER, BOOLEAN or VARCHAR[].
   * @throws Problem SERVICE_UNAVAILABLE when the statement needs more time or memory than it may take, or the engine
   *   does not answer
   */
  query<Row>(shape: z.ZodType<Row>, statement: WarehouseStatement): Promise<Row[]>;
  /** The same as `query`, for few rows that are asked for often: they are kept, as a version never changes. */
  kept<Row>(shape: z.ZodType<Row>, statement: WarehouseStatement): Promise<readonly Row[]>;
  /** Returns the one number that a statement answers as `total`, which is kept too. */
  total(statement: WarehouseStatement): Promise<number>;
  readonly units: UnitReader;
  /** Null for a version without a search index, which is searched by statements. */
  readonly search: TextSearch | null;
  /** Null for a version without a file of the orders of units, whose pages are found by statements. */
  readonly orders: OrdersReader | null;
  /** Null for a version without a file of the days of regions, which are read by statements. */
  readonly regionDays: DaysReader | null;
  /** The tables of the version: one that an earlier release built lacks those that were added since. */
  readonly tables: ReadonlySet<string>;
}

/** Reads units by their MaStR numbers. */
export interface UnitReader {
  /** Returns those of the numbers that are units of the version, in their order. */
  existing(numbers: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Reads units in the order of their numbers; null for one that is not there.
   * @param columns taken from each row
   */
  read(numbers: readonly string[], columns: ReadonlySet<string>): Promise<(UnitTexts | null)[]>;
  /** Null for a version whose tables have no texts of units. */
  readonly listed: ListedTexts | null;
}

/** Texts of units, `zeile`, in the tables that pages are found in. */
export interface ListedTexts {
  readonly tables: ReadonlySet<string>;
  has(columns: ReadonlySet<string>): boolean;
  textsOf(row: string): UnitTexts;
}

/** Finds units and market actors by their texts, without a statement. */
export interface TextSearch extends Pick<SearchIndex, 'unitsWith' | 'unitNames' | 'actors'> {
  /** The units in the order of their numbers, by which sets of them are made. */
  readonly places: UnitPlaces;
}

/** Finds pages of units, and counts units, without a statement. */
export interface OrdersReader extends Pick<UnitOrders, 'count' | 'counts' | 'kinds' | 'units'> {
  page(page: OrderedPage): Promise<string[] | null>;
}

/** Reads the days of regions without a statement. */
export type DaysReader = Pick<RegionDays, 'read' | 'withPostcode'>;

export interface ConnectionGauges {
  readonly busy: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** Counts the statements and units that are read of versions. */
export interface VersionMeter {
  /** `exhausted`: it needed more time or memory than it may take. */
  statementEnded(outcome: 'done' | 'exhausted' | 'failed', seconds: number): void;
  unitsRead(count: number): void;
}

/** Starts the timer of a statement. @returns a function that stops it with the outcome */
export function startTimer(meter: VersionMeter): (outcome: Parameters<VersionMeter['statementEnded']>[0]) => void {
  const began = performance.now();
  return (outcome) => meter.statementEnded(outcome, (performance.now() - began) / 1000);
}

/** A version cannot answer this statement, whereas it answers others. */
export class Unanswerable extends Problem {}

/** @returns the answer to a statement that needs more time or memory than it may take */
export const tooCostly = (cause: unknown): Unanswerable =>
  new Unanswerable('SERVICE_UNAVAILABLE', 'The question needs more time or memory than one request may take', {
    retryAt: Date.now() + 30_000,
    cause,
  });

/**
 * Returns the answer to a statement that named a column which the version does not have: a version that an earlier release
 * built lacks the columns added since, and in any other the statement is wrong.
 * @param columns of its table `units`
 */
export function columnMissing(error: unknown, columns: ReadonlySet<string>): unknown {
  if (UNIT_COLUMN_NAMES.every((name) => columns.has(name))) return error;
  const detail =
    'The dataset version that is served was built by an earlier release and lacks values that this request asks for; ' +
    'the next build brings them (`npm run ingest -- rebuild` at once)';
  return new Unanswerable('SERVICE_UNAVAILABLE', detail, { retryAt: Date.now() + 600_000, cause: error });
}

/**
 * The dialects of a version, which an earlier release may have built.
 * @param columns of its table `units`
 * @param replaced those of its former rows
 * @param projected columns of its projections
 */
export function dialectsOf(
  dialects: Dialects,
  {
    tables,
    columns,
    replaced,
    projected,
  }: Readonly<Record<'columns' | 'projected' | 'replaced' | 'tables', ReadonlySet<string>>>,
): Dialects {
  const listed = tables.has('orte') ? dialects : withoutList(dialects);
  const placed = tables.has('gebiete') ? listed : withoutPlaces(listed);
  const summed = columns.has(SUMMED_ENERGY) ? placed : withoutEnergy(placed);
  const net = projected.has(NET_CAPACITY) ? summed : withoutNetCapacity(summed);
  const told = replaced.has(REASON) ? net : withoutReasons(net);
  return tables.has(OF_SPACE) ? told : withoutSpace(told);
}

export interface QueryLimits {
  /** Of one statement; null = as many as the engine takes by itself. */
  readonly threads: number | null;
  readonly memoryMb: number;
}

/** Limits of a version that is read beside the served one, of which a comparison opens two. */
export const limitsBeside = ({ memoryMb }: QueryLimits): QueryLimits => ({
  threads: 1,
  memoryMb: Math.min(memoryMb, MEMORY_BESIDE_MB),
});

const MEMORY_BESIDE_MB = 48;

/** A statement that runs longer is cancelled. */
export const STATEMENT_SECONDS = 30;

/** Rows that are checked before other work gets its turn: some milliseconds. */
const ROWS_AT_ONCE = 2048;

/**
 * Checks the rows of a statement: a page of 250 takes 0.04 ms, so it is always done.
 * @throws Error when a row does not have the shape: statement and shape then disagree, which is a bug
 */
export async function checkedRows<Row>(
  shape: z.ZodType<Row>,
  rows: readonly unknown[],
  { text }: WarehouseStatement,
): Promise<Row[]> {
  const checked: Row[] = [];
  for (const row of rows) {
    const { data, error } = shape.safeParse(row);
    if (error !== undefined) {
      throw new Error(`A row of the warehouse does not have the expected shape: ${error.message}\n${text}`);
    }
    checked.push(data as Row);
    if (checked.length % ROWS_AT_ONCE === 0) await othersTurn();
  }
  return checked;
}

/** Rows of statements that a version keeps in memory; small ones of which 10,000 take a megabyte. */
const MOST_KEPT_ROWS = 50_000;

const totalRow = z.strictObject({ total: z.number() });

/**
 * Adds to the reader of a version what it keeps. The rows of the statement that was read longest ago are dropped first;
 * who asks for a statement that is under way waits for it.
 */
export function keptRows() {
  const kept = new LRUCache<string, readonly unknown[]>({
    maxSize: MOST_KEPT_ROWS,
    sizeCalculation: (rows) => rows.length + 1,
  });
  const underway = new Map<string, Promise<readonly unknown[]>>();
  return (query: VersionReader['query']): Pick<VersionReader, 'kept' | 'total'> => {
    const keptOf: VersionReader['kept'] = async <Row>(shape: z.ZodType<Row>, statement: WarehouseStatement) => {
      // The key is a digest, because a statement may carry thousands of numbers of units.
      const key = createHash('sha256').update(JSON.stringify(statement)).digest('base64url');
      const known = kept.get(key) ?? underway.get(key);
      // Equal statements are read in one shape.
      if (known !== undefined) return known as readonly Row[] | Promise<readonly Row[]>;
      const reading = query(shape, statement);
      underway.set(key, reading);
      try {
        const rows = await reading;
        kept.set(key, rows);
        return rows;
      } finally {
        underway.delete(key);
      }
    };
    return {
      kept: keptOf,
      total: async (statement) => (await keptOf(totalRow, statement))[0]?.total ?? 0,
    };
  };
}

/** The time for which a request has waited for the engine. */
export interface EngineTime {
  /** Milliseconds in which at least one piece of its work was under way there. */
  ms: number;
}

/** Adds to `time` what the calls of the reader take; calls at the same time count once. */
export function timedReader(reader: VersionReader, time: EngineTime): VersionReader {
  let running = 0;
  let began = 0;
  const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running++ === 0) began = performance.now();
    try {
      return await work();
    } finally {
      if (--running === 0) time.ms += performance.now() - began;
    }
  };
  const { dialects, tables, units, search, orders, regionDays } = reader;
  const timedNames = ({ find, records }: Names): Names => ({
    find: (request) => timed(() => find(request)),
    records: (found) => timed(() => records(found)),
  });
  return {
    dialects,
    tables,
    query: (shape, statement) => timed(() => reader.query(shape, statement)),
    kept: (shape, statement) => timed(() => reader.kept(shape, statement)),
    total: (statement) => timed(() => reader.total(statement)),
    units: {
      listed: units.listed,
      existing: (numbers) => timed(() => units.existing(numbers)),
      read: (numbers, columns) => timed(() => units.read(numbers, columns)),
    },
    search:
      search === null
        ? null
        : {
            places: search.places,
            unitsWith: (word) => timed(() => search.unitsWith(word)),
            unitNames: timedNames(search.unitNames),
            actors: timedNames(search.actors),
          },
    orders: orders === null ? null : { ...orders, page: (page) => timed(() => orders.page(page)) },
    regionDays:
      regionDays === null
        ? null
        : {
            withPostcode: regionDays.withPostcode,
            read: (regions, takes) => timed(() => regionDays.read(regions, takes)),
          },
  };
}
