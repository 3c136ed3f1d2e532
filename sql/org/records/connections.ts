import { z } from 'zod';
import { all, type StoreStatement, sql } from '../statement.ts';

export const CONNECTION_STATUSES = ['PENDING', 'ACCEPTED', 'DECLINED', 'REVOKED'] as const;

export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** The statuses of a connection that has not ended. */
const ALIVE = sql`('PENDING', 'ACCEPTED')`;

export const isAlive = (status: ConnectionStatus): boolean => status === 'PENDING' || status === 'ACCEPTED';

/** A connection as one of its sides sees it. */
export const connectionRow = z.strictObject({
  id: z.uuid(),
  status: z.enum(CONNECTION_STATUSES),
  /** True for the side that invited. */
  initiated: z.boolean(),
  counterpartId: z.uuid(),
  counterpartName: z.string(),
  /** Units in scope; none once it has ended. */
  assetCount: z.int(),
  createdAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
});

export type ConnectionRow = z.infer<typeof connectionRow>;

const seenBy = (organisationId: string): StoreStatement => sql`
  SELECT id, status, initiator_id = ${organisationId}::uuid AS initiated,
    CASE initiator_id WHEN ${organisationId}::uuid THEN invited_id ELSE initiator_id END AS "counterpartId",
    CASE initiator_id WHEN ${organisationId}::uuid THEN invited_name ELSE initiator_name END AS "counterpartName",
    CASE WHEN status IN ${ALIVE} THEN asset_count ELSE 0 END AS "assetCount",
    created_at AS "createdAt", answered_at AS "answeredAt", updated_at AS "updatedAt"
  FROM connections`;

/**
 * The connection with this id, if the organisation is one of its sides; at most one row. An invitation to an e-mail
 * address has no other side yet, and is not found.
 */
export const connectionSeenBy = (organisationId: string, id: string): StoreStatement => sql`
  ${seenBy(organisationId)}
  WHERE id = ${id}::uuid AND ${organisationId}::uuid IN (initiator_id, invited_id) AND invited_id IS NOT NULL`;

interface ConnectionPageRequest {
  /** Null = those that have not ended. */
  readonly status: ConnectionStatus | null;
  /** Time of creation and id of the last connection of the page before. */
  readonly after: readonly [createdAt: string, id: string] | null;
  readonly limit: number;
}

/**
 * Connections of an organisation, newest first, without invitations to an e-mail address. Those it initiated and those
 * it was invited to are two sorted lists, each read from an index as far as the page needs.
 */
export function connectionPage(
  organisationId: string,
  { status, after, limit }: ConnectionPageRequest,
): StoreStatement {
  const conditions = [
    sql`invited_id IS NOT NULL`,
    status === null ? sql`status IN ${ALIVE}` : sql`status = ${status}`,
    ...(after === null ? [] : [sql`(created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`]),
  ];
  const listOf = (side: StoreStatement) => sql`(${seenBy(organisationId)} WHERE ${all([side, ...conditions])}
    ORDER BY created_at DESC, id DESC LIMIT ${limit})`;
  return sql`${listOf(sql`initiator_id = ${organisationId}::uuid`)}
    UNION ALL ${listOf(sql`invited_id = ${organisationId}::uuid`)}
    ORDER BY "createdAt" DESC, id DESC LIMIT ${limit}`;
}

export const fieldCountRow = z.strictObject({ count: z.int() });

/** Counts the fields that are active on a connection, whatever its status. */
export const activeFieldCount = (id: string): StoreStatement => sql`
  SELECT count(*) AS count FROM connection_fields WHERE connection_id = ${id}::uuid`;

/** A connection as it is stored, for administration. */
export const connectionRecord = z.strictObject({
  id: z.uuid(),
  initiatorId: z.uuid(),
  initiatorName: z.string(),
  /** The invited organisation; null while the invitation is addressed to an e-mail address. */
  invitedId: z.uuid().nullable(),
  invitedName: z.string().nullable(),
  invitedEmail: z.string().nullable(),
  status: z.enum(CONNECTION_STATUSES),
  createdAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
  /** Units in scope, also of a connection that has ended. */
  assetCount: z.int(),
});

