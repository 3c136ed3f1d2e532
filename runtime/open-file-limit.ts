import { z } from 'zod';

/** The service needs these for tables of the stores, connections to servers and logs. */
const RESERVED_FILES = 512;

const MAX_CONNECTIONS = 10_000;

const MAX_OUTGOING_CONNECTIONS = 2_048;

const limits = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.number() }) }) });

/** The system's limit of open files and connections, which Node has raised as far as it may; null when there is none. */
function openFilesLimit(): number | null {
  return limits.safeParse(process.report.getReport()).data?.userLimits.open_files.soft ?? null;
}

let cachedLimit: number | null | undefined;

/** The default of MAX_CONNECTIONS: it leaves the service the files that it needs to write at any time. */
export function defaultMaxConnections(): number {
  cachedLimit ??= openFilesLimit();
  if (cachedLimit === null) return MAX_CONNECTIONS;
  // Callers get a quarter of a low limit, and the stores have to manage with the rest.
  const left = cachedLimit - RESERVED_FILES - maxOutgoingConnections();
  return Math.min(MAX_CONNECTIONS, Math.max(left, Math.floor(cachedLimit / 4)));
}

/** Connections to receivers of webhooks that may be open at once. */
export function maxOutgoingConnections(): number {
  cachedLimit ??= openFilesLimit();
  return Math.min(MAX_OUTGOING_CONNECTIONS, Math.floor((cachedLimit ?? Number.POSITIVE_INFINITY) / 8));
}
