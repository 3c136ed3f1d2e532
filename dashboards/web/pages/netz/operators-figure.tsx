import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import type { GridOperator, GridOperators } from '../../v1/grid-answers.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';

/** Operators of the list; the others are found by their names. */
const MOST_OPERATORS = 50;

/** Lists the grid operators with the most power, to choose from. */
export function OperatorsFigure({ query, narrowed }: { query: Query; narrowed: readonly (string | null)[] }) {
  const { address, at } = useNavigation();
  const request: ApiRequest = { path: '/v1/netz/netzbetreiber', query: { ...query, limit: MOST_OPERATORS } };
  const loaded = useAnswer<GridOperators>(request);
  const kept = Object.fromEntries(address.query);
  const columns = columnsOf((netzbetreiber) => at(address.path, { ...kept, netzbetreiber }));
  const about = narrowed.filter((part) => part !== null).join(', ');
  const title = [say('Netzbetreiber mit der meisten Leistung', 'Grid operators with the most power'), about]
    .filter(Boolean)
    .join(': ');
  return (
    <Figure
      title={title}
      unit={say(
        `Die ${MOST_OPERATORS} größten nach Bruttoleistung in Betrieb; die anderen findet ihr Name`,
        `The ${MOST_OPERATORS} largest by gross power in operation; the others are found by name`,
      )}
      loaded={loaded}
      requests={[request]}
      shows={say('die Netzbetreiber', 'the grid operators')}
      table={({ data }) => tableOf(columns, data)}
      empty={({ data }) =>
        data.length === 0
          ? say('Zu dieser Auswahl ist kein Netzbetreiber bekannt.', 'No grid operator of this choice is known.')
          : null
      }
      plain
    >
      {({ data }) => (
        <RowTable columns={columns} rows={data} caption={title} idOf={({ netzbetreiber }) => netzbetreiber} />
      )}
    </Figure>
  );
}

const columnsOf = (hrefOf: (operator: string) => string): readonly RowColumn<GridOperator>[] => [
  {
    name: say('Netzbetreiber', 'Grid operator'),
    value: ({ netzbetreiber }) => netzbetreiber,
    show: ({ netzbetreiber }) => (
      <a href={hrefOf(netzbetreiber)}>
        <bdi>{netzbetreiber}</bdi>
      </a>
    ),
  },
  { name: say('Nummer', 'Number'), value: ({ mastrNummern }) => mastrNummern.join(', ') },
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
];
