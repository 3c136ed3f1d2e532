import { day } from '../../format/dates.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { mapLoaded } from '../../v1/loaded.ts';
import type { Endpoint, EndpointList } from '../../v1/organisation-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';

const ENDPOINTS: ApiRequest = { path: '/v1/webhooks/endpoints' };

const WHY: Readonly<Record<string, string>> = {
  GONE: 'Abgeschaltet: Die Adresse hat geantwortet, dass es sie nicht mehr gibt (410)',
  FAILING: 'Abgeschaltet: Tagelang kam nichts an',
};

const stateOf = ({ disabled, disabledReason }: Endpoint): string => {
  if (!disabled) return 'Eingeschaltet';
  if (disabledReason === undefined) return 'Abgeschaltet von der Organisation';
  return WHY[disabledReason] ?? `Abgeschaltet (${disabledReason})`;
};

const COLUMNS: readonly RowColumn<Endpoint>[] = [
  { name: 'Adresse', value: ({ url }) => url },
  { name: 'Beschreibung', value: ({ description }) => description || null },
  {
    name: 'Zustand',
    value: stateOf,
    show: (endpoint) => (
      <>
        <span class={endpoint.disabled ? 'tag bad' : 'tag good'}>{endpoint.disabled ? 'Aus' : 'An'}</span>{' '}
        {stateOf(endpoint)}
      </>
    ),
  },
  { name: 'Ereignisse', value: ({ eventTypes }) => eventTypes.join(', ') },
  { name: 'Geändert', value: ({ updatedAt }) => day(updatedAt) },
];

/** Shows where events are delivered, and whether they are. */
export function EndpointsFigure() {
  const loaded = mapLoaded(useAnswer<EndpointList>(ENDPOINTS), ({ data }) => data);
  const title = 'Endpunkte für Webhooks';
  return (
    <Figure
      title={title}
      unit="Adressen, an die Ereignisse gesendet werden"
      loaded={loaded}
      requests={[ENDPOINTS]}
      shows="die Endpunkte der Organisation mit ihrem Zustand"
      origin="Eigene Einstellungen der Organisation"
      table={(endpoints) => tableOf(COLUMNS, endpoints)}
      empty={(endpoints) => (endpoints.length === 0 ? 'Es ist kein Endpunkt angelegt.' : null)}
      height={110}
      plain
    >
      {(endpoints) => <RowTable columns={COLUMNS} rows={endpoints} caption={title} idOf={({ id }) => id} />}
    </Figure>
  );
}
