import { z } from 'zod';
import { type StoreStatement, sql } from '../statement.ts';
import { CONNECTION_STATUSES } from './connections.ts';
import { type Attachment, attachmentShape } from './messages.ts';

/** Changes of messages that were written: by the operator, in the name of the side that wrote them. */

export const writtenMessageRow = z.strictObject({
  id: z.uuid(),
  threadId: z.uuid(),
  connectionStatus: z.enum(CONNECTION_STATUSES),
  /** True when the organisation that asks wrote it. */
  own: z.boolean(),
  counterpartName: z.string(),
  text: z.string().nullable(),
  attachments: z.array(attachmentShape),
  editedAt: z.iso.datetime().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});

export type WrittenMessageRow = z.infer<typeof writtenMessageRow>;

/**
 * The message with this id, if the organisation is a side of its thread; at most one row. Thread and message are
 * locked, as by a message that is added, and the connection is kept from ending, until the transaction does.
 */
export const messageToChange = (organisationId: string, id: string): StoreStatement => sql`
  SELECT m.id, t.id AS "threadId", c.status AS "connectionStatus", m.sender_id = ${organisationId}::uuid AS own,
    CASE c.initiator_id WHEN ${organisationId}::uuid THEN c.invited_name ELSE c.initiator_name END AS "counterpartName",
    m.text, m.attachments, m.edited_at AS "editedAt", m.deleted_at AS "deletedAt"
  FROM messages m JOIN threads t ON t.id = m.thread_id JOIN connections c ON c.id = t.connection_id
  WHERE m.id = ${id}::uuid AND ${organisationId}::uuid IN (t.initiator_id, t.invited_id)
  FOR UPDATE OF m, t FOR SHARE OF c`;

export interface MessageChange {
  readonly text: string | null;
  readonly attachments: readonly Attachment[];
  readonly editedAt: string | null;
  readonly deletedAt: string | null;
}

/** Changes a message, and moves the time of change of its thread; the last activity stays. */
export const changeMessage = (id: string, change: MessageChange): StoreStatement => sql`
  WITH message AS (
    UPDATE messages SET text = ${change.text}, attachments = ${JSON.stringify(change.attachments)}::text::jsonb,
      edited_at = ${change.editedAt}::timestamptz, deleted_at = ${change.deletedAt}::timestamptz
    WHERE id = ${id}::uuid RETURNING thread_id)
  UPDATE threads SET updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
  FROM message WHERE threads.id = message.thread_id`;
