import {
  listVersions,
  prune,
  publications,
  publish,
  requireTables,
  versionFile,
} from '../../sql/warehouse/versions.ts';
import { openFolderSource } from '../export/duckdb-source.ts';
import { readReport } from '../run/build-report.ts';
import { refuseLostHistory } from './refuse-lost-history.ts';
import type { PublicationTarget } from './target.ts';

/** Versions are served from the folder in which they were built. */
export function folderTarget(folder: string): PublicationTarget {
  return {
    name: folder,
    publications: async () => publications(folder),
    versions: async () => listVersions(folder),
    report: async (version) => readReport(folder, version),
    dumpSource: (version, signal) => openFolderSource(folder, version, signal),
    nextSequence: async () => {
      const numbers = [...listVersions(folder), ...publications(folder)].map(({ sequence }) => sequence);
      return Math.max(0, ...numbers) + 1;
    },
    async history({ version }) {
      requireTables(folder, version);
      return versionFile(folder, version);
    },
    refuseLostHistory: () => refuseLostHistory(folder, folder, ({ previousVersion }) => previousVersion !== null),
    load: async () => {},
    publish: async (version, cause, forced = []) => publish(folder, version, cause, new Date(), [...forced]),
    prune: async (keep) => prune(folder, keep),
    close: async () => {},
  };
}
