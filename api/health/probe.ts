import { z } from 'zod';
import type { Logger } from '../../sql/log.ts';
import { failedNight } from '../../sql/nights.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';

type State = 'ok' | 'degraded';

export interface Health {
  readonly status: State;
  /** RFC 3339, UTC. */
  readonly checkedAt: string;
  readonly dependencies: {
    /** Whether the store of the organisations answers. */
    readonly database: State;
    /** Whether the dataset version that is served answers, is the one that was published last, and no night failed since. */
    readonly search: State;
  };
  /** Whether requests suffer from it; stale data is no restriction. */
  readonly restricted: boolean;
}

/** How long a result holds, for all callers. */
const HOLD_MILLISECONDS = 5_000;

/** What does not answer within this time counts as degraded. */
const PATIENCE_MILLISECONDS = 2_000;

type Store = Pick<OrgStore, 'quick'>;

/**
 * Looks at the dependencies, at most once at a time and once in a few seconds, however many callers ask.
 * @param stateFolder where the nightly run keeps its record
 */
export function healthProbe(
  warehouse: Warehouse,
  store: Store,
  stateFolder: string,
  log: Logger,
): () => Promise<Health> {
  let held: Promise<Health> | null = null;
  return () => {
    held ??= look(warehouse, store, stateFolder, log).finally(() => {
      setTimeout(() => {
        held = null;
      }, HOLD_MILLISECONDS).unref();
    });
    return held;
  };
}

async function look(warehouse: Warehouse, store: Store, stateFolder: string, log: Logger): Promise<Health> {
  const [stored, served] = await Promise.all([
    inTime(store.quick(z.unknown(), sql`SELECT 1`), 'the store of the organisations does not answer', log),
    inTime(askVersion(warehouse), 'the served dataset version does not answer', log),
  ]);
  const database = stored ? 'ok' : 'degraded';
  const searchable = served && warehouse.upToDate();
  const search = searchable && nightsAreWell(warehouse, stateFolder, log) ? 'ok' : 'degraded';
  const status = database === 'ok' && search === 'ok' ? 'ok' : 'degraded';
  const restricted = !stored || !searchable;
  return { status, checkedAt: new Date().toISOString(), dependencies: { database, search }, restricted };
}

const ASKER = { operation: 'health.show', request: null };

/** Whether the last night came to a good end, or somebody has published since. */
function nightsAreWell(warehouse: Warehouse, stateFolder: string, log: Logger): boolean {
  const dataset = warehouse.take(ASKER);
  try {
    return failedNight(stateFolder, dataset?.publications ?? []) === null;
  } catch (error) {
    log.error({ err: error }, 'the record of the nights cannot be read');
    return false;
  } finally {
    dataset?.release();
  }
}

/** Asks the served version something small; no row while none is published. */
async function askVersion(warehouse: Warehouse): Promise<unknown[]> {
  const dataset = warehouse.take(ASKER);
  if (dataset === null) return [];
  // A version that hangs stays in use until its query is interrupted.
  return dataset.query({ text: 'SELECT version FROM dataset', values: {} }).finally(() => dataset.release());
}

/** Whether there is a row before patience ends. */
async function inTime(asked: Promise<unknown[]>, complaint: string, log: Logger): Promise<boolean> {
  const patience = Promise.withResolvers<false>();
  const timer = setTimeout(() => patience.resolve(false), PATIENCE_MILLISECONDS);
  const answered = asked.then(
    (rows) => rows.length > 0,
    (error: unknown) => {
      log.error({ err: error }, complaint);
      return false;
    },
  );
  try {
    return await Promise.race([answered, patience.promise]);
  } finally {
    clearTimeout(timer);
  }
}
