import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Archive, openArchive } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { exportAt, keepExport } from './exports.ts';
import { type Partial, partialOf } from './partial.ts';
import type { FetchPolicy } from './request.ts';
import { retryRequest } from './retry-request.ts';
import { transfer } from './transfer.ts';

/** An export by its address: complete in the folder, or not there at all. */

export interface Downloaded {
  readonly path: string;
  /** Day of the export, YYYY-MM-DD. */
  readonly day: string;
  /** False when the file was there already. */
  readonly fresh: boolean;
  /** Bytes of the zip; of one that was there already, null. */
  readonly bytes: number | null;
}

export interface Wanted {
  readonly url: string;
  readonly name: string;
  readonly folder: string;
  /** See Origin. */
  readonly today: string;
  readonly newest: boolean;
}

/**
 * Downloads a zip into the folder, unless it is there already. Goes on with what an earlier attempt has left.
 * @throws FetchFailed, ArchiveError when what arrives is no export, the reason of the signal
 */
export async function download({ url, name, folder, today, newest }: Wanted, policy: FetchPolicy): Promise<Downloaded> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const present = await exportAt(path);
  if (present !== null) return { path, day: present.day, fresh: false, bytes: null };
  const partial = partialOf(path);
  await bring(url, partial, policy);
  policy.progress.stage('zip directory');
  const { day, members } = await checked(url, partial);
  const bytes = partial.size();
  const origin = { url, exportDay: day, bytes, members: members.length, downloadedOn: today, newest };
  keepExport(partial.path, path, origin);
  partial.clear();
  policy.progress.end();
  return { path, day, fresh: true, bytes };
}

/** A hundredth of the file on top of what was there is progress: a bad line brings the file all the same. */
async function bring(url: string, partial: Partial, policy: FetchPolicy): Promise<void> {
  let furthest = partial.size();
  const advanced = () => {
    const state = partial.state(url);
    const size = state === null ? 0 : partial.size();
    const enough = size - furthest >= (state?.length ?? Number.POSITIVE_INFINITY) / 100;
    furthest = Math.max(furthest, size);
    return enough;
  };
  await retryRequest(policy, url, () => transfer(url, partial, policy), advanced);
}

/** A file of the right length may still be no archive; then the download must not be resumed. */
async function checked(url: string, partial: Partial): Promise<Archive> {
  try {
    return await openArchive(partial.path, null);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    partial.clear();
    throw new ArchiveError(`What came from ${url} is no complete export and was removed: ${error.message}`);
  }
}
