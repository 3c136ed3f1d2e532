import { KEPT_HOURS } from '../../sql/org/idempotency.ts';
import { type Statement, sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import type { Settings } from '../../sql/settings.ts';

/** Rows a statement removes: none holds its locks for long. */
const AT_ONCE = 10_000;

/** Removes what has had its time. @returns what was removed, in words */
export async function sweep(store: OrgStore, settings: Settings): Promise<string> {
  const audit = sql`answered_at < now() - make_interval(days => ${settings.AUDIT_RETENTION_DAYS})`;
  const keys = sql`created_at < now() - make_interval(hours => ${KEPT_HOURS})`;
  const counts = [
    `${await removeAll(
      store,
      (limit) => sql`
      DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE ${audit} LIMIT ${limit})`,
    )} audit entries`,
    `${await removeAll(
      store,
      (limit) => sql`
      DELETE FROM idempotency_keys WHERE ${keys} AND (organisation_id, key) IN (
        SELECT organisation_id, key FROM idempotency_keys WHERE ${keys} LIMIT ${limit})`,
    )} idempotency keys`,
    `${await removeAll(
      store,
      (limit) => sql`
      DELETE FROM limit_windows WHERE began < now() - interval '1 day' AND (key_id, cost_class) IN (
        SELECT key_id, cost_class FROM limit_windows WHERE began < now() - interval '1 day' LIMIT ${limit})`,
    )} windows`,
  ];
  return `removed ${counts.join(', ')}`;
}

async function removeAll(store: OrgStore, removal: (limit: number) => Statement): Promise<number> {
  let removed = 0;
  while (true) {
    const count = await store.asOperator((session) => session.run(removal(AT_ONCE)));
    removed += count;
    if (count < AT_ONCE) return removed;
  }
}
