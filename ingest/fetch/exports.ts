import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder, writeDurably } from '../../runtime/durable-files.ts';
import { type Archive, openArchive } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';

/**
 * The folder of the downloaded exports.
 *
 *     <name>.zip             complete: its directory was read
 *     <name>.zip.json        when and from where it was downloaded; without it, the operator put the zip there
 *     <name>.zip.partial     an unfinished download, see partial.ts
 *     <name>.zip.damaged     seemed complete and is damaged
 *     fetch.lock             the process that is downloading
 *     stichtag/              the same for exports of reference days
 */

const originShape = z.object({
  url: z.string(),
  /** Day of the export, YYYY-MM-DD. */
  exportDay: z.string(),
  bytes: z.number().int(),
  /** Files in the archive. */
  members: z.number().int(),
  /** Calendar day in Germany on which it was complete. */
  downloadedOn: z.string(),
  /** True for the newest export of the page; there is one such download a day. */
  newest: z.boolean(),
});

export type Origin = z.infer<typeof originShape>;

const originFile = (path: string): string => `${path}.json`;

/** The complete export at this path; null when there is none. One that cannot be opened is set aside. */
export async function exportAt(path: string): Promise<Archive | null> {
  if (!existsSync(path)) return null;
  try {
    return await openArchive(path, null);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    setAside(path);
    return null;
  }
}

/** Renames a damaged export, so that it is downloaded again. Returns its new path. */
export function setAside(path: string): string {
  const damaged = `${path}.damaged`;
  rmSync(originFile(path), { force: true });
  renameSync(path, damaged);
  return damaged;
}

/** Gives a complete download its final name. An existing file of that name is never replaced. */
export function completeDownload(partial: string, path: string, origin: Origin): void {
  writeDurably(originFile(path), `${JSON.stringify(origin, null, 1)}\n`);
  linkSync(partial, path);
  syncFolder(join(path, '..'));
}

interface DownloadedExport extends Origin {
  readonly path: string;
}

/** The complete exports that were downloaded into the folder, oldest day first. */
export function downloadedExports(folder: string): DownloadedExport[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .filter((name) => name.endsWith('.zip.json'))
    .map((name) => join(folder, name.slice(0, -'.json'.length)))
    .flatMap((path) => {
      const origin = existsSync(path) ? readOrigin(path) : null;
      return origin === null ? [] : [{ path, ...origin }];
    })
    .sort((a, b) => a.exportDay.localeCompare(b.exportDay) || a.path.localeCompare(b.path));
}

/** Null for a file that no download has written; its zip was not downloaded either. */
function readOrigin(path: string): Origin | null {
  try {
    return originShape.parse(JSON.parse(readFileSync(originFile(path), 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Removes all but the newest `keep` downloaded exports, and leftovers of downloads older than the newest export. Files
 * that the operator put there stay. Returns the names of the removed files.
 */
export function pruneExports(folder: string, keep: number): string[] {
  const exports = downloadedExports(folder);
  const surplus = exports.slice(0, Math.max(0, exports.length - keep)).flatMap(({ path }) => [path, originFile(path)]);
  const newest = exports.at(-1)?.path ?? '';
  const leftovers = readdirSync(folder)
    .filter((name) => /\.zip\.(?:partial|partial\.json|damaged)$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => path < newest);
  for (const path of [...surplus, ...leftovers]) rmSync(path, { force: true });
  return [...surplus, ...leftovers]
    .filter((path) => !path.endsWith('.json'))
    .map((path) => path.slice(folder.length + 1));
}
