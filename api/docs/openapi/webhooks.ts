import { EVENT_TYPES } from '../../../sql/org/alerts/events.ts';
import { event } from '../../events/event.ts';
import type { SignatureHeaders } from '../../webhooks/delivery/signature.ts';
import { type SchemaCollection, schemaOf } from './schemas.ts';
import type { WebhookEntry } from './shape.ts';

/** Describes the requests that the service sends to endpoints of webhooks. */

const SIGNATURE: Readonly<Record<keyof SignatureHeaders, string>> = {
  'webhook-id': 'The `eventId`, the same in every attempt: a receiver knows by it what it has had already',
  'webhook-timestamp': 'When the attempt was signed, Unix seconds; refuse one that is more than five minutes from now',
  'webhook-signature':
    'Standard Webhooks: `v1,` and the base64 of an HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body, joined by dots. Several are separated by spaces; one that fits is enough',
};

const ANSWERS = {
  '2XX': 'The receiver has the event. It has 15 seconds for its answer',
  '410': 'The endpoint is disabled: nothing is sent to it until somebody enables it',
  default: 'Tried again, ten times in all over three days; `Retry-After` lengthens the next pause, up to a day',
};

const TEXTS: Readonly<Record<(typeof EVENT_TYPES)[number], string>> = {
  'alert.triggered': 'An alert of the organisation has fired',
};

/** A request for each type of event. Answer 204 to a type that you do not know: new ones can be added at any time. */
export const webhookEntries = (
  collection: SchemaCollection,
): Readonly<Record<string, { readonly post: WebhookEntry }>> =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `webhooks.receive.${type}`,
          summary: TEXTS[type],
          description:
            'Sent to each endpoint of the organisation that takes this type, at least once and in no certain order. Verify the bytes of the body as they came. The guide for receivers of webhooks has whole programs.',
          tags: ['webhooks'],
          security: [],
          parameters: Object.entries(SIGNATURE).map(([name, description]) => ({
            ...{ name, in: 'header', description, required: true, schema: { type: 'string' } },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(event, 'output', collection) } },
          },
          responses: Object.fromEntries(
            Object.entries(ANSWERS).map(([status, description]) => [status, { description }]),
          ),
        },
      },
    ]),
  );
