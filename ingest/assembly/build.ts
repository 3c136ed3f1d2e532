import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hashBasis } from '../../sql/warehouse/duckdb/columns.ts';
import {
  buildingFolder,
  type Publication,
  syncFolder,
  type Version,
  versionFolder,
  versionId,
  versionsFolder,
  writeDurably,
} from '../../sql/warehouse/versions.ts';
import { type Archive, openArchive } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { type Bands, countsOutOfBand, measuresOutOfBand, missingKinds, noUnits } from '../checks/bands.ts';
import { lostParts, requireEveryPart } from '../checks/parts.ts';
import { type EngineLimits, openReadWrite, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { type ReadCatalogues, readCatalogues } from '../read/catalogues.ts';
import { readMembers } from '../read/pool.ts';
import type { MemberResult } from '../read/read-member.ts';
import { alone } from '../run/alone.ts';
import type { Progress } from '../run/progress.ts';
import { BuildRefused } from '../run/refused.ts';
import type { BuildReport } from '../run/report.ts';
import type { TaskContext } from '../run/task-context.ts';
import { sliceCount } from '../stage/slices.ts';
import { tableOf } from '../stage/tables.ts';
import { dayNumber } from '../stage/values.ts';
import { nepFile } from '../tables/nep.ts';
import { type Account, writeAccount } from './account.ts';
import { assemble } from './assemble.ts';
import { historyFiles, writeHistory } from './history.ts';

/** The nightly build: an export becomes a dataset version, and the version is published. */

export interface BuildOptions {
  /** Zip or folder of the export. */
  readonly source: string;
  /** Folder of the warehouse. */
  readonly warehouse: string;
  /** Where its versions are published. */
  readonly target: PublicationTarget;
  /** Day of the export, where its name does not say it. */
  readonly day: string | null;
  /** Publish although checks have failed. */
  readonly force: boolean;
  readonly bands: Bands;
  readonly keep: number;
  readonly threads: number;
  readonly memoryMb: number;
  readonly progress: Progress;
  /** Ends the work early: it throws the signal's reason once everything is cleared away. */
  readonly signal?: AbortSignal;
}

export interface BuildOutcome {
  readonly report: BuildReport;
  /** Null when a check kept the version from being published. */
  readonly publication: Publication | null;
  readonly pruned: readonly string[];
}

export interface BackfillOutcome {
  readonly exportDay: string;
  /** Units whose days were taken in. */
  readonly units: number;
}

const FIRST_BELIEVED_DAY = dayNumber(1880, 1, 1);

/** Planned days further away than this are typing errors (format reference, section 6). */
const BELIEVED_YEARS_AHEAD = 20;

/**
 * Builds a dataset version from an export, checks it and publishes it.
 *
 * Nothing that is served is touched before the version is complete: it is built in building/<id>, moved to versions/<id>
 * in one step, and published by replacing the pointer in one step. A build that ends early leaves at most its folder
 * in building/, which the next one removes.
 * @throws Locked when another build is at work, BuildRefused, ArchiveError
 */
export async function build(options: BuildOptions): Promise<BuildOutcome> {
  return alone(options.warehouse, `build of ${options.source}`, () =>
    rethrowAbort(options, () => buildVersion(options)),
  );
}

/**
 * Takes the planned and registration days of an export that is older than the version served into the history. The next
 * build has them; what is served stays as it is.
 * @throws Locked, BuildRefused when the export is not older, ArchiveError
 */
export async function backfill(options: BuildOptions): Promise<BackfillOutcome> {
  return alone(options.warehouse, `backfill of ${options.source}`, () =>
    rethrowAbort(options, () => backfillHistory(options)),
  );
}

/** What is stopped fails in many ways; that it was stopped is what counts. */
async function rethrowAbort<T>({ signal }: BuildOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
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
        'again. If the register has really shrunk so: build --force',
    );
  }
  const sequence = await target.nextSequence();
  const id = versionId(archive.day, sequence);
  const folder = join(buildingFolder(warehouse), id);
  const work: TaskContext = {
    folder: join(folder, 'work'),
    memoryMb: options.memoryMb,
    progress,
    signal: options.signal,
  };
  const historyFile = await target.history(before, work);
  const read = await readExport(options, archive, folder);
  const readingSeconds = (Date.now() - begun) / 1000;

  const older = historyFiles(warehouse, archive.day, reportBefore);
  const account = await fillWarehouse(options, read, {
    ...{ id, sequence, folder, publications, olderExports: older.pending },
    before: before === null ? null : { ...before, id: before.version, file: historyFile! },
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
  complete(warehouse, id, folder, report);
  const publication = failedChecks.length > 0 && !options.force ? null : await publishVersion(target, report, work);
  progress.end();
  return { report, publication, pruned: await target.prune(options.keep) };
}

/** Brings a complete version to where readers look, and makes it the served one. */
export async function publishVersion(
  published: PublicationTarget,
  { version, failedChecks }: Pick<BuildReport, 'version' | 'failedChecks'>,
  work: TaskContext,
): Promise<Publication> {
  await published.load(version, work);
  return published.publish(version, 'build', failedChecks);
}

interface NewVersion {
  readonly id: string;
  readonly sequence: number;
  readonly folder: string;
  readonly publications: readonly Publication[];
  /** The version whose history is carried over. */
  readonly before: (Version & { readonly file: string }) | null;
  readonly olderExports: readonly string[];
}

/** From staged files to the finished file of the version. */
async function fillWarehouse(options: BuildOptions, read: ReadExport, version: NewVersion): Promise<Account> {
  const { archive, catalogues, results, stage, slices } = read;
  const { id, sequence, folder, publications, before, olderExports } = version;
  const { warehouse, progress } = options;
  const engine = await openReadWrite(join(folder, 'warehouse.duckdb'), engineLimits(options, folder), options.signal);
  try {
    const moveToVersions = await assemble({
      warehouse: engine,
      stage,
      rows: join(folder, 'units.rows'),
      slices,
      catalogues: catalogues.catalogues,
      folder: warehouse,
      self: { id, sequence, exportDay: archive.day },
      publications,
      before,
      nep: nepFile(warehouse),
      olderExports,
      progress,
    });
    progress.stage('account');
    const account = await writeAccount(engine, archive, results, catalogues, { before: before !== null, sequence });
    await describeDataset(engine, archive, version, moveToVersions);
    progress.stage('writing');
    if (before !== null) await engine.run('DETACH vorige');
    await engine.run('CHECKPOINT');
    return account;
  } finally {
    engine.close();
  }
}

async function backfillHistory(options: BuildOptions): Promise<BackfillOutcome> {
  const { warehouse, progress } = options;
  progress.stage('archive and catalogues');
  const archive = await openArchive(options.source, options.day);
  requireEveryPart(archive);
  const before = (await options.target.publications()).at(-1);
  if (before === undefined) {
    throw new BuildRefused(
      '--backfill adds history to a version that is served, and there is none yet: build older exports before newer ones.',
    );
  }
  if (archive.day >= before.exportDay) {
    throw new BuildRefused(
      `--backfill is for exports older than the version served (of ${before.exportDay}); this one is of ${archive.day}.`,
    );
  }
  const folder = join(buildingFolder(warehouse), `history-${archive.day}`);
  const { catalogues, stage } = await readExport(options, archive, folder);
  progress.stage('history');
  const engine = await openReadWrite(join(folder, 'history.duckdb'), engineLimits(options, folder), options.signal);
  try {
    const units = await writeHistory(engine, warehouse, stage, catalogues.catalogues, archive.day);
    progress.end();
    return { exportDay: archive.day, units };
  } finally {
    engine.close();
  }
}

/** Every thread of the engine holds an open row group of the wide table; more threads than memory for them would fail. */
const MEMORY_PER_THREAD_MB = 450;

const engineLimits = ({ memoryMb, threads }: BuildOptions, folder: string): EngineLimits => ({
  memoryMb,
  threads: Math.max(1, Math.min(threads, Math.floor(memoryMb / MEMORY_PER_THREAD_MB))),
  temporaryFolder: join(folder, 'temporary'),
});

interface ReadExport {
  readonly archive: Archive;
  readonly catalogues: ReadCatalogues;
  readonly results: readonly MemberResult[];
  /** Folder of the staged files. */
  readonly stage: string;
  readonly slices: number;
}

async function readExport(options: BuildOptions, archive: Archive, folder: string): Promise<ReadExport> {
  const stage = join(folder, 'stage');
  mkdirSync(stage, { recursive: true });
  const catalogues = await readCatalogues(archive);
  const known = new Set(catalogues.members.map(({ member }) => member));
  const rest = archive.members.filter(({ index, kind }) => kind !== null && !known.has(index));
  const bytes = rest.reduce((sum, member) => sum + member.bytes, 0);
  options.progress.stage(`reading ${rest.length} files`, bytes, 'MB');
  const [year, month, day] = archive.day.split('-').map(Number) as [number, number, number];
  const bounds = { first: FIRST_BELIEVED_DAY, last: dayNumber(year + BELIEVED_YEARS_AHEAD, month, Math.min(day, 28)) };
  const sliced = rest.filter(({ kind }) => tableOf(kind!)?.sliced);
  const slices = sliceCount(sliced.reduce((sum, member) => sum + member.bytes, 0));
  const context = {
    archive: { path: archive.path, form: archive.form },
    stage,
    slices,
    catalogues: catalogues.catalogues,
    bounds,
  };
  const advance = (piece: number) => options.progress.advance(piece);
  const results = await readMembers(context, rest, options.threads, advance, options.signal);
  return { archive, catalogues, results, stage, slices };
}

async function describeDataset(
  engine: WarehouseConnection,
  archive: Archive,
  { id, sequence, before }: NewVersion,
  complete: number,
): Promise<void> {
  await engine.run(`INSERT INTO dataset VALUES (
    ${literal(id)}, ${sequence}, DATE ${literal(archive.day)}, ${archive.level === null ? 'NULL' : literal(archive.level)},
    ${literal(basename(archive.path))}, TIMESTAMP ${literal(new Date().toISOString().slice(0, 23))},
    ${before === null ? 'NULL' : literal(before.id)}, ${literal(hashBasis(engine.engineVersion))}, ${complete})`);
}

/** What stays of a build; the report comes to it. */
const VERSION_FILES = ['warehouse.duckdb', 'units.rows'];

/** Moves the finished version among the others, in one step. */
function complete(warehouse: string, id: string, folder: string, report: BuildReport): void {
  for (const name of readdirSync(folder)) {
    if (!VERSION_FILES.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  writeDurably(join(folder, 'report.json'), `${JSON.stringify(report, null, 1)}\n`);
  mkdirSync(versionsFolder(warehouse), { recursive: true });
  renameSync(folder, versionFolder(warehouse, id));
  syncFolder(versionsFolder(warehouse));
}
