import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../../../sql/org/alerts/events.ts';
import { PATIENCE_DAYS } from '../../../sql/org/webhooks/endpoint-health.ts';
import { EXAMPLE_ALERT } from '../../alerts/alert.ts';
import {
  alertTest,
  alertTestMessage,
  alertTestMessage2,
  event,
  event2,
  ping,
  pingMessage,
} from '../../events/event.ts';
import { JITTER, LONGEST_DELAY, SCHEDULE } from '../../webhooks/delivery/schedule.ts';
import { TIMEOUT_MS } from '../../webhooks/delivery/send.ts';
import type { SignatureHeaders } from '../../webhooks/delivery/signature.ts';
import { examplesOf } from './examples.ts';
import { type SchemaCollection, schemaOf } from './schemas.ts';
import type { HeaderEntry, WebhookAnswerEntry, WebhookEntry } from './shape.ts';

/** Describes the requests that the service sends to endpoints of webhooks. */

const SIGNATURE: Readonly<Record<keyof SignatureHeaders, HeaderEntry>> = {
  'webhook-id': {
    description: 'The `eventId`, the same in every attempt: a receiver knows by it what it has had already',
    schema: { type: 'string' },
  },
  'webhook-timestamp': {
    description: 'When the attempt was signed, Unix seconds; refuse one that is more than five minutes from now',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  'webhook-signature': {
    description:
      'Standard Webhooks: `v1,` and the base64 of an HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body, ' +
      'joined by dots. Several are separated by spaces; one that fits is enough',
    schema: { type: 'string', pattern: '(^| )v1,[A-Za-z0-9+/]{43}=( |$)' },
  },
};

const UNITS_OF_TIME = [
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1000],
] as const;

function inWords(milliseconds: number): string {
  const [name, length] = UNITS_OF_TIME.find(([, length]) => milliseconds >= length) ?? UNITS_OF_TIME[2];
  return `${milliseconds / length} ${name}`;
}

const RECEIVED: WebhookAnswerEntry = {
  description: `The receiver has the message. An attempt has ${inWords(TIMEOUT_MS)}, to the end of the answer.`,
};

const OF_EVENTS: Readonly<Record<string, WebhookAnswerEntry>> = {
  '2XX': RECEIVED,
  '410': { description: 'The endpoint is disabled: nothing is sent to it until somebody enables it.' },
  default: {
    description:
      'A failure, as is an answer that does not come. The event is sent again after ' +
      `${SCHEDULE.slice(1).map(inWords).join(', ')}, each pause up to ${JITTER * 100} % longer; then it has failed for ` +
      `good. Where nothing arrives for ${PATIENCE_DAYS} days, the endpoint is disabled.`,
    headers: {
      'Retry-After': {
        description: `Seconds, or a date: lengthens the next pause, to ${inWords(LONGEST_DELAY)} at most`,
        schema: { type: 'string' },
      },
    },
  },
};

interface SentMessage {
  readonly summary: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: unknown;
  readonly responses: WebhookEntry['responses'];
}

const SUMMARIES: Readonly<Record<EventType, string>> = {
  'alert.triggered': 'An alert of the organisation has fired',
};

/** Every message by its type; an event has the example of the operation that lists events. */
function messages(baseUrl: string): Record<string, SentMessage> {
  const listed = Object.values(examplesOf('events.list', baseUrl)).flatMap(
    ({ answer }) => (answer.body as { readonly data?: readonly { readonly type: string }[] }).data ?? [],
  );
  const events = EVENT_TYPES.map((type): [string, SentMessage] => [
    type,
    {
      summary: SUMMARIES[type],
      description:
        'Sent to each endpoint of the organisation that takes this type, at least once and in no certain order; ' +
        '`GET /v1/events` has the same, in version 1. An endpoint whose `schemaVersion` is 2 gets version 2.',
      schema: z.union([event, event2]),
      example: listed.find((event) => event.type === type),
      responses: OF_EVENTS,
    },
  ]);
  const tried: SentMessage = {
    summary: 'The operator tries the endpoint',
    description: 'Sent once when the operator asks for it, also to an endpoint that is disabled. It is no event.',
    schema: ping,
    example: pingMessage('019a0f6e-7c1b-7d52-9f0e-000000000002', new Date('2026-11-02T08:00:00Z')),
    responses: { '2XX': RECEIVED, default: { description: 'Shown to the operator, and not sent again.' } },
  };
  const alertTried: SentMessage = {
    summary: 'Somebody of the organisation tries an alert',
    description:
      'Sent once by `POST /v1/alerts/{id}/test`, to each enabled endpoint that takes `alert.triggered`, in the version of its `schemaVersion`. It is no event.',
    schema: z.union([alertTestMessage, alertTestMessage2]),
    example: alertTest(
      'test_019a0f6e-7c1b-7d52-9f0e-000000000003',
      new Date('2026-11-02T08:00:00Z'),
      { id: EXAMPLE_ALERT, name: 'Neue Großspeicher', template: 'NEW_UNIT' },
      { matchCount: 1, numbers: ['SEE900000000001'] },
    ),
    responses: { '2XX': RECEIVED, default: { description: 'Shown to who tries it, and not sent again.' } },
  };
  return { ...Object.fromEntries(events), ping: tried, 'alert.test': alertTried };
}

const FOR_RECEIVERS =
  'Verify the bytes of the body as they came. New types can be added at any time: answer 204 to one that you do not know. ' +
  'The guide `/docs/guides/webhooks` has whole receivers.';

/** A request for each type of message. @param baseUrl address of the service, in the examples */
export const webhookEntries = (
  collection: SchemaCollection,
  baseUrl: string,
): Readonly<Record<string, { readonly post: WebhookEntry }>> =>
  Object.fromEntries(
    Object.entries(messages(baseUrl)).map(([type, { summary, description, schema, example, responses }]) => [
      type,
      {
        post: {
          operationId: `webhooks.receive.${type}`,
          summary,
          description: `${description} ${FOR_RECEIVERS}`,
          tags: ['webhooks'],
          security: [],
          parameters: Object.entries(SIGNATURE).map(([name, entry]) => ({
            ...{ name, in: 'header', required: true, ...entry },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(schema, 'output', collection), example } },
          },
          responses,
        },
      },
    ]),
  );
