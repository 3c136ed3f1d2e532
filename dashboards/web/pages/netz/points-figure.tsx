import { useNavigation } from '../../address/address.ts';
import { carrierName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { registerWord } from '../../format/register-words.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { Paging } from '../../units/paging.tsx';
import type { ConnectionPoint, ConnectionPoints } from '../../v1/grid-answers.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';

const POINTS_OF_A_PAGE = 25;

/** Lists the connection points of a grid, the largest first; each leads to its units. */
export function PointsFigure({
  query,
  name,
  place,
}: {
  query: Query;
  name: string;
  place: Parameters<typeof Paging>[0]['list'];
}) {
  const { at } = useNavigation();
  const request: ApiRequest = { path: '/v1/netz/netzanschlusspunkte', query };
  const loaded = useAnswer<ConnectionPoints>({
    ...request,
    query: { ...query, limit: POINTS_OF_A_PAGE, cursor: place.cursor },
  });
  const title = say(
    `Anschlusspunkte mit der meisten Leistung: ${name}`,
    `Connection points with the most power: ${name}`,
  );
  const columns = columnsOf((number) => at('einheiten', { suche: number }));
  return (
    <Figure
      title={title}
      unit={say(
        'MW brutto, in Betrieb und geplant; die größten zuerst',
        'MW gross, in operation and planned; the largest first',
      )}
      loaded={loaded}
      requests={[request]}
      paged
      plain
      shows={say('die Anschlusspunkte', 'the connection points')}
      table={({ data }) => tableOf(columns, data)}
      empty={({ data }) =>
        data.length === 0
          ? say('Zu dieser Auswahl ist kein Anschlusspunkt bekannt.', 'No connection point of this choice is known.')
          : null
      }
      note={say(
        'Das Register nennt Punkte je Lokation: Alle Einheiten einer Lokation zählen an deren erstem Punkt.',
        'The register names points by location: all units of a location count at its first point.',
      )}
    >
      {({ data, meta }) => (
        <>
          <RowTable
            columns={columns}
            rows={data}
            caption={title}
            idOf={({ netzanschlusspunktMastrNummer }) => netzanschlusspunktMastrNummer}
          />
          <Paging list={place} page={meta} rows={POINTS_OF_A_PAGE} />
        </>
      )}
    </Figure>
  );
}

const columnsOf = (hrefOf: (number: string) => string): readonly RowColumn<ConnectionPoint>[] => [
  {
    name: say('Anschlusspunkt', 'Connection point'),
    value: ({ netzanschlusspunktMastrNummer }) => netzanschlusspunktMastrNummer,
    show: ({ netzanschlusspunktMastrNummer: number }) => (
      <a class="nowrap" href={hrefOf(number)}>
        {number}
      </a>
    ),
  },
  { name: say('Ort', 'Place'), value: ({ plz, ort }) => [plz, ort].filter(Boolean).join(' ') || null },
  {
    name: say('Spannungsebene', 'Voltage level'),
    value: ({ spannungsebene }) =>
      spannungsebene === null ? null : registerWord(spannungsebene).replace(/ \(.*\)$/, ''),
  },
  {
    name: say('Energieträger', 'Carriers'),
    value: ({ energietraeger }) => energietraeger.map(carrierName).join(', '),
  },
  { name: say('In Betrieb', 'In operation'), numeric: true, digits: 0, value: ({ bestand }) => bestand.anzahl },
  {
    name: say('Leistung in Betrieb', 'Power in operation'),
    unit: 'MW',
    numeric: true,
    digits: 3,
    value: ({ bestand }) => bestand.bruttoleistungKw / 1000,
  },
  {
    name: say('Geplant', 'Planned'),
    unit: 'MW',
    numeric: true,
    digits: 3,
    value: ({ pipeline }) => pipeline.bruttoleistungKw / 1000,
  },
  {
    name: say('Durch Netzbetreiber steuerbar', 'Controlled by grid operators'),
    unit: 'MW',
    numeric: true,
    digits: 3,
    value: ({ fernsteuerbarNetzbetreiber }) => fernsteuerbarNetzbetreiber.bruttoleistungKw / 1000,
  },
];
