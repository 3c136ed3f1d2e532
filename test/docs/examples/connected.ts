import { EXAMPLE_CONNECTION, EXAMPLE_INVITATION } from '../../../api/connections/connection.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { connect } from '../../support/connections.ts';
import { makeOrganisation } from '../../support/organisation.ts';

/** Units of the sample in the scope of the connection of the examples: wind power of one farm. */
export const CONNECTED_UNITS = ['SEE900721100463', 'SEE907189253329'] as const;

/** The id of a record that only examples of the documentation show. */
const ENDED = EXAMPLE_CONNECTION.replace(/1$/, '3');

/**
 * Connects the organisation of the examples to others: accepted (EXAMPLE_CONNECTION), invited by one, ended.
 * @returns the partner of the accepted connection
 */
export async function connectExamples(store: OrgStore, organisation: OrganisationRow): Promise<OrganisationRow> {
  const partner = await makeOrganisation(store, { name: 'Windpark Nordholm GmbH' });
  const inviting = await makeOrganisation(store, { name: 'Netz Weserbogen AG' });
  const former = await makeOrganisation(store, { name: 'Solarbetrieb Heide eG' });
  await connect(store, organisation, partner, {
    id: EXAMPLE_CONNECTION,
    assets: CONNECTED_UNITS,
    at: '2026-09-01T08:00:00.000Z',
  });
  await connect(store, inviting, organisation, {
    id: EXAMPLE_INVITATION,
    status: 'PENDING',
    at: '2026-10-20T08:00:00.000Z',
  });
  await connect(store, former, organisation, { id: ENDED, status: 'REVOKED', at: '2026-03-02T08:00:00.000Z' });
  return partner;
}
