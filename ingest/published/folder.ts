import {
  listVersions,
  prune,
  publications,
  publish,
  requireTables,
  versionFile,
} from '../../sql/warehouse/versions.ts';
import { localSource } from '../export/duckdb-source.ts';
import { readReport } from '../run/build-report.ts';
import type { Published } from './published.ts';
import { refuseLostHistory } from './refuse-lost-history.ts';

/** Versions that are read where they were built. */
export function inFolder(folder: string): Published {
  return {
    name: folder,
    publications: async () => publications(folder),
    versions: async () => listVersions(folder),
    report: async (version) => readReport(folder, version),
    dumpSource: (version, signal) => localSource(folder, version, signal),
    nextSequence: async () => {
      const numbers = [...listVersions(folder), ...publications(folder)].map(({ sequence }) => sequence);
      return Math.max(0, ...numbers) + 1;
    },
    async history(served) {
      if (served !== null) {
        requireTables(folder, served.version);
        return versionFile(folder, served.version);
      }
      refuseLostHistory(folder, folder, ({ previousVersion }) => previousVersion !== null);
      return null;
    },
    take: async () => {},
    publish: async (version, cause, forced = []) => publish(folder, version, cause, new Date(), [...forced]),
    prune: async (keep) => prune(folder, keep),
    close: async () => {},
  };
}
