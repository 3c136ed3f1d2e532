import { z } from 'zod';
import { operation } from '../operation/operation.ts';
import { EXAMPLE_ENDPOINT, endpointPath, endpointShape, shownEndpoint } from './endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';

/** One endpoint of the organisation. */
export const showEndpoint = operation({
  id: 'webhooks.show',
  method: 'GET',
  path: '/v1/webhooks/endpoints/{id}',
  summary: 'One webhook endpoint',
  description: 'An endpoint of others is answered like one that does not exist.',
  access: 'api',
  scope: 'webhooks:read',
  cost: 'standard',
  source: 'service',
  pathParameters: endpointPath,
  answer: z.strictObject({ data: endpointShape, meta: z.strictObject({}) }),
  problems: ['NOT_FOUND'],
  example: { path: { id: EXAMPLE_ENDPOINT } },
  async handle({ path, caller, records }) {
    const row = await records((session) => findEndpoint(session, caller.organisation.id, path.id));
    return { body: { data: shownEndpoint(row), meta: {} } };
  },
});
