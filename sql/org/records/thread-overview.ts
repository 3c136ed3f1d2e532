import { z } from 'zod';
import { all, type StoreStatement, sql } from '../statement.ts';
import { CONNECTION_STATUSES } from './connections.ts';
import { CATEGORIES, responsibleMailbox } from './mailboxes.ts';
import { attachmentShape } from './messages.ts';
import { SIDES } from './whole-threads.ts';

/** Threads and messages as the operator sees them for one organisation, also those of connections that have ended. */

export const threadOverviewRow = z.strictObject({
  id: z.uuid(),
  connectionId: z.uuid(),
  connectionStatus: z.enum(CONNECTION_STATUSES),
  counterpart: z.string(),
  subject: z.string().nullable(),
  category: z.enum(CATEGORIES).nullable(),
  assets: z.array(z.string()),
  /** Name of the mailbox in which it lies for the organisation; null when there is none. */
  mailbox: z.string().nullable(),
  messageCount: z.int(),
  lastActivityAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

const overviews = (organisationId: string, conditions: readonly StoreStatement[]): StoreStatement => sql`
  SELECT threads.id, c.id AS "connectionId", c.status AS "connectionStatus",
    CASE c.initiator_id WHEN ${organisationId}::uuid THEN c.invited_name ELSE c.initiator_name END AS counterpart,
    threads.subject, threads.category, threads.assets, mailbox.name AS mailbox, threads.message_count AS "messageCount",
    threads.last_activity_at AS "lastActivityAt", threads.created_at AS "createdAt", threads.updated_at AS "updatedAt"
  FROM threads JOIN connections c ON c.id = threads.connection_id
  LEFT JOIN LATERAL (${responsibleMailbox(organisationId)}) mailbox ON true
  WHERE ${organisationId}::uuid IN (threads.initiator_id, threads.invited_id) AND ${all(conditions)}`;

/** The newest threads. @param connectionId null = on any connection */
export const newestThreads = (
  organisationId: string,
  connectionId: string | null,
  limit: number,
): StoreStatement => sql`
  ${overviews(organisationId, connectionId === null ? [] : [sql`c.id = ${connectionId}::uuid`])}
  ORDER BY threads.last_activity_at DESC, threads.id DESC LIMIT ${limit}`;

/** The thread with this id, if the organisation is a side of it; at most one row. */
export const threadOverview = (organisationId: string, id: string): StoreStatement =>
  overviews(organisationId, [sql`threads.id = ${id}::uuid`]);

export const shownParticipantRow = z.strictObject({
  user: z.uuid(),
  side: z.enum(SIDES),
  /** External id in the own organisation; null for persons of the other side, and for those who are gone. */
  externalId: z.string().nullable(),
});

export const participantsOf = (organisationId: string, threadId: string): StoreStatement => sql`
  SELECT p.user_id AS "user", CASE p.side_id WHEN ${organisationId}::uuid THEN 'own' ELSE 'counterpart' END AS side,
    u.external_id AS "externalId"
  FROM thread_participants p LEFT JOIN users u ON u.id = p.user_id AND u.organisation_id = ${organisationId}::uuid
  WHERE p.thread_id = ${threadId}::uuid ORDER BY side DESC, p.user_id`;

export const shownMessageRow = z.strictObject({
  id: z.uuid(),
  number: z.int(),
  sender: z.enum(SIDES),
  person: z.string().nullable(),
  viaApi: z.boolean(),
  text: z.string().nullable(),
  attachments: z.array(attachmentShape),
  writtenAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});

/** The newest messages of a thread, the newest at the end. */
export const newestMessages = (organisationId: string, threadId: string, limit: number): StoreStatement => sql`
  SELECT * FROM (
    SELECT id, number, CASE sender_id WHEN ${organisationId}::uuid THEN 'own' ELSE 'counterpart' END AS sender, person,
      via_api AS "viaApi", text, attachments, written_at AS "writtenAt", edited_at AS "editedAt", deleted_at AS "deletedAt"
    FROM messages WHERE thread_id = ${threadId}::uuid ORDER BY number DESC LIMIT ${limit}) AS newest
  ORDER BY number`;
