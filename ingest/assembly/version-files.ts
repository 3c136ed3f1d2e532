import { constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '../../runtime/durable-files.ts';
import { PROJECTIONS } from '../../sql/catalogue/projections.ts';
import { UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import { unreadable } from '../../sql/warehouse/damage.ts';
import { duckdbUnitColumns } from '../../sql/warehouse/duckdb/columns.ts';
import { projectionTypes } from '../../sql/warehouse/duckdb/projections.ts';
import { passingUnits } from '../../sql/warehouse/duckdb/rows.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import {
  buildingFolder,
  requireTables,
  type Version,
  versionFile,
  versionFolder,
  versionsFolder,
} from '../../sql/warehouse/versions.ts';
import type { Destination, NightDestination } from '../destination/destination.ts';
import { columnsOf, openReadWrite, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import type { TaskContext } from '../run/task-context.ts';
import { type AnswerFiles, fillAnswers } from './answers.ts';
import { differencesOf } from './compare.ts';
import { statement, task } from './lanes.ts';

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
  self: Version,
  context: TaskContext,
  folder = join(buildingFolder(warehouse), self.id),
): Destination {
  const { id, sequence } = self;
  const files = filesIn(folder);
  let filesBefore: VersionFiles | null = null;
  return {
    database: files.tables,
    // By row ids the engine reads all columns of those rows only, as long as they are few.
    isAbsent:
      'rowid IN (SELECT units.rowid FROM previous_version.units AS units SEMI JOIN absent_units USING (nummer))',
    takeOver: {
      async begin(version, beside) {
        const place = beside ? join(context.folder, 'beside') : folder;
        requireTables(warehouse, version);
        mkdirSync(place, { recursive: true });
        // Without a copy of its bytes, where the file system can.
        await copyFile(versionFile(warehouse, version), filesIn(place).tables, constants.COPYFILE_FICLONE);
        return { ...versionFiles(warehouse, self, context, place), ...inCopyOf(versionFile(warehouse, version)) };
      },
      async discard() {
        for (const file of [files.tables, `${files.tables}.wal`]) rmSync(file, { force: true });
      },
      async compare({ database }, limits, signal) {
        const engine = await openReadWrite(':memory:', limits, signal);
        try {
          await engine.run(`ATTACH ${literal(database)} AS night (READ_ONLY)`);
          await engine.run(`ATTACH ${literal(files.tables)} AS nothing (READ_ONLY)`);
          return await differencesOf(engine, 'night', 'nothing');
        } finally {
          await engine.close();
        }
      },
    },
    has: async (version) => existsSync(versionFile(warehouse, version)),
    async attach(engine, version, name) {
      requireTables(warehouse, version);
      await attachFile(engine, versionFile(warehouse, version), name);
      if (name === 'previous_version') filesBefore = filesIn(versionFolder(warehouse, version));
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
    async fillAnswers(finished) {
      const { warehouse: engine, replaced } = finished;
      if (filesBefore !== null && replaced === undefined) {
        await engine.run(passingUnits(await columnsOf(engine, 'previous_version', 'units')));
        await attachAnew(engine, filesBefore.tables);
      }
      const beside = replaced === undefined ? [] : [KEPT_SUPPORT];
      await fillAnswers({ ...finished, files, sequence, filesBefore, memoryMb: context.memoryMb, beside });
    },
    async complete(engine) {
      if (filesBefore !== null) await engine.run('DETACH previous_version');
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

/**
 * Tables that are filled anew each night. They are small, or every unit counts in them; or they are read all over while they are served:
 * of a table in which rows are deleted, the engine keeps in memory which ones these are, 80 MB for each that has every unit.
 */
const FILLED_ANEW = [
  ...['saetze', 'foerderung', ...Object.keys(PROJECTIONS), 'units_auffaellig', 'standorte'],
  ...['dataset', 'vorgaenger', 'gebotstermine', 'hoechstwerte', 'zuschlaege', 'zuschlag_einheiten', 'orte', 'gebiete'],
  ...['regionen', 'marktakteure', 'suchnamen', 'katalogwerte', 'zusatztabellen', 'dateien', 'befunde'],
  ...[
    'auffaelligkeiten_verlauf',
    'staende',
    'akteurnamen',
    'loeschungen',
    'regionen_verlauf',
    'gebiete_verlauf',
    'units_verlauf',
  ],
];

/** Takes over how the support of plants came about that is as it was. */
const KEPT_SUPPORT = task(
  statement('INSERT INTO foerderung BY NAME FROM previous_version.foerderung ANTI JOIN affected_plants USING (eeg)'),
);

/** How a night replaces rows in a copy of the database of the version before. */
const inCopyOf = (before: string): Pick<NightDestination, 'openTables' | 'replaceUnits'> => ({
  async openTables(engine) {
    // Everything is written once, in the end: the engine would do so again after each table.
    await engine.run(`SET checkpoint_threshold = '1TB'`);
    // It would write whole tables anew to fill the gaps of the rows that go.
    await engine.run('SET max_vacuum_tasks = 0');
    // Rows of a table that was only emptied would not be numbered from 0, by which the search index reads them.
    for (const table of FILLED_ANEW) await engine.run(`DROP TABLE ${table}`);
    for (const { type } of projectionTypes()) await engine.run(`DROP TYPE ${type}`);
    // What comes is written where they were.
    await engine.run('CHECKPOINT');
    await engine.run(warehouseSql('tables.sql').replaceAll('CREATE TABLE ', 'CREATE TABLE IF NOT EXISTS '));
  },
  async replaceUnits(engine) {
    await attachAnew(engine, before);
    await engine.run('DELETE FROM units WHERE nummer IN (FROM affected)');
    await engine.run('INSERT INTO units BY NAME FROM present_units');
  },
});

/** Attaches the version before once more: the engine forgets which rows are deleted in what was read of it, 80 MB of a whole register. */
async function attachAnew(engine: WarehouseConnection, file: string): Promise<void> {
  await engine.run('DETACH previous_version');
  await attachFile(engine, file, 'previous_version');
}

async function unitsIn(engine: WarehouseConnection): Promise<number> {
  return Number(firstRow(await engine.rows<{ n: bigint }>('SELECT count(*) AS n FROM units')).n);
}

/** Attaches the file of a version to read it. @throws Damaged */
export async function attachFile(engine: WarehouseConnection, file: string, name: string): Promise<void> {
  try {
    await engine.run(`ATTACH ${literal(file)} AS ${name} (READ_ONLY)`);
  } catch (error) {
    throw unreadable(file, error);
  }
}