export type ConnectionRecord = z.infer<typeof connectionRecord>;

const RECORD = sql`id, initiator_id AS "initiatorId", initiator_name AS "initiatorName", invited_id AS "invitedId",
  invited_name AS "invitedName", invited_email AS "invitedEmail", status, created_at AS "createdAt",
  answered_at AS "answeredAt", updated_at AS "updatedAt", asset_count AS "assetCount"`;

/** Invitations by others to an e-mail address that a user of the organisation has, and that nobody has answered. */
const addressedTo = (organisationId: string): StoreStatement => sql`
  status = 'PENDING' AND initiator_id <> ${organisationId}::uuid
    AND lower(invited_email) IN (SELECT lower(email) FROM users WHERE organisation_id = ${organisationId}::uuid)`;

/** Connections and invitations of which the organisation is a side, oldest first. */
export const connectionsOfSide = (organisationId: string): StoreStatement => sql`
  SELECT ${RECORD} FROM connections WHERE initiator_id = ${organisationId}::uuid
  UNION ALL SELECT ${RECORD} FROM connections WHERE invited_id = ${organisationId}::uuid
  ORDER BY "createdAt", id`;

/** Connections and invitations of an organisation, including those to its users' addresses, newest first. */
export const connectionsOf = (organisationId: string): StoreStatement => sql`
  SELECT ${RECORD} FROM connections WHERE initiator_id = ${organisationId}::uuid
  UNION ALL SELECT ${RECORD} FROM connections WHERE invited_id = ${organisationId}::uuid
  UNION ALL SELECT ${RECORD} FROM connections WHERE ${addressedTo(organisationId)}
  ORDER BY "createdAt" DESC, id DESC`;

/** The connection or invitation of an organisation with this id, in at most one row. */
export const connectionOf = (organisationId: string, id: string): StoreStatement => sql`
  SELECT ${RECORD} FROM connections
  WHERE id = ${id}::uuid AND (${organisationId}::uuid IN (initiator_id, invited_id) OR (${addressedTo(organisationId)}))`;

/**
 * Locks a connection and its sides against other changes until the transaction ends, and returns it to a side, or to an
 * organisation that it invites by an address; at most one row.
 */
export const connectionToChange = (organisationId: string, id: string): StoreStatement =>
  sql`SELECT ${RECORD} FROM lock_connection(${organisationId}::uuid, ${id}::uuid)`;

export const sideRow = z.strictObject({ name: z.string().nullable() });

/**
 * Locks two organisations against being renamed, deleted and connected until the transaction ends. What they write meanwhile
 * refers to their rows, and does not wait. The row has the name of the other one; null where it does not exist.
 */
export const lockSides = (organisationId: string, otherId: string): StoreStatement =>
  sql`SELECT lock_sides(${organisationId}::uuid, ${otherId}::uuid) AS name`;

export const doneRow = z.strictObject({ done: z.boolean() });

interface Invitation {
  readonly id: string;
  readonly initiatorId: string;
  /** Either this, or an address. */
  readonly invitedId: string | null;
  readonly email: string | null;
}

/** Invites, in the names that both have now. Not done: the invited organisation does not exist. */
export const sendInvitation = ({ id, initiatorId, invitedId, email }: Invitation): StoreStatement => sql`
  SELECT send_invitation(${id}::uuid, ${initiatorId}::uuid, ${invitedId}::uuid, ${email}::text) AS done`;

/** Answers an invitation to the organisation, and returns it. No row: there is none, or it is answered. */
export const answerInvitation = (
  organisationId: string,
  id: string,
  answer: 'ACCEPTED' | 'DECLINED',
): StoreStatement => sql`
  SELECT ${RECORD} FROM answer_invitation(${organisationId}::uuid, ${id}::uuid, ${answer})`;

