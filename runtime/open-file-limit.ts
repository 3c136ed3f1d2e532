import { z } from 'zod';

/** The system bounds the files and connections that a process may have open at a time. */

/** The service opens so many files beside connections of callers: tables of the stores, connections to servers, logs. */
const OWN_FILES = 512;

const MAX_CONNECTIONS = 10_000;

const limits = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.number() }) }) });

/** The system's limit for this process, after Node has raised it as far as it may; null where there is none. */
function openFilesLimit(): number | null {
  return limits.safeParse(process.report.getReport()).data?.userLimits.open_files.soft ?? null;
}

let known: number | null | undefined;

/** Connections that leave the service the files it needs, so that it can always write: see MAX_CONNECTIONS. */
export function defaultMaxConnections(): number {
  known ??= openFilesLimit();
  if (known === null) return MAX_CONNECTIONS;
  // Of few descriptors in all, callers get a quarter, and the stores have to do with the rest.
  return Math.min(MAX_CONNECTIONS, Math.max(known - OWN_FILES, Math.floor(known / 4)));
}
