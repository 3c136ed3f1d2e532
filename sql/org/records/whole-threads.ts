import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import { CATEGORIES } from './mailboxes.ts';
import { attachmentShape } from './messages.ts';

/** Threads with all that belongs to them, for the document of one organisation (export and import). */

/** The two sides as the organisation sees them. */
export const SIDES = ['own', 'counterpart'] as const;

const side = z.enum(SIDES);

export const wholeMessage = z.strictObject({
  id: z.uuid(),
  sender: side,
  /** The person who wrote it, by id and by name of that time; null = the integration. */
  user: z.uuid().nullable(),
  person: z.string().nullable(),
  viaApi: z.boolean(),
  /** Null once it was deleted. */
  text: z.string().nullable(),
  attachments: z.array(attachmentShape),
  writtenAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});

export type WholeMessage = z.infer<typeof wholeMessage>;

export const messageOfThreadRow = wholeMessage.extend({ threadId: z.uuid() });

export const threadWithParticipantsRow = z.strictObject({
  id: z.uuid(),
  connectionId: z.uuid(),
  subject: z.string().nullable(),
  category: z.enum(CATEGORIES).nullable(),
  assets: z.array(z.string()),
  /** Sorted by id. */
  participants: z.array(z.strictObject({ user: z.uuid(), side })),
  messageCount: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

/** A thread with its messages in the order of their numbers. */
export type WholeThread = Omit<z.infer<typeof threadWithParticipantsRow>, 'messageCount'> & {
  readonly messages: readonly WholeMessage[];
};

const sideOf = (organisationId: string, column: StoreStatement): StoreStatement =>
  sql`CASE ${column} WHEN ${organisationId}::uuid THEN 'own' ELSE 'counterpart' END`;

/** All threads of an organisation. */
export const threadsWithParticipants = (organisationId: string): StoreStatement => sql`
  SELECT t.id, t.connection_id AS "connectionId", t.subject, t.category, t.assets,
    coalesce(p.participants, '[]') AS participants, t.message_count AS "messageCount", t.created_at AS "createdAt",
    t.updated_at AS "updatedAt"
  FROM threads t LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('user', user_id, 'side', ${sideOf(organisationId, sql`side_id`)}) ORDER BY user_id)
      AS participants
    FROM thread_participants WHERE thread_id = t.id) p ON true
  WHERE ${organisationId}::uuid IN (t.initiator_id, t.invited_id) ORDER BY t.id`;

/** The messages of these threads, by thread and number. */
export const messagesOfThreads = (organisationId: string, threads: readonly string[]): StoreStatement => sql`
  SELECT thread_id AS "threadId", id, ${sideOf(organisationId, sql`sender_id`)} AS sender, user_id AS "user", person,
    via_api AS "viaApi", text, attachments, written_at AS "writtenAt", edited_at AS "editedAt", deleted_at AS "deletedAt"
  FROM messages WHERE thread_id = ANY (${threads}::uuid[]) ORDER BY thread_id, number`;

/** Ids of the connections of an organisation with another one, whatever their status. */
export const connectionIds = (organisationId: string): StoreStatement => sql`
  SELECT id FROM connections WHERE ${organisationId}::uuid IN (initiator_id, invited_id) AND invited_id IS NOT NULL`;

export const idRow = z.strictObject({ id: z.uuid() });

/** The thread of each of these messages that the store has, of any organisation. */
export const threadsOfMessages = (ids: readonly string[]): StoreStatement => sql`
  SELECT id, thread_id AS "threadId" FROM messages WHERE id = ANY (${ids}::uuid[])`;

export const messagePlaceRow = z.strictObject({ id: z.uuid(), threadId: z.uuid() });

/**
 * Inserts or updates threads, without their messages (recountMessages) and participants; a thread stays on its
 * connection.
 */
export const putThreads = (threads: readonly WholeThread[]): StoreStatement => sql`
  INSERT INTO threads (id, connection_id, initiator_id, invited_id, subject, category, assets, message_count,
    last_activity_at, created_at, updated_at)
  SELECT r."id", c.id, c.initiator_id, c.invited_id, r."subject", r."category", r."assets", 0, r."createdAt",
    r."createdAt", r."updatedAt"
  FROM jsonb_to_recordset(${JSON.stringify(threads.map(({ messages: _, ...thread }) => thread))}::text::jsonb) AS r
    ("id" uuid, "connectionId" uuid, "subject" text, "category" text, "assets" text[], "createdAt" timestamptz,
    "updatedAt" timestamptz)
  JOIN connections c ON c.id = r."connectionId"
  ON CONFLICT (id) DO UPDATE SET subject = excluded.subject, category = excluded.category, assets = excluded.assets,
    updated_at = excluded.updated_at`;

/** Counts the messages of threads after they were written: others may have been added meanwhile. */
export const recountMessages = (threads: readonly string[]): StoreStatement => sql`
  UPDATE threads SET message_count = m.messages, last_activity_at = m.last
  FROM (SELECT thread_id, count(*) AS messages, max(written_at) AS last FROM messages
    WHERE thread_id = ANY (${threads}::uuid[]) GROUP BY thread_id) AS m
  WHERE threads.id = m.thread_id`;

/** The organisation behind `own` or `counterpart`, in a statement that has the thread as `t`. */
const organisationOf = (organisationId: string): StoreStatement => sql`
  CASE WHEN (r."side" = 'own') = (t.initiator_id = ${organisationId}::uuid) THEN t.initiator_id ELSE t.invited_id END`;

/** A person of a thread. */
export interface PlacedParticipant {
  readonly threadId: string;
  readonly user: string;
  readonly side: (typeof SIDES)[number];
}

/** Adds persons to threads; those that are there stay. */
export const putParticipants = (organisationId: string, rows: readonly PlacedParticipant[]): StoreStatement => sql`
  INSERT INTO thread_participants (thread_id, user_id, side_id)
  SELECT t.id, r."user", ${organisationOf(organisationId)}
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("threadId" uuid, "user" uuid, "side" text)
  JOIN threads t ON t.id = r."threadId"
  ON CONFLICT DO NOTHING`;

/** A message with its place. */
export interface PlacedMessage extends WholeMessage {
  readonly threadId: string;
  readonly number: number;
}

/** Inserts messages, or updates what can change about them: text, attachments, and the times of that. */
export const putMessages = (organisationId: string, messages: readonly PlacedMessage[]): StoreStatement => {
  const rows = messages.map(({ sender, ...message }) => ({ ...message, side: sender }));
  return sql`
    INSERT INTO messages (id, thread_id, number, sender_id, user_id, person, via_api, text, attachments, written_at,
      edited_at, deleted_at)
    SELECT r."id", t.id, r."number", ${organisationOf(organisationId)}, r."user", r."person", r."viaApi", r."text",
      r."attachments", r."writtenAt", r."editedAt", r."deletedAt"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "threadId" uuid, "number" integer,
      "side" text, "user" uuid, "person" text, "viaApi" boolean, "text" text, "attachments" jsonb, "writtenAt" timestamptz,
      "editedAt" timestamptz, "deletedAt" timestamptz)
    JOIN threads t ON t.id = r."threadId"
    ON CONFLICT (id) DO UPDATE SET text = excluded.text, attachments = excluded.attachments,
      edited_at = excluded.edited_at, deleted_at = excluded.deleted_at`;
};
