import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addErasure, erasuresIn } from '../../sql/warehouse/erasures.ts';
import {
  listVersions,
  prune,
  publications,
  publish,
  requireTables,
  versionFile,
} from '../../sql/warehouse/versions.ts';
import { versionFiles } from '../assembly/version-files.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { type EngineLimits, openReadOnly } from '../duckdb/connection.ts';
import { openFolderSource } from '../export/duckdb-source.ts';
import { readReport } from '../run/build-report.ts';
import { refuseLostHistory } from './refuse-lost-history.ts';

/** Enough to read rows of a few units. */
const READING_LIMITS: EngineLimits = {
  memoryMb: 500,
  threads: 1,
  temporaryFolder: join(tmpdir(), 'ingest-reading'),
};

/** Versions are served from the folder in which they were built. */
export function folderTarget(folder: string): PublicationTarget {
  return {
    name: folder,
    publications: async () => publications(folder),
    versions: async () => listVersions(folder),
    report: async (version) => readReport(folder, version),
    dumpSource: (version, memoryMb, signal) => openFolderSource(folder, version, memoryMb, signal),
    async tables(version, _wanted, signal) {
      const file = versionFile(folder, version);
      return existsSync(file) ? openReadOnly(file, READING_LIMITS, signal) : null;
    },
    nextSequence: async () => {
      const numbers = [...listVersions(folder), ...publications(folder)].map(({ sequence }) => sequence);
      return Math.max(0, ...numbers) + 1;
    },
    async begin(version, served, task) {
      if (served !== null) requireTables(folder, served.version);
      return versionFiles(folder, version, task);
    },
    refuseLostHistory: () => refuseLostHistory(folder, folder, ({ previousVersion }) => previousVersion !== null),
    load: async () => {},
    publish: async (version, cause, forced = []) => publish(folder, version, cause, new Date(), [...forced]),
    erasures: async () => erasuresIn(folder),
    erase: async (erasure) => addErasure(folder, erasure),
    prune: async (keep) => prune(folder, keep),
    close: async () => {},
  };
}
