import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import { Damaged, VERSION_REMEDY } from '../../sql/warehouse/damage.ts';
import { openRegionDays } from '../../sql/warehouse/regions/reader.ts';
import { openRowFile } from '../../sql/warehouse/rows/reader.ts';
import { openSearchIndex } from '../../sql/warehouse/search/reader.ts';
import {
  publications,
  regionDaysFile,
  reportFile,
  requireFiles,
  rowFile,
  searchFile,
  versionFile,
} from '../../sql/warehouse/versions.ts';
import { openReadOnly } from '../duckdb/connection.ts';
import { readReport } from '../run/build-report.ts';

interface Verified {
  /** One entry for each damage, with file and remedy; empty when there is none. */
  readonly damage: readonly string[];
  /** One entry for each file that could not be verified. */
  readonly notes: readonly string[];
}

/** Damaged blocks beyond this number are only counted. */
const MAX_REPORTED = 20;

/**
 * Reads a version completely. Every block of its files has a checksum, so that changes by the disk are found.
 * @param folder of the warehouse
 */
export async function verifyVersion(
  folder: string,
  version: string,
  memoryMb: number,
  signal: AbortSignal,
): Promise<Verified> {
  const damage: string[] = [];
  const notes: string[] = [];
  const collectDamage = async <Result>(work: () => Result | Promise<Result>): Promise<Result | null> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      damage.push(error.message);
      return null;
    }
  };
  await collectDamage(() => publications(folder));
  const isThere = await collectDamage(() => {
    requireFiles(folder, version);
    return true;
  });
  if (isThere === null) return { damage, notes };
  const inReport = await collectDamage(() => unitsOfReport(folder, version));
  const inRows = await collectDamage(() => verifyRows(rowFile(folder, version), damage, notes));
  if (inRows !== null) await collectDamage(() => verifySearch(searchFile(folder, version), inRows, damage, notes));
  await collectDamage(() => verifyRegionDays(regionDaysFile(folder, version), damage, notes));
  const inTables = await collectDamage(() => verifyTables(versionFile(folder, version), memoryMb, signal));
  const counts = [inReport, inRows, inTables].filter((count) => count !== null);
  if (new Set(counts).size > 1) {
    damage.push(
      `${version}: report, row file and tables do not have the same number of units (${counts.join(', ')}). ${VERSION_REMEDY}`,
    );
  }
  return { damage, notes };
}

/** @returns the number of units */
function unitsOfReport(folder: string, version: string): number {
  try {
    const report = readReport(folder, version);
    if (report === null) throw new Error('it is not there');
    return Object.values(report.units).reduce((sum, count) => sum + count, 0);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Damaged(reportFile(folder, version), what, VERSION_REMEDY, error);
  }
}

function verifyRows(path: string, damage: string[], notes: string[]): number {
  const file = openRowFile(path);
  try {
    if (!file.hasChecksums) {
      notes.push(`${path} was written by an earlier release, without checksums: its rows cannot be verified.`);
      return file.units;
    }
    reportBlocks(path, file.damagedBlocks(), damage);
    return file.units;
  } finally {
    file.close();
  }
}

/** @param units of the version */
function verifySearch(path: string, units: number, damage: string[], notes: string[]): void {
  if (!existsSync(path)) {
    notes.push(`${path} is not there: an earlier release built the version, or it was lost. Searches take longer.`);
    return;
  }
  const index = openSearchIndex(path, units);
  try {
    reportBlocks(path, index.damagedBlocks(), damage);
  } finally {
    index.close();
  }
}

function verifyRegionDays(path: string, damage: string[], notes: string[]): void {
  if (!existsSync(path)) {
    notes.push(`${path} is not there: an earlier release built the version, or it was lost. Regions take longer.`);
    return;
  }
  const days = openRegionDays(path);
  try {
    reportBlocks(path, days.damagedBlocks(), damage);
  } finally {
    days.close();
  }
}

function reportBlocks(path: string, blocks: Iterable<string>, damage: string[]): void {
  let found = 0;
  for (const message of blocks) if (++found <= MAX_REPORTED) damage.push(message);
  if (found > MAX_REPORTED) damage.push(`${path} has ${counted(found - MAX_REPORTED, 'more damaged block')}`);
}

/** Reads every column of every table: the engine holds each block against its checksum. @returns the number of units */
async function verifyTables(path: string, memoryMb: number, signal: AbortSignal): Promise<number> {
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'verify-'));
  try {
    const engine = await openReadOnly(path, { memoryMb, threads: 2, temporaryFolder }, signal);
    try {
      const tables = await engine.rows<{ name: string }>(
        'SELECT table_name AS name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY name',
      );
      for (const { name } of tables) await engine.rows(`SELECT bit_xor(hash(one)) FROM "${name}" AS one`);
      const [row] = await engine.rows<{ units: bigint }>('SELECT count(*) AS units FROM units');
      return Number(row?.units ?? 0);
    } finally {
      engine.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new Damaged(path, String(error).split('\n')[0] ?? '', VERSION_REMEDY, error);
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}
