import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import { syncFolder, writeDurably } from '../../runtime/durable-files.ts';
import { hashBasis } from '../../sql/warehouse/duckdb/columns.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import {
  buildingFolder,
  type Publication,
  type Version,
  versionFolder,
  versionId,
  versionsFolder,
} from '../../sql/warehouse/versions.ts';
import { type Archive, openArchive } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { countsOutOfBand, measuresOutOfBand, missingKinds, noUnits } from '../checks/bands.ts';
import { lostParts, requireEveryPart } from '../checks/parts.ts';
import { openReadWrite, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { BuildRefused } from '../run/build-refused.ts';
import type { BuildReport } from '../run/build-report.ts';
import type { TaskContext } from '../run/task-context.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { nepFile } from '../tables/nep.ts';
import { dropInvented } from '../tenders/invented.ts';
import { loadedTenders } from '../tenders/loaded.ts';
import { type Account, writeAccount } from './account.ts';
import { assemble } from './assemble.ts';
import { historyFiles } from './history.ts';
import { openLanes } from './lanes.ts';
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
 * The served version is untouched until the new one is complete: it is built in building/<id>, moved to versions/<id> in
 * one step, and published by replacing the pointer in one step. A build that ends early leaves at most its folder in
 * building/, which the next build removes.
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
  const id = versionId(archive.day, sequence);
  const folder = join(buildingFolder(warehouse), id);
  const task: TaskContext = {
    folder: join(folder, 'work'),
    memoryMb: options.memoryMb,
    progress,
    signal: options.signal,
  };
  if (before === null) target.refuseLostHistory();
  const previous = before === null ? null : { ...before, id: before.version, file: await target.history(before, task) };
  const read = await readExport(options, archive, folder);
  const readingSeconds = (Date.now() - begun) / 1000;

  const older = historyFiles(warehouse, archive.day, reportBefore);
  const account = await fillWarehouse(options, read, {
    ...{ id, sequence, folder, publications, olderExports: older.pending },
    before: previous,
  });
  const failedChecks = [
    ...missing,
    ...lost,
    ...noUnits(account.units),
    ...countsOutOfBand(reportBefore?.units ?? {}, account.units, options.bands),
    ...measuresOutOfBand(reportBefore?.measures ?? [], account.measures, options.bands),
  ];
  const bytes = archive.members.reduce((sum, member) => sum + member.bytes, 0);
  const seconds = (Date.now() - begun) / 1000;
  const report: BuildReport = {
    version: id,
    sequence,
    exportDay: archive.day,
    exportDayFrom: archive.daySource,
    exportLevel: archive.level,
    source: basename(archive.path),
    sourcePath: resolve(archive.path),
    previousVersion: before?.version ?? null,
    seconds,
    readingSeconds,
    megabytes: bytes / 1e6,
    megabytesPerSecond: bytes / 1e6 / seconds,
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    warehouseMb: VERSION_FILES.reduce((sum, file) => sum + statSync(join(folder, file)).size / 1e6, 0),
    units: account.units,
    failedChecks,
    historyDays: older.days,
    measures: account.measures,
    befunde: account.befunde,
    dateien: account.dateien,
  };
  options.signal?.throwIfAborted();
  moveToVersions(warehouse, id, folder, report);
  const publication = failedChecks.length > 0 && !options.force ? null : await publishVersion(target, report, task);
  progress.end();
  return { report, publication, pruned: await target.prune(options.keep) };
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

interface NewVersion {
  readonly id: string;
  readonly sequence: number;
  readonly folder: string;
  readonly publications: readonly Publication[];
  /** The previous version, whose history is carried over. */
  readonly before: (Version & { readonly file: string }) | null;
  readonly olderExports: readonly string[];
}

/** Fills the tables of the version from staged files. */
async function fillWarehouse(options: BuildOptions, read: ReadExport, version: NewVersion): Promise<Account> {
  const { archive, catalogues, results, stage, slices } = read;
  const { id, sequence, folder, publications, before, olderExports } = version;
  const { warehouse, progress } = options;
  const engine = await openReadWrite(join(folder, 'warehouse.duckdb'), engineLimits(options, folder), options.signal);
  try {
    const replacedSince = await assemble({
      warehouse: engine,
      lanes: await openLanes(engine, lanesOf(options)),
      memoryMb: options.memoryMb,
      stage,
      rows: join(folder, 'units.rows'),
      search: join(folder, 'units.search'),
      orders: join(folder, 'units.orders'),
      regionDays: join(folder, 'region.days'),
      slices,
      catalogues: catalogues.catalogues,
      folder: warehouse,
      self: { id, sequence, exportDay: archive.day },
      publications,
      before,
      nep: nepFile(warehouse),
      tenders: loadedTenders(warehouse, archive.day),
      olderExports,
      progress,
    });
    progress.stage('account');
    const account = await writeAccount(engine, archive, results, catalogues, { before: before !== null, sequence });
    await describeDataset(engine, archive, version, replacedSince);
    progress.stage('writing');
    if (before !== null) await engine.run('DETACH previous_version');
    await writeTables(engine);
    return account;
  } finally {
    engine.close();
  }
}

/** Of fewer units, finding out how each of six hundred columns compresses best takes longer than writing them as they are. */
const WORTH_COMPRESSING = 1000;

async function writeTables(engine: WarehouseConnection): Promise<void> {
  const { n } = firstRow(await engine.rows<{ n: bigint }>('SELECT count(*) AS n FROM units'));
  if (Number(n) < WORTH_COMPRESSING) await engine.run(`SET force_compression = 'uncompressed'`);
  await engine.run('CHECKPOINT');
}

async function describeDataset(
  engine: WarehouseConnection,
  archive: Archive,
  { id, sequence, before }: NewVersion,
  replacedSince: number,
): Promise<void> {
  await engine.run(`INSERT INTO dataset VALUES (
    ${literal(id)}, ${sequence}, DATE ${literal(archive.day)}, ${archive.level === null ? 'NULL' : literal(archive.level)},
    ${literal(basename(archive.path))}, TIMESTAMP ${literal(new Date().toISOString().slice(0, 23))},
    ${before === null ? 'NULL' : literal(before.id)}, ${literal(hashBasis(engine.engineVersion))}, ${replacedSince})`);
}

/** The files of a version other than its report. */
const VERSION_FILES = ['warehouse.duckdb', 'units.rows', 'units.search', 'units.orders', 'region.days'];

/** Writes the report and moves the finished version to the others, in one step. */
function moveToVersions(warehouse: string, id: string, folder: string, report: BuildReport): void {
  for (const name of readdirSync(folder)) {
    if (!VERSION_FILES.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  writeDurably(join(folder, 'report.json'), `${JSON.stringify(report, null, 1)}\n`);
  mkdirSync(versionsFolder(warehouse), { recursive: true });
  renameSync(folder, versionFolder(warehouse, id));
  syncFolder(versionsFolder(warehouse));
}
