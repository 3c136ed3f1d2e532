import { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { takesWrites } from '../../sql/org/write-probe.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';

type State = 'ok' | 'degraded';

export interface Health {
  readonly status: State;
  /** RFC 3339, UTC. */
  readonly checkedAt: string;
  readonly dependencies: {
    /** `ok` while the store of the organisations answers and takes what it is given. */
    readonly database: State;
    /** `ok` while the dataset version that is served answers, and is the one that was published last. */
    readonly search: State;
  };
}

/** All callers share a result for this long. */
const TTL_MILLISECONDS = 5_000;

/** A dependency that does not answer within this time counts as degraded. */
const TIMEOUT_MILLISECONDS = 2_000;

type Store = Pick<OrgStore, 'autocommit'>;
type Recorder = Pick<AuditRecorder, 'succeeds'>;

/**
 * Checks the dependencies, at most once at a time and once in TTL_MILLISECONDS, however many callers ask. The store has to
 * take writes: that of the probe, and the audit rows of the recorder, which need room on its disk.
 */
export function healthProbe(
  warehouse: Warehouse,
  store: Store,
  recorder: Recorder,
  log: Logger,
): () => Promise<Health> {
  let current: Promise<Health> | null = null;
  return () => {
    current ??= check(warehouse, store, recorder, log).finally(() => {
      setTimeout(() => {
        current = null;
      }, TTL_MILLISECONDS).unref();
    });
    return current;
  };
}

async function check(warehouse: Warehouse, store: Store, recorder: Recorder, log: Logger): Promise<Health> {
  const [writes, served] = await Promise.all([
    inTime(store.autocommit(z.unknown(), takesWrites), 'the store of the organisations does not take writes', log),
    inTime(askVersion(warehouse), 'the served dataset version does not answer', log),
  ]);
  const database = writes && recorder.succeeds() ? 'ok' : 'degraded';
  const search = served && warehouse.upToDate() ? 'ok' : 'degraded';
  const status = database === 'ok' && search === 'ok' ? 'ok' : 'degraded';
  return { status, checkedAt: new Date().toISOString(), dependencies: { database, search } };
}

const QUERY_TAG = { operation: 'health.show', request: null, trace: null };

/**
 * Sends the served version a small query; the result has no row while none is published. No unit has the number, but to find
 * that out every shard of a cluster has to answer.
 */
async function askVersion(warehouse: Warehouse): Promise<unknown[]> {
  const dataset = warehouse.acquire(QUERY_TAG);
  if (dataset === null) return [];
  // A version that hangs stays in use until its query is interrupted.
  return dataset
    .query(z.unknown(), {
      text: 'SELECT version, (SELECT count(*) FROM units WHERE nummer = 0) AS units FROM dataset',
      values: {},
    })
    .finally(() => dataset.release());
}

/** Resolves to true when the query gives a row within TIMEOUT_MILLISECONDS. */
async function inTime(query: Promise<unknown[]>, failure: string, log: Logger): Promise<boolean> {
  const timeout = Promise.withResolvers<false>();
  const timer = setTimeout(() => {
    log.error({ milliseconds: TIMEOUT_MILLISECONDS }, `${failure} in time`);
    timeout.resolve(false);
  }, TIMEOUT_MILLISECONDS);
  const answered = query.then(
    (rows) => rows.length > 0,
    (error: unknown) => {
      log.error({ err: error }, failure);
      return false;
    },
  );
  try {
    return await Promise.race([answered, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
