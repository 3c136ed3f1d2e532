import type { Settings } from '../../runtime/settings.ts';
import { KEPT_HOURS } from '../../sql/org/idempotency.ts';
import { type StoreStatement, sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';

/** What does not stay for ever, and which rows of it have had their time. */
const PASSING: readonly {
  readonly what: string;
  readonly table: StoreStatement;
  over(settings: Settings): StoreStatement;
}[] = [
  {
    what: 'audit entries',
    table: sql`audit_log`,
    over: ({ AUDIT_RETENTION_DAYS: days }) => sql`answered_at < now() - make_interval(days => ${days})`,
  },
  {
    what: 'idempotency keys',
    table: sql`idempotency_keys`,
    over: () => sql`created_at <= now() - make_interval(hours => ${KEPT_HOURS})`,
  },
  {
    what: 'windows',
    table: sql`limit_windows`,
    over: () => sql`began < now() - interval '1 day'`,
  },
];

/** Rows a statement removes: none holds its locks for long. */
const AT_ONCE = 10_000;

/** Removes what has had its time. @returns what was removed, in words */
export async function sweep(store: OrgStore, settings: Settings): Promise<string> {
  const counts: string[] = [];
  for (const { what, table, over } of PASSING) {
    const rows = sql`SELECT ctid FROM ${table} WHERE ${over(settings)} LIMIT ${AT_ONCE}`;
    counts.push(`${await removeAll(store, sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${rows}))`)} ${what}`);
  }
  return `removed ${counts.join(', ')}`;
}

/** Removes rows until none is left. @returns how many there were */
async function removeAll(store: OrgStore, removal: StoreStatement): Promise<number> {
  let removed = 0;
  while (true) {
    const count = await store.asOperator((session) => session.run(removal));
    removed += count;
    if (count < AT_ONCE) return removed;
  }
}
