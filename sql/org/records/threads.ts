import { z } from 'zod';
import { all, type StoreStatement, sql } from '../statement.ts';
import { CONNECTION_STATUSES } from './connections.ts';
import { CATEGORIES, responsibleMailbox, seenByUser } from './mailboxes.ts';

const threadRow = z.strictObject({
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

const COLUMNS = sql`threads.id, threads.connection_id AS "connectionId", threads.subject, threads.category, threads.assets,
  threads.message_count AS "messageCount", threads.last_activity_at AS "lastActivityAt",
  threads.created_at AS "createdAt", threads.updated_at AS "updatedAt"`;

/** A thread in a list. */
export const listedThreadRow = threadRow.extend({
  /** Last activity at the moment that the list shows: the place of the thread in it. */
  place: z.iso.datetime(),
  /** The mailbox in which it lies for the organisation; null when the organisation has none for it. */
  mailbox: z.strictObject({ id: z.uuid(), name: z.string(), general: z.boolean() }).nullable(),
});

export type ListedThreadRow = z.infer<typeof listedThreadRow>;

interface ThreadFilter {
  /** The threads of this connection, also after its end. Null = of every connection that is accepted. */
  readonly connectionId: string | null;
  readonly category: string | null;
  /** MaStR number of a unit that the thread is about. */
  readonly asset: string | null;
  /** Only threads that this user of the organisation sees. */
  readonly userId: string | null;
}

interface ThreadPageRequest extends ThreadFilter {
  /**
   * The last thread of the page before, and the moment of the list: the last activity of the first thread of the first
   * page. Null = the first page.
   */
  readonly after: { readonly place: string; readonly id: string; readonly moment: string } | null;
  readonly limit: number;
}

/**
 * Threads of an organisation, the one with the newest message first, as they were at the moment of the first page.
 * Times of messages increase in the order in which they become visible (begin_message), so all that has come since is
 * later than that moment; a thread with such messages has the place of its last message before them.
 */
export function threadsPage(organisationId: string, request: ThreadPageRequest): StoreStatement {
  const { connectionId, category, asset, userId, after, limit } = request;
  const conditions: StoreStatement[] = [];
  if (category !== null) conditions.push(sql`threads.category = ${category}`);
  if (asset !== null) conditions.push(sql`${asset} = ANY (threads.assets)`);
  if (userId !== null) conditions.push(seenByUser(organisationId, userId));
  // Each of these ranges has an index by last activity.
  const ranges =
    connectionId === null
      ? SIDES.map((side) =>
          all([sql`threads.${side} = ${organisationId}::uuid`, isAccepted(side, organisationId), ...conditions]),
        )
      : [all([sql`threads.connection_id = ${connectionId}::uuid`, ...conditions])];
  const parts = ranges.map((range) => (after === null ? rested(range, null, limit) : atMoment(range, after, limit)));
  return sql`
    SELECT threads.*, CASE WHEN mailbox.id IS NOT NULL THEN to_jsonb(mailbox) END AS mailbox
    FROM (SELECT * FROM (${unionOf(parts)}) AS parts ORDER BY place DESC, id DESC LIMIT ${limit}) AS threads
    LEFT JOIN LATERAL (${responsibleMailbox(organisationId)}) AS mailbox ON true
    ORDER BY place DESC, id DESC`;
}

const SIDES = [sql`initiator_id`, sql`invited_id`];

/**
 * The condition that the connection of a thread is accepted. Postgres takes `coalesce` to be true of half of the rows,
 * as it does in the policy of threads, and not of hardly any: so it reads threads in the order of the index until the
 * page is full.
 */
const isAccepted = (side: StoreStatement, organisationId: string): StoreStatement => sql`
  coalesce(threads.connection_id IN (
    SELECT c.id FROM connections c WHERE c.${side} = ${organisationId}::uuid AND c.status = 'ACCEPTED'), false)`;

type Position = NonNullable<ThreadPageRequest['after']>;

/** The threads behind a position, each at its place of the moment of the list. */
const atMoment = (range: StoreStatement, after: Position, limit: number): StoreStatement =>
  unionOf([rested(range, after, limit), moved(range, after, limit)]);

/** Threads that stand where their last message put them. */
function rested(range: StoreStatement, after: Position | null, limit: number): StoreStatement {
  const isNext = after === null ? sql`true` : sql`(threads.last_activity_at, threads.id) < ${keyOf(after)}`;
  return sql`(SELECT ${COLUMNS}, threads.last_activity_at AS place FROM threads WHERE ${range} AND ${isNext}
    ORDER BY threads.last_activity_at DESC, threads.id DESC LIMIT ${limit})`;
}

/** Threads that have got a message since the moment of the list, at the place that they had in it. */
const moved = (range: StoreStatement, after: Position, limit: number): StoreStatement => sql`
  (SELECT ${COLUMNS}, last.written_at AS place FROM threads CROSS JOIN LATERAL (
      SELECT written_at FROM messages WHERE thread_id = threads.id AND written_at <= ${after.moment}::timestamptz
      ORDER BY written_at DESC LIMIT 1) AS last
    WHERE ${range} AND threads.last_activity_at > ${after.moment}::timestamptz
      AND threads.created_at <= ${after.moment}::timestamptz AND (last.written_at, threads.id) < ${keyOf(after)}
    ORDER BY last.written_at DESC, threads.id DESC LIMIT ${limit})`;

const keyOf = ({ place, id }: Position): StoreStatement => sql`(${place}::timestamptz, ${id}::uuid)`;

const unionOf = (parts: readonly StoreStatement[]): StoreStatement =>
  parts.reduce((left, right) => sql`${left} UNION ALL ${right}`);

/** A thread with what its connection says, as one of the two sides sees it. */
export const threadDetailRow = threadRow.extend({
  /** Names of both sides, as they are now. */
  ownName: z.string(),
  counterpartName: z.string(),
});

export type ThreadDetailRow = z.infer<typeof threadDetailRow>;

/** The thread with this id, if the organisation is a side of it; at most one row. */
export const threadSeenBy = (organisationId: string, id: string): StoreStatement => sql`
  SELECT ${COLUMNS},
    CASE c.initiator_id WHEN ${organisationId}::uuid THEN c.initiator_name ELSE c.invited_name END AS "ownName",
    CASE c.initiator_id WHEN ${organisationId}::uuid THEN c.invited_name ELSE c.initiator_name END AS "counterpartName"
  FROM threads JOIN connections c ON c.id = threads.connection_id
  WHERE threads.id = ${id}::uuid AND ${organisationId}::uuid IN (threads.initiator_id, threads.invited_id)`;

/** The connection with this id, if the organisation is a side of it; at most one row. */
export const channelOf = (organisationId: string, connectionId: string): StoreStatement => sql`
  SELECT id, status, initiator_id AS "initiatorId", invited_id AS "invitedId" FROM connections
  WHERE id = ${connectionId}::uuid AND ${organisationId}::uuid IN (initiator_id, invited_id) AND invited_id IS NOT NULL`;

/** A connection as the channel between its sides. */
export const channelRow = z.strictObject({
  id: z.uuid(),
  status: z.enum(CONNECTION_STATUSES),
  initiatorId: z.uuid(),
  invitedId: z.uuid(),
});

export type Channel = z.infer<typeof channelRow>;

/**
 * Takes the turn of both sides until the transaction ends, and keeps the connection from ending before. Selects its
 * status and the time of the message that is written in this turn, in one row.
 */
export const beginMessage = (connectionId: string): StoreStatement => sql`
  SELECT status, at FROM begin_message(${connectionId}::uuid)`;

export const turnRow = z.strictObject({ status: z.enum(CONNECTION_STATUSES), at: z.iso.datetime() });

/** Selects those of the units that are not in the scope of the connection, in the order in which they were named. */
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
  readonly connection: Channel;
  readonly subject: string | null;
  readonly category: string | null;
  readonly assets: readonly string[];
  /** Time from `beginMessage`. */
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
