import { createHash } from 'node:crypto';
import type { Dialects } from '../../sql/query/dialect.ts';
import type { WarehouseStatement } from '../../sql/query/statement.ts';
import type { Damaged } from '../../sql/warehouse/damage.ts';
import type { UnitTexts } from '../../sql/warehouse/rows/reader.ts';

/** One dataset version, opened for reading; which engine holds it stands in duckdb/ and clickhouse/. */
export interface OpenVersion {
  /** The version in the hands of somebody whose name its statements carry, where the engine keeps such names. */
  reader(tag: QueryTag): VersionReader;
  connections(): ConnectionGauges;
  /** The first damage of its files that a request has met; null while there was none. */
  damage(): Damaged | null;
  close(): void;
}

/** On whose behalf a statement runs. */
export interface QueryTag {
  /** Id of the operation. */
  readonly operation: string;
  readonly request: string | null;
}

export interface VersionReader {
  /** What statements are written in. */
  readonly dialects: Dialects;
  /**
   * Runs a statement and returns its rows as objects named after the columns. `Row` is what the statement's SELECT
   * promises: every column cast to VARCHAR, DOUBLE, INTEGER, BOOLEAN or VARCHAR[].
   * @throws Problem SERVICE_UNAVAILABLE when the statement needs more time or memory than it may take, or the engine
   *   does not answer
   */
  query<Row>(statement: WarehouseStatement): Promise<Row[]>;
  /** The one number that a statement answers as `total`; remembered, as a version never changes. */
  total(statement: WarehouseStatement): Promise<number>;
  /** Its units, by their numbers. */
  readonly units: UnitReader;
}

export interface UnitReader {
  /** Those of these MaStR numbers that are units of the version, in the order asked for. */
  existing(numbers: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Units by their MaStR numbers, in the order asked for; null for one that is not there.
   * @param columns those that are wanted
   */
  read(numbers: readonly string[], columns: ReadonlySet<string>): Promise<(UnitTexts | null)[]>;
}

/** How the connections of a version stand. */
export interface ConnectionGauges {
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

/** Begins a statement. @returns what is called when it has ended */
export function startTimer(meter: VersionMeter): (outcome: Parameters<VersionMeter['statementEnded']>[0]) => void {
  const began = performance.now();
  return (outcome) => meter.statementEnded(outcome, (performance.now() - began) / 1000);
}

export interface QueryLimits {
  readonly threads: number;
  readonly memoryMb: number;
}

/** A statement that runs longer is ended. */
export const STATEMENT_SECONDS = 30;

/** Totals that a version remembers. */
const MAX_CACHED_TOTALS = 10_000;

/** Answers statements that were asked before from memory; the one asked longest ago is forgotten first. */
export function totalCache() {
  const known = new Map<string, number>();
  return async (statement: WarehouseStatement, query: VersionReader['query']): Promise<number> => {
    // A digest: a statement may carry thousands of numbers of units.
    const key = createHash('sha256').update(JSON.stringify(statement)).digest('base64url');
    const answer = known.get(key) ?? (await query<{ total: number }>(statement))[0]?.total ?? 0;
    known.delete(key);
    known.set(key, answer);
    if (known.size > MAX_CACHED_TOTALS) known.delete(known.keys().next().value!);
    return answer;
  };
}
