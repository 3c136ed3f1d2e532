import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import { Damaged, unreadable, VERSION_REMEDY } from '../../sql/warehouse/damage.ts';
import { openOrders } from '../../sql/warehouse/orders/reader.ts';
import { openRegionDays } from '../../sql/warehouse/regions/reader.ts';
import { openRowFile, type RowFile } from '../../sql/warehouse/rows/reader.ts';
import { openSearchIndex, type SearchIndex } from '../../sql/warehouse/search/reader.ts';
import {
  ordersFile,
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
  const search = searchFile(folder, version);
  const orders = ordersFile(folder, version);
  const days = regionDaysFile(folder, version);
  if (inRows !== null) {
    const { places, units } = inRows;
    await collectDamage(() => verifyBlocks(search, () => openSearchIndex(search, units), 'Searches', damage, notes));
    await collectDamage(() => verifyBlocks(orders, () => openOrders(orders, places), 'Pages', damage, notes));
  }
  await collectDamage(() => verifyBlocks(days, () => openRegionDays(days), 'Regions', damage, notes));
  const inTables = await collectDamage(() => verifyTables(versionFile(folder, version), memoryMb, signal));
  const counts = [inReport, inRows?.units ?? null, inTables].filter((count) => count !== null);
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

/** @returns the file, closed: its index stays readable */
function verifyRows(path: string, damage: string[], notes: string[]): RowFile {
  const file = openRowFile(path);
  try {
    if (file.hasChecksums) reportBlocks(path, file.damagedBlocks(), damage);
    else notes.push(`${path} was written by an earlier release, without checksums: its rows cannot be verified.`);
    return file;
  } finally {
    file.close();
  }
}

/**
 * Verifies a file that answers questions without a statement.
 * @param questions those that take longer without it
 */
function verifyBlocks(
  path: string,
  open: () => Pick<SearchIndex, 'close' | 'damagedBlocks'> | null,
  questions: string,
  damage: string[],
  notes: string[],
): void {
  if (!existsSync(path)) {
    notes.push(`${path} is not there: an earlier release built the version, or it was lost. ${questions} take longer.`);
    return;
  }
  const file = open();
  if (file === null) return;
  try {
    reportBlocks(path, file.damagedBlocks(), damage);
  } finally {
    file.close();
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
      await engine.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(path, error);
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}
