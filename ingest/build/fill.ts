import { basename, join } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import { hashBasis } from '../../sql/warehouse/duckdb/columns.ts';
import type { Erasure } from '../../sql/warehouse/erasures.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import { type Archive, isGenerated } from '../archive/archive.ts';
import { type Account, writeAccount } from '../assembly/account.ts';
import { assemble } from '../assembly/assemble.ts';
import { openLanes } from '../assembly/lanes.ts';
import { type Destination, FromNothing, type NightDestination, type TakeOver } from '../destination/destination.ts';
import { openReadWrite, type WarehouseConnection } from '../duckdb/connection.ts';
import { isEngineError } from '../duckdb/engine-error.ts';
import { literal } from '../duckdb/sql-files.ts';
import { ServerFailed } from '../load/retry-request.ts';
import { basisOf, writeBasis } from '../night/basis.ts';
import { assembleNight, type Night } from '../night/night.ts';
import type { BuildReport, MadeFrom } from '../run/build-report.ts';
import { type OperatorTable, tableFile } from '../tables/loaded.ts';
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
  readonly erasures: readonly Erasure[];
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
  const { progress, signal } = options;
  const { before, destination, reportBefore } = version;
  const { takeOver } = destination;
  if (before === null) return fillBy(toFill, destination, fromNothing(null));
  if (typeof takeOver === 'string') return fillBy(toFill, destination, fromNothing(takeOver));
  if (options.fromNothing) return fillBy(toFill, destination, fromNothing('asked for'));
  const nights = (reportBefore?.madeFrom?.nights ?? 0) + 1;
  const goOn = (beside: boolean) => fillUpon(toFill, takeOver, { version: before.id, nights }, beside);
  const compares = nights >= options.compareEvery;
  let made: Made;
  try {
    made = await goOn(compares);
  } catch (error) {
    const reason = reasonOf(error, 'the night', signal);
    progress.note(`The version is built from nothing: ${reason}`);
    await takeOver.discard();
    return fillBy(toFill, destination, fromNothing(reason));
  }
  if (!compares) return made.filled;
  progress.note(
    `${nights === 1 ? 'The' : `After ${counted(nights - 1, 'night')} the`} version is built from nothing as well, and compared`,
  );
  try {
    const filled = await fillBy(toFill, destination, fromNothing('compared'));
    progress.stage('comparing');
    const differences = await takeOver.compare(made.night, engineLimits(options, version.folder), signal);
    for (const { table, rows } of differences)
      progress.note(`The night would have had ${rows[0]} other rows in ${table}, in place of ${rows[1]}`);
    return { ...filled, madeFrom: { ...filled.madeFrom, differences } };
  } catch (error) {
    // A comparison that fails must not keep the export from being served; the next build tries it again.
    const reason = reasonOf(error, 'the build from nothing', signal);
    progress.note(`The version is made out of the one before, and not compared: ${reason}`);
    await takeOver.discard();
    const { filled } = await goOn(false);
    return { ...filled, madeFrom: { ...filled.madeFrom, reason } };
  } finally {
    await made.night.close();
  }
}

/** Tables that a night has filled, and where; whoever compares them closes it. */
interface Made {
  readonly filled: Filled;
  readonly night: NightDestination;
}

/** Fills the tables of a version upon the one before. @param beside in another place, which stays open */
async function fillUpon(
  toFill: ToFill,
  takeOver: TakeOver,
  { version, nights }: { readonly version: string; readonly nights: number },
  beside: boolean,
): Promise<Made> {
  const night = await takeOver.begin(version, beside);
  let isKept = false;
  try {
    const filled = await fillBy(toFill, night, fromBefore(version, nights));
    isKept = beside;
    return { filled, night };
  } finally {
    if (!isKept) await night.close();
  }
}

/** Says why a way of building cannot go on. @throws what it failed of, where another way would fail, too */
function reasonOf(error: unknown, way: string, signal: AbortSignal | undefined): string {
  if (error instanceof FromNothing) return error.message;
  // One way may succeed where the other fails, unless the version before is damaged, whose history both carry over.
  if (!(isEngineError(error) || error instanceof ServerFailed) || signal?.aborted) throw error;
  return `${way} failed: ${error.message.split('\n')[0]}`;
}

/** Fills the tables of an assembly. @returns dataset.ersetztAb, and how that was done */
type Fill<To extends Destination> = (night: Night<To>) => Promise<{ replacedSince: number; madeFrom: MadeFrom }>;

const fromNothing =
  (reason: string | null): Fill<Destination> =>
  async ({ assembly }) => ({
    replacedSince: await assemble(assembly),
    madeFrom: { version: null, affected: null, reason, nights: 0, differences: null },
  });

const fromBefore =
  (version: string, nights: number): Fill<NightDestination> =>
  async (night) => {
    const { replacedSince, affected } = await assembleNight(night);
    return { replacedSince, madeFrom: { version, affected, reason: null, nights, differences: null } };
  };

async function fillBy<To extends Destination>(
  { options, read, version, olderExports }: ToFill,
  destination: To,
  fill: Fill<To>,
): Promise<Filled> {
  const { archive, catalogues, results, stage, slices } = read;
  const { self, folder, publications, before, erasures } = version;
  const { warehouse, progress, signal } = options;
  const limits = engineLimits(options, folder);
  const fileOf = (table: OperatorTable) => tableFile(warehouse, table);
  const [nep, places] = [fileOf('nep'), fileOf('places')];
  const tenders = loadedTenders(warehouse, archive.day);
  const engine = await openReadWrite(destination.database, limits, signal);
  try {
    const basis = basisOf({ tenders, erasures }, { nep, orte: places }, engine.engineVersion);
    const { replacedSince, madeFrom } = await fill({
      ...{
        basis,
        folder: join(folder, 'work'),
        limits,
        signal,
        mostAffected: options.mostAffected,
        alwaysWorth: options.alwaysWorth,
        unitsAtOnce: options.unitsAtOnce,
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
        erasures,
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
