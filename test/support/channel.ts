import { randomUUIDv7 } from 'node:crypto';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { type MailboxRow, putMailboxes } from '../../sql/org/records/mailboxes.ts';
import { sql } from '../../sql/org/statement.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { putUsers, type UserRow } from '../../sql/org/users.ts';

/** Users, mailboxes, threads and messages in the store itself, for tests of the channel. */

type Side = Pick<OrganisationRow, 'id'>;

/** @returns the user; by default a member with an external id of its own */
export async function makeUser(store: OrgStore, { id }: Side, choices: Partial<UserRow> = {}): Promise<UserRow> {
  const userId = randomUUIDv7();
  const now = new Date().toISOString();
  const made: UserRow = {
    id: userId,
    externalId: `user-${userId}`,
    name: 'Anna Muster',
    email: null,
    role: 'member',
    createdAt: now,
    updatedAt: now,
    ...choices,
  };
  await store.asOperator((session) => session.run(putUsers(id, [made])));
  return made;
}

/** Makes a mailbox, or replaces the one of the same id: not general, for no category, without users, unless chosen. */
export async function putMailbox(
  store: OrgStore,
  { id }: Side,
  choices: Partial<MailboxRow> = {},
): Promise<MailboxRow> {
  const mailboxId = randomUUIDv7();
  const now = new Date().toISOString();
  const made: MailboxRow = {
    id: mailboxId,
    name: `Postfach ${mailboxId}`,
    general: false,
    categories: [],
    users: [],
    createdAt: now,
    updatedAt: now,
    ...choices,
  };
  await store.asOperator((session) => putMailboxes(session, id, [made]));
  return made;
}

interface ThreadChoices {
  /** Default: a new one. */
  readonly id?: string;
  readonly category?: MailboxRow['categories'][number] | null;
  readonly subject?: string | null;
  /** MaStR numbers. */
  readonly assets?: readonly string[];
  /** Texts of its messages; the initiator of the connection writes all of them as integration, a second apart. */
  readonly messages?: readonly string[];
  readonly participants?: readonly { readonly user: string; readonly side: string }[];
  /** RFC 3339: when it was created, and the first message was written. */
  readonly createdAt?: string;
}

/** Makes a thread on a connection. @returns its id */
export async function makeThread(
  store: OrgStore,
  connection: string,
  {
    id = randomUUIDv7(),
    category = null,
    subject = null,
    assets = [],
    messages = ['Guten Tag'],
    participants = [],
    createdAt = new Date().toISOString(),
  }: ThreadChoices = {},
): Promise<string> {
  const begin = Date.parse(createdAt);
  const rows = messages.map((text, index) => ({
    id: randomUUIDv7(),
    number: index + 1,
    text,
    writtenAt: new Date(begin + index * 1000).toISOString(),
  }));
  const last = rows.at(-1)?.writtenAt ?? createdAt;
  await store.asOperator(async (session) => {
    await session.run(sql`
      INSERT INTO threads (id, connection_id, initiator_id, invited_id, subject, category, assets, message_count,
        last_activity_at, created_at, updated_at)
      SELECT ${id}::uuid, id, initiator_id, invited_id, ${subject}, ${category}, ${assets}::text[], ${rows.length},
        ${last}::timestamptz, ${createdAt}::timestamptz, ${last}::timestamptz
      FROM connections WHERE id = ${connection}::uuid`);
    await session.run(sql`
      INSERT INTO thread_participants (thread_id, user_id, side_id)
      SELECT ${id}::uuid, p."user", p."side"
      FROM jsonb_to_recordset(${JSON.stringify(participants)}::text::jsonb) AS p ("user" uuid, "side" uuid)`);
    await session.run(sql`
      INSERT INTO messages (id, thread_id, number, sender_id, via_api, text, attachments, written_at)
      SELECT r."id", ${id}::uuid, r."number", t.initiator_id, true, r."text", '[]', r."writtenAt"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "number" integer, "text" text,
        "writtenAt" timestamptz)
      JOIN threads t ON t.id = ${id}::uuid`);
  });
  return id;
}
