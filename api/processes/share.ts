import { type Settings, warehouseServer } from '../../runtime/settings.ts';

/** The part of the settings that one of several processes of a service may take for itself. */

/** Several processes cannot work with these settings. */
export class WorkersRefused extends Error {}

/** The least that the engine needs in one process, as QUERY_MEMORY_MB has it. */
const LEAST_MEMORY_MB = 64;

/** @throws WorkersRefused with what to do */
export function mustSuitWorkers(settings: Settings): void {
  const { WORKERS: workers, ORG_STORE_URL: store, QUERY_MEMORY_MB: memory } = settings;
  if (workers === 1) return;
  if (store.startsWith('pglite:')) {
    throw new WorkersRefused(
      `WORKERS=${workers} needs the organisations on a Postgres server: those in a folder belong to one process. Set ` +
        'ORG_STORE_URL=postgres://… (docs/operations.md says how they move there), or WORKERS=1',
    );
  }
  if (warehouseServer(settings) === null && memory < workers * LEAST_MEMORY_MB) {
    throw new WorkersRefused(
      `WORKERS=${workers} share QUERY_MEMORY_MB=${memory}, and each needs ${LEAST_MEMORY_MB}: set it to at least ` +
        `${workers * LEAST_MEMORY_MB}, or WORKERS to at most ${Math.max(1, Math.floor(memory / LEAST_MEMORY_MB))}`,
    );
  }
}

/**
 * Returns the settings of one of WORKERS processes. Its metrics are read by the first process. Limits of a ClickHouse server
 * are those of one statement, so they stay.
 */
export function shareOf(settings: Settings): Settings {
  const { WORKERS: workers, QUERY_THREADS, QUERY_MEMORY_MB, MAX_CONNECTIONS } = settings;
  const engine =
    warehouseServer(settings) === null
      ? {
          QUERY_THREADS: QUERY_THREADS === null ? null : Math.max(1, Math.floor(QUERY_THREADS / workers)),
          QUERY_MEMORY_MB: Math.floor(QUERY_MEMORY_MB / workers),
        }
      : {};
  return { ...settings, ...engine, MAX_CONNECTIONS: Math.ceil(MAX_CONNECTIONS / workers), METRICS_PORT: null };
}
