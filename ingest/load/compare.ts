import type { ClickHouseClient } from '@clickhouse/client';
import pLimit from 'p-limit';
import { IS_CONSPICUOUS } from '../../sql/catalogue/anomalies.ts';
import { OF_SPACE, PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { CONSPICUOUS_UNITS } from '../../sql/query/conspicuous.ts';
import { LOCATIONS } from '../../sql/query/neighbours.ts';
import { duckdbMastrBits } from '../../sql/register/mastr-number.ts';
import { LISTED_TEXTS } from '../../sql/warehouse/clickhouse/listed-texts.ts';
import { ROLLUPS } from '../../sql/warehouse/clickhouse/recount.ts';
import { coordinateColumns, unpackedColumns } from '../../sql/warehouse/duckdb/projections.ts';
import { codedRows } from '../../sql/warehouse/duckdb/rows.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import type { TaskContext } from '../run/task-context.ts';
import { differences, type Figures, figuresOf } from './fingerprint.ts';
import { ServerFailed } from './retry-request.ts';
import { recountDifferences, rollupDifferences } from './rollups.ts';
import type { LoadServer } from './server.ts';

/** Compares what a server holds of a version with what the engine of the build holds. */

interface ComparedTable {
  readonly table: string;
  /** The same rows in the engine, as a table expression. */
  readonly source: string;
}

/** Tables that are copied. @param copied with their select lists */
export const copiedTables = (
  copied: readonly { readonly table: string; readonly columns: string }[],
): ComparedTable[] =>
  copied.map(({ table, columns }) => ({
    table,
    // The hash of a record tells its table, too.
    source: `(SELECT ${table === 'saetze' ? '* EXCLUDE (tabelle)' : columns} FROM ${table})`,
  }));

/** The tables that views fill from units, whole. */
export function filledTables(): ComparedTable[] {
  // ClickHouse has all units in each, and a column for each of `units`; the engine has neither.
  const projected = `(SELECT ${unpackedColumns()} FROM units)`;
  const withText = (text: string) =>
    `(SELECT ${unpackedColumns()}, ${text} AS zeile FROM units JOIN (${codedRows('liste')}) USING (nummer))`;
  const placed = `(SELECT ${[unpackedColumns(), ...coordinateColumns()].join(', ')} FROM units)`;
  const source = (table: string): string => {
    if (table === OF_SPACE) return placed;
    const listed = LISTED_TEXTS.get(table);
    if (listed === undefined) return projected;
    return withText(listed === null ? 'liste' : `CASE WHEN ${listed} IS NULL THEN '' ELSE liste END`);
  };
  return [
    ...Object.keys(PROJECTIONS).map((table) => ({ table, source: source(table) })),
    {
      table: CONSPICUOUS_UNITS,
      source: `(SELECT ${[unpackedColumns(), ...coordinateColumns()].join(', ')}, region FROM units WHERE ${IS_CONSPICUOUS})`,
    },
    {
      table: LOCATIONS,
      source: `(SELECT ${duckdbMastrBits('lokationMastrNummer')} AS lokation, nummer FROM units WHERE lokationMastrNummer IS NOT NULL)`,
    },
    { table: 'zeilen', source: `(${codedRows('liste', 'weitere')})` },
  ];
}

/** The check of a version: comparisons, each of which begins as soon as what it compares is complete in both places. */
export interface Check {
  /**
   * Asks the server, once it is ready and has answered what it was asked before.
   * @param findDifferences returns one sentence for each difference
   */
  begin(findDifferences: () => Promise<string[]>, ready?: Promise<void>): void;
  /** @throws ServerFailed naming every figure that differs */
  end(): Promise<void>;
}

interface Checked {
  readonly server: LoadServer;
  readonly version: string;
  readonly task: TaskContext;
}

export function openCheck({ server, version, task }: Checked): Check {
  const limit = pLimit(1);
  const failed = new AbortController();
  const begun: Promise<string[]>[] = [];
  return {
    begin(findDifferences, ready = Promise.resolve()) {
      const answer = ready.then(() =>
        limit(async () => {
          failed.signal.throwIfAborted();
          return server.retryPersistently(findDifferences, task);
        }),
      );
      // Its failure is thrown in the end; nothing is asked after it.
      answer.catch((error: unknown) => failed.abort(error));
      begun.push(answer);
    },
    async end() {
      const faults = (await Promise.all(begun)).flat();
      if (faults.length === 0) return;
      throw new ServerFailed(
        `${server.name} does not hold what ${version} holds, so it was not published; what was served is still served:\n` +
          faults.map((fault) => `  ${fault}`).join('\n'),
      );
    },
  };
}

interface Comparison {
  readonly database: string;
  readonly client: ClickHouseClient;
  readonly tables: readonly ComparedTable[];
}

/**
 * Compares a whole version with its file, which has the roll-ups, too.
 * @throws ServerFailed naming every figure that differs
 */
export async function compareTables(
  { engine, ...checked }: Checked & { readonly engine: WarehouseConnection },
  { database, client, tables }: Comparison,
): Promise<void> {
  const { progress } = checked.task;
  progress.stage('ClickHouse: check', tables.length + ROLLUPS.length + 1, 'tables');
  const check = openCheck(checked);
  const begin = (findDifferences: () => Promise<string[]>) =>
    check.begin(async () => {
      const found = await findDifferences();
      progress.advance(1);
      return found;
    });
  begin(() => recountDifferences(client));
  for (const table of ROLLUPS) begin(() => rollupDifferences(engine, client, database, table));
  const summed = new Map<string, Figures>();
  for (const { table, source } of tables) {
    const figures = summed.get(source) ?? (await figuresOf(engine, source));
    summed.set(source, figures);
    // The server sums up while the engine does so for the next table.
    begin(() => differences({ engine, source, figures }, client, table));
  }
  await check.end();
}
