import { isUuid } from '../../sql/org/organisations.ts';
import { type ConnectionRow, connectionRow, connectionSeenBy } from '../../sql/org/records/connections.ts';
import type { Session } from '../../sql/org/store.ts';
import { Problem } from '../problem/problem.ts';

/**
 * Finds a connection of the organisation.
 * @throws Problem NOT_FOUND for an unknown id, and alike for a connection of others
 */
export async function findConnection(session: Session, organisationId: string, id: string): Promise<ConnectionRow> {
  const found = isUuid(id) ? await session.row(connectionRow, connectionSeenBy(organisationId, id)) : null;
  if (found !== null) return found;
  throw new Problem('NOT_FOUND', 'There is no connection with this id among those that GET /v1/connections lists');
}
