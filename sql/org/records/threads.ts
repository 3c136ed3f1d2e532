import { z } from 'zod';
import { all, type StoreStatement, sql } from '../statement.ts';
import { CONNECTION_STATUSES } from './connections.ts';

/** What a thread is about; decides the mailbox. */
export const CATEGORIES = ['ALLGEMEIN', 'TECHNIK', 'ABRECHNUNG', 'VERTRAG', 'STOERUNG', 'DATENABFRAGE'] as const;

export const threadRow = z.strictObject({
  id: z.uuid(),
  connectionId: z.uuid(),
  subject: z.string().nullable(),
  category: z.enum(CATEGORIES).nullable(),
  /** MaStR numbers. */
  assets: z.array(z.string()),
  messageCount: z.int(),
  lastActivityAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type ThreadRow = z.infer<typeof threadRow>;

const COLUMNS = sql`t.id, t.connection_id AS "connectionId", t.subject, t.category, t.assets,
  t.message_count AS "messageCount", t.last_activity_at AS "lastActivityAt", t.created_at AS "createdAt",
  t.updated_at AS "updatedAt"`;

/** A thread in a list. */
export const listedThreadRow = threadRow.extend({
  /** Last activity at the moment that the list shows: the place of the thread in it. */
  place: z.iso.datetime(),
});

export type ListedThreadRow = z.infer<typeof listedThreadRow>;

export interface ThreadFilter {
  /** The threads of this connection, also after its end. Null = of every connection that is accepted. */
  readonly connectionId: string | null;
  readonly category: string | null;
  /** MaStR number of a unit that the thread is about. */
  readonly asset: string | null;
}

interface ThreadPageRequest extends ThreadFilter {
  /**
   * The last thread of the page before, and the moment of the list: the last activity of the first thread of the first page.
   * Null = the first page.
   */
  readonly after: { readonly place: string; readonly id: string; readonly moment: string } | null;
  readonly limit: number;
}

/**
 * Threads of an organisation, the one with the newest message first, as they were at the moment of the first page. Times of
 * messages increase in the order in which they become visible (next_message_time), so all that has come since is later than
 * that moment; a thread with such messages has the place of its last message before them.
 */
export function threadsPage(organisationId: string, request: ThreadPageRequest): StoreStatement {
  const { connectionId, category, asset, after, limit } = request;
  const conditions: StoreStatement[] = [];
  if (category !== null) conditions.push(sql`t.category = ${category}`);
  if (asset !== null) conditions.push(sql`${asset} = ANY (t.assets)`);
  const accepted = sql`EXISTS (SELECT FROM connections c WHERE c.id = t.connection_id AND c.status = 'ACCEPTED')`;
  // Each has an index by last activity.
  const ranges =
    connectionId === null
      ? [
          all([sql`t.initiator_id = ${organisationId}::uuid`, accepted, ...conditions]),
          all([sql`t.invited_id = ${organisationId}::uuid`, accepted, ...conditions]),
        ]
      : [all([sql`t.connection_id = ${connectionId}::uuid`, ...conditions])];
  const parts = ranges.map((range) =>
    after === null ? unmoved(range, sql`true`, limit) : both(range, after, limit),
  );
  return sql`SELECT * FROM (${unionOf(parts)}) AS threads ORDER BY place DESC, id DESC LIMIT ${limit}`;
}

const both = (
  range: StoreStatement,
  { place, id, moment }: NonNullable<ThreadPageRequest['after']>,
  limit: number,
): StoreStatement => {
  const last = sql`(${place}::timestamptz, ${id}::uuid)`;
  return unionOf([
    unmoved(range, sql`(t.last_activity_at, t.id) < ${last}`, limit),
    sql`(SELECT ${COLUMNS}, m.written_at AS place FROM threads t CROSS JOIN LATERAL (
        SELECT written_at FROM messages WHERE thread_id = t.id AND written_at <= ${moment}::timestamptz
        ORDER BY written_at DESC LIMIT 1) AS m
      WHERE ${range} AND t.last_activity_at > ${moment}::timestamptz AND t.created_at <= ${moment}::timestamptz
        AND (m.written_at, t.id) < ${last}
      ORDER BY m.written_at DESC, t.id DESC LIMIT ${limit})`,
  ]);
};

/** Threads without a message since the moment of the list. */
const unmoved = (range: StoreStatement, after: StoreStatement, limit: number): StoreStatement => sql`
  (SELECT ${COLUMNS}, t.last_activity_at AS place FROM threads t WHERE ${range} AND ${after}
    ORDER BY t.last_activity_at DESC, t.id DESC LIMIT ${limit})`;

const unionOf = (parts: readonly StoreStatement[]): StoreStatement =>
  parts.reduce((left, right) => sql`${left} UNION ALL ${right}`);

/** A thread with what its connection says, as one of the two sides sees it. */
export const threadDetailRow = threadRow.extend({
  counterpartId: z.uuid(),
  counterpartName: z.string(),
  connectionStatus: z.enum(CONNECTION_STATUSES),
});

export type ThreadDetailRow = z.infer<typeof threadDetailRow>;

/** The thread with this id, if the organisation is a side of it; at most one row. */
export const threadSeenBy = (organisationId: string, id: string): StoreStatement => sql`
  SELECT ${COLUMNS}, c.status AS "connectionStatus",
    CASE c.initiator_id WHEN ${organisationId}::uuid THEN c.invited_id ELSE c.initiator_id END AS "counterpartId",
    CASE c.initiator_id WHEN ${organisationId}::uuid THEN c.invited_name ELSE c.initiator_name END AS "counterpartName"
  FROM threads t JOIN connections c ON c.id = t.connection_id
  WHERE t.id = ${id}::uuid AND ${organisationId}::uuid IN (t.initiator_id, t.invited_id)`;

/**
 * The connection with this id and its status, in at most one row. It is kept from ending until the transaction does, so that
 * nothing is written after its end.
 */
export const connectionToWriteOn = (organisationId: string, id: string): StoreStatement => sql`
  SELECT id, status, initiator_id AS "initiatorId", invited_id AS "invitedId" FROM connections
  WHERE id = ${id}::uuid AND ${organisationId}::uuid IN (initiator_id, invited_id) AND invited_id IS NOT NULL FOR SHARE`;

export const writableConnectionRow = z.strictObject({
  id: z.uuid(),
  status: z.enum(CONNECTION_STATUSES),
  initiatorId: z.uuid(),
  invitedId: z.uuid(),
});

export type WritableConnection = z.infer<typeof writableConnectionRow>;

/** Takes the turn of both sides until the transaction ends; selects the time of a message written in it, in one row. */
export const nextMessageTime = ({ initiatorId, invitedId }: WritableConnection): StoreStatement => sql`
  SELECT next_message_time(${initiatorId}::uuid, ${invitedId}::uuid) AS "at"`;

export const messageTime = z.strictObject({ at: z.iso.datetime() });

/** Those of the units that are not in the scope of the connection, in the order in which they were named. */
export const assetsOutOfScope = (connectionId: string, assets: readonly string[]): StoreStatement => sql`
  SELECT "asset" FROM unnest(${assets}::text[]) WITH ORDINALITY AS named ("asset", place)
  WHERE NOT EXISTS (SELECT FROM connection_assets a
    WHERE a.connection_id = ${connectionId}::uuid AND a.mastr_number = "asset")
  ORDER BY place`;

export const assetRow = z.strictObject({ asset: z.string() });

/** The organisation of each of these users, whichever it is; no row for an id that no user has. */
export const organisationsOfUsers = (ids: readonly string[]): StoreStatement => sql`
  SELECT u.id, u.organisation AS "organisationId" FROM (
    SELECT id, organisation_of_user(id) AS organisation FROM unnest(${ids}::uuid[]) AS id) AS u
  WHERE u.organisation IS NOT NULL`;

export const userSideRow = z.strictObject({ id: z.uuid(), organisationId: z.uuid() });

export type UserSide = z.infer<typeof userSideRow>;

/** A thread as it is created, with its first message. */
export interface NewThread {
  readonly id: string;
  readonly connection: WritableConnection;
  readonly subject: string | null;
  readonly category: string | null;
  readonly assets: readonly string[];
  /** Time from `nextMessageTime`. */
  readonly at: string;
}

/** Inserts a thread whose first message is written in the same transaction. */
export const insertThread = ({ id, connection, subject, category, assets, at }: NewThread): StoreStatement => sql`
  INSERT INTO threads (id, connection_id, initiator_id, invited_id, subject, category, assets, message_count,
    last_activity_at, created_at, updated_at)
  VALUES (${id}::uuid, ${connection.id}::uuid, ${connection.initiatorId}::uuid, ${connection.invitedId}::uuid, ${subject},
    ${category}, ${assets}::text[], 1, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz)`;

/** Counts one more message of a thread, and returns its number. */
export const countMessage = (threadId: string, at: string): StoreStatement => sql`
  UPDATE threads SET message_count = message_count + 1, last_activity_at = ${at}::timestamptz,
    updated_at = greatest(updated_at, ${at}::timestamptz)
  WHERE id = ${threadId}::uuid RETURNING message_count AS "number"`;

export const messageNumber = z.strictObject({ number: z.int() });

/** Adds participants of a thread; those that are there already stay. */
export const addParticipants = (threadId: string, users: readonly UserSide[]): StoreStatement => sql`
  INSERT INTO thread_participants (thread_id, user_id, side_id)
  SELECT ${threadId}::uuid, r."id", r."organisationId"
  FROM jsonb_to_recordset(${JSON.stringify(users)}::text::jsonb) AS r ("id" uuid, "organisationId" uuid)
  ON CONFLICT DO NOTHING`;
