import { useNavigation } from '../../address/address.ts';
import { carrierName } from '../../charts/carriers.ts';
import { Severity, severityName, severityRank } from '../../figures/severities.tsx';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import type { Grid, GridRule } from '../../v1/grid-answers.ts';
import { type Loaded, mapLoaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';

/** Lists the rules of plausibility that apply to units of a grid; each leads to what there is to correct. */
export function RulesFigure({
  loaded,
  request,
  name,
  operator,
}: {
  loaded: Loaded<Grid>;
  request: ApiRequest;
  name: string;
  operator: string;
}) {
  const { at } = useNavigation();
  const columns = columnsOf(({ regel, einheitTyp }) =>
    at('qualitaet', { netzbetreiber: operator, traeger: einheitTyp, regel }),
  );
  const title = say(`Was nicht stimmen kann: ${name}`, `What cannot be right: ${name}`);
  return (
    <Figure
      title={title}
      unit={say(
        'Einheiten, auf die eine Regel zutrifft, je Energieträger, und ihre Bruttoleistung laut Register',
        'Units to which a rule applies, by carrier, and their gross power by the register',
      )}
      loaded={mapLoaded(loaded, ({ data }) =>
        data.qualitaet.toSorted(
          (one, other) => severityRank(one.schwere) - severityRank(other.schwere) || other.count - one.count,
        ),
      )}
      requests={[request]}
      shows={say('die Regeln der Datenqualität', 'the rules of data quality')}
      table={(rules) => tableOf(columns, rules)}
      empty={(rules) =>
        rules.length === 0
          ? say('Keine Einheit dieser Auswahl fällt auf.', 'No unit of this choice has an anomaly.')
          : null
      }
      plain
    >
      {(rules) => (
        <RowTable
          columns={columns}
          rows={rules}
          caption={title}
          idOf={({ regel, einheitTyp }) => `${regel} ${einheitTyp}`}
        />
      )}
    </Figure>
  );
}

const columnsOf = (hrefOf: (rule: GridRule) => string): readonly RowColumn<GridRule>[] => [
  {
    name: say('Schwere', 'Severity'),
    value: ({ schwere }) => severityName(schwere),
    show: ({ schwere }) => <Severity id={schwere} />,
  },
  {
    name: say('Regel', 'Rule'),
    value: ({ name, title }) => say(name, title),
    show: (rule) => <a href={hrefOf(rule)}>{say(rule.name, rule.title)}</a>,
  },
  { name: say('Energieträger', 'Carrier'), value: ({ einheitTyp }) => carrierName(einheitTyp) },
  { name: say('Einheiten', 'Units'), numeric: true, digits: 0, value: ({ count }) => count },
  {
    name: say('Leistung', 'Power'),
    unit: 'MW',
    numeric: true,
    digits: 3,
    value: ({ bruttoleistungKw }) => bruttoleistungKw / 1000,
  },
];
