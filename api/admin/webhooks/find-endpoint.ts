import { refused } from '../../../runtime/command-line/exit.ts';
import { argument } from '../../../runtime/command-line/parameter.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { Session } from '../../../sql/org/store.ts';
import { type EndpointRow, endpointOf, endpointRow } from '../../../sql/org/webhooks/endpoints.ts';
import { organisationArgument } from '../common/find-organisation.ts';
import { uuid } from '../common/schemas.ts';

/** The parameters of the commands about one endpoint. */
export const endpointParameters = {
  organisation: organisationArgument,
  endpoint: argument('the id of the endpoint, from `webhooks list`', uuid()),
};

/**
 * Finds an endpoint of an organisation.
 * @param select endpointToChange locks it until the transaction ends
 * @throws CommandFailed when the organisation does not have it
 */
export async function findEndpoint(
  session: Session,
  { id: organisationId, externalId }: OrganisationRow,
  id: string,
  select = endpointOf,
): Promise<EndpointRow> {
  const found = await session.row(endpointRow, select(organisationId, id));
  if (found !== null) return found;
  throw refused(
    `${externalId} has no webhook endpoint ${id}. Nothing was done\n` +
      `Those it has: npm run admin -- webhooks list ${externalId}`,
  );
}
