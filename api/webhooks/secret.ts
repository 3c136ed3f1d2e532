import { z } from 'zod';
import { withKeyring } from '../../sql/org/encryption.ts';
import { currentSecret } from '../../sql/org/webhooks/secrets.ts';
import { operation } from '../operation/operation.ts';
import { refuseUnreadable } from '../secrets/unreadable.ts';
import { EXAMPLE_ENDPOINT, endpointPath } from './endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';

export const secretShape = z
  .strictObject({ endpointId: z.uuid(), secret: z.string().describe('Signs deliveries: `whsec_` and base64') })
  .meta({ id: 'WebhookSecret' });

/** The secret of an endpoint. */
export const showSecret = operation({
  id: 'webhooks.secret',
  method: 'GET',
  path: '/v1/webhooks/endpoints/{id}/secret',
  summary: 'The secret that signs the deliveries of an endpoint',
  description: 'Needs `webhooks:manage`, not `webhooks:read`: whoever knows the secret can forge deliveries.',
  access: 'api',
  scope: 'webhooks:manage',
  cost: 'standard',
  source: 'service',
  pathParameters: endpointPath,
  answer: z.strictObject({ data: secretShape, meta: z.strictObject({}) }),
  problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  example: { path: { id: EXAMPLE_ENDPOINT } },
  async handle({ path, caller, service, records }) {
    const { keyring } = service;
    const data = await records(async (session) => {
      const before = keyring.keys();
      const row = await findEndpoint(session, caller.organisation.id, path.id);
      return { endpointId: row.id, secret: withKeyring(keyring, before, (keys) => currentSecret(row, keys)) };
    }).catch(refuseUnreadable('The secret'));
    return { body: { data, meta: {} } };
  },
});
