import { z } from 'zod';
import { holdKeys, type Keyring, withKeyring } from '../../sql/org/encryption.ts';
import type { Session } from '../../sql/org/store.ts';
import { type EndpointRow, endpointToChange, putEndpoint } from '../../sql/org/webhooks/endpoints.ts';
import { currentSecret, makeSecret, PREVIOUS_SECRET_SECONDS, rotated } from '../../sql/org/webhooks/secrets.ts';
import { operation } from '../operation/operation.ts';
import { violated } from '../problem/problem.ts';
import { refuseUnreadable } from '../secrets/unreadable.ts';
import { EXAMPLE_ENDPOINT, endpointPath } from './endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';
import { secret } from './members.ts';
import { requireWebhooks } from './require-webhooks.ts';
import { secretShape } from './secret.ts';

/** Replaces the secret of an endpoint; the former one signs as well for a day. */
export const rotateSecret = operation({
  id: 'webhooks.rotate',
  method: 'POST',
  path: '/v1/webhooks/endpoints/{id}/secret',
  summary: 'Replace the secret of an endpoint; the old one signs as well for a day',
  description:
    'Until `previousSecretValidForSeconds` have passed, deliveries carry a signature of each, so that a receiver can ' +
    'change its secret at any time in between. Only one former secret holds: rotate again, and the one before is dropped.',
  access: 'api',
  scope: 'webhooks:manage',
  cost: 'mutation',
  source: 'service',
  pathParameters: endpointPath,
  body: z.strictObject({
    secret: secret
      .optional()
      .describe('Own secret, `whsec_` and 24 to 64 bytes in base64; made by the service if absent'),
  }),
  bodyOptional: true,
  answer: z.strictObject({
    data: secretShape,
    meta: z.strictObject({ previousSecretValidForSeconds: z.int() }),
  }),
  problems: ['MISSING_MODULE', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  example: { path: { id: EXAMPLE_ENDPOINT }, body: {} },
  async handle({ path, body, caller, service, records }) {
    requireWebhooks(caller);
    const secret = body.secret ?? makeSecret();
    const row = await records((session) =>
      rotate(session, service.keyring, caller.organisation.id, path.id, secret),
    ).catch(refuseUnreadable('The present secret'));
    return {
      body: {
        data: { endpointId: row.id, secret },
        meta: { previousSecretValidForSeconds: PREVIOUS_SECRET_SECONDS },
      },
    };
  },
});

async function rotate(
  session: Session,
  keyring: Keyring,
  organisationId: string,
  id: string,
  secret: string,
): Promise<EndpointRow> {
  await session.run(holdKeys);
  const before = keyring.keys();
  const present = await findEndpoint(session, organisationId, id, endpointToChange);
  const row = withKeyring(keyring, before, (keys) => {
    if (currentSecret(present, keys) === secret) throw sameSecret();
    return rotated(present, secret, keys, new Date());
  });
  await session.run(putEndpoint(row));
  return row;
}

const sameSecret = () =>
  violated([
    { pointer: '#/secret', code: 'INVALID_PARAMETER', detail: 'secret is the present one; send another, or none' },
  ]);
