import { isUuid } from '../../sql/org/organisations.ts';
import {
  type ConnectionRecord,
  connectionRecord,
  connectionToChange,
  isAlive,
} from '../../sql/org/records/connections.ts';
import type { Session } from '../../sql/org/store.ts';
import { Problem } from '../problem/problem.ts';

/** What operations that change a connection have in common. */
export const managing = {
  access: 'api',
  scope: 'connections:manage',
  module: 'connection',
  cost: 'mutation',
  replayable: true,
  source: 'service',
} as const;

/**
 * Finds a connection of the organisation, or an invitation to an address of its users, and locks it with both sides.
 * @throws Problem NOT_FOUND for an unknown id, and alike for a connection of others; CONFLICT once it has ended
 */
export async function lockedConnection(
  session: Session,
  organisationId: string,
  id: string,
): Promise<ConnectionRecord> {
  const found = isUuid(id) ? await session.row(connectionRecord, connectionToChange(organisationId, id)) : null;
  if (found === null) {
    const detail =
      'The organisation has no connection with this id; GET /v1/connections and GET /v1/connections/invitations list them';
    throw new Problem('NOT_FOUND', detail);
  }
  if (isAlive(found.status)) return found;
  const detail = `The connection has ended (${found.status}, last changed ${found.updatedAt}). What has ended never comes back; invite anew`;
  throw new Problem('CONFLICT', detail);
}

/** The same for one of its sides. @throws Problem CONFLICT while an invitation to an address is not answered */
export async function lockedSide(session: Session, organisationId: string, id: string): Promise<ConnectionRecord> {
  const connection = await lockedConnection(session, organisationId, id);
  if ([connection.initiatorId, connection.invitedId].includes(organisationId)) return connection;
  throw new Problem('CONFLICT', 'The organisation has not accepted this invitation, which went to an e-mail address');
}
