import type { Logger } from '../../sql/log.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';

type State = 'ok' | 'degraded';

export interface Health {
  readonly status: State;
  /** RFC 3339, UTC. */
  readonly checkedAt: string;
  readonly dependencies: {
    /** Whether the dataset version that is served answers. */
    readonly database: State;
    /** Whether what is served is what was published last. */
    readonly search: State;
  };
}

/** How long a result holds, for all callers. */
const HOLD_MILLISECONDS = 5_000;

/** A version that does not answer within this time counts as degraded. */
const PATIENCE_MILLISECONDS = 2_000;

/** Looks at the dependencies, at most once at a time and once in a few seconds, however many callers ask. */
export function healthProbe(warehouse: Warehouse, log: Logger): () => Promise<Health> {
  let held: Promise<Health> | null = null;
  return () => {
    held ??= look(warehouse, log).finally(() => {
      setTimeout(() => {
        held = null;
      }, HOLD_MILLISECONDS).unref();
    });
    return held;
  };
}

async function look(warehouse: Warehouse, log: Logger): Promise<Health> {
  const database = (await answers(warehouse, log)) ? 'ok' : 'degraded';
  const search = warehouse.upToDate() ? 'ok' : 'degraded';
  const status = database === 'ok' && search === 'ok' ? 'ok' : 'degraded';
  return { status, checkedAt: new Date().toISOString(), dependencies: { database, search } };
}

async function answers(warehouse: Warehouse, log: Logger): Promise<boolean> {
  const dataset = warehouse.take();
  if (dataset === null) return false;
  const patience = Promise.withResolvers<false>();
  const timer = setTimeout(() => patience.resolve(false), PATIENCE_MILLISECONDS);
  const answered = dataset.query({ text: 'SELECT version FROM dataset', values: {} }).then(
    (rows) => rows.length > 0,
    (error: unknown) => {
      log.error({ err: error }, 'the served dataset version does not answer');
      return false;
    },
  );
  // A version that hangs stays in use until its query is interrupted.
  answered.finally(() => dataset.release());
  try {
    return await Promise.race([answered, patience.promise]);
  } finally {
    clearTimeout(timer);
  }
}