/** Ends a connection, or takes an invitation back. Not done: it is neither accepted nor sent by the organisation. */
export const endConnection = (organisationId: string, id: string): StoreStatement => sql`
  SELECT end_connection(${organisationId}::uuid, ${id}::uuid) AS done`;

export const sentRow = z.strictObject({ sent: z.int(), unanswered: z.int() });

/** Counts the invitations that an organisation has ever sent, and those of them that nobody has answered; one row. */
export const sentBy = (organisationId: string): StoreStatement => sql`
  SELECT count(*) AS sent, count(*) FILTER (WHERE status = 'PENDING') AS unanswered
  FROM connections WHERE initiator_id = ${organisationId}::uuid`;

/** Unanswered invitations from and to an organisation, also to the addresses of its users, newest first. */
export function invitationPage(
  organisationId: string,
  after: readonly [createdAt: string, id: string] | null,
  limit: number,
): StoreStatement {
  const conditions = [
    sql`status = 'PENDING'`,
    ...(after === null ? [] : [sql`(created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`]),
  ];
  const partOf = (from: StoreStatement, ...more: StoreStatement[]) => sql`(SELECT ${RECORD} FROM ${from}
    WHERE ${all([...more, ...conditions])} ORDER BY created_at DESC, id DESC LIMIT ${limit})`;
  return sql`${partOf(sql`connections`, sql`initiator_id = ${organisationId}::uuid`)}
    UNION ALL ${partOf(sql`connections`, sql`invited_id = ${organisationId}::uuid`)}
    UNION ALL ${partOf(sql`invitations_by_address(${organisationId}::uuid)`)}
    ORDER BY "createdAt" DESC, id DESC LIMIT ${limit}`;
}

/** The connection of two organisations that has not ended, in at most one row. */
export const livingConnection = (one: string, other: string): StoreStatement => sql`
  SELECT ${RECORD} FROM connections
  WHERE least(initiator_id, invited_id) = least(${one}::uuid, ${other}::uuid)
    AND greatest(initiator_id, invited_id) = greatest(${one}::uuid, ${other}::uuid)
    AND invited_id IS NOT NULL AND status IN ${ALIVE}`;

/** Invitations of an organisation to an e-mail address that nobody has answered. */
export const invitationsByEmail = (initiatorId: string, email: string): StoreStatement => sql`
  SELECT ${RECORD} FROM connections
  WHERE initiator_id = ${initiatorId}::uuid AND lower(invited_email) = lower(${email}) AND status = 'PENDING'`;

/**
 * Inserts or updates connections; an update keeps initiator and time of creation, and the number of assets. What has
 * ended stays so, whatever is written.
 */
export const putConnections = (rows: readonly ConnectionRecord[]): StoreStatement => sql`
  INSERT INTO connections (id, initiator_id, initiator_name, invited_id, invited_name, invited_email, status, created_at,
    answered_at, updated_at)
  SELECT r."id", r."initiatorId", r."initiatorName", r."invitedId", r."invitedName", r."invitedEmail", r."status",
    r."createdAt", r."answeredAt", r."updatedAt"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r ("id" uuid, "initiatorId" uuid,
    "initiatorName" text, "invitedId" uuid, "invitedName" text, "invitedEmail" text, "status" text,
    "createdAt" timestamptz, "answeredAt" timestamptz, "updatedAt" timestamptz)
  ON CONFLICT (id) DO UPDATE SET invited_id = excluded.invited_id, invited_name = excluded.invited_name,
    invited_email = excluded.invited_email, answered_at = excluded.answered_at, updated_at = excluded.updated_at,
    status = CASE WHEN connections.status IN ${ALIVE} THEN excluded.status ELSE connections.status END`;

/** Moves the time of change of a connection, as with every change that its sides see, and counts its units. */
export const touchConnection = (id: string): StoreStatement => sql`SELECT touch_connection(${id}::uuid)`;
