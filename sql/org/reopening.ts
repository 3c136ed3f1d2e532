import { closeSync, openSync } from 'node:fs';
import type { Logger } from '../../runtime/log.ts';
import { StoreUnavailable } from './driver.ts';
import type { EmbeddedDatabase } from './embedded-database.ts';
import { ThreadEnded } from './embedded-thread.ts';

/**
 * A database inside this process that is reopened over its files when it has lost access to them. A process that runs out
 * of file descriptors, for example, leaves the database with files that it can never open again, although they are intact
 * on the disk; and one on a thread of its own is lost when that thread ends. Reopening is like a start after a kill, and loses no more.
 */
export interface ReopeningDatabase {
  /** @throws StoreUnavailable while the database cannot be opened, and when it has just lost its files */
  use<Result>(work: (database: EmbeddedDatabase) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Pause before a database that could not be opened is tried again. */
const PAUSE_MILLISECONDS = 1_000;

/** The same loss within this time after a database was reopened means that its files are damaged. */
const SAME_LOSS_MILLISECONDS = 60_000;

/**
 * Descriptors that have to be free before a database is replaced, besides those that it releases: if none is left while
 * the new one opens, an internal promise of PGlite rejects, which ends the whole process.
 */
const SPARE_DESCRIPTORS = 64;

/** Returns true when the process can open so many files now. */
function canOpen(count: number): boolean {
  const descriptors: number[] = [];
  try {
    while (descriptors.length < count) descriptors.push(openSync(import.meta.filename, 'r'));
    return true;
  } catch {
    return false;
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/** @param open opens another database over the same files */
export function reopeningDatabase(
  first: EmbeddedDatabase,
  open: () => Promise<EmbeddedDatabase>,
  log: Logger,
): ReopeningDatabase {
  let database: EmbeddedDatabase | null = first;
  let isLost = false;
  let inUse = 0;
  let renewal: Promise<EmbeddedDatabase> | null = null;
  let pausedUntil = 0;
  /** The message of the last loss; the same one soon after a renewal means damage. */
  let lastLoss: { readonly message: string; readonly until: number } | null = null;
  let closed = false;

  /** Replaces the database. No other work uses it: everything that began before the loss has ended. */
  const renew = async (): Promise<EmbeddedDatabase> => {
    if (!canOpen(SPARE_DESCRIPTORS)) {
      pausedUntil = performance.now() + PAUSE_MILLISECONDS;
      throw new StoreUnavailable('The organisation store waits for file descriptors: the process has none left');
    }
    await database?.abandon();
    database = null;
    try {
      database = await open();
    } catch (error) {
      pausedUntil = performance.now() + PAUSE_MILLISECONDS;
      throw new StoreUnavailable(`The organisation store cannot be opened: ${(error as Error).message}`, {
        cause: error,
      });
    }
    isLost = false;
    if (lastLoss !== null) lastLoss = { ...lastLoss, until: performance.now() + SAME_LOSS_MILLISECONDS };
    log.info('the organisation store was opened anew');
    return database;
  };

  const current = async (): Promise<EmbeddedDatabase> => {
    if (!isLost && database !== null) return database;
    if (closed) throw new StoreUnavailable('The organisation store is closed');
    if (inUse > 0 || performance.now() < pausedUntil) {
      throw new StoreUnavailable('The organisation store has lost its files and is about to be opened anew');
    }
    renewal ??= renew().finally(() => {
      renewal = null;
    });
    return renewal;
  };

  return {
    async use(work) {
      const used = await current();
      inUse += 1;
      try {
        return await work(used);
      } catch (error) {
        if (!hasLostFiles(error)) throw error;
        if (used === database && !isLost) {
          const { message } = error as Error;
          // Reopening has not helped, so the files themselves are damaged.
          if (isSystemFault(error) && message === lastLoss?.message && performance.now() < lastLoss.until) throw error;
          lastLoss = { message, until: 0 };
          isLost = true;
          log.error({ err: error }, 'the organisation store has lost its files; it is opened anew');
        }
        throw new StoreUnavailable('The organisation store has lost its files', { cause: error });
      } finally {
        inUse -= 1;
      }
    },
    async close() {
      closed = true;
      await renewal?.catch(() => {});
      await database?.close();
    },
  };
}

/** Names of the errors of a WebAssembly program that has crashed or ended. */
const WEBASSEMBLY_FAILURES: readonly unknown[] = ['RuntimeError', 'ExitStatus'];

function hasLostFiles(error: unknown): boolean {
  return (
    error instanceof ThreadEnded ||
    WEBASSEMBLY_FAILURES.includes((error as { readonly name?: unknown }).name) ||
    isSystemFault(error)
  );
}

/** SQLSTATE class 58: a fault of the system below the database. */
function isSystemFault(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^58...$/.test(code);
}
