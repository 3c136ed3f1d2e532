import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { organisationToChange } from '../../sql/org/organisations.ts';
import type { Session } from '../../sql/org/store.ts';
import {
  disabledEndpoint,
  type EndpointRow,
  enabledEndpoint,
  endpointRow,
  endpointsOf,
  endpointToChange,
  putEndpoint,
} from '../../sql/org/webhooks/endpoints.ts';
import { operation } from '../operation/operation.ts';
import { violated } from '../problem/problem.ts';
import { mustBeCallable } from './callable.ts';
import { EXAMPLE_ENDPOINT, endpointPath, endpointShape, shownEndpoint } from './endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';
import { description, eventTypes, schemaVersion } from './members.ts';
import { requireWebhooks } from './require-webhooks.ts';
import { endpointUrl } from './url.ts';

const body = z.strictObject({
  url: endpointUrl.optional().describe('https only, and reachable from the internet'),
  description: description.optional(),
  eventTypes: eventTypes.optional().describe('Replaces the former selection entirely'),
  schemaVersion: schemaVersion.optional().describe('Of events from now on'),
  disabled: z
    .boolean('must be true or false')
    .optional()
    .describe('true: deliveries halt, endpoint and secret are kept; false: they go on'),
});

type Change = z.output<typeof body>;

/** Changes some members of an endpoint. */
export const changeEndpoint = operation({
  id: 'webhooks.change',
  method: 'PATCH',
  path: '/v1/webhooks/endpoints/{id}',
  summary: 'Change a webhook endpoint, disable or enable it',
  description: 'Members that are left out stay as they are. Deliveries that are due go to the new url.',
  access: 'api',
  scope: 'webhooks:manage',
  cost: 'mutation',
  source: 'service',
  pathParameters: endpointPath,
  body,
  answer: z.strictObject({ data: endpointShape, meta: z.strictObject({}) }),
  problems: ['MISSING_MODULE', 'NOT_FOUND', 'UNPROCESSABLE'],
  example: { path: { id: EXAMPLE_ENDPOINT }, body: { description: 'Leitwarte' } },
  async handle({ path, body, caller, service, records }) {
    if (needsWebhooks(body)) requireWebhooks(caller);
    const { id } = caller.organisation;
    // An unknown id is answered first, so that it says the same whatever the body has.
    const present = await records((session) => findEndpoint(session, id, path.id));
    if (body.url !== undefined && body.url !== present.url) await mustBeCallable(service.webhookAddresses, body.url);
    const row = await records((session) => change(session, id, path.id, body));
    return { body: { data: shownEndpoint(row), meta: {} } };
  },
});

/** Disabling an endpoint and describing it is always allowed. */
const needsWebhooks = ({ url, eventTypes, disabled }: Change): boolean =>
  url !== undefined || eventTypes !== undefined || disabled === false;

async function change(session: Session, organisationId: string, id: string, sent: Change): Promise<EndpointRow> {
  // Other calls that create or change endpoints wait here, so that no two endpoints get the same url.
  await session.run(organisationToChange(organisationId));
  const present = await findEndpoint(session, organisationId, id, endpointToChange);
  if (sent.url !== undefined) await mustBeFree(session, present, sent.url);
  const row = changed(present, sent, new Date().toISOString());
  if (isDeepStrictEqual({ ...row, updatedAt: present.updatedAt }, present)) return present;
  await session.run(putEndpoint(row));
  return row;
}

function changed(
  present: EndpointRow,
  { url, description, eventTypes, schemaVersion, disabled }: Change,
  at: string,
): EndpointRow {
  const row: EndpointRow = {
    ...present,
    description: description ?? present.description,
    eventTypes: eventTypes === undefined ? present.eventTypes : [...eventTypes],
    schemaVersion: schemaVersion ?? present.schemaVersion,
    // Failures at the former address say nothing about the new one.
    ...(url === undefined || url === present.url ? {} : { url, failingSince: null }),
    updatedAt: at,
  };
  if (disabled === undefined) return row;
  return disabled ? disabledEndpoint(row, 'MANUAL', at) : enabledEndpoint(row, at);
}

/** @throws Problem UNPROCESSABLE when another endpoint of the organisation has the url */
async function mustBeFree(session: Session, { id, organisationId }: EndpointRow, url: string): Promise<void> {
  const endpoints = await session.rows(endpointRow, endpointsOf(organisationId));
  const other = endpoints.find((endpoint) => endpoint.url === url && endpoint.id !== id);
  if (other === undefined) return;
  const detail = `url is that of the endpoint ${other.id} already; each has another one`;
  throw violated([{ pointer: '#/url', code: 'UNPROCESSABLE', detail }]);
}
