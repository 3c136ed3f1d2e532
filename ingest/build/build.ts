import { basename, join, resolve } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import { buildingFolder, type Publication, type Version, versionId } from '../../sql/warehouse/versions.ts';
import { openArchive } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { historyFiles } from '../assembly/history.ts';
import { countsOutOfBand, measuresOutOfBand, missingKinds, noUnits } from '../checks/bands.ts';
import { lostParts, requireEveryPart } from '../checks/parts.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { BuildRefused } from '../run/build-refused.ts';
import type { BuildReport } from '../run/build-report.ts';
import type { TaskContext } from '../run/task-context.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { dropInvented } from '../tenders/invented.ts';
import { fillTables, type NewVersion } from './fill.ts';
import { type BuildOptions, rethrowAbort } from './options.ts';
import { readExport } from './read-export.ts';

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

/** The same for a caller who holds the lock of the warehouse. */
export async function buildVersion(options: BuildOptions): Promise<BuildOutcome> {
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
  const erasures = await target.erasures();
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
      ...{ begun, archive, self, folder, destination, publications, reportBefore, erasures },
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

/** Reads the export and fills the tables of the version, which is complete then. */
async function fillVersion(options: BuildOptions, version: NewVersion): Promise<BuildReport> {
  const { begun, archive, self, folder, destination, before, reportBefore } = version;
  const read = await readExport(options, archive, folder);
  const readingSeconds = (Date.now() - begun) / 1000;
  const older = historyFiles(options.warehouse, archive.day, reportBefore);
  const { account, madeFrom } = await fillTables({ options, read, version, olderExports: older.pending });
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

/** Loads a finished version to where readers open it, and publishes it. */
export async function publishVersion(
  target: PublicationTarget,
  { version, failedChecks }: Pick<BuildReport, 'version' | 'failedChecks'>,
  task: TaskContext,
): Promise<Publication> {
  await target.load(version, task);
  return target.publish(version, 'build', failedChecks);
}
