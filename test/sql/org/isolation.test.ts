import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type StoreStatement, sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { freshDatabase, onServer } from '../../support/database.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { openFresh, openStore, POSTGRES, PREPARED, written } from '../../support/store-engines.ts';

/** A row for each table of organisations. A new table needs one here. */
const ROWS: Record<string, (organisation: string) => StoreStatement> = {
  users: (organisation) => sql`
    INSERT INTO users (id, organisation_id, external_id, name, role, created_at, updated_at)
    VALUES (${randomUUIDv7()}, ${organisation}, 'u', 'U', 'member', now(), now())`,
  api_keys: (organisation) => sql`
    INSERT INTO api_keys (id, organisation_id, prefix, environment, secret_hash, name, scopes, created_at)
    VALUES (${randomUUIDv7()}, ${organisation}, ${randomUUIDv7()}, 'test', 'h', 'n', '{}', now())`,
  older_rows: (organisation) => sql`
    INSERT INTO older_rows (organisation_id, month, rows) VALUES (${organisation}::uuid, month_of(now()), 1)`,
  limit_windows: (organisation) => sql`
    INSERT INTO limit_windows (organisation_id, key_id, cost_class, began, used)
    VALUES (${organisation}, ${randomUUIDv7()}, 'standard', now(), 1)`,
  usage_months: (organisation) => sql`
    INSERT INTO usage_months (organisation_id, month, used) VALUES (${organisation}, '2026-11-01', 1)`,
  idempotency_keys: (organisation) => sql`
    INSERT INTO idempotency_keys (organisation_id, key, fingerprint, status, body, created_at)
    VALUES (${organisation}, ${randomUUIDv7()}, 'f', 200, '{}', now())`,
  audit_log: (organisation) => sql`
    INSERT INTO audit_log (id, organisation_id, answered_at, method, path, status, duration_ms, request_id)
    VALUES (${randomUUIDv7()}, ${organisation}, now(), 'GET', '/v1/me', 200, 1, ${randomUUIDv7()})`,
  portfolio_entries: (organisation) => sql`
    INSERT INTO portfolio_entries (id, organisation_id, mastr_number, relation_type, external_refs, created_at, updated_at)
    VALUES (${randomUUIDv7()}, ${organisation}, 'SEE900000000001', 'OWNER', '{}', now(), now())`,
  saved_filters: (organisation) => sql`
    INSERT INTO saved_filters (id, organisation_id, name, kind, criteria, created_at, updated_at)
    VALUES (${randomUUIDv7()}, ${organisation}, ${randomUUIDv7()}, 'table', '{}', now(), now())`,
  shares: (organisation) => sql`
    INSERT INTO shares (id, organisation_id, name, page, query, frame_ancestors, key_prefix, created_at, ends_on)
    VALUES (${randomUUIDv7()}, ${organisation}, 'S', 'zeitreihe', '', '{}', 'p', now(), '2026-12-31')`,
  alerts: (organisation) => sql`
    INSERT INTO alerts (id, organisation_id, name, template, signals, criteria, enabled, enabled_at, created_at, updated_at)
    VALUES (${randomUUIDv7()}, ${organisation}, ${randomUUIDv7()}, 'NEW_UNIT', '{}', '{}', true, now(), now(), now())`,
  alert_evaluations: (organisation) => sql`
    WITH alert AS (
      INSERT INTO alerts (id, organisation_id, name, template, signals, criteria, enabled, enabled_at, created_at, updated_at)
      VALUES (${randomUUIDv7()}, ${organisation}, ${randomUUIDv7()}, 'NEW_UNIT', '{}', '{}', true, now(), now(), now())
      RETURNING id)
    INSERT INTO alert_evaluations (organisation_id, alert_id, version, outcome, matches, evaluated_at)
    SELECT ${organisation}::uuid, id, '20261101-0001', 'NO_MATCH', 0, now() FROM alert`,
  alert_emails: (organisation) => sql`
    WITH alert AS (
      INSERT INTO alerts (id, organisation_id, name, template, signals, criteria, enabled, enabled_at, created_at, updated_at)
      VALUES (${randomUUIDv7()}, ${organisation}, ${randomUUIDv7()}, 'NEW_UNIT', '{}', '{}', true, now(), now(), now())
      RETURNING id)
    INSERT INTO alert_emails (id, organisation_id, alert_id, position, address, key_id, created_at)
    SELECT ${randomUUIDv7()}, ${organisation}::uuid, id, 0, 'encrypted', 'k', now() FROM alert`,
  contacts: (organisation) => sql`
    INSERT INTO contacts (id, organisation_id, kind, name, email, key_id, origin, status, folded_text, created_at, updated_at)
    VALUES (${randomUUIDv7()}, ${organisation}, 'PERSON', 'N', 'encrypted', 'k', 'IMPORT', 'CONFIRMED', 'n', now(), now())`,
  custom_fields: (organisation) => insertCustomField(organisation),
  custom_field_values: (organisation) => sql`
    WITH field AS (${insertCustomField(organisation)} RETURNING id)
    INSERT INTO custom_field_values (organisation_id, field_id, mastr_number, position, text, folded_text, writer_id, updated_at)
    SELECT ${organisation}::uuid, id, 'SEE900000000001', 0, 'T', 't', ${organisation}::uuid, now() FROM field`,
  mailboxes: (organisation) => insertMailbox(organisation),
  mailbox_categories: (organisation) => sql`
    WITH mailbox AS (${insertMailbox(organisation)} RETURNING id)
    INSERT INTO mailbox_categories SELECT ${organisation}::uuid, 'TECHNIK', id FROM mailbox`,
  mailbox_users: (organisation) => sql`
    WITH mailbox AS (${insertMailbox(organisation)} RETURNING id),
    member AS (
      INSERT INTO users (id, organisation_id, external_id, name, role, created_at, updated_at)
      VALUES (${randomUUIDv7()}, ${organisation}, ${randomUUIDv7()}, 'U', 'member', now(), now()) RETURNING id)
    INSERT INTO mailbox_users SELECT ${organisation}::uuid, mailbox.id, member.id FROM mailbox, member`,
  event_counters: (organisation) => sql`
    INSERT INTO event_counters (organisation_id, last_number, last_at) VALUES (${organisation}, 1, now())`,
  events: (organisation) => sql`
    INSERT INTO events (id, organisation_id, number, type, occurred_at, payload, mastr_numbers)
    VALUES (${randomUUIDv7()}, ${organisation}, 1, 'alert.triggered', now(), '{}', '{}')`,
  webhook_endpoints: (organisation) => sql`
    INSERT INTO webhook_endpoints (id, organisation_id, url, description, disabled, secret, secret_key_id, created_at, updated_at)
    VALUES (${randomUUIDv7()}, ${organisation}, 'https://same.example/', '', false, 'encrypted', 'k', now(), now())`,
  webhook_deliveries: (organisation) => sql`WITH ${newDelivery(organisation)} SELECT FROM delivery`,
  webhook_attempts: (organisation) => sql`
    WITH ${newDelivery(organisation)}
    INSERT INTO webhook_attempts (organisation_id, delivery_id, number, began_at, took_ms, status, answer)
    SELECT ${organisation}::uuid, id, 1, now(), 5, 200, '' FROM delivery`,
  custom_field_words: (organisation) => sql`
    INSERT INTO custom_field_words (organisation_id, bucket, words) VALUES (${organisation}, 1, ' w ')`,
  custom_field_word_units: (organisation) => sql`
    INSERT INTO custom_field_word_units (organisation_id, word_key, mastr_number, field_id)
    VALUES (${organisation}, 1, 'SEE900000000001', ${randomUUIDv7()})`,
};

