import { z } from 'zod';
import { EVENT_RETENTION_DAYS, EVENT_TYPES, isEventType, readEvents } from '../../sql/org/alerts/events.ts';
import { operation } from '../operation/operation.ts';
import { type Problem, violated } from '../problem/problem.ts';
import { openPage, resumableMetaShape, resumablePageParameters } from '../wire/paging.ts';
import { text, timestamp } from '../wire/parameters.ts';
import { quoted } from '../wire/quoted.ts';
import { event } from './event.ts';

const PATH = '/v1/events';

const query = z.strictObject({
  ...resumablePageParameters,
  since: timestamp()
    .optional()
    .describe(
      `Begin with the events of this moment, at most ${EVENT_RETENTION_DAYS} days ago. Default: with the oldest. Has no ` +
        'effect beside `cursor`, which says where to go on',
    ),
  type: text()
    .optional()
    .describe(`Only events of this type: ${EVENT_TYPES.join(', ')}. Belongs to the question of a cursor`),
});

/** Events of the organisation, oldest first. */
export const listEvents = operation({
  id: 'events.list',
  method: 'GET',
  path: PATH,
  summary: 'Events of alerts, oldest first',
  description:
    'The recovery path of webhooks, and all that a poller needs: each event is here as it is delivered, for 30 days. Keep ' +
    '`meta.cursor` of the last page: a call with it answers only the events since. It skips none and repeats none.',
  access: 'api',
  scope: 'events:read',
  cost: 'standard',
  source: 'service',
  query,
  answer: z.strictObject({
    data: z.array(event),
    meta: z.strictObject({
      ...resumableMetaShape,
      retentionDays: z.literal(EVENT_RETENTION_DAYS).describe('How long an event is kept, days'),
    }),
  }),
  problems: ['UNPROCESSABLE'],
  example: { query: 'type=alert.triggered&limit=50' },
  async handle({ query: { limit, cursor, ...asked }, search, service, caller, records }) {
    const { id } = caller.organisation;
    const type = asked.type === undefined ? null : knownType(asked.type);
    const list = openPage({
      path: PATH,
      query: { limit, cursor },
      search: withoutSince(search),
      service,
      question: [id, type],
      resumableFrom: [0],
    });
    const after = list.after === null ? null : Number(list.after[0]);
    const since = after === null && asked.since !== undefined ? keptMoment(asked.since) : null;
    const request = { type, since, after: after ?? 0, limit: list.fetchLimit };
    const { last, forgotten, events } = await records((session) => readEvents(session, id, request));
    // Numbers beyond the last one come from a state of the store that was replaced by a backup.
    if (after !== null && (after < forgotten || after > last)) {
      throw unprocessable('cursor', 'is followed by events that are no longer kept; begin again with since');
    }
    const page = list.page(events, ({ number }) => [number], { end: [last] });
    const data = page.rows.map(({ payload }) => JSON.parse(payload) as z.infer<typeof event>);
    return { headers: page.headers, body: { data, meta: { ...page.meta, retentionDays: EVENT_RETENTION_DAYS } } };
  },
});

/** @throws Problem UNPROCESSABLE */
function knownType(name: string) {
  if (isEventType(name)) return name;
  throw unprocessable('type', `is ${quoted(name)}, which is no type of event; there is ${EVENT_TYPES.join(', ')}`);
}

/**
 * Writes the moment of `since` as the store knows it.
 * @throws Problem UNPROCESSABLE for one whose events may be gone
 */
function keptMoment(since: string): string {
  const moment = Date.parse(since);
  if (moment < Date.now() - EVENT_RETENTION_DAYS * DAY_MILLISECONDS) {
    throw unprocessable(
      'since',
      `lies more than ${EVENT_RETENTION_DAYS} days back, and events are kept no longer; choose a later one, or leave it out`,
    );
  }
  return new Date(Math.min(moment, LATEST)).toISOString();
}

const DAY_MILLISECONDS = 86_400_000;

/** An offset can move a moment beyond the years that the store knows. */
const LATEST = Date.parse('9999-12-31T00:00:00Z');

/** Links to other pages need no `since`: the cursor says where they begin. */
function withoutSince(search: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(search);
  rest.delete('since');
  return rest;
}

const unprocessable = (parameter: string, why: string): Problem =>
  violated([{ parameter, code: 'UNPROCESSABLE', detail: `${parameter} ${why}` }]);
