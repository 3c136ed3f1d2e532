import { z } from 'zod';
import type { Settings } from '../../runtime/settings.ts';
import { EVENT_TYPES } from '../../sql/org/alerts/events.ts';
import { ALERT_TEMPLATES } from '../../sql/org/rights.ts';
import { changeShape } from '../history/compared.ts';

/** The content of an event, which is the same in GET /v1/events and in deliveries. */

/** The most units that an event names. */
export const MAX_MATCHES = 100;

const alertTriggered = z
  .strictObject({
    schemaVersion: z.literal(1).describe('Increases when the form of `data` changes incompatibly'),
    alert: z
      .strictObject({ id: z.uuid(), name: z.string(), template: z.literal(Object.keys(ALERT_TEMPLATES)) })
      .describe('The alert, as it was when it fired'),
    matchCount: z.int().describe('Units that matched, in all'),
    matches: z
      .array(z.strictObject({ mastrNummer: z.string() }))
      .max(MAX_MATCHES)
      .describe(`The first ${MAX_MATCHES} of them, in the order of their numbers`),
    truncated: z.boolean().describe('`matches` has not all of them'),
    resultsUrl: z.url().describe('The page of the units that matched, up to 10,000'),
    links: z.strictObject({
      self: z.url().describe('The same list by the API'),
      map: z.url().optional().describe('The same units on the map; absent in events of a time without pages'),
    }),
  })
  .meta({ id: 'AlertTriggered' });

type AlertTriggered = z.infer<typeof alertTriggered>;

export const event = z
  .strictObject({
    eventId: z.uuid().describe('Stays the same in every delivery: a receiver knows by it what it has had already'),
    type: z.literal(EVENT_TYPES),
    occurredAt: z.iso.datetime().describe('Increases from each event of the organisation to the next'),
    data: alertTriggered,
  })
  .meta({ id: 'Event' });

const changedMatch = z
  .strictObject({
    mastrNummer: z.string(),
    signalsGained: z
      .array(z.string())
      .describe('Signals that it has and did not have; of a new unit those that it has'),
    signalsLost: z.array(z.string()),
    changes: z
      .array(changeShape)
      .describe(
        'The fields that are otherwise than in the version before, in the order of the catalogue; none of a new unit',
      ),
  })
  .meta({ id: 'ChangedMatch' });

/** A unit of an event with what changed of it, as far as the organisation may see it. */
export type ChangedMatch = z.infer<typeof changedMatch>;

const alertTriggered2 = alertTriggered
  .extend({
    schemaVersion: z.literal(2),
    matches: z.array(changedMatch).max(MAX_MATCHES).describe('As in version 1, with what changed of each'),
  })
  .meta({ id: 'AlertTriggered2' });

/** The same for endpoints of schema version 2. */
export const event2 = event.extend({ data: alertTriggered2 }).meta({ id: 'Event2' });

/** The message by which an operator tries an endpoint: of the form of an event, but none, so no list has it. */
export const ping = z
  .strictObject({
    eventId: z.string().regex(/^ping_/),
    type: z.literal('ping'),
    occurredAt: z.iso.datetime(),
    data: z.strictObject({ schemaVersion: z.literal(1) }),
  })
  .meta({ id: 'Ping' });

export const pingMessage = (id: string, at: Date): z.infer<typeof ping> => ({
  eventId: `ping_${id}`,
  type: 'ping',
  occurredAt: at.toISOString(),
  data: { schemaVersion: 1 },
});

/** The message by which an organisation tries an alert; no list has it, either. */
export const alertTestMessage = z
  .strictObject({
    eventId: z.string().regex(/^test_/),
    type: z.literal('alert.test'),
    occurredAt: z.iso.datetime(),
    data: alertTriggered
      .pick({ schemaVersion: true, alert: true, matches: true })
      .extend({ matchCount: z.int().describe('Units that meet the filter of the alert now, whether new or not') }),
  })
  .meta({ id: 'AlertTestMessage' });

/** The same for endpoints of schema version 2. */
export const alertTestMessage2 = alertTestMessage
  .extend({
    data: alertTestMessage.shape.data.extend(alertTriggered2.pick({ schemaVersion: true, matches: true }).shape),
  })
  .meta({ id: 'AlertTestMessage2' });

export const alertTest = (
  eventId: string,
  at: Date,
  { id, name, template }: AlertTriggered['alert'],
  { matchCount, numbers }: { readonly matchCount: number; readonly numbers: readonly string[] },
): z.infer<typeof alertTestMessage> => ({
  ...{ eventId, type: 'alert.test', occurredAt: at.toISOString() },
  data: {
    ...{ schemaVersion: 1, alert: { id, name, template }, matchCount },
    matches: numbers.map((mastrNummer) => ({ mastrNummer })),
  },
});

/** Makes the same in the form of schema version 2. */
export const alertTest2 = (
  { data, ...message }: z.infer<typeof alertTestMessage>,
  matches: readonly ChangedMatch[],
): z.infer<typeof alertTestMessage2> => ({ ...message, data: { ...data, schemaVersion: 2, matches: [...matches] } });

/** An alert that has fired. */
export interface FiredAlert {
  readonly alert: AlertTriggered['alert'];
  /** Units that matched, in all. */
  readonly matchCount: number;
  /** Their MaStR numbers in order; the first ones suffice. */
  readonly mastrNumbers: readonly string[];
}

/** Makes the `data` of an event of type alert.triggered. */
export function alertEventData(
  { alert: { id, name, template }, matchCount, mastrNumbers }: FiredAlert,
  eventId: string,
  { BASE_URL, APP_URL }: Pick<Settings, 'BASE_URL' | 'APP_URL'>,
): AlertTriggered {
  const self = `${BASE_URL}/v1/units?eventId=${eventId}`;
  const matches = mastrNumbers.slice(0, MAX_MATCHES).map((mastrNummer) => ({ mastrNummer }));
  return {
    schemaVersion: 1,
    alert: { id, name, template },
    matchCount,
    matches,
    truncated: matches.length < matchCount,
    resultsUrl: `${APP_URL}/einheiten?eventId=${eventId}`,
    links: { self, map: `${APP_URL}/karte?eventId=${eventId}` },
  };
}

/** Makes the same in the form of schema version 2. */
export const changesEventData = (
  fired: FiredAlert,
  matches: readonly ChangedMatch[],
  ...rest: [eventId: string, settings: Pick<Settings, 'BASE_URL' | 'APP_URL'>]
): z.infer<typeof alertTriggered2> => ({
  ...alertEventData(fired, ...rest),
  schemaVersion: 2,
  matches: [...matches],
});
