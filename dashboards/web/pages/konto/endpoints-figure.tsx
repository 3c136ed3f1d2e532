import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { mapLoaded } from '../../v1/loaded.ts';
import type { Endpoint, EndpointList } from '../../v1/organisation-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';

const ENDPOINTS: ApiRequest = { path: '/v1/webhooks/endpoints' };

const WHY: Readonly<Record<string, string>> = {
  GONE: say(
    'Abgeschaltet: Die Adresse hat geantwortet, dass es sie nicht mehr gibt (410)',
    'Switched off: the address answered that it does not exist any more (410)',
  ),
  FAILING: say('Abgeschaltet: Tagelang kam nichts an', 'Switched off: nothing arrived for days'),
};

const stateOf = ({ disabled, disabledReason }: Endpoint): string => {
  if (!disabled) return say('Eingeschaltet', 'Switched on');
  if (disabledReason === undefined) return say('Abgeschaltet von der Organisation', 'Switched off by the organisation');
  return WHY[disabledReason] ?? say(`Abgeschaltet (${disabledReason})`, `Switched off (${disabledReason})`);
};

const COLUMNS: readonly RowColumn<Endpoint>[] = [
  { name: say('Adresse', 'Address'), value: ({ url }) => url },
  { name: say('Beschreibung', 'Description'), value: ({ description }) => description || null },
  {
    name: say('Zustand', 'State'),
    value: stateOf,
    show: (endpoint) => (
      <>
        <span class={endpoint.disabled ? 'tag bad' : 'tag good'}>
          {endpoint.disabled ? say('Aus', 'Off') : say('An', 'On')}
        </span>{' '}
        {stateOf(endpoint)}
      </>
    ),
  },
  { name: say('Ereignisse', 'Events'), value: ({ eventTypes }) => eventTypes.join(', ') },
  {
    name: say('Form', 'Form'),
    value: ({ schemaVersion }) =>
      schemaVersion === 2 ? say('2: mit dem, was sich geändert hat', '2: with what changed') : String(schemaVersion),
  },
  { name: say('Geändert', 'Changed'), value: ({ updatedAt }) => day(updatedAt) },
];

/** Shows where events are delivered, and whether they are. */
export function EndpointsFigure() {
  const loaded = mapLoaded(useAnswer<EndpointList>(ENDPOINTS), ({ data }) => data);
  const title = say('Endpunkte für Webhooks', 'Endpoints for webhooks');
  return (
    <Figure
      title={title}
      unit={say('Adressen, an die Ereignisse gesendet werden', 'Addresses to which events are sent')}
      loaded={loaded}
      requests={[ENDPOINTS]}
      shows={say(
        'die Endpunkte der Organisation mit ihrem Zustand',
        'the endpoints of the organisation with their state',
      )}
      origin={say('Eigene Einstellungen der Organisation', 'Own settings of the organisation')}
      table={(endpoints) => tableOf(COLUMNS, endpoints)}
      empty={(endpoints) =>
        endpoints.length === 0 ? say('Es ist kein Endpunkt angelegt.', 'There is no endpoint.') : null
      }
      height={110}
      plain
    >
      {(endpoints) => <RowTable columns={COLUMNS} rows={endpoints} caption={title} idOf={({ id }) => id} />}
    </Figure>
  );
}
