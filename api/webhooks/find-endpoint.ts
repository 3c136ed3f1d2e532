import { isUuid } from '../../sql/org/organisations.ts';
import type { Session } from '../../sql/org/store.ts';
import { type EndpointRow, endpointOf, endpointRow } from '../../sql/org/webhooks/endpoints.ts';
import { Problem } from '../problem/problem.ts';

/**
 * Finds an endpoint of the organisation.
 * @param select endpointToChange locks it until the transaction ends
 * @throws Problem NOT_FOUND for an unknown id, and alike for an endpoint of others
 */
export async function findEndpoint(
  session: Session,
  organisationId: string,
  id: string,
  select = endpointOf,
): Promise<EndpointRow> {
  const found = isUuid(id) ? await session.row(endpointRow, select(organisationId, id)) : null;
  if (found !== null) return found;
  throw new Problem('NOT_FOUND', 'There is no endpoint with this id among those that GET /v1/webhooks/endpoints lists');
}
