import { createHash, randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import type { EncryptionKeys } from '../../../sql/org/encryption.ts';
import { putContacts } from '../../../sql/org/records/contacts.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore, Session } from '../../../sql/org/store.ts';
import { putUsers } from '../../../sql/org/users.ts';
import { contactOf } from '../../support/contacts.ts';
import { makeKey, makeOrganisation } from '../../support/organisation.ts';

/** An organisation with very many records of its own, made by few statements. */

/** The numbers of rows that the organisation gets. */
export interface Sizes {
  readonly contacts: number;
  readonly values: number;
  readonly threads: number;
  readonly messages: number;
}

/** The records that the questions ask for. */
export interface Filled {
  /** The text of a key that may do everything. */
  readonly key: string;
  readonly users: readonly string[];
  readonly connections: readonly string[];
  readonly threads: readonly string[];
  /** Units that have values; those of the register come first. */
  readonly units: readonly string[];
  readonly fields: readonly string[];
}

/** Values of a unit: one in each of these fields, half of which cross connections. */
const FIELDS = 20;
/** A server does not wait for longer statements. */
const UNITS_AT_ONCE = 1000;
const CONTACTS_AT_ONCE = 1000;
const CONNECTIONS = 40;
/** Units of each connection; every thread is about one of them. */
export const ASSETS = 250;
const USERS = 5;

const UNLIMITED = 1_000_000_000;

const one = z.strictObject({ id: z.string() });

/**
 * @param register units of the register, which come first; the others are invented
 * @param keys encrypt the contacts
 */
export async function fill(
  store: OrgStore,
  sizes: Sizes,
  register: readonly string[],
  keys: EncryptionKeys,
): Promise<Filled> {
  const organisation = await makeOrganisation(store, {
    name: 'Große Gesellschaft',
    limits: { standard: UNLIMITED, mutation: UNLIMITED, expensive: UNLIMITED },
    quota: UNLIMITED,
  });
  const { text: key } = await makeKey(store, organisation);
  const { id } = organisation;
  const count = Math.ceil(sizes.values / FIELDS);
  const invented = Math.max(0, count - register.length);
  const units = [
    ...register.slice(0, count),
    ...Array.from({ length: invented }, (_, index) => `SEE${String(100_000_000_000 + index)}`),
  ];
  return store.asOperator(async (session) => {
    await session.run(sql`SET LOCAL statement_timeout = 0`);
    const users = await addUsers(session, id);
    const fields = await addFields(session, id);
    await addValues(session, id, sizes.values, units);
    await addContacts(session, id, sizes.contacts, keys);
    const connections = await addConnections(session, organisation, units);
    await addMailboxes(session, id);
    const threads = await addThreads(session, id, sizes, units);
    return { key, users, fields, connections, threads, units };
  });
}

async function addUsers(session: Session, organisation: string): Promise<string[]> {
  const now = new Date().toISOString();
  const rows = Array.from({ length: USERS }, (_, index) => ({
    ...{ id: randomUUIDv7(), externalId: `person-${index}`, name: `Person ${index}`, email: null },
    ...{ role: 'member' as const, createdAt: now, updatedAt: now },
  }));
  await session.run(putUsers(organisation, rows));
  return rows.map(({ id }) => id);
}

/** Every second is shared; of each kind one half is asked of partners. */
async function addFields(session: Session, organisation: string): Promise<string[]> {
  const rows = await session.rows(
    one,
    sql`INSERT INTO custom_fields (id, organisation_id, name, type, multiple, choices, filled_by_partner, shared,
          created_at, updated_at)
        SELECT gen_random_uuid(), ${organisation}::uuid, 'Feld ' || to_char(n, 'FM00'), 'TEXT', false, '{}', n % 4 = 3,
          n % 4 = 1, now(), now()
        FROM generate_series(0, ${FIELDS - 1}) n RETURNING id`,
  );
  return rows.map(({ id }) => id);
}

async function addValues(
  session: Session,
  organisation: string,
  count: number,
  units: readonly string[],
): Promise<void> {
  for (let from = 0; from * FIELDS < count; from += UNITS_AT_ONCE) {
    const some = units.slice(from, from + UNITS_AT_ONCE);
    await session.run(sql`
      INSERT INTO custom_field_values (organisation_id, field_id, mastr_number, position, text, folded_text, writer_id, updated_at)
      SELECT ${organisation}::uuid, f.id, u.number, 0, f.name || ' von Anlage ' || ${from}::integer + u.place,
        lower(f.name) || ' von anlage ' || ${from}::integer + u.place, ${organisation}::uuid, now()
      FROM unnest(${some}::text[]) WITH ORDINALITY AS u (number, place)
      CROSS JOIN (SELECT id, name FROM custom_fields WHERE organisation_id = ${organisation}::uuid) f
      ORDER BY u.place, f.name LIMIT ${count - from * FIELDS}`);
  }
}

/** Every fifth is a department. Pages of them have to be decrypted, as every contact has an address and a number. */
async function addContacts(session: Session, organisation: string, count: number, keys: EncryptionKeys): Promise<void> {
  const begin = Date.now();
  for (let from = 0; from < count; from += CONTACTS_AT_ONCE) {
    const some = Array.from({ length: Math.min(CONTACTS_AT_ONCE, count - from) }, (_, index) => {
      const number = from + index;
      const at = new Date(begin + number).toISOString();
      return contactOf({
        kind: number % 5 === 0 ? 'FUNCTION' : 'PERSON',
        name: `${createHash('md5').update(String(number)).digest('hex').slice(0, 8)} Muster`,
        company: `Firma ${Math.floor(number / 100)}`,
        email: `muster.${number}@werk.example`,
        telephone: `+49 30 ${number}`,
        origin: 'IMPORT',
        createdAt: at,
        updatedAt: at,
      });
    });
    await session.run(putContacts(organisation, some, keys));
  }
}

async function addConnections(
  session: Session,
  organisation: { readonly id: string; readonly name: string },
  units: readonly string[],
): Promise<string[]> {
  const rows = await session.rows(
    one,
    sql`INSERT INTO connections (id, initiator_id, initiator_name, invited_id, invited_name, status, created_at,
          answered_at, updated_at)
        SELECT gen_random_uuid(), ${organisation.id}::uuid, ${organisation.name}, gen_random_uuid(), 'Partner ' || n,
          'ACCEPTED', now() + n * interval '1 second', now(), now()
        FROM generate_series(1, ${CONNECTIONS}) n RETURNING id`,
  );
  await session.run(sql`
    INSERT INTO connection_assets (connection_id, mastr_number, relation_type, added_at, updated_at)
    SELECT c.id, u.number, 'OPERATOR', now(), now()
    FROM connections c CROSS JOIN unnest(${units.slice(0, ASSETS)}::text[]) AS u (number)
    WHERE c.initiator_id = ${organisation.id}::uuid`);
  await session.run(sql`
    INSERT INTO connection_fields (connection_id, field_id, owner_id, direction, activated_at)
    SELECT c.id, f.id, ${organisation.id}::uuid, CASE WHEN f.shared THEN 'SHARE' ELSE 'REQUEST' END, now()
    FROM connections c CROSS JOIN custom_fields f
    WHERE c.initiator_id = ${organisation.id}::uuid AND f.organisation_id = ${organisation.id}::uuid
      AND (f.shared OR f.filled_by_partner)`);
  await session.run(sql`
    INSERT INTO connection_releases (connection_id, field_id, owner_id, released_at)
    SELECT connection_id, field_id, owner_id, now() FROM connection_fields WHERE owner_id = ${organisation.id}::uuid`);
  return rows.map(({ id }) => id);
}

async function addMailboxes(session: Session, organisation: string): Promise<void> {
  await session.run(sql`
    INSERT INTO mailboxes (id, organisation_id, name, general, created_at, updated_at)
    SELECT gen_random_uuid(), ${organisation}::uuid, name, name = 'Zentrale', now(), now()
    FROM unnest('{Zentrale,Technik}'::text[]) AS name`);
  await session.run(sql`
    INSERT INTO mailbox_categories (organisation_id, category, mailbox_id)
    SELECT organisation_id, 'TECHNIK', id FROM mailboxes
    WHERE organisation_id = ${organisation}::uuid AND name = 'Technik'`);
  // Everybody but one reads what is technical, nobody the rest.
  await session.run(sql`
    INSERT INTO mailbox_users (organisation_id, mailbox_id, user_id)
    SELECT m.organisation_id, m.id, u.id FROM mailboxes m JOIN users u ON u.organisation_id = m.organisation_id
    WHERE m.organisation_id = ${organisation}::uuid AND m.name = 'Technik' AND u.external_id <> 'person-0'`);
}

/** The messages of all threads arrive in turn, one a second. */
async function addThreads(
  session: Session,
  organisation: string,
  { threads, messages }: Sizes,
  units: readonly string[],
): Promise<string[]> {
  const each = Math.ceil(messages / threads);
  const assets = units.slice(0, ASSETS);
  const rows = await session.rows(
    one,
    sql`INSERT INTO threads (id, connection_id, initiator_id, invited_id, subject, category, assets, message_count,
          last_activity_at, created_at, updated_at)
        SELECT gen_random_uuid(), c.id, c.initiator_id, c.invited_id, 'Betreff ' || n,
          CASE n % 4 WHEN 0 THEN 'TECHNIK' WHEN 1 THEN 'VERTRAG' END,
          (${assets}::text[])[1 + n % ${assets.length} : 1 + n % ${assets.length}], ${each}::integer,
          now() - (n + ${threads}::integer) * interval '1 second', now() - interval '1 year', now()
        FROM generate_series(1, ${threads}) n
        JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM connections
          WHERE initiator_id = ${organisation}::uuid) c ON c.place = 1 + n % ${CONNECTIONS}
        RETURNING id`,
  );
  // Every tenth thread addresses the first person.
  await session.run(sql`
    INSERT INTO thread_participants (thread_id, user_id, side_id)
    SELECT t.id, u.id, u.organisation_id
    FROM unnest(${rows.filter((_, index) => index % 10 === 0).map(({ id }) => id)}::uuid[]) AS t (id)
    JOIN users u ON u.organisation_id = ${organisation}::uuid AND u.external_id = 'person-0'`);
  await session.run(sql`
    INSERT INTO messages (id, thread_id, number, sender_id, user_id, person, via_api, text, attachments, written_at)
    SELECT gen_random_uuid(), t.id, n, CASE n % 2 WHEN 0 THEN t.initiator_id ELSE t.invited_id END, NULL, NULL, true,
      repeat('Die Messwerte liegen bei. ', 8), '[]', t.last_activity_at - (${each}::integer - n) * interval '1 minute'
    FROM threads t CROSS JOIN generate_series(1, ${each}) n WHERE t.initiator_id = ${organisation}::uuid`);
  return rows.map(({ id }) => id);
}

/** Size of a table with its indexes. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Gathers the statistics that plans rest on, and reads the sizes of the tables that have something. */
export async function sizesOf(store: OrgStore): Promise<TableSize[]> {
  const tables = sql`SELECT c.relname::text AS "table", c.reltuples::integer AS "rows", pg_total_relation_size(c.oid) AS bytes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.reltuples > 100 ORDER BY c.relname`;
  await store.autocommit(z.unknown(), sql`ANALYZE`);
  return store.autocommit(z.strictObject({ table: z.string(), rows: z.int(), bytes: z.int() }), tables);
}
