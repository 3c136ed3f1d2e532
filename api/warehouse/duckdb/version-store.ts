import { readFileSync, statSync } from 'node:fs';
import { erasuresFile, erasuresIn, numbersOf } from '../../../sql/warehouse/erasures.ts';
import {
  existing,
  listVersions,
  ordersFile,
  pointerFile,
  publications,
  regionDaysFile,
  reportFile,
  requireFiles,
  requireTables,
  rowFile,
  searchFile,
  versionFile,
} from '../../../sql/warehouse/versions.ts';
import { limitsBeside, type QueryLimits, type VersionMeter } from '../version.ts';
import type { StoredReport, VersionStore } from '../warehouse.ts';
import { openDuckdbTables, openDuckdbVersion, type VersionFiles } from './version.ts';

/** The versions of a folder, each in files of its own. */
export const folderVersions = (folder: string, limits: QueryLimits, meter: VersionMeter): VersionStore => ({
  name: folder,
  pollMilliseconds: 250,
  async revision() {
    const pointer = markOf(pointerFile(folder));
    return pointer === null ? null : `${pointer} ${markOf(erasuresFile(folder))}`;
  },
  publications: async () => publications(folder),
  erasures: async () => numbersOf(erasuresIn(folder)),
  async open(version) {
    requireFiles(folder, version);
    return openDuckdbVersion(filesOf(folder, version), limits, meter);
  },
  async openBeside(version) {
    requireTables(folder, version);
    return openDuckdbTables(versionFile(folder, version), limitsBeside(limits), meter, 1);
  },
  versions: async () => listVersions(folder),
  report: async (version) => reportIn(folder, version),
  close() {},
});

/** A text that changes when the file is replaced; null where there is none. */
function markOf(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}

const filesOf = (folder: string, version: string): VersionFiles => ({
  tables: versionFile(folder, version),
  rows: rowFile(folder, version),
  search: existing(searchFile(folder, version)),
  orders: existing(ordersFile(folder, version)),
  regionDays: existing(regionDaysFile(folder, version)),
});

/** Reads the report of a version of a folder; null when there is none. */
export function reportIn(folder: string, version: string): StoredReport | null {
  const path = reportFile(folder, version);
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : { text: readFileSync(path, 'utf8'), endedAt: stat.mtimeMs / 1000 };
}
