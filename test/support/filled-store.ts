import { z } from 'zod';
import { tablesOf } from '../../sql/org/backup-tables.ts';
import type { Driver } from '../../sql/org/driver.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { takesWrites } from '../../sql/org/write-probe.ts';
import { fold } from '../../sql/query/fold.ts';
import { makeKey, makeOrganisation } from './organisation.ts';
import { written } from './store-engines.ts';

/** Fills every table of a store, and compares stores. */

/** A text that a file of lines might stumble over. */
const AWKWARD_TEXT = 'a\nb\r\tc"d\\e\u2028f\u001e{}[],\u{1f32c} Ä';

/** @returns the organisation; `calls` is how many rows the audit log has */
export async function fill(store: OrgStore, calls = 3): Promise<string> {
  const { id } = await makeOrganisation(store, {
    name: AWKWARD_TEXT,
    limits: { standard: 7 },
    alertTemplates: ['x,y', '"', ''],
  });
  const user = crypto.randomUUID();
  await store.asOperator((session) =>
    session.run(sql`INSERT INTO users VALUES (${user}::uuid, ${id}::uuid, 'anna', ${AWKWARD_TEXT}, NULL, 'owner',
      '2026-01-01T00:00:00.001Z', now())`),
  );
  await makeKey(store, { id }, { createdBy: user, expiresAt: '2090-01-31T23:00:00.000Z' });
  await store.asOperator(async (session) => {
    const field = crypto.randomUUID();
    const text = crypto.randomUUID();
    await session.run(sql`INSERT INTO usage_months VALUES (${id}::uuid, '2026-11-01', 9007199254740993)`);
    await session.run(sql`INSERT INTO older_rows VALUES (${id}::uuid, '2026-11-01', 5)`);
    await session.run(sql`INSERT INTO idempotency_keys VALUES
      (${id}::uuid, 'ä', 'f', 200, ${AWKWARD_TEXT}, now()), (${id}::uuid, 'Z', 'f', 200, '', now()), (${id}::uuid, 'a', 'f', 200, '', now())`);
    await session.run(sql`INSERT INTO job_runs VALUES ('sweep', now(), 5, NULL, ${AWKWARD_TEXT})
      ON CONFLICT (job) DO NOTHING`);
    await session.run(sql`INSERT INTO portfolio_entries VALUES (gen_random_uuid(), ${id}::uuid, 'SEE900000000001', 'OWNER',
      ${JSON.stringify({ [AWKWARD_TEXT]: AWKWARD_TEXT, n: 1.5 })}::text::jsonb, now(), now(), NULL)`);
    await session.run(sql`INSERT INTO saved_filters VALUES (gen_random_uuid(), ${id}::uuid, 'f', 'map', '{"a": [1, null]}',
      now(), now())`);
    await session.run(sql`INSERT INTO shares VALUES (gen_random_uuid(), ${id}::uuid, ${AWKWARD_TEXT}, 'zeitreihe', '',
      ARRAY['https://a.example'], 'p', now(), '2026-12-31', NULL, 5, 7, now())`);
    await session.run(sql`INSERT INTO alerts VALUES (gen_random_uuid(), ${id}::uuid, ${AWKWARD_TEXT}, 'SIGNAL_CHANGE',
      ARRAY[${AWKWARD_TEXT}], NULL, gen_random_uuid(), true, now(), ${AWKWARD_TEXT}, now(), now(), now())`);
    await session.run(sql`INSERT INTO evaluations (version, published_at, attempts, error, changed_units, started_at)
      VALUES (${AWKWARD_TEXT}, now(), 1, ${AWKWARD_TEXT}, 5, now())
      ON CONFLICT (version) DO NOTHING`);
    await session.run(sql`INSERT INTO alert_evaluations
      SELECT organisation_id, id, ${AWKWARD_TEXT}, 'FAULTY', 0, ${AWKWARD_TEXT}, NULL, now() FROM alerts
      WHERE organisation_id = ${id}::uuid`);
    await session.run(sql`INSERT INTO alert_emails
      SELECT gen_random_uuid(), organisation_id, id, 0, ${AWKWARD_TEXT}, 'k', ARRAY[gen_random_uuid()], 1, now(), now(), now(), now()
      FROM alerts WHERE organisation_id = ${id}::uuid`);
    await session.run(sql`INSERT INTO custom_fields VALUES (${field}::uuid, ${id}::uuid, 'n', 'NUMBER', false, '{}', false,
      true, now(), now())`);
    await session.run(sql`INSERT INTO custom_fields VALUES (${text}::uuid, ${id}::uuid, 't', 'LONG_TEXT', false, '{}', false,
      true, now(), now())`);
    // Triggers fill the tables of words.
    await session.run(sql`INSERT INTO custom_field_values VALUES (${id}::uuid, ${text}::uuid, 'SEE900000000001', 0,
      ${AWKWARD_TEXT}, ${fold(AWKWARD_TEXT)}, NULL, NULL, NULL, now(), ${id}::uuid)`);
    await session.run(sql`INSERT INTO custom_field_values VALUES (${id}::uuid, ${field}::uuid, 'SEE900000000001', 0, NULL,
      NULL, 12345678901234567890.1234567890, NULL, NULL, now(), ${id}::uuid)`);
    await session.run(sql`INSERT INTO contacts VALUES (gen_random_uuid(), ${id}::uuid, 'PERSON', ${AWKWARD_TEXT}, NULL, 'Ä',
      'FRAU', NULL, 'c2VjcmV0', NULL, 'k', NULL, NULL, 'MANUELL', 'CONFIRMED', 'ä', now(), now())`);
    const connection = crypto.randomUUID();
    await session.run(sql`INSERT INTO connections VALUES (${connection}::uuid, ${id}::uuid, ${AWKWARD_TEXT},
      gen_random_uuid(), 'gone', NULL, 'ACCEPTED', now(), now(), now())`);
    await session.run(
      sql`INSERT INTO connection_assets VALUES (${connection}::uuid, 'SEE900000000001', 'OWNER', now(), now())`,
    );
    await session.run(
      sql`INSERT INTO connection_fields VALUES (${connection}::uuid, ${field}::uuid, ${id}::uuid, 'SHARE', now())`,
    );
    await session.run(
      sql`INSERT INTO connection_releases VALUES (${connection}::uuid, ${field}::uuid, ${id}::uuid, now())`,
    );
    await session.run(
      sql`INSERT INTO standing_releases VALUES (${id}::uuid, ${field}::uuid, 'SEE900000000001', now())`,
    );
    const mailbox = crypto.randomUUID();
    await session.run(
      sql`INSERT INTO mailboxes VALUES (${mailbox}::uuid, ${id}::uuid, ${AWKWARD_TEXT}, true, now(), now())`,
    );
    await session.run(sql`INSERT INTO mailbox_categories VALUES (${id}::uuid, 'TECHNIK', ${mailbox}::uuid)`);
    await session.run(sql`INSERT INTO mailbox_users VALUES (${id}::uuid, ${mailbox}::uuid, ${user}::uuid)`);
    const thread = crypto.randomUUID();
    await session.run(sql`INSERT INTO threads VALUES (${thread}::uuid, ${connection}::uuid, ${id}::uuid, gen_random_uuid(),
      NULL, 'TECHNIK', '{SEE900000000001}', 1, now(), now(), now())`);
    await session.run(sql`INSERT INTO thread_participants VALUES (${thread}::uuid, ${user}::uuid, ${id}::uuid)`);
    await session.run(sql`INSERT INTO messages VALUES (gen_random_uuid(), ${thread}::uuid, 1, ${id}::uuid, ${user}::uuid,
      ${AWKWARD_TEXT}, true, ${AWKWARD_TEXT}, '[{"id": "1", "bytes": 5}]', now(), NULL, NULL)`);
    await session.run(sql`INSERT INTO event_counters VALUES (${id}::uuid, 1, now(), 0)`);
    await session.run(sql`INSERT INTO events VALUES (gen_random_uuid(), ${id}::uuid, 1, 'alert.triggered', now(),
      ${JSON.stringify({ data: AWKWARD_TEXT })}, '{SEE900000000001,SEE900000000002}')`);
    await session.run(sql`
      WITH endpoint AS (
        INSERT INTO webhook_endpoints (id, organisation_id, url, description, disabled, secret, secret_key_id, created_at,
          updated_at)
        VALUES (gen_random_uuid(), ${id}::uuid, 'https://delivered.example/', '', false, 'c2VjcmV0', 'k', now(), now())
        RETURNING id)
      INSERT INTO webhook_deliveries (id, organisation_id, endpoint_id, event_id, state, attempts, created_at, updated_at,
        delivered_at)
      SELECT gen_random_uuid(), ${id}::uuid, endpoint.id, events.id, 'DELIVERED', 1, now(), now(), now()
      FROM endpoint, events WHERE events.organisation_id = ${id}::uuid`);
    await session.run(sql`INSERT INTO webhook_endpoints VALUES (gen_random_uuid(), ${id}::uuid, 'https://gone.example/',
      ${AWKWARD_TEXT}, '{alert.triggered}', true, 'GONE', now(), 'c2VjcmV0', 'k', 'b2xk', 'l', now(), now(), now(), now())`);
    await session.run(sql`INSERT INTO webhook_attempts
      SELECT organisation_id, id, 1, now(), 5, 200, NULL, ${AWKWARD_TEXT} FROM webhook_deliveries
      WHERE organisation_id = ${id}::uuid`);
    await session.run(sql`INSERT INTO audit_log
      SELECT gen_random_uuid(), CASE WHEN n > 1 THEN ${id}::uuid END, now(), 'GET', '/v1/units/' || n, 200, 5, NULL,
        gen_random_uuid(), NULL, NULL, ${AWKWARD_TEXT}, NULL FROM generate_series(1, ${calls}) n`);
  });
  await store.autocommit(z.unknown(), takesWrites);
  return id;
}

/** Reads every row of every table, each as one text. */
export function everything(store: OrgStore): Promise<Record<string, readonly string[]>> {
  return store.asOperator(async (session) => {
    const row = z.strictObject({ row: z.string() });
    const names = await session.rows(
      z.strictObject({ name: z.string() }),
      sql`SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
    );
    const found: Record<string, string[]> = {};
    for (const { name } of names) {
      // Each store has its own times of migrations.
      const kept = name === 'schema_migrations' ? 'name || digest' : 't::text';
      const rows = await session.rows(row, written(`SELECT ${kept} AS row FROM ${name} t`));
      found[name] = rows.map((each) => each.row).toSorted();
    }
    return found;
  });
}

/** Lists the tables of a backup. */
export const namesOfTables = (driver: Driver): Promise<string[]> =>
  driver.maintenance((transact) =>
    transact(async (connection) => (await tablesOf(connection)).map(({ name }) => name)),
  );
