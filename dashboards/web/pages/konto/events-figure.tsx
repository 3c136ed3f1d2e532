import { useNavigation } from '../../address/address.ts';
import { TEMPLATES } from '../../alerts/templates.ts';
import { daysFrom, midnight, time, today } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { allPages } from '../../v1/all-pages.ts';
import { mapLoaded } from '../../v1/loaded.ts';
import type { AlertEvent } from '../../v1/organisation-answers.ts';
import { type ApiRequest, addressOf } from '../../v1/request.ts';
import { useLoad } from '../../v1/use-answer.ts';

/** The interface keeps events for thirty days, to the second. */
export const DAYS = [7, 1, 29] as const;

/** Rows that are read: a page shows no more, and a program reads the rest. */
const MOST_EVENTS = 1000;

/** Begins with a German day, so that the same question is asked all day long. */
const since = (days: number): string => midnight(daysFrom(today(), 1 - days)).toISOString();

/** Lists what the alerts of the organisation have found, newest first. */
export function EventsFigure({ days }: { days: number }) {
  const { at } = useNavigation();
  const request: ApiRequest = { path: '/v1/events', query: { since: since(days) } };
  const loaded = useLoad(addressOf(request), (loading) =>
    allPages<AlertEvent>(loading, request, { most: MOST_EVENTS }),
  );
  const columns = columnsWith((event) => at('einheiten', { eventId: event.eventId }));
  const title =
    days === 1
      ? say('Ereignisse von heute', 'Events of today')
      : say(`Ereignisse der letzten ${days} Tage`, `Events of the last ${days} days`);
  return (
    <Figure
      title={title}
      unit={say('Treffer der Alarme, die neuesten zuerst', 'Hits of the alerts, the newest first')}
      loaded={mapLoaded(loaded, ({ rows, isComplete }) => ({ rows: rows.toReversed(), isComplete }))}
      requests={[request]}
      shows={say('die Ereignisse der Organisation', 'the events of the organisation')}
      origin={say(
        'Eigene Alarme der Organisation; Ereignisse bleiben 30 Tage',
        'Own alerts of the organisation; events stay for 30 days',
      )}
      table={({ rows }) => tableOf(columns, rows)}
      empty={({ rows }) =>
        rows.length === 0
          ? say('In dieser Zeit hat kein Alarm ausgelöst.', 'No alert was triggered in this time.')
          : null
      }
      height={110}
      plain
    >
      {({ rows, isComplete }) => (
        <>
          <RowTable columns={columns} rows={rows} caption={title} idOf={({ eventId }) => eventId} />
          {!isComplete && (
            <p class="note">
              {say('Gezeigt sind ', 'Shown are ')}
              {count(rows.length)}
              {say(' Ereignisse; spätere liest die Schnittstelle.', ' events; the interface reads later ones.')}
            </p>
          )}
        </>
      )}
    </Figure>
  );
}

const columnsWith = (hrefOf: (event: AlertEvent) => string): readonly RowColumn<AlertEvent>[] => [
  {
    name: say('Wann', 'When'),
    value: ({ occurredAt }) => time(occurredAt),
    show: ({ occurredAt }) => <span class="nowrap">{time(occurredAt)}</span>,
  },
  { name: say('Alarm', 'Alert'), value: ({ data }) => data.alert.name },
  {
    name: say('Vorlage', 'Template'),
    value: ({ data }) => TEMPLATES[data.alert.template]?.name ?? data.alert.template,
  },
  {
    name: say('Einheiten', 'Units'),
    numeric: true,
    digits: 0,
    value: ({ data }) => data.matchCount,
    show: (event) => (
      <a
        href={hrefOf(event)}
        aria-label={say(
          `${count(event.data.matchCount)} Einheiten zu: ${event.data.alert.name}`,
          `${count(event.data.matchCount)} units of: ${event.data.alert.name}`,
        )}
      >
        {count(event.data.matchCount)}
      </a>
    ),
  },
];
