import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import type { Session } from '../store.ts';

/** The mailboxes of an organisation, and where its threads lie. */

/** The subject matter of a thread, which decides the mailbox. */
export const CATEGORIES = ['ALLGEMEIN', 'TECHNIK', 'ABRECHNUNG', 'VERTRAG', 'STOERUNG', 'DATENABFRAGE'] as const;

export const mailboxRow = z.strictObject({
  id: z.uuid(),
  /** Unique within the organisation. */
  name: z.string(),
  /** True for the one mailbox that takes what no other takes. */
  general: z.boolean(),
  /** In the order of CATEGORIES. */
  categories: z.array(z.enum(CATEGORIES)),
  /** External ids, sorted by their bytes. */
  users: z.array(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type MailboxRow = z.infer<typeof mailboxRow>;

/** All mailboxes of an organisation; the general one is the first. */
export const mailboxesOf = (organisationId: string): StoreStatement => sql`
  SELECT m.id, m.name, m.general,
    array(SELECT c.category FROM mailbox_categories c WHERE c.organisation_id = m.organisation_id AND c.mailbox_id = m.id
      ORDER BY array_position(${CATEGORIES}::text[], c.category)) AS categories,
    array(SELECT u.external_id FROM mailbox_users mu JOIN users u ON u.id = mu.user_id WHERE mu.mailbox_id = m.id
      ORDER BY u.external_id COLLATE "C") AS users,
    m.created_at AS "createdAt", m.updated_at AS "updatedAt"
  FROM mailboxes m WHERE m.organisation_id = ${organisationId}::uuid
  ORDER BY m.general DESC, m.name COLLATE german, m.id`;

/**
 * Inserts or replaces mailboxes with their categories and users. Of all mailboxes that the organisation then has, one
 * is general, and a category is in one; users that it does not have are left out.
 */
export async function putMailboxes(
  session: Session,
  organisationId: string,
  rows: readonly MailboxRow[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  // Until all are written, none is general and no category is taken: so they can exchange them.
  await session.run(sql`UPDATE mailboxes SET general = false WHERE id = ANY (${ids}::uuid[]) AND general`);
  await session.run(sql`DELETE FROM mailbox_categories WHERE mailbox_id = ANY (${ids}::uuid[])`);
  await session.run(sql`DELETE FROM mailbox_users WHERE mailbox_id = ANY (${ids}::uuid[])`);
  const document = JSON.stringify(rows);
  await session.run(sql`
    INSERT INTO mailboxes (id, organisation_id, name, general, created_at, updated_at)
    SELECT r."id", ${organisationId}::uuid, r."name", r."general", r."createdAt", r."updatedAt"
    FROM jsonb_to_recordset(${document}::text::jsonb) AS r ("id" uuid, "name" text, "general" boolean,
      "createdAt" timestamptz, "updatedAt" timestamptz)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, general = excluded.general, updated_at = excluded.updated_at`);
  await session.run(sql`
    INSERT INTO mailbox_categories (organisation_id, category, mailbox_id)
    SELECT ${organisationId}::uuid, jsonb_array_elements_text(r."categories"), r."id"
    FROM jsonb_to_recordset(${document}::text::jsonb) AS r ("id" uuid, "categories" jsonb)`);
  await session.run(sql`
    INSERT INTO mailbox_users (organisation_id, mailbox_id, user_id)
    SELECT ${organisationId}::uuid, r."id", u.id
    FROM jsonb_to_recordset(${document}::text::jsonb) AS r ("id" uuid, "users" jsonb)
    JOIN users u ON u.organisation_id = ${organisationId}::uuid AND r."users" ? u.external_id`);
}

/** Removes a mailbox; its threads lie in the general one from then on. */
export const deleteMailbox = (id: string): StoreStatement => sql`DELETE FROM mailboxes WHERE id = ${id}::uuid`;

/**
 * Selects id, name and general of the mailbox in which a thread lies for one of its sides: the one that takes its
 * category, else the general one; no row when the organisation has neither. It is found anew by every read, so a new
 * routing holds for all threads at once.
 *
 * It belongs behind `FROM threads`: `LEFT JOIN LATERAL (${responsibleMailbox(id)}) mailbox ON true`.
 */
export const responsibleMailbox = (organisationId: string): StoreStatement => sql`
  SELECT m.id, m.name, m.general FROM mailboxes m
  WHERE m.organisation_id = ${organisationId}::uuid AND m.id = coalesce(
    (SELECT c.mailbox_id FROM mailbox_categories c
      WHERE c.organisation_id = ${organisationId}::uuid AND c.category = threads.category),
    (SELECT g.id FROM mailboxes g WHERE g.organisation_id = ${organisationId}::uuid AND g.general))`;

/**
 * The condition on rows of `threads` that a user of the organisation sees them: they lie in a mailbox of the user
 * (responsibleMailbox), or the user takes part, whatever the routing. What does not depend on the thread is found once
 * for all rows.
 */
export const seenByUser = (organisationId: string, userId: string): StoreStatement => sql`(
  threads.category = ANY (ARRAY(
    SELECT c.category FROM mailbox_categories c JOIN mailbox_users u ON u.mailbox_id = c.mailbox_id
    WHERE c.organisation_id = ${organisationId}::uuid AND u.user_id = ${userId}::uuid))
  OR EXISTS (
    SELECT FROM mailboxes m JOIN mailbox_users u ON u.mailbox_id = m.id
    WHERE m.organisation_id = ${organisationId}::uuid AND m.general AND u.user_id = ${userId}::uuid)
    AND coalesce(threads.category <> ALL (ARRAY(
      SELECT c.category FROM mailbox_categories c WHERE c.organisation_id = ${organisationId}::uuid)), true)
  OR EXISTS (
    SELECT FROM thread_participants p WHERE p.thread_id = threads.id AND p.user_id = ${userId}::uuid))`;

/** Counts the threads that lie in a mailbox. */
export const threadsIn = (organisationId: string, mailboxId: string): StoreStatement => sql`
  SELECT count(*) AS threads FROM threads CROSS JOIN LATERAL (${responsibleMailbox(organisationId)}) mailbox
  WHERE ${organisationId}::uuid IN (threads.initiator_id, threads.invited_id) AND mailbox.id = ${mailboxId}::uuid`;

export const threadsRow = z.strictObject({ threads: z.int() });
