import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Archive, openArchive } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { completeDownload, exportAt } from './exports.ts';
import { type PartialDownload, partialDownload } from './partial.ts';
import type { FetchPolicy } from './request.ts';
import { retryFetch } from './retry-request.ts';
import { transfer } from './transfer.ts';

/** Downloads an export; in the folder it is either complete or absent. */

export interface Downloaded {
  readonly path: string;
  /** Day of the export, YYYY-MM-DD. */
  readonly day: string;
  /** False when the file existed already. */
  readonly fresh: boolean;
  /** Bytes of the zip; null when the file existed already. */
  readonly bytes: number | null;
}

export interface DownloadRequest {
  readonly url: string;
  readonly name: string;
  readonly folder: string;
  /** `downloadedOn` and `newest` of the Origin. */
  readonly today: string;
  readonly newest: boolean;
}

/**
 * Downloads a zip into the folder unless it exists already, resuming an earlier attempt.
 * @throws FetchFailed, ArchiveError when the file is not an export, the reason of the signal
 */
export async function downloadExport(
  { url, name, folder, today, newest }: DownloadRequest,
  policy: FetchPolicy,
): Promise<Downloaded> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const existing = await exportAt(path);
  if (existing !== null) return { path, day: existing.day, fresh: false, bytes: null };
  const partial = partialDownload(path);
  await transferWithRetries(url, partial, policy);
  policy.progress.stage('zip directory');
  const { day, members } = await openDownloaded(url, partial);
  const bytes = partial.size();
  const origin = { url, exportDay: day, bytes, members: members.length, downloadedOn: today, newest };
  completeDownload(partial.path, path, origin);
  partial.clear();
  policy.progress.end();
  return { path, day, fresh: true, bytes };
}

/** A further hundredth of the file resets the count of failures, so that even an unreliable line completes it. */
async function transferWithRetries(url: string, partial: PartialDownload, policy: FetchPolicy): Promise<void> {
  let furthest = partial.size();
  const hasAdvanced = () => {
    const state = partial.state(url);
    const size = state === null ? 0 : partial.size();
    const isFurther = size - furthest >= (state?.length ?? Number.POSITIVE_INFINITY) / 100;
    furthest = Math.max(furthest, size);
    return isFurther;
  };
  await retryFetch(policy, url, () => transfer(url, partial, policy), hasAdvanced);
}

/** A file of the right length may still not be an archive; then the download must not be resumed. */
async function openDownloaded(url: string, partial: PartialDownload): Promise<Archive> {
  try {
    return await openArchive(partial.path, null);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    partial.clear();
    throw new ArchiveError(`What came from ${url} is no complete export and was removed: ${error.message}`);
  }
}
