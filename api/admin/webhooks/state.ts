import type { OrgStore } from '../../../sql/org/store.ts';
import {
  deleteEndpoint as deleteRow,
  disabledEndpoint,
  type EndpointRow,
  enabledEndpoint,
  endpointToChange,
  putEndpoint,
} from '../../../sql/org/webhooks/endpoints.ts';
import { adminCommand } from '../common/admin-command.ts';
import { lockOrganisation } from '../common/find-organisation.ts';
import { endpointParameters, findEndpoint } from './find-endpoint.ts';

/** The commands that disable, enable and delete a webhook endpoint. */

interface Changed {
  /** External id. */
  readonly organisation: string;
  readonly endpoint: { readonly id: string; readonly url: string };
  readonly changed: boolean;
}

/** @param change returns the new row, or null where nothing is to be changed */
const changeEndpoint = (
  store: OrgStore,
  reference: string,
  id: string,
  change: (row: EndpointRow, at: string) => EndpointRow | null,
): Promise<Changed> =>
  store.asOperator(async (session) => {
    const organisation = await lockOrganisation(session, reference);
    const present = await findEndpoint(session, organisation, id, endpointToChange);
    const row = change(present, new Date().toISOString());
    if (row !== null) await session.run(putEndpoint(row));
    const { url } = present;
    return { organisation: organisation.externalId, endpoint: { id: present.id, url }, changed: row !== null };
  });

const logFields = ({ organisation, endpoint: { id }, changed }: Changed) =>
  changed ? { organisation, endpoint: id } : null;

const examples = ['stadtwerk 019a0f6e-7c1b-7d52-9f0e-000000000001'];

export const disableEndpoint = adminCommand({
  name: 'webhooks disable',
  summary: 'halt deliveries to a webhook endpoint; it keeps its secret and what is due',
  description:
    'Events of the pause are not delivered afterwards by themselves: the organisation replays them, or reads them.',
  examples,
  parameters: endpointParameters,
  run: (store, { organisation, endpoint }) =>
    changeEndpoint(store, organisation, endpoint, (row, at) =>
      row.disabledReason === 'MANUAL' ? null : disabledEndpoint(row, 'MANUAL', at),
    ),
  format: ({ organisation, endpoint, changed }) =>
    changed
      ? `Disabled ${endpoint.url} of ${organisation}.`
      : `${endpoint.url} of ${organisation} was disabled before: nothing was changed.`,
  logFields,
});

export const enableEndpoint = adminCommand({
  name: 'webhooks enable',
  summary: 'deliver to a webhook endpoint again, whoever disabled it',
  description: 'What was due when it was disabled goes on. What failed before no longer counts.',
  examples,
  parameters: endpointParameters,
  run: (store, { organisation, endpoint }) =>
    changeEndpoint(store, organisation, endpoint, (row, at) => (row.disabled ? enabledEndpoint(row, at) : null)),
  format: ({ organisation, endpoint, changed }) =>
    changed
      ? `Enabled ${endpoint.url} of ${organisation}.`
      : `${endpoint.url} of ${organisation} is enabled: nothing was changed.`,
  logFields,
});

export const deleteEndpoint = adminCommand({
  name: 'webhooks delete',
  summary: 'remove a webhook endpoint for good, with its secret and its delivery log',
  examples,
  parameters: endpointParameters,
  run: (store, { organisation: reference, endpoint: id }) =>
    store.asOperator(async (session) => {
      const organisation = await lockOrganisation(session, reference);
      const { url } = await findEndpoint(session, organisation, id, endpointToChange);
      await session.run(deleteRow(organisation.id, id));
      return { organisation: organisation.externalId, endpoint: { id, url } };
    }),
  format: ({ organisation, endpoint }) => `Deleted ${endpoint.url} of ${organisation}.`,
  logFields: ({ organisation, endpoint: { id } }) => ({ organisation, endpoint: id }),
});
