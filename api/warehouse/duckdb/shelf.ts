import { statSync } from 'node:fs';
import { pointerFile, publications, rowFile, versionFile } from '../../../sql/warehouse/versions.ts';
import type { QueryLimits } from '../version.ts';
import type { Shelf } from '../warehouse.ts';
import { openVersion } from './version.ts';

/** The versions of a folder, each in files of its own. */
export const folderShelf = (folder: string, limits: QueryLimits): Shelf => ({
  name: folder,
  lookMilliseconds: 250,
  async mark() {
    const stat = statSync(pointerFile(folder), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
  },
  publications: async () => publications(folder),
  open: (version) => openVersion(versionFile(folder, version), rowFile(folder, version), limits),
  close() {},
});
