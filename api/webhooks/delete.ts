import { deleteEndpoint as deleteRow, endpointToChange } from '../../sql/org/webhooks/endpoints.ts';
import { operation } from '../operation/operation.ts';
import { deletedBody, deletedShape } from '../wire/deleted.ts';
import { EXAMPLE_ENDPOINT, endpointPath } from './endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';

/** Removes an endpoint, for good. */
export const deleteEndpoint = operation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/v1/webhooks/endpoints/{id}',
  summary: 'Remove a webhook endpoint for good',
  description: 'Its secret and its delivery log go with it. Events stay readable with GET /v1/events.',
  access: 'api',
  scope: 'webhooks:manage',
  cost: 'mutation',
  source: 'service',
  pathParameters: endpointPath,
  answer: deletedShape('endpoint'),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_ENDPOINT } },
  async handle({ path, caller, records }) {
    const organisationId = caller.organisation.id;
    const { id } = await records(async (session) => {
      const found = await findEndpoint(session, organisationId, path.id, endpointToChange);
      await session.run(deleteRow(organisationId, found.id));
      return found;
    });
    return { body: deletedBody(id) };
  },
});