/** Tables whose rows also cross to a partner; isolation-sides.test.ts says which. */
const CROSSING = ['custom_fields', 'custom_field_values'];

const insertCustomField = (organisation: string): StoreStatement => sql`
  INSERT INTO custom_fields (id, organisation_id, name, type, multiple, choices, filled_by_partner, shared, created_at,
    updated_at)
  VALUES (${randomUUIDv7()}, ${organisation}, ${randomUUIDv7()}, 'TEXT', false, '{}', false, false, now(), now())`;

const insertMailbox = (organisation: string): StoreStatement => sql`
  INSERT INTO mailboxes (id, organisation_id, name, general, created_at, updated_at)
  VALUES (${randomUUIDv7()}, ${organisation}, ${randomUUIDv7()}, false, now(), now())`;

/** Parts of a statement that insert a skipped delivery, with an event and an endpoint of its own. */
function newDelivery(organisation: string): StoreStatement {
  const [endpoint, event] = [randomUUIDv7(), randomUUIDv7()];
  return sql`
    endpoint AS (
      INSERT INTO webhook_endpoints (id, organisation_id, url, description, disabled, secret, secret_key_id, created_at, updated_at)
      VALUES (${endpoint}, ${organisation}, ${`https://${endpoint}.example/`}, '', false, 'encrypted', 'k', now(), now())),
    event AS (
      INSERT INTO events (id, organisation_id, number, type, occurred_at, payload, mastr_numbers)
      VALUES (${event}, ${organisation}, (SELECT 2 + count(*) FROM events WHERE organisation_id = ${organisation}),
        'alert.triggered', now(), '{}', '{}')),
    delivery AS (
      INSERT INTO webhook_deliveries (id, organisation_id, endpoint_id, event_id, state, attempts, created_at, updated_at)
      VALUES (${randomUUIDv7()}, ${organisation}, ${endpoint}, ${event}, 'SKIPPED', 0, now(), now()) RETURNING id)`;
}

const TABLES = Object.keys(ROWS);

const counted = z.strictObject({ n: z.int() });
const owner = z.strictObject({ organisation: z.string().nullable() });

/** The message of Postgres for a row that violates the policy of its table. */
const REFUSED = { code: '42501' };

for (const engine of [PREPARED, POSTGRES]) {
  describe.skipIf(!engine.here)(`organisations are kept apart: ${engine.name}`, () => {
    let store: OrgStore;
    beforeAll(async () => {
      store = await openFresh(engine);
    });
    afterAll(() => store?.close());

    it('every table with an organisation_id has a policy for all, which holds for its owner too', async () => {
      const found = await store.autocommit(
        z.strictObject({ name: z.string(), forced: z.boolean(), policies: z.array(z.string()) }),
        sql`SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
              array(SELECT p.cmd || ' ' || p.qual FROM pg_policies p
                WHERE p.schemaname = 'public' AND p.tablename = c.relname) AS policies
            FROM information_schema.columns i JOIN pg_class c ON c.oid = i.table_name::regclass
            WHERE i.table_schema = 'public' AND i.column_name = 'organisation_id' AND c.relkind IN ('r', 'p')
            ORDER BY c.relname`,
      );
      const own = { forced: true, policies: ['ALL visible(organisation_id)'] };
      expect(found.map(({ name }) => name)).toEqual(TABLES.toSorted());
      for (const { name, ...kept } of found.filter((table) => !CROSSING.includes(table.name))) {
        expect(kept, name).toEqual(own);
      }
    });

    describe.each(TABLES)('%s', (table) => {
      let mine: string;
      let foreign: string;
      beforeEach(async () => {
        mine = (await makeOrganisation(store)).id;
        foreign = (await makeOrganisation(store)).id;
        for (const id of [mine, foreign]) await store.asOrganisation(id, (session) => session.run(ROWS[table]!(id)));
      });

      const inMyName = (text: string) => store.asOrganisation(mine, (session) => session.run(written(text)));
      const rowsOf = async (id: string) =>
        (
          await store.autocommit(
            counted,
            sql`${written(`SELECT count(*) AS n FROM ${table}`)} WHERE organisation_id = ${id}`,
          )
        )[0]!.n;

      it('shows no row of another organisation', async () => {
        const all = written(`SELECT organisation_id AS organisation FROM ${table}`);
        expect(await store.asOrganisation(mine, (session) => session.rows(owner, all))).toEqual([
          { organisation: mine },
        ]);
        const theirs = sql`${all} WHERE organisation_id = ${foreign}`;
        expect(await store.asOrganisation(mine, (session) => session.rows(owner, theirs))).toEqual([]);
      });

      it('accepts no row for another organisation', async () => {
        const insert = store.asOrganisation(mine, (session) => session.run(ROWS[table]!(foreign)));
        await expect(insert).rejects.toMatchObject(REFUSED);
        expect(await rowsOf(foreign)).toBe(1);
      });

      it('changes no row of another organisation, and hands none over', async () => {
        expect(await inMyName(`UPDATE ${table} SET organisation_id = organisation_id`)).toBe(1);
        await expect(inMyName(`UPDATE ${table} SET organisation_id = '${foreign}'`)).rejects.toMatchObject(REFUSED);
        expect([await rowsOf(mine), await rowsOf(foreign)]).toEqual([1, 1]);
      });

      it('deletes no row of another organisation', async () => {
        expect(await inMyName(`DELETE FROM ${table}`)).toBe(1);
        expect([await rowsOf(mine), await rowsOf(foreign)]).toEqual([0, 1]);
      });

      it('shows all to the operator', async () => {
        const both = sql`${written(`SELECT count(*) AS n FROM ${table}`)} WHERE organisation_id = ANY (${[mine, foreign]}::uuid[])`;
        expect(await store.autocommit(counted, both)).toEqual([{ n: 2 }]);
        expect(await store.asOperator((session) => session.rows(counted, both))).toEqual([{ n: 2 }]);
      });
    });

    it('an organisation sees and changes only its own row', async () => {
      const mine = await makeOrganisation(store);
      const foreign = await makeOrganisation(store);
      await store.asOrganisation(mine.id, async (session) => {
        expect(await session.rows(owner, sql`SELECT id AS organisation FROM organisations`)).toEqual([
          { organisation: mine.id },
        ]);
        expect(await session.run(sql`UPDATE organisations SET name = 'Neu'`)).toBe(1);
        expect(await session.run(sql`DELETE FROM organisations WHERE id = ${foreign.id}`)).toBe(0);
      });
      const names = sql`SELECT name AS organisation FROM organisations WHERE id = ANY (${[mine.id, foreign.id]}::uuid[]) ORDER BY name`;
      expect(await store.autocommit(owner, names)).toEqual([{ organisation: 'Neu' }, { organisation: foreign.name }]);
    });

    it('calls of unknown callers are shown to no organisation', async () => {
      const { id } = await makeOrganisation(store);
      const unattributed = sql`INSERT INTO audit_log (id, answered_at, method, path, status, duration_ms, request_id)
        VALUES (${randomUUIDv7()}, now(), 'GET', '/v1/me', 401, 1, ${randomUUIDv7()})`;
      await expect(store.asOrganisation(id, (session) => session.run(unattributed))).rejects.toMatchObject(REFUSED);
      await store.asOperator((session) => session.run(unattributed));
      const all = sql`SELECT organisation_id AS organisation FROM audit_log`;
      expect(await store.asOrganisation(id, (session) => session.rows(owner, all))).toEqual([]);
    });

    it('the organisation of a transaction does not last into the next', async () => {
      const { id } = await makeOrganisation(store);
      const setting = sql`SELECT current_setting('app.organisation', true) AS organisation`;
      const seen = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          index % 2 === 0
            ? store.asOrganisation(id, (session) => session.row(owner, setting))
            : store.asOperator((session) => session.row(owner, setting)),
        ),
      );
      expect(seen).toEqual(seen.map((_, index) => ({ organisation: index % 2 === 0 ? id : '*' })));
      expect(await store.autocommit(owner, setting)).toEqual([{ organisation: '*' }]);
    });

    it.each(['', '*', 'x', "'; RESET ROLE; --", '0199ABCD-0000-7000-8000-000000000000', `${randomUUIDv7()}\n`])(
      'refuses %j, which is no organisation id',
      async (id) => {
        await expect(store.asOrganisation(id, async () => 'seen')).rejects.toThrow('is no organisation id');
      },
    );
  });
}

describe.skipIf(!POSTGRES.here)(`a connection without an organisation sees nothing: ${POSTGRES.name}`, () => {
  it('in no table', async () => {
    const url = await freshDatabase();
    const store = await openStore(url);
    await store.migrate('apply');
    const { id } = await makeOrganisation(store);
    for (const row of Object.values(ROWS)) await store.asOrganisation(id, (session) => session.run(row(id)));
    await store.close();
    for (const table of [...TABLES, 'organisations']) {
      expect(await onServer(url, `SELECT * FROM ${table}`), table).toEqual([]);
    }
    const insert = onServer(url, `INSERT INTO usage_months VALUES ('${id}', '2026-12-01', 1)`);
    await expect(insert).rejects.toMatchObject(REFUSED);
  });
});
