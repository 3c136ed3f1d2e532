import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { CONSPICUOUS_UNITS } from '../../sql/query/conspicuous.ts';
import { LOCATIONS } from '../../sql/query/neighbours.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { ROLLUPS } from '../../sql/warehouse/clickhouse/recount.ts';
import { CLONED_TABLES, subtractions, tableOfWork } from '../../sql/warehouse/clickhouse/schema.ts';
import { createTables } from '../load/load.ts';
import type { LoadServer } from '../load/server.ts';
import type { TaskContext } from '../run/task-context.ts';
import { ONE_PART } from './blocks.ts';
import { letMerge } from './merges.ts';

/** The statements by which a night replaces rows in tables that begin as those of the version before. */

/** The numbers in the table `betroffen` of the rows that a table has replaced. */
const affectedIn = (table: string): string => `(SELECT nummer FROM betroffen WHERE tabelle = '${table}')`;

const OF_UNITS = affectedIn('units');

/** The condition by which each table finds the rows that are replaced. */
export const REPLACED_ROWS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['units', 'zeilen', LOCATIONS, 'units_departed'].map((table) => [table, `nummer IN ${OF_UNITS}`]),
  ),
  ...Object.fromEntries(
    [...Object.keys(PROJECTIONS), CONSPICUOUS_UNITS].map((table) => [table, `mastrNummer IN ${OF_UNITS}`]),
  ),
  foerderung: `eeg IN ${affectedIn('foerderung')}`,
  saetze: `(tabelle, nummer) IN (SELECT substring(tabelle, 8), nummer FROM betroffen WHERE startsWith(tabelle, 'saetze/'))`,
};

interface Begun {
  readonly client: ClickHouseClient;
  readonly database: string;
  /** The database of the version before. */
  readonly from: string;
}

/**
 * Creates the tables of a version anew, of which some begin as those of the version before: the server links their files. What views
 * fill is cloned as well, as they see inserted rows alone.
 */
export async function beginAsEarlier(
  { server, task }: { readonly server: LoadServer; readonly task: TaskContext },
  { client, database, from }: Begun,
): Promise<void> {
  const run = (query: string) => server.retryPersistently(() => client.command({ query }), task);
  task.progress.stage('ClickHouse: tables', CLONED_TABLES.length, 'tables');
  await server.retryPersistently(() => createTables({ server, task }, database, client, 'in a night'), task);
  for (const name of ['carried', 'affected'] as const) await run(tableOfWork(name, server.placement));
  await letMerge(server, database, 'STOP', task);
  // Without merging, the server removes no rows either.
  await letMerge(server, database, 'START', task, CLONED_TABLES);
  const filled = await server.retryPersistently(
    () =>
      queryRows(
        client,
        z.strictObject({ name: z.string() }),
        'SELECT DISTINCT table AS name FROM system.parts WHERE database = {from:String} AND active',
        { from },
      ),
    task,
  );
  const names = new Set(filled.map(({ name }) => name));
  for (const table of CLONED_TABLES) {
    // In place of what is there, so that it does no harm when it is asked for again.
    if (names.has(table)) await run(`ALTER TABLE ${table} REPLACE PARTITION tuple() FROM ${from}.${table}`);
    task.progress.advance(1);
  }
  // It has nothing to do yet, but it tells whether the user may.
  await run(`OPTIMIZE TABLE ${ROLLUPS[0]}`);
}

interface ReplacementOptions {
  readonly server: LoadServer;
  readonly client: ClickHouseClient;
  readonly version: string;
  /** The database of the version before. */
  readonly from: string;
  readonly task: TaskContext;
}

/** Removes rows from cloned tables. Each step is done again where its answer was lost. */
export function openReplacement({ server, client, version, from, task }: ReplacementOptions) {
  const run = (query: string, token?: string) => {
    const settings = token === undefined ? {} : { ...ONE_PART, insert_deduplication_token: `${version}/${token}` };
    return server.retryPersistently(() => client.command({ query, clickhouse_settings: settings }), task);
  };
  return {
    /** The statement that makes the table `betroffen` in the engine. */
    rows: `CREATE TEMP TABLE betroffen AS
SELECT 'units' AS tabelle, nummer FROM affected
UNION ALL SELECT 'foerderung', eeg FROM affected_plants
UNION ALL SELECT 'saetze/' || tabelle, nummer FROM changed`,
    /** Takes the former rows off the sums, and removes them. */
    async remove(): Promise<void> {
      const tables = Object.entries(REPLACED_ROWS);
      task.progress.stage('ClickHouse: removing rows', tables.length, 'tables');
      for (const [table, query] of subtractions(`(SELECT * FROM ${from}.units WHERE nummer IN ${OF_UNITS})`))
        await run(query, `${table}/former`);
      for (const [table, condition] of tables) {
        await run(`DELETE FROM ${table} WHERE ${condition}`);
        task.progress.advance(1);
      }
    },
    /** Adds up the rows of each sum: no group is left of which all units are gone. */
    async sumUp(): Promise<void> {
      for (const table of ROLLUPS) await run(`OPTIMIZE TABLE ${table} FINAL`);
    },
    async end(): Promise<void> {
      for (const table of ['betroffen', 'uebernommen']) await run(`DROP TABLE IF EXISTS ${table} SYNC`);
    },
  };
}

/** Compares the numbers and contents of the units that stayed with those of the version before. @returns one sentence for a difference */
export async function unchangedDifferences(client: ClickHouseClient, from: string): Promise<string[]> {
  const rest = (units: string) =>
    `SELECT toString(count()) AS n, toString(sum(cityHash64(nummer, inhalt, inhaltSeit))) AS digest FROM ${units} WHERE nummer NOT IN ${OF_UNITS}`;
  const row = z.strictObject({ n: z.string(), digest: z.string() });
  const [here] = await queryRows(client, row, rest('units'));
  const [before] = await queryRows(client, row, rest(`${from}.units`));
  return here?.n === before?.n && here?.digest === before?.digest
    ? []
    : [`units: ${here?.n} have stayed, and ${before?.n} of the version before should have`];
}
