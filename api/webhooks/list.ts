import { z } from 'zod';
import { EVENT_TYPES } from '../../sql/org/alerts/events.ts';
import { endpointRow, endpointsOf, MAX_ENDPOINTS } from '../../sql/org/webhooks/endpoints.ts';
import { operation } from '../operation/operation.ts';
import { endpointShape, shownEndpoint } from './endpoint.ts';

/** All endpoints of the organisation. */
export const listEndpoints = operation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks/endpoints',
  summary: 'All webhook endpoints, the oldest first',
  description: `An organisation has at most ${MAX_ENDPOINTS}, so there are no pages. Secrets are not part of it.`,
  access: 'api',
  scope: 'webhooks:read',
  cost: 'standard',
  source: 'service',
  answer: z.strictObject({
    data: z.array(endpointShape),
    meta: z.strictObject({
      count: z.int(),
      knownEventTypes: z.array(z.string()).describe('Types that an endpoint can choose from'),
    }),
  }),
  async handle({ caller, records }) {
    const rows = await records((session) => session.rows(endpointRow, endpointsOf(caller.organisation.id)));
    return {
      body: { data: rows.map(shownEndpoint), meta: { count: rows.length, knownEventTypes: [...EVENT_TYPES] } },
    };
  },
});
