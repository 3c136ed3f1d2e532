import { rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import { hashBasis } from '../../sql/warehouse/duckdb/columns.ts';
import { buildingFolder, type Publication, type Version, versionId } from '../../sql/warehouse/versions.ts';
import { type Archive, isGenerated, openArchive } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { type Account, writeAccount } from '../assembly/account.ts';
import { assemble } from '../assembly/assemble.ts';
import { historyFiles } from '../assembly/history.ts';
import { openLanes } from '../assembly/lanes.ts';
import { countsOutOfBand, measuresOutOfBand, missingKinds, noUnits } from '../checks/bands.ts';
import { lostParts, requireEveryPart } from '../checks/parts.ts';
import type { Destination } from '../destination/destination.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { openReadWrite, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import { basisOf, writeBasis } from '../night/basis.ts';
import { assembleNight, FromNothing, type Night } from '../night/night.ts';
import { BuildRefused } from '../run/build-refused.ts';
import type { BuildReport, MadeFrom } from '../run/build-report.ts';
import type { TaskContext } from '../run/task-context.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { tableFile } from '../tables/loaded.ts';
import { dropInvented } from '../tenders/invented.ts';
import { loadedTenders } from '../tenders/loaded.ts';
import { type BuildOptions, engineLimits, lanesOf, rethrowAbort } from './options.ts';
import { type ReadExport, readExport } from './read-export.ts';

export interface BuildOutcome {
  readonly report: BuildReport;
  /** Null when failed checks prevented the publication. */
  readonly publication: Publication | null;
  readonly pruned: readonly string[];
}

/**
 * Builds a dataset version from an export, checks it and publishes it.
 *
 * The served version is untouched until the new one is complete, and the new one is published by replacing the pointer in one step.
 * A build that ends early leaves at most its folder in building/ and an incomplete database, which the next build removes.
 * @throws Locked when another build is running, BuildRefused, ArchiveError
 */
export async function build(options: BuildOptions): Promise<BuildOutcome> {
  return withWarehouseLock(options.warehouse, `build of ${options.source}`, () =>
    rethrowAbort(options, () => buildVersion(options)),
  );
}

async function buildVersion(options: BuildOptions): Promise<BuildOutcome> {
  const { warehouse, target, progress } = options;
  const begun = Date.now();
  progress.stage('archive and catalogues');
  const archive = await openArchive(options.source, options.day);
  requireEveryPart(archive);
  const publications = await target.publications();
  const before = publications.at(-1) ?? null;
  if (before !== null && archive.day < before.exportDay) {
    throw new BuildRefused(
      `The export is of ${archive.day}, older than the version served (${before.version}, of ${before.exportDay}). ` +
        '--backfill takes its history in without publishing it; to serve an older version again: rollback.',
    );
  }
  const missing = missingKinds(archive);
  if (missing.length > 0 && !options.force) {
    throw new BuildRefused(
      `${missing.join('\n')}\nNothing was built; what is served stays. --force builds all the same.`,
    );
  }
  const reportBefore = before === null ? null : await target.report(before.version);
  if (before?.exportDay === archive.day && reportBefore?.source === basename(archive.path)) {
    progress.note(
      `${reportBefore.source} is what ${before.version} was built from, which is served; it is built again`,
    );
  }
  const lost = lostParts(reportBefore?.dateien ?? [], archive, options.bands.shrink);
  if (lost.length > 0 && !options.force) {
    throw new ArchiveError(
      `${archive.path} has lost parts since ${before?.version}: ${lost.join('; ')}. Nothing was built; download it ` +
        'again. If the register has really shrunk this much: build --force',
    );
  }
  const invented = await dropInvented(warehouse, archive);
  if (invented > 0)
    progress.note(`The invented award lists of ${counted(invented, 'round')} were removed: this export is no sample`);
  const sequence = await target.nextSequence();
  const self: Version = { id: versionId(archive.day, sequence), sequence, exportDay: archive.day };
  const folder = join(buildingFolder(warehouse), self.id);
  const task: TaskContext = {
    folder: join(folder, 'work'),
    memoryMb: options.memoryMb,
    progress,
    signal: options.signal,
  };
  if (before === null) target.refuseLostHistory();
  const destination = await target.begin(self, before, task);
  let report: BuildReport;
  try {
    report = await fillVersion(options, {
      ...{ begun, archive, self, folder, destination, publications, reportBefore },
      before: before === null ? null : { ...before, id: before.version },
      failedChecks: [...missing, ...lost],
    });
    options.signal?.throwIfAborted();
    await destination.keep(report);
  } finally {
    await destination.close();
  }
  const mayPublish = report.failedChecks.length === 0 || options.force;
  const publication = mayPublish ? await publishVersion(target, report, task) : null;
  progress.end();
  return { report, publication, pruned: await target.prune(options.keep) };
}

interface NewVersion {
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

/** Reads the export and fills the tables of the version, which is complete then. */
async function fillVersion(options: BuildOptions, version: NewVersion): Promise<BuildReport> {
  const { begun, archive, self, folder, destination, before, reportBefore } = version;
  const read = await readExport(options, archive, folder);
  const readingSeconds = (Date.now() - begun) / 1000;
  const older = historyFiles(options.warehouse, archive.day, reportBefore);
  const { account, madeFrom } = await fillTables(options, read, version, older.pending);
  const bytes = archive.members.reduce((sum, member) => sum + member.bytes, 0);
  const seconds = (Date.now() - begun) / 1000;
  return {
    version: self.id,
    sequence: self.sequence,
    exportDay: archive.day,
    exportDayFrom: archive.daySource,
    exportLevel: archive.level,
    source: basename(archive.path),
    sourcePath: resolve(archive.path),
    previousVersion: before?.id ?? null,
    madeFrom,
    seconds,
    readingSeconds,
    megabytes: bytes / 1e6,
    megabytesPerSecond: bytes / 1e6 / seconds,
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    warehouseMb: await destination.megabytes(),
    units: account.units,
    changes: account.changes,
    failedChecks: [
      ...version.failedChecks,
      ...noUnits(account.units),
      ...countsOutOfBand(reportBefore?.units ?? {}, account.units, options.bands),
      ...measuresOutOfBand(reportBefore?.measures ?? [], account.measures, options.bands),
    ],
    historyDays: older.days,
    measures: account.measures,
    befunde: account.befunde,
    dateien: account.dateien,
  };
}

/** Fills the tables of the version from staged files. */
async function fillTables(
  options: BuildOptions,
  read: ReadExport,
  version: NewVersion,
  olderExports: readonly string[],
): Promise<Filled> {
  const fill = (by: Fill): Promise<Filled> => fillBy(by, options, read, version, olderExports);
  const { before, destination } = version;
  if (before === null || destination.copyTables === null) return fill(fromNothing(null));
  if (options.fromNothing) return fill(fromNothing('asked for'));
  try {
    await destination.copyTables(before.id);
    return await fill(fromBefore(before.id));
  } catch (error) {
    if (!(error instanceof FromNothing)) throw error;
    options.progress.note(`The version is built from nothing: ${error.message}`);
    for (const file of [destination.database, `${destination.database}.wal`]) rmSync(file, { force: true });
    return fill(fromNothing(error.message));
  }
}

/** The account of a version whose tables are filled, and how they were. */
interface Filled {
  readonly account: Account;
  readonly madeFrom: MadeFrom;
}

/** Fills the tables of an assembly. @returns dataset.ersetztAb, and how that was done */
type Fill = (night: Night) => Promise<{ replacedSince: number; madeFrom: MadeFrom }>;

const fromNothing =
  (reason: string | null): Fill =>
  async ({ assembly }) => ({
    replacedSince: await assemble(assembly),
    madeFrom: { version: null, affected: null, reason },
  });

const fromBefore =
  (version: string): Fill =>
  async (night) => {
    const { replacedSince, affected } = await assembleNight(night);
    return { replacedSince, madeFrom: { version, affected, reason: null } };
  };

async function fillBy(
  fill: Fill,
  options: BuildOptions,
  { archive, catalogues, results, stage, slices }: ReadExport,
  version: NewVersion,
  olderExports: readonly string[],
): Promise<Filled> {
  const { self, folder, destination, publications, before } = version;
  const { warehouse, progress, signal } = options;
  const limits = engineLimits(options, folder);
  const [nep, places] = [tableFile(warehouse, 'nep'), tableFile(warehouse, 'places')];
  const tenders = loadedTenders(warehouse, archive.day);
  const engine = await openReadWrite(destination.database, limits, signal);
  try {
    const basis = basisOf(tenders, { nep, orte: places }, engine.engineVersion);
    const { replacedSince, madeFrom } = await fill({
      ...{ basis, folder: join(folder, 'work'), limits, signal },
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

/** Loads a finished version to where readers open it, and publishes it. */
export async function publishVersion(
  target: PublicationTarget,
  { version, failedChecks }: Pick<BuildReport, 'version' | 'failedChecks'>,
  task: TaskContext,
): Promise<Publication> {
  await target.load(version, task);
  return target.publish(version, 'build', failedChecks);
}
