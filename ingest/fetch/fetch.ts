import { mkdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { counted } from '../../runtime/counted.ts';
import { acquireLock } from '../../runtime/lock-file.ts';
import { type Downloaded, downloadExport } from './download.ts';
import { downloadedExports } from './exports.ts';
import { newestOf, readExportLinks } from './page.ts';
import { FetchFailed, type FetchPolicy, sendRequest } from './request.ts';
import { retryFetch } from './retry-request.ts';

/** The newest export of the register: one download at a time, and one a day. */

export interface FetchOptions {
  /** A zip, or the page whose links name the exports. */
  readonly url: string;
  readonly folder: string;
  /** Calendar day in Germany, YYYY-MM-DD. */
  readonly today: string;
  readonly policy: FetchPolicy;
  /** Day of the version served: only a newer export is downloaded. Null when nothing is served. */
  readonly servedDay: string | null;
  /** The caller named the address: it is asked even if an export was downloaded today or has its name. */
  readonly named?: boolean;
}

export interface Fetched extends Downloaded {
  readonly name: string;
}

/** The newest export has been built already; nothing was downloaded. */
export interface NothingNewer {
  readonly name: string;
  readonly day: string;
  readonly path: null;
}

/**
 * Downloads the newest export that the page names, or the zip, unless it exists already.
 * @throws Locked when another process is downloading, FetchFailed, ArchiveError, the reason of the signal
 */
export async function fetchExport(options: FetchOptions): Promise<Fetched | NothingNewer> {
  const { url, folder, today, policy, named = false } = options;
  return withDownloadLock(folder, url, async () => {
    const zip = zipName(url);
    if (zip !== null) {
      const downloaded = await downloadExport({ url, name: zip, folder, today, newest: false }, policy);
      if (named && !downloaded.fresh) await mustHaveTheSame(downloaded.path, url, policy);
      return { name: zip, ...downloaded };
    }
    const downloadedToday = downloadedExports(folder).findLast((one) => one.newest && one.downloadedOn === today);
    if (downloadedToday !== undefined && !named) {
      const { path, exportDay } = downloadedToday;
      return { name: path.slice(folder.length + 1), path, day: exportDay, fresh: false, bytes: null };
    }
    const link = newestOf(await readExportLinks(url, policy), url);
    const { name, day } = link;
    const needed = options.servedDay === null || day > options.servedDay;
    if (!needed) {
      policy.progress.end();
      return { name, day, path: null };
    }
    return { name, ...(await downloadExport({ url: link.url, name, folder, today, newest: true }, policy)) };
  });
}

/** @throws FetchFailed when the file that is there is another one than that of the address */
async function mustHaveTheSame(path: string, url: string, policy: FetchPolicy): Promise<void> {
  const there = await retryFetch(policy, url, async () => {
    const response = await sendRequest(url, { Range: 'bytes=0-0' }, policy);
    response.cancel();
    // A server that knows no ranges answers with the whole file, and a range that does not exist has the length after `*`.
    const length = response.headers.get('content-range')?.split('/')[1] ?? response.headers.get('content-length');
    return Number(length ?? Number.NaN);
  });
  const here = statSync(path).size;
  if (Number.isNaN(there) || there === here) return;
  throw new FetchFailed(
    `${url} has ${counted(there, 'byte')}, and ${path} has ${here.toLocaleString('en')}: they are different exports of one ` +
      'name. A downloaded file is never replaced: move it away, or build it with npm run ingest -- build.',
  );
}

/** @throws Locked naming the process that is downloading into the folder */
export async function withDownloadLock<T>(folder: string, subject: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const release = acquireLock(join(folder, 'fetch.lock'), `download from ${subject}`, 'Another download is at work');
  try {
    return await work();
  } finally {
    release();
  }
}

/** Name of the zip at an address; null when the address is that of a page. */
function zipName(url: string): string | null {
  const name = posix.basename(new URL(url).pathname);
  return /^[\w.-]+\.zip$/.test(name) ? name : null;
}
