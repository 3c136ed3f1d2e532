import type { ClickHouseClient } from '@clickhouse/client';
import { LISTED_PROJECTIONS, PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { unpackedColumns } from '../../sql/warehouse/duckdb/projections.ts';
import { codedRows } from '../../sql/warehouse/duckdb/rows.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import type { TaskContext } from '../run/task-context.ts';
import { differences, type LocalSums, localSums } from './fingerprint.ts';
import { ServerFailed } from './retry-request.ts';
import { rollupDifferences } from './rollups.ts';
import type { LoadServer } from './server.ts';

/** Compares what a server holds of a version with what the engine of the build holds. */

interface ComparedTable {
  readonly table: string;
  /** The same rows in the engine, as a table expression. */
  readonly source: string;
}

/** Roll-ups that materialized views fill. */
const ROLLUPS = ['region_tage', 'bundesland_tage', 'deutschland_tage', 'deutschland_monate', 'aggregationen'];

/** Tables that are copied. @param copied with their select lists */
export const copiedTables = (
  copied: readonly { readonly table: string; readonly columns: string }[],
): ComparedTable[] => copied.map(({ table, columns }) => ({ table, source: `(SELECT ${columns} FROM ${table})` }));

/** The tables that views fill from units, whole. */
export function filledTables(): ComparedTable[] {
  // ClickHouse has all units in each, and a column for each of `units`; the engine has neither.
  const projected = `(SELECT ${unpackedColumns()} FROM units)`;
  const listed = `(SELECT ${unpackedColumns()}, liste AS zeile FROM units JOIN (${codedRows('liste')}) USING (nummer))`;
  return [
    ...Object.keys(PROJECTIONS).map((table) => ({ table, source: LISTED_PROJECTIONS.has(table) ? listed : projected })),
    { table: 'zeilen', source: `(${codedRows('liste', 'weitere')})` },
  ];
}

/**
 * The same by the numbers of their units alone, which shows whether each unit is there once: what else a row has, the server has taken
 * from `units`. Comparing whole rows takes more of both machines than loading them.
 */
export const viewTables = (): ComparedTable[] => [
  ...Object.keys(PROJECTIONS).map((table) => ({ table, source: '(SELECT nummer AS mastrNummer FROM units)' })),
  { table: 'zeilen', source: '(SELECT nummer FROM units)' },
];

interface Comparison {
  readonly database: string;
  readonly client: ClickHouseClient;
  readonly tables: readonly ComparedTable[];
  /** `local`: the engine has the roll-ups, too; `recounted`: they are compared with a recount of the units alone. */
  readonly rollups: 'local' | 'recounted';
}

interface Compared {
  readonly server: LoadServer;
  readonly engine: WarehouseConnection;
  readonly version: string;
  readonly task: TaskContext;
}

/** @throws ServerFailed naming every figure that differs */
export async function compareTables(
  { server, engine, version, task }: Compared,
  { database, client, tables, rollups }: Comparison,
): Promise<void> {
  task.progress.stage('ClickHouse: check', tables.length + ROLLUPS.length, 'tables');
  const faults: string[] = [];
  const summed = new Map<string, LocalSums>();
  const check = async (findDifferences: () => Promise<string[]>) => {
    faults.push(...(await server.retryPersistently(findDifferences, task)));
    task.progress.advance(1);
  };
  const asked: Promise<void>[] = [];
  const checkTables = async () => {
    for (const { table, source } of tables) {
      const local = summed.get(source) ?? (await localSums(engine, source));
      summed.set(source, local);
      // The server sums up while the engine does so for the next table.
      const answer = check(() => differences(local, client, table));
      // Its failure is thrown below, once the engine has ended its sums.
      answer.catch(() => {});
      asked.push(answer);
    }
    await Promise.all(asked);
  };
  const checkRollups = async () => {
    const local = rollups === 'local' ? engine : null;
    for (const table of ROLLUPS) await check(() => rollupDifferences(local, client, database, table));
  };
  await Promise.all([checkTables(), checkRollups()]);
  if (faults.length === 0) return;
  throw new ServerFailed(
    `${server.name} does not hold what ${version} holds, so it was not published; what was served is still served:\n` +
      faults.map((fault) => `  ${fault}`).join('\n'),
  );
}
