import { z } from 'zod';
import { EVENT_TYPES } from '../../sql/org/alerts/events.ts';
import type { EndpointRow } from '../../sql/org/webhooks/endpoints.ts';

/** The id in examples of operations that name an endpoint. */
export const EXAMPLE_ENDPOINT = '019a0f6e-7c1b-7d52-9f0e-00000000a001';

/** The path parameter of operations about one endpoint. A text that is no UUID is an unknown id, and answered so. */
export const endpointPath = z.strictObject({
  id: z.string().describe('Id of the endpoint, from GET /v1/webhooks/endpoints'),
});

const members = {
  id: z.uuid(),
  url: z.string().describe('Address that deliveries are sent to, as the service writes it'),
  description: z.string(),
  eventTypes: z
    .array(z.string())
    .describe('Types that are delivered, always spelled out: all known ones where none were chosen'),
  schemaVersion: z.union([z.literal(1), z.literal(2)]).describe('The form of the events that it gets'),
  disabled: z.boolean().describe('true: nothing is delivered. Events stay readable with GET /v1/events'),
  disabledReason: z
    .enum(['GONE', 'FAILING'])
    .optional()
    .describe(
      'Only where the service itself has disabled it. GONE: the address answered 410; FAILING: nothing arrived for days',
    ),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** An endpoint as the interface shows it: interface.md, WebhookEndpoint. */
export const endpointShape = z.strictObject(members).meta({ id: 'WebhookEndpoint' });

/** An endpoint that was created, with its secret. */
export const createdEndpointShape = z
  .strictObject({ ...members, secret: z.string().describe('Signs deliveries: `whsec_` and base64') })
  .meta({ id: 'CreatedWebhookEndpoint' });

export const shownEndpoint = (row: EndpointRow): z.infer<typeof endpointShape> => ({
  id: row.id,
  url: row.url,
  description: row.description,
  eventTypes: [...(row.eventTypes ?? EVENT_TYPES)],
  schemaVersion: row.schemaVersion,
  disabled: row.disabled,
  ...(row.disabledReason === null || row.disabledReason === 'MANUAL' ? {} : { disabledReason: row.disabledReason }),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
