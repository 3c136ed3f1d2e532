import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COPIED_TABLES } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { duckdbUnitColumns } from '../../sql/warehouse/duckdb/columns.ts';
import { FromNothing, type NightDestination } from '../destination/destination.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import { copiedTables, openCheck } from '../load/compare.ts';
import { differences, figuresOf } from '../load/fingerprint.ts';
import { copyTable } from '../load/load.ts';
import { ServerFailed } from '../load/retry-request.ts';
import { recountDifferences } from '../load/rollups.ts';
import type { LoadServer } from '../load/server.ts';
import { numberDifferences } from '../load/unit-numbers.ts';
import type { TaskContext } from '../run/task-context.ts';
import { fillSmallTables } from './answers.ts';
import { openBlocks } from './blocks.ts';
import { CARRIED_COLUMNS, CARRIED_TABLES, carriedRows, carryRows } from './carried.ts';
import { attachEarlier } from './earlier.ts';
import { beginAsEarlier, openReplacement, REPLACED_ROWS, unchangedDifferences } from './replace.ts';
import { writeUnits } from './units.ts';

/** Makes a version on the server out of the one before: tables are cloned there, and the rows of affected units replaced. */

interface ServerNight {
  readonly server: LoadServer;
  readonly version: string;
  /** The version before. */
  readonly earlier: string;
  /** The database that is filled. */
  readonly database: string;
  readonly task: TaskContext;
  readonly has: (version: string) => Promise<boolean>;
}

/** Tables whose rows the engine has in part. */
const SENT_IN_PART = ['units', 'units_departed', 'units_ersetzt', 'foerderung', 'saetze', 'dataset'];

export async function beginNight({
  server,
  version,
  earlier,
  database,
  task: given,
  has,
}: ServerNight): Promise<NightDestination> {
  const ended = new AbortController();
  const signals = [ended.signal, ...(given.signal === undefined ? [] : [given.signal])];
  const task = { ...given, folder: join(given.folder, 'night'), signal: AbortSignal.any(signals) };
  const client = server.clientFor(database);
  const from = databaseOf(server.prefix, earlier);
  const blocks = openBlocks(server, client, version, task);
  const check = openCheck({ server, version, task });
  const replacement = openReplacement({ server, client, version, from, task });
  const load = (engine: WarehouseConnection) => ({ server, engine, version, task });
  const close = async () => {
    ended.abort(new Error('The night has ended before its blocks have arrived'));
    await client.close();
  };
  try {
    await mkdir(task.folder, { recursive: true });
    await beginAsEarlier({ server, task }, { client, database, from });
  } catch (error) {
    await close();
    throw error;
  }
  const compare = async (engine: WarehouseConnection, table: string, source: string, ready?: Promise<void>) => {
    const local = { engine, source, figures: await figuresOf(engine, source) };
    check.begin(() => differences(local, client, `${table} WHERE ${REPLACED_ROWS[table]}`), ready);
  };
  return {
    takeOver: 'a night is none to go on from',
    database: ':memory:',
    isAbsent: 'nummer IN (FROM absent_units)',
    has,
    attach: (engine, one, name) =>
      attachEarlier(engine, server, one, name, task, name === 'previous_version' ? 'night' : 'build'),
    carriedColumns: async () => CARRIED_COLUMNS,
    async prepare([engine]) {
      await engine?.run(CARRIED_TABLES);
      await engine?.run(`CREATE TABLE units (\n${duckdbUnitColumns()}\n)`);
    },
    leadSlice: (work) => work(),
    async addSlice(lane) {
      await lane.run('INSERT INTO units BY NAME FROM slice_units');
      return 0;
    },
    endSlices: async () => {},
    async openTables(engine) {
      await engine.run(warehouseSql('tables.sql'));
      await engine.run(CARRIED_TABLES);
    },
    async replaceUnits(engine) {
      const columns = [...(await columnsOf(engine, 'previous_version', 'units'))].filter((name) => name !== 'quelle');
      await engine.run(
        `CREATE VIEW units AS SELECT ${columns.join(', ')} FROM previous_version.units WHERE nummer NOT IN (FROM scratch.affected)
         UNION ALL SELECT ${columns.join(', ')} FROM scratch.present_units`,
      );
      await engine.run(
        `INSERT INTO verweise_ins_leere SELECT art, verweis, einheit FROM previous_version.verweise_ins_leere
         WHERE einheit NOT IN (FROM scratch.affected)`,
      );
      await engine.run(replacement.rows);
      await copyTable(load(engine), client, 'betroffen', '*');
      await replacement.remove();
      const { files } = await writeUnits(engine, 'present_units', join(task.folder, 'units'));
      for (const [block, file] of files.entries()) blocks.send({ table: 'units', block, file, after: 'remove' });
    },
    async fillAnswers({ warehouse, lanes, slices, progress }) {
      const replaced = blocks.arrived().then(() => replacement.sumUp());
      replaced.catch(() => {});
      await compare(warehouse, 'units', `(SELECT ${COPIED_TABLES.units} FROM present_units)`, replaced);
      check.begin(() => unchangedDifferences(client, from), replaced);
      check.begin(() => numberDifferences(client), replaced);
      check.begin(() => recountDifferences(client), replaced);
      // The others are those of the version before.
      await warehouse.run('CREATE OR REPLACE TABLE saetze AS FROM saetze SEMI JOIN changed USING (tabelle, nummer)');
      for (const table of ['foerderung', 'saetze'] as const) {
        await copyTable(load(warehouse), client, table, COPIED_TABLES[table]);
        await compare(warehouse, table, copiedTables([{ table, columns: COPIED_TABLES[table] }])[0]?.source ?? table);
      }
      await fillSmallTables({ warehouse, lanes, slices, progress });
      await warehouse.run(`CREATE TEMP TABLE uebernommen AS ${carriedRows()}`);
      await copyTable(load(warehouse), client, 'uebernommen', '*');
      await carryRows(warehouse, server, client, version, 1, task);
    },
    async complete(engine) {
      const copied = Object.entries(COPIED_TABLES).flatMap(([table, columns]) =>
        SENT_IN_PART.includes(table) ? [] : [{ table, columns }],
      );
      for (const { table, columns } of copied) await copyTable(load(engine), client, table, columns);
      for (const { table, source } of copiedTables(copied)) {
        const local = { engine, source, figures: await figuresOf(engine, source) };
        check.begin(() => differences(local, client, table));
      }
      task.progress.stage('ClickHouse: check');
      try {
        await check.end();
      } catch (error) {
        // What a night has made may be wrong where a build from nothing is right.
        throw error instanceof ServerFailed ? new FromNothing(error.message.replaceAll(/\s*\n\s*/g, ' ')) : error;
      }
      await replacement.end();
      await engine.run(
        `COPY (SELECT ${COPIED_TABLES.dataset} FROM dataset) TO ${literal(join(given.folder, 'dataset.parquet'))} (FORMAT parquet)`,
      );
      await rm(task.folder, { recursive: true, force: true });
    },
    megabytes: async () => 0,
    keep: async () => {},
    close,
  };
}
