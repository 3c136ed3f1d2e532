import type { Settings } from '../../runtime/settings.ts';
import { EVALUATIONS_KEPT_DAYS } from '../../sql/org/alerts/evaluations.ts';
import { forgetEvents } from '../../sql/org/alerts/events.ts';
import { KEPT_HOURS } from '../../sql/org/idempotency.ts';
import { type StoreStatement, sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { forgetFormerSecrets } from '../../sql/org/webhooks/rekey.ts';
import { forgetUnusedWords } from './forget-words.ts';

/** Tables whose rows are kept for a time only, and the condition of the rows whose time is over. */
const EXPIRING: readonly {
  readonly what: string;
  readonly table: StoreStatement;
  expired(settings: Settings): StoreStatement;
}[] = [
  {
    what: 'audit entries',
    table: sql`audit_log`,
    expired: ({ AUDIT_RETENTION_DAYS: days }) => sql`answered_at < now() - make_interval(days => ${days})`,
  },
  {
    what: 'idempotency keys',
    table: sql`idempotency_keys`,
    expired: () => sql`created_at <= now() - make_interval(hours => ${KEPT_HOURS})`,
  },
  {
    what: 'windows',
    table: sql`limit_windows`,
    expired: () => sql`began < now() - interval '1 day'`,
  },
  {
    what: 'outcomes of alerts',
    table: sql`alert_evaluations`,
    expired: () => sql`evaluated_at < now() - make_interval(days => ${EVALUATIONS_KEPT_DAYS})`,
  },
  {
    what: 'evaluations of alerts',
    table: sql`evaluations`,
    expired: () => sql`published_at < now() - make_interval(days => ${EVALUATIONS_KEPT_DAYS})`,
  },
];

/** Rows that one statement removes, so that none holds its locks for long. */
const BATCH_SIZE = 10_000;

/** The most events that one statement removes: each may have hundreds of attempts at its deliveries. */
const EVENT_BATCH_SIZE = 200;

/**
 * Removes expired rows and events, secrets of webhooks that were replaced, and words that are no longer used.
 * @returns what was removed, in words
 */
export async function sweep(store: OrgStore, settings: Settings): Promise<string> {
  const counts: string[] = [];
  for (const { what, table, expired } of EXPIRING) {
    const rows = sql`SELECT ctid FROM ${table} WHERE ${expired(settings)} LIMIT ${BATCH_SIZE}`;
    const removal = sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${rows}))`;
    counts.push(`${await removeAll(store, removal, BATCH_SIZE)} ${what}`);
  }
  counts.push(`${await removeAll(store, forgetEvents(EVENT_BATCH_SIZE), EVENT_BATCH_SIZE)} events`);
  await store.asOperator((session) => session.run(forgetFormerSecrets));
  await forgetUnusedWords(store);
  return `removed ${counts.join(', ')}`;
}

/** Removes rows, at most `batch` at once, until none is left. @returns how many there were */
async function removeAll(store: OrgStore, removal: StoreStatement, batch: number): Promise<number> {
  let removed = 0;
  while (true) {
    const count = await store.asOperator((session) => session.run(removal));
    removed += count;
    if (count < batch) return removed;
  }
}
