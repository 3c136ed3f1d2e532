import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { EVENT_TYPES } from '../../sql/org/alerts/events.ts';
import { holdKeys, type Keyring } from '../../sql/org/encryption.ts';
import { organisationToChange } from '../../sql/org/organisations.ts';
import type { Session } from '../../sql/org/store.ts';
import {
  type EndpointRow,
  endpointRow,
  endpointsOf,
  MAX_ENDPOINTS,
  putEndpoint,
} from '../../sql/org/webhooks/endpoints.ts';
import { makeSecret, sealedSecret } from '../../sql/org/webhooks/secrets.ts';
import { operation } from '../operation/operation.ts';
import { Problem } from '../problem/problem.ts';
import { mustBeCallable } from './callable.ts';
import { createdEndpointShape, shownEndpoint } from './endpoint.ts';
import { description, eventTypes, schemaVersion, secret } from './members.ts';
import { requireWebhooks } from './require-webhooks.ts';
import { endpointUrl } from './url.ts';

const body = z.strictObject({
  url: endpointUrl.describe('Where deliveries are sent to: https only, and reachable from the internet'),
  description: description.optional().describe('For people; default: empty'),
  eventTypes: eventTypes
    .optional()
    .describe(`Types to deliver. Default: all, also those that come later; today ${EVENT_TYPES.join(', ')}`),
  schemaVersion: schemaVersion
    .optional()
    .describe(
      '2: each unit of an event comes with the signals that it gained and lost and the fields that changed; default 1',
    ),
  secret: secret
    .optional()
    .describe('Own secret, `whsec_` and 24 to 64 bytes in base64; made by the service if absent'),
});

type NewEndpoint = z.output<typeof body>;

/** Creates an endpoint. */
export const createEndpoint = operation({
  id: 'webhooks.create',
  method: 'POST',
  path: '/v1/webhooks/endpoints',
  summary: 'A new webhook endpoint, with the secret that signs its deliveries',
  description: `An organisation has at most ${MAX_ENDPOINTS}, each with another url. Events are delivered from then on.`,
  access: 'api',
  scope: 'webhooks:manage',
  cost: 'mutation',
  source: 'service',
  body,
  answer: z.strictObject({
    data: createdEndpointShape,
    meta: z.strictObject({ secretShownOnce: z.literal(true) }),
  }),
  status: 201,
  problems: ['MISSING_MODULE', 'CONFLICT', 'UNPROCESSABLE'],
  example: { body: { url: 'https://empfang.example/mastr' } },
  async handle({ body, caller, service, records }) {
    requireWebhooks(caller);
    await mustBeCallable(service.webhookAddresses, body.url);
    const secret = body.secret ?? makeSecret();
    const row = await records((session) => create(session, service.keyring, caller.organisation.id, body, secret));
    return { body: { data: { ...shownEndpoint(row), secret }, meta: { secretShownOnce: true } } };
  },
});

async function create(
  session: Session,
  keyring: Keyring,
  organisationId: string,
  { url, description = '', eventTypes, schemaVersion = 1 }: NewEndpoint,
  secret: string,
): Promise<EndpointRow> {
  // Other calls that create endpoints wait here, and then count this one.
  await session.run(organisationToChange(organisationId));
  await session.run(holdKeys);
  const present = await session.rows(endpointRow, endpointsOf(organisationId));
  const same = present.find((endpoint) => endpoint.url === url);
  if (same !== undefined)
    throw new Problem('CONFLICT', `The endpoint ${same.id} has this url already; change that one`);
  if (present.length >= MAX_ENDPOINTS) {
    const detail = `The organisation has ${present.length} endpoints, and at most ${MAX_ENDPOINTS} are allowed; delete one first`;
    throw new Problem('UNPROCESSABLE', detail);
  }
  const id = randomUUIDv7();
  const now = new Date().toISOString();
  const row: EndpointRow = {
    id,
    organisationId,
    url,
    description,
    eventTypes: eventTypes === undefined ? null : [...eventTypes],
    schemaVersion,
    disabled: false,
    disabledReason: null,
    disabledAt: null,
    ...sealedSecret({ id, organisationId }, secret, keyring.keys()),
    previousSecret: null,
    previousSecretKeyId: null,
    previousSecretUntil: null,
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  };
  await session.run(putEndpoint(row));
  return row;
}
