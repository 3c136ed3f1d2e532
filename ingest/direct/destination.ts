import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { COPIED_TABLES } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { onCluster } from '../../sql/warehouse/clickhouse/placement.ts';
import { BESIDE, databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { tableOfWork } from '../../sql/warehouse/clickhouse/schema.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { Version } from '../../sql/warehouse/versions.ts';
import type { Destination, TakeOver } from '../destination/destination.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import { carryOut, quorumSettings } from '../load/cluster.ts';
import { copiedTables, openCheck } from '../load/compare.ts';
import { differences, type Figures, figuresOf, together } from '../load/fingerprint.ts';
import { copyTable, createTables, dropDatabase, storeReport, syncReplicas } from '../load/load.ts';
import { recountDifferences } from '../load/rollups.ts';
import type { LoadServer } from '../load/server.ts';
import { numberDifferences } from '../load/unit-numbers.ts';
import type { TaskContext } from '../run/task-context.ts';
import { fillSmallTables } from './answers.ts';
import { openBlocks } from './blocks.ts';
import { CARRIED_COLUMNS, CARRIED_TABLES, carriedRows, carryRows } from './carried.ts';
import { databaseDifferences } from './compare.ts';
import { attachEarlier } from './earlier.ts';
import { letMerge } from './merges.ts';
import { beginNight } from './night.ts';
import { parquet, viewOfUnits, writeUnits } from './units.ts';

/** The tables that the server fills, and that it gets while units are joined. */
const FILLED_BEFORE = ['units', 'units_departed', 'units_ersetzt', 'foerderung', 'dataset'];

/** The files of a table that were sent, and the figures of each. */
interface SentFiles {
  readonly files: string[];
  readonly figures: Figures[];
}

interface ServerBuild {
  readonly server: LoadServer;
  readonly version: Version;
  readonly task: TaskContext;
  /** Returns true when a version is complete on the server. */
  readonly has: (version: string) => Promise<boolean>;
}

/**
 * Builds a version straight in its database on the server: units go there slice by slice, and the server fills from them what answers
 * are read from. The engine works in memory and keeps what the tables of the version are compared with.
 */
export function serverDestination({ server, version, task: given, has }: ServerBuild): Destination {
  const { id } = version;
  // A build that has failed does not wait for a server that is away.
  const ended = new AbortController();
  const signals = [ended.signal, ...(given.signal === undefined ? [] : [given.signal])];
  const task = { ...given, signal: AbortSignal.any(signals) };
  const database = databaseOf(server.prefix, id);
  const client = server.clientFor(database);
  const blocks = openBlocks(server, client, id, task);
  const check = openCheck({ server, version: id, task });
  const units: SentFiles = { files: [], figures: [] };
  const plants: SentFiles = { files: [], figures: [] };
  const sentTables = [
    ['units', units],
    ['foerderung', plants],
  ] as const;
  const file = (name: string) => join(task.folder, `${name}.parquet`);
  const load = (engine: WarehouseConnection) => ({ server, engine, version: id, task });
  /** Sends the plants that a lane has computed since it was asked last. */
  const sendPlants = async (lane: WarehouseConnection) => {
    const { n } = firstRow(await lane.rows<{ n: bigint }>('SELECT count(*) AS n FROM foerderung'));
    if (Number(n) === 0) return;
    const block = plants.files.length;
    const path = file(`foerderung-${block}`);
    plants.files.push(path);
    await lane.run(`COPY (SELECT ${COPIED_TABLES.foerderung} FROM foerderung) TO ${literal(path)} (FORMAT parquet)`);
    await lane.run('TRUNCATE foerderung');
    blocks.send({ table: 'foerderung', block, file: path, after: 'keep' });
    plants.figures.push(await figuresOf(lane, parquet([path])));
  };
  const create = async () => {
    await server.retryPersistently(() => createTables({ server, task }, database, client), task);
    const query = tableOfWork('carried', server.placement);
    await server.retryPersistently(() => carryOut(server, client, query, task.progress), task);
    await letMerge(server, database, 'STOP', task);
  };
  // The export is read meanwhile. A failure ends the build before it fills tables.
  let created = create();
  created.catch(() => {});
  const beside = `${database}${BESIDE}`;
  const takeOver: TakeOver = {
    async begin(earlier, isBeside) {
      await created;
      return beginNight({ server, version: id, earlier, database: isBeside ? beside : database, task, has });
    },
    async discard() {
      // Blocks on their way must not arrive in the tables that follow.
      await blocks.arrived();
      await dropDatabase({ server, task }, beside);
      created = create();
      created.catch(() => {});
    },
    async compare() {
      try {
        return await databaseDifferences({ server, task }, beside, database);
      } finally {
        await dropDatabase({ server, task }, beside);
      }
    },
  };
  /** Compares the tables that were sent file by file, and those that views fill from units, as soon as all files have arrived. */
  const beginCheckOfUnits = async (engine: WarehouseConnection) => {
    const arrived = blocks.arrived().then(() => syncReplicas({ server, task }, database));
    for (const [table, { files, figures }] of sentTables) {
      const source = files.length === 0 ? `(SELECT ${COPIED_TABLES[table]} FROM ${table})` : parquet(files);
      const [first = await figuresOf(engine, source), ...others] = figures;
      const local = { engine, source, figures: together(first, ...others) };
      check.begin(() => differences(local, client, table), arrived);
    }
    check.begin(() => numberDifferences(client), arrived);
    check.begin(() => recountDifferences(client), arrived);
  };
  return {
    takeOver: server.placement.cluster === null ? takeOver : 'versions on a cluster are built from nothing',
    database: ':memory:',
    isAbsent: 'nummer IN (FROM absent_units)',
    has,
    attach: (engine, earlier, name) => attachEarlier(engine, server, earlier, name, task),
    carriedColumns: async () => CARRIED_COLUMNS,
    async prepare(lanes) {
      await mkdir(task.folder, { recursive: true });
      await lanes[0]?.run(CARRIED_TABLES);
      for (const lane of lanes) await lane.run('CREATE TEMP TABLE foerderung AS FROM foerderung LIMIT 0');
      await created;
    },
    leadSlice: (work) => blocks.lead(work),
    async addSlice(lane, slice) {
      const { files, rows } = await writeUnits(lane, 'slice_units', join(task.folder, `units-${slice}`));
      units.files.push(...files);
      for (const [block, path] of files.entries()) {
        blocks.send({ table: 'units', block: `${slice}.${block}`, file: path, after: 'keep' });
      }
      await sendPlants(lane);
      // The server inserts meanwhile.
      if (files.length > 0) units.figures.push(await figuresOf(lane, parquet(files)));
      return rows;
    },
    async endSlices(lanes) {
      for (const lane of lanes) await sendPlants(lane);
      await lanes[0]?.run(viewOfUnits(units.files));
    },
    async fillAnswers({ warehouse, lanes, slices, progress }) {
      await beginCheckOfUnits(warehouse);
      await fillSmallTables({ warehouse, lanes, slices, progress });
      await warehouse.run(`CREATE TEMP TABLE uebernommen AS ${carriedRows()}`);
      await copyTable(load(warehouse), client, 'uebernommen', '*');
      await syncReplicas({ server, task }, database);
      await carryRows(warehouse, server, client, id, slices, task);
    },
    async complete(engine) {
      const copied = Object.entries(COPIED_TABLES).flatMap(([table, columns]) =>
        FILLED_BEFORE.includes(table) ? [] : [{ table, columns }],
      );
      for (const { table, columns } of copied) await copyTable(load(engine), client, table, columns);
      const drop = `DROP TABLE IF EXISTS uebernommen${onCluster(server.placement)} SYNC`;
      await server.retryPersistently(() => carryOut(server, client, drop, task.progress), task);
      await syncReplicas({ server, task }, database);
      for (const { table, source } of copiedTables(copied)) {
        const local = { engine, source, figures: await figuresOf(engine, source) };
        check.begin(() => differences(local, client, table));
      }
      task.progress.stage('ClickHouse: units');
      await blocks.arrived();
      task.progress.stage('ClickHouse: check');
      await check.end();
      await engine.run(
        `COPY (SELECT ${COPIED_TABLES.dataset} FROM dataset) TO ${literal(file('dataset'))} (FORMAT parquet)`,
      );
    },
    async megabytes() {
      const rows = await server.retryPersistently(
        () => queryRows(server.client, z.strictObject({ mb: z.number() }), SIZE, { database }),
        task,
      );
      return firstRow(rows).mb;
    },
    async keep(report) {
      await storeReport({ server, version: id, task }, JSON.stringify(report));
      const settings = () => quorumSettings(server, database, 'dataset');
      blocks.send({ table: 'dataset', block: 0, file: file('dataset'), after: 'remove', settings });
      await blocks.arrived();
    },
    async close() {
      ended.abort(new Error('The build has ended before its blocks have arrived'));
      await client.close();
    },
  };
}

const SIZE = `SELECT toFloat64(sum(bytes_on_disk)) / 1e6 AS mb FROM system.parts WHERE database = {database:String} AND active`;
