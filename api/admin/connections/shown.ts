import { z } from 'zod';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import { type ConnectionRecord, isAlive } from '../../../sql/org/records/connections.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import { moment, nameValueLines } from '../common/text-table.ts';

/** A connection as a command shows it to the operator, from one side. */
export interface ShownConnection {
  readonly id: string;
  readonly status: ConnectionRecord['status'];
  readonly role: 'initiator' | 'invited';
  /**
   * Null while the invitation is addressed to an e-mail address; `externalId` is null for one that is not in this
   * store.
   */
  readonly counterpart: { readonly id: string; readonly externalId: string | null; readonly name: string } | null;
  /** The address of an invitation that no organisation has answered. */
  readonly email: string | null;
  readonly assets: number;
  readonly createdAt: string;
  readonly answeredAt: string | null;
  readonly updatedAt: string;
}

const nameRow = z.strictObject({ id: z.uuid(), externalId: z.string() });

/** Shows connections from the side of an organisation. */
export async function shownTo(
  session: Session,
  { id: own }: OrganisationRow,
  connections: readonly ConnectionRecord[],
): Promise<ShownConnection[]> {
  const ids = connections.flatMap(({ initiatorId, invitedId }) =>
    invitedId === null ? [initiatorId] : [initiatorId, invitedId],
  );
  const names = await session.rows(
    nameRow,
    sql`SELECT id, external_id AS "externalId" FROM organisations WHERE id = ANY (${ids}::uuid[])`,
  );
  const externalIds = new Map(names.map(({ id, externalId }) => [id, externalId]));
  return connections.map((connection) => {
    const initiated = connection.initiatorId === own;
    const id = initiated ? connection.invitedId : connection.initiatorId;
    const name = initiated ? connection.invitedName : connection.initiatorName;
    return {
      id: connection.id,
      status: connection.status,
      role: initiated ? 'initiator' : 'invited',
      counterpart: id === null || name === null ? null : { id, externalId: externalIds.get(id) ?? null, name },
      email: connection.invitedEmail,
      assets: isAlive(connection.status) ? connection.assetCount : 0,
      createdAt: connection.createdAt,
      answeredAt: connection.answeredAt,
      updatedAt: connection.updatedAt,
    };
  });
}

/** Shows one connection from the side of an organisation. */
export async function showTo(
  session: Session,
  organisation: OrganisationRow,
  connection: ConnectionRecord,
): Promise<ShownConnection> {
  const [shown] = await shownTo(session, organisation, [connection]);
  if (shown === undefined) throw new Error('Of each connection there is one view');
  return shown;
}

/** The counterpart in a line for people. */
export function describeCounterpart({ counterpart, email }: ShownConnection): string {
  if (counterpart === null) return `whoever has ${email}`;
  return counterpart.externalId === null
    ? `${counterpart.name} (not in this store)`
    : `${counterpart.name} (${counterpart.externalId})`;
}

/** Describes a connection for people. */
export const describeConnection = (connection: ShownConnection, activeFields: number): string =>
  nameValueLines([
    ['id', connection.id],
    ['status', connection.status],
    ['with', describeCounterpart(connection)],
    ['role', connection.role === 'initiator' ? 'has invited' : 'was invited'],
    ['assets', connection.assets],
    ['active fields', activeFields],
    ['made', moment(connection.createdAt)],
    ['answered', moment(connection.answeredAt)],
    ['changed', moment(connection.updatedAt)],
  ]);
