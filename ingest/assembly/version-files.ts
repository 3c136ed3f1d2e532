import { constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '../../runtime/durable-files.ts';
import { UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import { Damaged, VERSION_REMEDY } from '../../sql/warehouse/damage.ts';
import { duckdbUnitColumns } from '../../sql/warehouse/duckdb/columns.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import {
  buildingFolder,
  requireTables,
  type Version,
  versionFile,
  versionFolder,
  versionsFolder,
} from '../../sql/warehouse/versions.ts';
import type { Destination } from '../destination/destination.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import type { TaskContext } from '../run/task-context.ts';
import { type AnswerFiles, fillAnswers } from './answers.ts';

/** The files of a version, apart from its report. */
interface VersionFiles extends AnswerFiles {
  /** The database with its tables. */
  readonly tables: string;
}

const NAMES: VersionFiles = {
  tables: 'warehouse.duckdb',
  rows: 'units.rows',
  search: 'units.search',
  orders: 'units.orders',
  regionDays: 'region.days',
};

const filesIn = (folder: string): VersionFiles => ({
  tables: join(folder, NAMES.tables),
  rows: join(folder, NAMES.rows),
  search: join(folder, NAMES.search),
  orders: join(folder, NAMES.orders),
  regionDays: join(folder, NAMES.regionDays),
});

/** Of fewer units, finding out how each of six hundred columns compresses best takes longer than writing them as they are. */
const WORTH_COMPRESSING = 1000;

/** Builds a version as files of a warehouse folder: in building/, from where it is moved to versions/ in one step. */
export function versionFiles(
  warehouse: string,
  { id, sequence, exportDay }: Version,
  task: TaskContext,
  folder = join(buildingFolder(warehouse), id),
): Destination {
  const files = filesIn(folder);
  let rowsBefore: string | null = null;
  return {
    database: files.tables,
    // By row ids the engine reads all columns of those rows only, as long as they are few.
    isAbsent:
      'rowid IN (SELECT units.rowid FROM previous_version.units AS units SEMI JOIN absent_units USING (nummer))',
    takeOver: {
      async copyTables(version) {
        requireTables(warehouse, version);
        mkdirSync(folder, { recursive: true });
        // Without a copy of its bytes, where the file system can.
        await copyFile(versionFile(warehouse, version), files.tables, constants.COPYFILE_FICLONE);
      },
      beside: (folder) => versionFiles(warehouse, { id, sequence, exportDay }, task, folder),
    },
    has: async (version) => existsSync(versionFile(warehouse, version)),
    async attach(engine, version, name) {
      requireTables(warehouse, version);
      await attachFile(engine, versionFile(warehouse, version), name);
      if (name === 'previous_version') rowsBefore = filesIn(versionFolder(warehouse, version)).rows;
    },
    async carriedColumns(engine, name) {
      const present = await columnsOf(engine, name, 'units');
      // The operator may have become a natural person since, so the name is not carried over.
      return UNIT_COLUMN_NAMES.filter((column) => column !== 'betreiberName' && present.has(column));
    },
    async prepare([engine]) {
      const unitColumns = duckdbUnitColumns({ compressed: true });
      await engine?.run(warehouseSql('units-tables.sql', { unitColumns }));
    },
    leadSlice: (work) => work(),
    async addSlice(lane) {
      const { Count } = firstRow(await lane.rows<{ Count: bigint }>('INSERT INTO units BY NAME FROM slice_units'));
      return Number(Count);
    },
    endSlices: async () => {},
    fillAnswers: (finished) => fillAnswers({ ...finished, files, sequence, rowsBefore, memoryMb: task.memoryMb }),
    async complete(engine) {
      if (rowsBefore !== null) await engine.run('DETACH previous_version');
      if ((await unitsIn(engine)) < WORTH_COMPRESSING) await engine.run(`SET force_compression = 'uncompressed'`);
      await engine.run('CHECKPOINT');
    },
    megabytes: async () => Object.values(files).reduce((sum, file) => sum + statSync(file).size / 1e6, 0),
    async keep(report) {
      const kept = Object.values(NAMES);
      for (const name of readdirSync(folder)) {
        if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
      }
      writeDurably(join(folder, 'report.json'), `${JSON.stringify(report, null, 1)}\n`);
      mkdirSync(versionsFolder(warehouse), { recursive: true });
      renameSync(folder, versionFolder(warehouse, id));
      syncFolder(versionsFolder(warehouse));
    },
    close: async () => {},
  };
}

async function unitsIn(engine: WarehouseConnection): Promise<number> {
  return Number(firstRow(await engine.rows<{ n: bigint }>('SELECT count(*) AS n FROM units')).n);
}

async function attachFile(engine: WarehouseConnection, file: string, name: string): Promise<void> {
  try {
    await engine.run(`ATTACH ${literal(file)} AS ${name} (READ_ONLY)`);
  } catch (error) {
    throw new Damaged(file, String(error).split('\n')[0] ?? '', VERSION_REMEDY, error);
  }
}
