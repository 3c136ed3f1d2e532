import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { Session } from '../../../sql/org/store.ts';
import { type LoggedEndpoint, loggedEndpointRow, loggedEndpoints } from '../../../sql/org/webhooks/delivery-log.ts';
import { type EndpointRow, endpointRow, endpointsOf } from '../../../sql/org/webhooks/endpoints.ts';
import { shownEndpoint } from '../../webhooks/endpoint.ts';
import { adminCommand } from '../common/admin-command.ts';
import { findOrganisation, organisationArgument } from '../common/find-organisation.ts';
import { joined, moment, nameValueLines, table } from '../common/text-table.ts';
import { endpointParameters, findEndpoint } from './find-endpoint.ts';

/** An endpoint as the operator sees it: never with its secret. */
const shown = (row: EndpointRow, log: LoggedEndpoint | undefined) => ({
  ...shownEndpoint(row),
  // The operator sees the reason also where the organisation or the operator has disabled the endpoint.
  disabledReason: row.disabledReason,
  disabledAt: row.disabledAt,
  failingSince: row.failingSince,
  /** The time until which the secret before the last rotation signs as well. */
  previousSecretUntil: row.previousSecretUntil,
  deliveredAt: log?.deliveredAt ?? null,
  nextAttemptAt: log?.nextAttemptAt ?? null,
  deliveries: { pending: log?.pending ?? 0, failed: log?.failed ?? 0, skipped: log?.skipped ?? 0 },
});

type Shown = ReturnType<typeof shown>;

async function readEndpoints(session: Session, { id }: OrganisationRow): Promise<Shown[]> {
  const log = await session.rows(loggedEndpointRow, loggedEndpoints(id));
  const rows = await session.rows(endpointRow, endpointsOf(id));
  return rows.map((row) =>
    shown(
      row,
      log.find((logged) => logged.id === row.id),
    ),
  );
}

const state = ({ disabled, disabledReason, failingSince }: Shown): string => {
  if (disabled) return `disabled (${disabledReason})`;
  return failingSince === null ? 'enabled' : `failing since ${moment(failingSince)}`;
};

export const listEndpoints = adminCommand({
  name: 'webhooks list',
  summary: 'the webhook endpoints of an organisation, the oldest first',
  description: 'Secrets are not shown: the organisation reads them over the API.',
  examples: ['stadtwerk', 'stadtwerk --json'],
  parameters: { organisation: organisationArgument },
  run: (store, { organisation: reference }) =>
    store.asOperator(async (session) => readEndpoints(session, await findOrganisation(session, reference))),
  format: (endpoints) =>
    endpoints.length === 0
      ? 'No webhook endpoints'
      : table(
          ['url', 'description', 'state', 'pending', 'failed', 'skipped', 'last delivered', 'id'],
          endpoints.map((endpoint) => [
            endpoint.url,
            endpoint.description,
            state(endpoint),
            endpoint.deliveries.pending,
            endpoint.deliveries.failed,
            endpoint.deliveries.skipped,
            moment(endpoint.deliveredAt),
            endpoint.id,
          ]),
        ),
});

export const showEndpoint = adminCommand({
  name: 'webhooks show',
  summary: 'one webhook endpoint, with what is due and why it is disabled',
  description:
    'disabledReason: MANUAL = by the organisation or the operator, GONE = its address answered 410, FAILING = nothing ' +
    'arrived for five days.',
  examples: ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001'],
  parameters: endpointParameters,
  run: (store, { organisation: reference, endpoint: id }) =>
    store.asOperator(async (session) => {
      const organisation = await findOrganisation(session, reference);
      const row = await findEndpoint(session, organisation, id);
      const log = await session.rows(loggedEndpointRow, loggedEndpoints(organisation.id));
      return shown(
        row,
        log.find((logged) => logged.id === row.id),
      );
    }),
  format: (endpoint) =>
    nameValueLines([
      ['id', endpoint.id],
      ['url', endpoint.url],
      ['description', endpoint.description || null],
      ['event types', joined(endpoint.eventTypes)],
      ['state', state(endpoint)],
      ['disabled at', moment(endpoint.disabledAt)],
      ['last delivered', moment(endpoint.deliveredAt)],
      ['next attempt', moment(endpoint.nextAttemptAt)],
      ['pending', endpoint.deliveries.pending],
      ['failed', endpoint.deliveries.failed],
      ['skipped', endpoint.deliveries.skipped],
      ['old secret signs until', moment(endpoint.previousSecretUntil)],
      ['created', moment(endpoint.createdAt)],
      ['changed', moment(endpoint.updatedAt)],
    ]),
});
