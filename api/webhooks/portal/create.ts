import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { operation } from '../../operation/operation.ts';

const CAPABILITIES = ['view_delivery_log', 'replay_message'] as const;

/** Returns true when messages of the organisation can be sent again in the name of the key. */
export const mayReplay = ({ key, organisation }: Caller): boolean =>
  key.scopes.has('webhooks:manage') && organisation.limits.webhooksEnabled;

/** A link to the delivery log, for people. */
export const createPortalLink = operation({
  id: 'webhooks.portal',
  method: 'POST',
  path: '/v1/webhooks/portal',
  summary: 'A link to the delivery log, valid for 15 minutes',
  access: 'api',
  scope: 'webhooks:read',
  cost: 'standard',
  source: 'service',
  body: z.strictObject({}),
  bodyOptional: true,
  answer: z.strictObject({
    data: z
      .strictObject({
        url: z.url().describe('Opens without a key, so it is a secret itself'),
        expiresAt: z.iso.datetime(),
      })
      .meta({ id: 'PortalLink' }),
    meta: z.strictObject({
      capabilities: z.array(z.enum(CAPABILITIES)).describe('What can be done through the link'),
      grantedBy: z.enum(['webhooks:read', 'webhooks:manage']).describe('Scope of the key that this follows from'),
    }),
  }),
  example: { body: {} },
  async handle({ caller, service: { portalLinks, settings } }) {
    const replay = mayReplay(caller);
    const { token, expiresAt } = portalLinks.make(caller, replay);
    return {
      body: {
        data: { url: `${settings.BASE_URL}/portal/${token}`, expiresAt },
        meta: {
          capabilities: CAPABILITIES.filter((name) => replay || name !== 'replay_message'),
          grantedBy: replay ? 'webhooks:manage' : 'webhooks:read',
        },
      },
    };
  },
});
