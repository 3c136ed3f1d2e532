import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hashBasis } from '../../sql/warehouse/duckdb/columns.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import { type Archive, isGenerated } from '../archive/archive.ts';
import { type Account, writeAccount } from '../assembly/account.ts';
import { assemble } from '../assembly/assemble.ts';
import { openLanes } from '../assembly/lanes.ts';
import type { Destination } from '../destination/destination.ts';
import { openReadWrite, type WarehouseConnection } from '../duckdb/connection.ts';
import { isEngineError } from '../duckdb/engine-error.ts';
import { literal } from '../duckdb/sql-files.ts';
import { basisOf, writeBasis } from '../night/basis.ts';
import { differencesOf } from '../night/compare.ts';
import { assembleNight, FromNothing, type Night } from '../night/night.ts';
import type { BuildReport, MadeFrom } from '../run/build-report.ts';
import { tableFile } from '../tables/loaded.ts';
import { loadedTenders } from '../tenders/loaded.ts';
import { type BuildOptions, engineLimits, lanesOf } from './options.ts';
import type { ReadExport } from './read-export.ts';

/** Fills the tables of a version from staged files: by going on from the version before, or from nothing. */

export interface NewVersion {
  /** When the build began, Unix time in milliseconds. */
  readonly begun: number;
  readonly archive: Archive;
  readonly self: Version;
  /** Folder of the build. */
  readonly folder: string;
  readonly destination: Destination;
  readonly publications: readonly Publication[];
  /** The previous version, whose history is carried over. */
  readonly before: Version | null;
  readonly reportBefore: BuildReport | null;
  /** Checks of the archive that have failed. */
  readonly failedChecks: readonly string[];
}

/** The account of a version whose tables are filled, and how they were. */
export interface Filled {
  readonly account: Account;
  readonly madeFrom: MadeFrom;
}

interface ToFill {
  readonly options: BuildOptions;
  readonly read: ReadExport;
  readonly version: NewVersion;
  readonly olderExports: readonly string[];
}

export async function fillTables(toFill: ToFill): Promise<Filled> {
  const { options, version } = toFill;
  const { before, destination, reportBefore } = version;
  if (before === null || destination.takeOver === null) return fillBy(toFill, destination, fromNothing(null));
  if (options.fromNothing) return fillBy(toFill, destination, fromNothing('asked for'));
  const nights = (reportBefore?.madeFrom?.nights ?? 0) + 1;
  const compares = nights >= options.compareEvery;
  const beside = compares ? destination.takeOver.beside(join(version.folder, 'work', 'beside')) : destination;
  const night = await fillUpon(toFill, beside, fromBefore(before.id, nights));
  if (typeof night !== 'string') return compares ? compare(toFill, beside, night) : night;
  options.progress.note(`The version is built from nothing: ${night}`);
  for (const file of [beside.database, `${beside.database}.wal`]) rmSync(file, { force: true });
  return fillBy(toFill, destination, fromNothing(night));
}

/** Fills the tables upon those of the version before. @returns why that cannot be, where it cannot */
async function fillUpon(toFill: ToFill, destination: Destination, fill: Fill): Promise<Filled | string> {
  const { before } = toFill.version;
  try {
    if (before !== null) await destination.takeOver?.copyTables(before.id);
    return await fillBy(toFill, destination, fill);
  } catch (error) {
    if (error instanceof FromNothing) return error.message;
    // Whatever the engine cannot do upon the version before, it may be able to do from nothing.
    if (!isEngineError(error) || toFill.options.signal?.aborted) throw error;
    return `the night failed: ${error.message.split('\n')[0]}`;
  }
}

/** Fills the tables from nothing, too, and compares them with those that a night has made beside them. */
async function compare(toFill: ToFill, beside: Destination, { madeFrom }: Filled): Promise<Filled> {
  const { options, version } = toFill;
  options.progress.note(`After ${madeFrom.nights - 1} nights the version is built from nothing as well, and compared`);
  const filled = await fillBy(toFill, version.destination, fromNothing('compared'));
  const engine = await openReadWrite(':memory:', engineLimits(options, version.folder), options.signal);
  try {
    options.progress.stage('comparing');
    await engine.run(`ATTACH ${literal(beside.database)} AS night (READ_ONLY)`);
    await engine.run(`ATTACH ${literal(version.destination.database)} AS nothing (READ_ONLY)`);
    const differences = await differencesOf(engine, 'night', 'nothing');
    for (const { table, rows } of differences)
      options.progress.note(`The night would have had ${rows[0]} other rows in ${table}, in place of ${rows[1]}`);
    return { ...filled, madeFrom: { ...filled.madeFrom, differences } };
  } finally {
    await engine.close();
  }
}

/** Fills the tables of an assembly. @returns dataset.ersetztAb, and how that was done */
type Fill = (night: Night) => Promise<{ replacedSince: number; madeFrom: MadeFrom }>;

const fromNothing =
  (reason: string | null): Fill =>
  async ({ assembly }) => ({
    replacedSince: await assemble(assembly),
    madeFrom: { version: null, affected: null, reason, nights: 0, differences: null },
  });

const fromBefore =
  (version: string, nights: number): Fill =>
  async (night) => {
    const { replacedSince, affected } = await assembleNight(night);
    return { replacedSince, madeFrom: { version, affected, reason: null, nights, differences: null } };
  };

async function fillBy(
  { options, read, version, olderExports }: ToFill,
  destination: Destination,
  fill: Fill,
): Promise<Filled> {
  const { archive, catalogues, results, stage, slices } = read;
  const { self, folder, publications, before } = version;
  const { warehouse, progress, signal } = options;
  const limits = engineLimits(options, folder);
  const [nep, places] = [tableFile(warehouse, 'nep'), tableFile(warehouse, 'places')];
  const tenders = loadedTenders(warehouse, archive.day);
  const engine = await openReadWrite(destination.database, limits, signal);
  try {
    const basis = basisOf(tenders, { nep, orte: places }, engine.engineVersion);
    const { replacedSince, madeFrom } = await fill({
      ...{
        basis,
        folder: join(folder, 'work'),
        limits,
        signal,
        mostAffected: options.mostAffected,
        alwaysWorth: options.alwaysWorth,
      },
      assembly: {
        warehouse: engine,
        lanes: await openLanes(engine, lanesOf(options)),
        stage,
        slices,
        catalogues: catalogues.catalogues,
        destination,
        self,
        publications,
        before,
        nep,
        places,
        tenders,
        olderExports,
        progress,
      },
    });
    progress.stage('account');
    const comparison = { before: before !== null, sequence: self.sequence };
    const account = await writeAccount(engine, archive, results, catalogues, comparison);
    await describeDataset(engine, version, replacedSince);
    await engine.run('TRUNCATE grundlagen');
    await writeBasis(engine, basis);
    progress.stage('writing');
    await destination.complete(engine);
    return { account, madeFrom };
  } finally {
    await engine.close();
  }
}

async function describeDataset(
  engine: WarehouseConnection,
  { archive, self, before }: NewVersion,
  replacedSince: number,
): Promise<void> {
  await engine.run(`INSERT INTO dataset VALUES (
    ${literal(self.id)}, ${self.sequence}, DATE ${literal(archive.day)}, ${archive.level === null ? 'NULL' : literal(archive.level)},
    ${literal(basename(archive.path))}, TIMESTAMP ${literal(new Date().toISOString().slice(0, 23))},
    ${before === null ? 'NULL' : literal(before.id)}, ${literal(hashBasis(engine.engineVersion))}, ${replacedSince},
    ${await isGenerated(archive)})`);
}
