import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';

export const attachmentShape = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.int(),
});

export type Attachment = z.infer<typeof attachmentShape>;

export const messageRow = z.strictObject({
  id: z.uuid(),
  /** Its place in the thread, from 1 without a gap, in the order in which messages became visible. */
  number: z.int(),
  /** The organisation that wrote it. */
  senderId: z.uuid(),
  /** The person who wrote it, by the name of that time; null = the integration. */
  person: z.string().nullable(),
  viaApi: z.boolean(),
  /** Null once it was deleted. */
  text: z.string().nullable(),
  /** Metadata: the content is not kept. */
  attachments: z.array(attachmentShape),
  writtenAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});

export type MessageRow = z.infer<typeof messageRow>;

const COLUMNS = sql`id, number, sender_id AS "senderId", person, via_api AS "viaApi", text, attachments,
  written_at AS "writtenAt", edited_at AS "editedAt", deleted_at AS "deletedAt"`;

interface MessagePageRequest {
  /** Number of the last message of the page before; 0 = from the beginning. */
  readonly after: number;
  readonly limit: number;
}

/** The messages of a thread, oldest first. */
export const messagesPage = (threadId: string, { after, limit }: MessagePageRequest): StoreStatement => sql`
  SELECT ${COLUMNS} FROM messages WHERE thread_id = ${threadId}::uuid AND number > ${after}
  ORDER BY number LIMIT ${limit}`;

/** A message as it is written. */
export interface NewMessage {
  readonly id: string;
  readonly threadId: string;
  readonly number: number;
  readonly senderId: string;
  /** The user who writes; null = the integration. */
  readonly user: { readonly id: string; readonly name: string } | null;
  readonly viaApi: boolean;
  readonly text: string;
  /** Time from `beginMessage`. */
  readonly at: string;
}

export const insertMessage = ({ id, threadId, number, senderId, user, viaApi, text, at }: NewMessage): StoreStatement =>
  sql`
  INSERT INTO messages (id, thread_id, number, sender_id, user_id, person, via_api, text, attachments, written_at)
  VALUES (${id}::uuid, ${threadId}::uuid, ${number}, ${senderId}::uuid, ${user?.id ?? null}::uuid, ${user?.name ?? null},
    ${viaApi}, ${text}, '[]', ${at}::timestamptz)`;
