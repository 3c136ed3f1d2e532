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
import { attachFile, versionFiles } from '../assembly/version-files.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { type EngineLimits, openReadOnly, openReadWrite } from '../duckdb/connection.ts';
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
      if (served !== null) await requireReadable(folder, served.version, task.signal);
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

/** @throws Damaged before anything is read: the history of the version is carried over, so a build from nothing would fail as well */
async function requireReadable(folder: string, version: string, signal: AbortSignal | undefined): Promise<void> {
  requireTables(folder, version);
  const engine = await openReadWrite(':memory:', READING_LIMITS, signal);
  try {
    await attachFile(engine, versionFile(folder, version), 'previous_version');
  } finally {
    await engine.close();
  }
}
